"""What a side sees of its enemies, and its legal actions narrowed down to those that meet them."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, cast

from msgspec import UNSET, Struct

from service.engine.battle.roster import is_out
from service.engine.battle.state import RuleState
from service.engine.geometry.segments import Spot
from service.engine.narration.names import words_in
from service.engine.ruleset.legal_nodes import ACTOR_FIELDS, Domain, LegalNode

_IMPERSONAL: Final = frozenset(
    {"path", "cells", "accepted", "disc", "int_range", "unit", "optional", "metric"}
)
"""Members of a domain in which nobody is named."""
_CHOICES: Final = frozenset({"one_of", "some_of"})


class Sight(Struct, frozen=True):
    """The enemies who can still act, those of one's own side, and where the enemies stand."""

    enemies: frozenset[str]
    friends: frozenset[str]
    goals: tuple[Spot, ...]

    def aimed(self, node: LegalNode) -> LegalNode | None:
        """The same node with enemies alone to choose where there are any, else without friends;
        None where no enemy can be named. In places nobody is.
        """
        narrowed = self._narrowed(node["params"])
        return {**node, "params": narrowed.value} if narrowed.names_enemy else None

    def names_enemies_only(self, action: Mapping[str, object]) -> bool:
        """Whether an action names an enemy and nobody of its own side but who acts."""
        named = {
            word
            for name, each in action.items()
            for word in words_in(each)
            if name not in ACTOR_FIELDS
        }
        return not named.isdisjoint(self.enemies) and named.isdisjoint(self.friends)

    def nearest_ends(self, node: LegalNode) -> LegalNode:
        """The node of a move with only those of the listed places that are nearest to an enemy."""
        params = cast("Mapping[str, Domain]", node["params"])
        path = params.get("path", {})
        name = next((each for each in ("cells", "accepted") if path.get(each)), None)
        if name is None:
            return node
        ends = cast("Sequence[object]", path[name])
        far = [distance(_spot(each), self.goals) for each in ends]
        nearest = [each for each, at in zip(ends, far, strict=True) if at == min(far)]
        return {**node, "params": {**params, "path": {**path, name: nearest}}}

    def _narrowed(self, value: object) -> "_Narrowed":
        """A domain, or any part of one, and whom it names after that."""
        match value:
            case str():
                return _Narrowed(value, value in self.enemies, value in self.friends)
            case dict():
                parts = {name: self._part(name, each) for name, each in value.items()}
                narrowed: object = {name: part.value for name, part in parts.items()}
                return _together(narrowed, [*parts.values()])
            case list():
                members = [self._narrowed(each) for each in value]
                return _together([each.value for each in members], members)
            case _:
                return _Narrowed(value, names_enemy=False, names_friend=False)

    def _part(self, name: str, value: object) -> "_Narrowed":
        if name in _IMPERSONAL:
            return _Narrowed(value, names_enemy=False, names_friend=False)
        if name not in _CHOICES or not isinstance(value, list):
            return self._narrowed(value)
        if all(type(each) is str for each in value):
            return self._words(value)
        members = [self._narrowed(each) for each in value]
        met = [each for each in members if each.names_enemy]
        kept = met or [each for each in members if not each.names_friend] or members
        return _together([each.value for each in kept], kept)

    def _words(self, words: list[str]) -> "_Narrowed":
        """The same of a choice of words alone."""
        met = [each for each in words if each in self.enemies]
        kept = met or [each for each in words if each not in self.friends]
        return _Narrowed(kept or words, names_enemy=bool(met), names_friend=not kept)


class _Narrowed(NamedTuple):
    """What is left of a value, and whether it names an enemy or a friend."""

    value: object
    names_enemy: bool
    names_friend: bool


def _together(value: object, parts: Sequence[_Narrowed]) -> _Narrowed:
    return _Narrowed(
        value,
        names_enemy=any(each.names_enemy for each in parts),
        names_friend=any(each.names_friend for each in parts),
    )


def sight_of(view: RuleState, side: str) -> Sight:
    """What a side sees in the battle as it is known to it."""
    enemies = [each for each in view.combatants if each.side != side and not is_out(each)]
    return Sight(
        enemies=frozenset(each.id for each in enemies),
        friends=frozenset(each.id for each in view.combatants if each.side == side),
        goals=tuple((each.place.x, each.place.y) for each in enemies if each.place is not UNSET),
    )


def distance(end: Spot, goals: Sequence[Spot]) -> int:
    """The square of the distance to the nearest."""
    return min((end[0] - x) ** 2 + (end[1] - y) ** 2 for x, y in goals)


def _spot(place: object) -> Spot:
    """Where a listed place is: a cell, or the last point of a path."""
    match place:
        case {"x": int(x), "y": int(y)}:
            return x, y
        case [*_, {"x": int(x), "y": int(y)}]:
            return x, y
        case _:
            raise TypeError("a listed place without coordinates")
