"""What a side sees of its enemies, and its legal actions narrowed down to those that meet them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import UNSET, Struct
from msgspec.structs import replace

from service.engine.battle.roster import is_out
from service.engine.battle.state import RuleState
from service.engine.geometry.segments import Spot
from service.engine.narration.names import words_in
from service.engine.ruleset.legal_nodes import (
    ACTOR_FIELDS,
    CellsDomain,
    Domain,
    DomainCell,
    DomainMember,
    DomainPoint,
    DomainTarget,
    LegalNode,
    ListDomain,
    ListedValue,
    ObjectDomain,
    OneOfDomain,
    Params,
    PathDomain,
    PricedCell,
    PricedCellsDomain,
    SomeOfDomain,
)

S = TypeVar("S")
T = TypeVar("T")


class Sight(Struct, frozen=True):
    """The enemies who can still act, those of one's own side, and where the enemies stand."""

    enemies: frozenset[str]
    friends: frozenset[str]
    goals: tuple[Spot, ...]

    def aimed(self, node: LegalNode) -> LegalNode | None:
        """The same node with enemies alone to choose where there are any, else without friends;
        None where no enemy can be named. In places nobody is.
        """
        narrowed = self._params(node.params)
        return replace(node, params=narrowed.value) if narrowed.names_enemy else None

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
        match node.params.get("path"):
            case CellsDomain(cells=ends) as path if ends:
                nearest: Domain = replace(path, cells=self._nearest(ends, _cell_of))
            case PricedCellsDomain(cells=priced) as path if priced:
                nearest = replace(path, cells=self._nearest(priced, _cell_of))
            case PathDomain(accepted=tuple(ways)) as path if ways:
                nearest = replace(path, accepted=self._nearest(ways, _end_of))
            case _:
                return node
        return replace(node, params={**node.params, "path": nearest})

    def _nearest(self, ends: tuple[T, ...], spot_of: Callable[[T], Spot]) -> tuple[T, ...]:
        far = [distance(spot_of(each), self.goals) for each in ends]
        least = min(far)
        return tuple(each for each, at in zip(ends, far, strict=True) if at == least)

    def _params(self, params: Params) -> "_Narrowed[Params]":
        """The domains of parameters, and whom they name after that."""
        parts = {name: self._domain(domain) for name, domain in params.items()}
        narrowed: Params = {name: part.value for name, part in parts.items()}
        return _together(narrowed, [*parts.values()])

    def _domain(self, domain: Domain) -> "_Narrowed[Domain]":
        match domain:
            case OneOfDomain(one_of=values):
                one = _chosen([self._listed(each) for each in values])
                return one.holding(replace(domain, one_of=one.value))
            case SomeOfDomain(some_of=members):
                some = _chosen([self._word(each) for each in members])
                return some.holding(replace(domain, some_of=some.value))
            case ListDomain(list_of=element):
                each = self._domain(element)
                return each.holding(replace(domain, list_of=each.value))
            case ObjectDomain(params=params):
                inner = self._params(params)
                return inner.holding(replace(domain, params=inner.value))
            case _:
                return _nobody(domain)

    def _listed(self, value: ListedValue) -> "_Narrowed[ListedValue]":
        match value:
            case DomainMember():
                params = self._params(value.params)
                member: ListedValue = replace(value, params=params.value)
                return _together(member, [self._named(value.value, value), params])
            case DomainTarget(target=str(target)):
                return self._named(target, value)
            case tuple():
                return _together(value, [self._named(each, value) for each in value])
            case str():
                return self._named(value, value)
            case _:
                return _nobody(value)

    def _word(self, value: str | int) -> "_Narrowed[str | int]":
        return self._named(value, value) if isinstance(value, str) else _nobody(value)

    def _named(self, name: str, value: T) -> "_Narrowed[T]":
        """A value that names whoever has this id."""
        return _Narrowed(value, name in self.enemies, name in self.friends)


class _Narrowed(NamedTuple, Generic[T]):
    """What is left of a value, and whether it names an enemy or a friend."""

    value: T
    names_enemy: bool
    names_friend: bool

    def holding(self, value: S) -> "_Narrowed[S]":
        """The same of what holds the value."""
        return _Narrowed(value, self.names_enemy, self.names_friend)


def _chosen(members: Sequence[_Narrowed[T]]) -> _Narrowed[tuple[T, ...]]:
    """What is left to choose from: who names an enemy, else who names no friend, else all."""
    met = [each for each in members if each.names_enemy]
    kept = met or [each for each in members if not each.names_friend] or members
    return _together(tuple([each.value for each in kept]), kept)


def _nobody(value: T) -> _Narrowed[T]:
    return _Narrowed(value, names_enemy=False, names_friend=False)


def _together(value: T, parts: Sequence[_Narrowed[Any]]) -> _Narrowed[T]:
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


def _cell_of(end: DomainCell | PricedCell) -> Spot:
    return end.x, end.y


def _end_of(path: tuple[DomainPoint, ...]) -> Spot:
    """Where the last point of a path is."""
    return path[-1].x, path[-1].y
