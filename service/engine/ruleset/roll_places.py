"""The places of rolls in effects, and those that may tell faces again that were told before.

How this works. A place is the type of an effect and the path from it to a roll, with `*` for any
position of an array. All places are read from the types; a ruleset says which of them may tell
faces again (`Retelling`), and why: what waited for an answer, a roll that stands, or one roll for
several.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from service.engine.visibility.audience_plan import members
from service.engine.vocabulary.values import Roll

ANY: Final = "*"
"""Any position of an array, in a place."""

BROUGHT: Final = "decision_closed.roll"
"""The place of dice of the table that an action brings while it waits for more."""

ASKED_FOR_DICE: Final = "roll"
"""The kind of a question for dice of the table."""


@dataclass(frozen=True, slots=True)
class Retelling:
    """The places of a ruleset's rolls that may tell faces again.

    `held` name dice of an action that waits, `waiting` tell them again when it goes on, `questions`
    are the kinds of questions that it waits for: where the service rolls. `standing` tell a roll
    that stands for the `target` beside them. `shared` tell again what one of the named places tells
    in the same event.
    """

    held: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    shared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


NOTHING_RETOLD: Final = Retelling()


class RollPlaces(Struct, frozen=True):
    """The places of a ruleset's rolls; `rolls` are all, `meanwhile` actions over open questions."""

    rolls: frozenset[str]
    meanwhile: frozenset[str]
    held: frozenset[str]
    waiting: frozenset[str]
    questions: frozenset[str]
    standing: frozenset[str]
    shared: Mapping[str, frozenset[str]]

    def is_brought(self, place: str, *, is_supplied: bool) -> bool:
        """Whether a place names dice that an action brings and goes on waiting with."""
        return place in self.held or (is_supplied and place == BROUGHT)

    def may_have_waited(self, place: str, *, is_supplied: bool) -> bool:
        """Whether a place may tell dice again that an action brought before it waited."""
        return place in (self.rolls if is_supplied else self.waiting) and place != BROUGHT


def roll_places(event: type[Struct], retelling: Retelling) -> RollPlaces:
    """The places of a ruleset's type of event.

    Raises TypeError for a place that is named and is none.
    """
    rolls, meanwhile = _read(event)
    shared = {place: frozenset(sources) for place, sources in retelling.shared.items()}
    named = {*retelling.held, *retelling.waiting, *retelling.standing, *shared}
    strange = named.union(*shared.values()) - rolls
    if strange:
        raise TypeError(f"{event.__name__} has no roll at {sorted(strange)}")
    return RollPlaces(
        rolls=rolls,
        meanwhile=meanwhile,
        held=frozenset(retelling.held),
        waiting=frozenset(retelling.waiting),
        questions=frozenset((ASKED_FOR_DICE, *retelling.questions)),
        standing=frozenset(retelling.standing),
        shared=shared,
    )


@cache
def _read(event: type[Struct]) -> tuple[frozenset[str], frozenset[str]]:
    """All places of rolls, and the actions that are taken over open questions."""
    hints = get_type_hints(event)
    [effects] = members(hints["effects"])
    rolls = frozenset(place for kind in members(get_args(effects)[0]) for place in _of(kind))
    actions: Any = members(hints["action"])
    free = (str(kind.__struct_config__.tag) for kind in actions if not kind.LIFE.waits)
    return rolls, frozenset(free)


def _of(kind: Any) -> Iterator[str]:
    yield from _within(kind, (str(kind.__struct_config__.tag),))


def _within(hint: object, way: tuple[str, ...]) -> Iterator[str]:
    for kind in members(hint):
        if get_origin(kind) is tuple:
            for inner in get_args(kind):
                yield from _within(inner, (*way, ANY))
        elif isinstance(kind, type) and issubclass(kind, Roll):
            yield ".".join(way)
        elif isinstance(kind, type) and issubclass(kind, Struct) and not _is_state(kind):
            hints = get_type_hints(kind)
            for each in msgspec.structs.fields(kind):
                yield from _within(hints[each.name], (*way, each.encode_name))


def _is_state(kind: type[Struct]) -> bool:
    """Whether this is the state of a battle, which a fork takes up: it tells no rolls."""
    return "pending" in kind.__struct_fields__
