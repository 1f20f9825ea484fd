"""What versions of this rulebook read differently; the defaults are what version 1 reads."""

from collections.abc import Callable

from msgspec import Struct

from service.engine.vocabulary.values import Place
from service.rulesets.tactical_d20.effects import EncounterCreated, OptionsSet
from service.rulesets.tactical_d20.rules.unseen import GuessReading, always_attacked

WalkerReading = Callable[[Place, Place], None]
"""What is asked of a walker who walks on: where it is, and where its last step left it."""


def anywhere(_here: Place, _left: Place) -> None:
    """A walker may walk on from anywhere."""


class Readings(Struct, frozen=True, kw_only=True):
    """How a version reads the rulebook where versions differ."""

    guess: GuessReading = always_attacked
    walker: WalkerReading = anywhere
    created: type[EncounterCreated] = EncounterCreated
    options_set: type[OptionsSet] = OptionsSet
    """With `created` the effects that hold options: in types of a version that has others."""
    is_walk_passed: bool = False
    """Whether an enemy may pass for the rest of a walk."""
    is_judged_again: bool = False
    """Whether an action that waited for answers is judged again when they are all there."""
