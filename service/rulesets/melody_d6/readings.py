"""What versions of this rulebook read differently; the defaults are what version 1 reads."""

from collections.abc import Callable

from msgspec import Struct

from service.errors import Refused
from service.rulesets.melody_d6.options import Options, without_later
from service.rulesets.melody_d6.rules.guard import (
    DetectionReading,
    MoverReading,
    is_always_met,
    is_never_asked_before,
)

Judge = Callable[[str, Callable[[], object], bool], Refused | None]
"""Why what waited may not go on, None if it may: of whom it is, what it requires, and whether that
warrior is where the action has left it."""

OptionsReading = Callable[[Options, str], Options]
"""The options of a battle, given those that a request states and the place where it does."""


class Readings(Struct, frozen=True, kw_only=True):
    """How a version reads the rulebook where versions differ."""

    mover: MoverReading = is_always_met
    before_shot: DetectionReading = is_never_asked_before
    options: OptionsReading = without_later
    judge: Judge | None = None
    """Judges again what waited for answers; None: it continues as far as it can."""
