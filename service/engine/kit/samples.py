"""Complete actions picked from the nodes of legal actions: for random battles and tests."""

from collections.abc import Callable, Mapping, Sequence
from math import isqrt
from typing import Final

import msgspec
from msgspec import UNSET

from service.engine.battle.state import RuleState, State, scope_of
from service.engine.dice.dice import DiceStream
from service.engine.geometry.points import Cell
from service.engine.hashing import blob_digest
from service.engine.log.canonical import encode
from service.engine.ruleset.legal_nodes import (
    ACTOR_FIELDS,
    FARTHEST,
    CellsDomain,
    DiscDomain,
    Domain,
    DomainMember,
    DomainPoint,
    LegalNode,
    ListDomain,
    ListedValue,
    ObjectDomain,
    OneOfDomain,
    Params,
    PathBounds,
    PathDomain,
    PricedCellsDomain,
    RangeDomain,
    SomeOfDomain,
    TriedObjectDomain,
)
from service.engine.visibility.projection import view
from service.engine.visibility.scope import Viewer

Pick = Callable[[int], int]
"""Picks a number from 0 up to (not including) its argument, which is 1 or more."""

_ANYWHERE: Final = 30
"""Radius in which a point is picked that may lie anywhere."""


def sample_actions(
    state: State[RuleState],
    nodes: Sequence[LegalNode],
    viewer: Viewer,
    count: int,
) -> tuple[Mapping[str, object], ...]:
    """Pick `count` actions of these nodes; none if there is no node.

    The picks follow from what the viewer sees of the battle: the same view, the same samples.
    """
    sight = view(state.rule, scope_of(state.rule), viewer)
    return draw_actions(nodes, blob_digest(encode(sight)), count)


def pick_action(nodes: Sequence[LegalNode], pick: Pick) -> dict[str, object] | None:
    """One complete action of whom the nodes are for, None without a node."""
    if not nodes:
        return None
    node = nodes[pick(len(nodes))]
    action: dict[str, object] = {"type": node.type}
    for name in ACTOR_FIELDS:
        given = getattr(node.example, name, UNSET)
        if given is not UNSET and name not in node.params:
            action[name] = given
    _fill(action, node.params, pick)
    return action


def draw_actions(
    nodes: Sequence[LegalNode], digest: str, count: int
) -> tuple[Mapping[str, object], ...]:
    """Pick `count` actions, none if there is no node; the same digest gives the same actions."""
    source = DiceStream(bytes.fromhex(digest), 0, 0)
    made = (pick_action(nodes, lambda n: source.face(n) - 1) for _ in range(count))
    return tuple(each for each in made if each is not None)


def _fill(into: dict[str, object], params: Params, pick: Pick) -> None:
    """A value for every parameter; each optional one is left out half of the time."""
    for name, domain in params.items():
        if not domain.optional or pick(2):
            into[name] = _value(into, domain, pick)


def _value(into: dict[str, object], domain: Domain, pick: Pick) -> object:
    """A value of a domain; the parameters that its member brings go into the same object."""
    match domain:
        case OneOfDomain(one_of=members):
            return _member(into, members[pick(len(members))], pick)
        case CellsDomain(cells=ends):
            end = ends[pick(len(ends))]
            _fill(into, end.params, pick)
            return _as_json(end.path)
        case PricedCellsDomain(cells=priced):
            return _as_json(priced[pick(len(priced))].path)
        case RangeDomain(int_range=bounds):
            return bounds.min + pick(bounds.max - bounds.min + 1)
        case SomeOfDomain():
            return _several(domain, pick)
        case ListDomain(list_of=element, length=length):
            return [_value({}, element, pick) for _ in range(length)]
        case _:
            return _bounded(domain, pick)


def _bounded(domain: Domain, pick: Pick) -> object:
    """A value of a domain that says what holds of its values; one that is accepted, if listed."""
    match domain:
        case (
            DiscDomain(accepted=tuple(accepted))
            | PathDomain(accepted=tuple(accepted))
            | TriedObjectDomain(accepted=accepted)
        ):
            return _as_json(accepted[pick(len(accepted))])
        case DiscDomain(disc=disc):
            radius = _ANYWHERE if disc.radius is UNSET else disc.radius
            return _point((disc.x, disc.y), radius, pick)
        case PathDomain(path=path):
            return _way(path, pick)
        case ObjectDomain(params=params):
            inner: dict[str, object] = {}
            _fill(inner, params, pick)
            return inner
        case _:
            raise TypeError(f"{type(domain).__name__} is no domain of parameters")


def _member(into: dict[str, object], member: ListedValue, pick: Pick) -> object:
    if isinstance(member, DomainMember):
        _fill(into, member.params, pick)
        return member.value
    return _as_json(member)


def _as_json(value: object) -> object:
    """A listed value as an action states it."""
    match value:
        case DomainPoint(x=x, y=y):
            return {"x": x, "y": y}
        case tuple():
            return [_as_json(each) for each in value]
        case _:
            return msgspec.to_builtins(value)


def _several(domain: SomeOfDomain, pick: Pick) -> list[str | int]:
    """Distinct members in their order, as many as the bounds allow."""
    left = list(domain.some_of)
    wanted = domain.min + pick(domain.max - domain.min + 1)
    while len(left) > wanted:
        left.pop(pick(len(left)))
    return left


def _point(centre: Cell, radius: int, pick: Pick) -> dict[str, int]:
    dx = pick(2 * radius + 1) - radius
    height = isqrt(radius * radius - dx * dx)
    dy = pick(2 * height + 1) - height
    return {"x": _kept(centre[0] + dx), "y": _kept(centre[1] + dy)}


def _kept(axis: int) -> int:
    return min(max(axis, -FARTHEST), FARTHEST)


def _way(path: PathBounds, pick: Pick) -> list[dict[str, int]]:
    """One leg, or two where the first leaves something of the budget."""
    here, way, left = (path.x, path.y), list[dict[str, int]](), path.budget
    for _ in range(1 + pick(2)):
        point = _point(here, left, pick)
        squared = (point["x"] - here[0]) ** 2 + (point["y"] - here[1]) ** 2
        left -= isqrt(squared - 1) + 1 if squared else 0
        here = (point["x"], point["y"])
        way.append(point)
    return way
