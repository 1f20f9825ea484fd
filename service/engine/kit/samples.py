"""Complete actions picked from the nodes of legal actions: for random battles and tests."""

from collections.abc import Callable, Mapping, Sequence
from math import isqrt
from typing import Final, cast

from service.engine.battle.state import RuleState, State, scope_of
from service.engine.dice.dice import DiceStream
from service.engine.hashing import blob_digest
from service.engine.log.canonical import encode
from service.engine.ruleset.legal_nodes import ACTOR_FIELDS, FARTHEST, Domain, LegalNode
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
    example, params = cast("Domain", node["example"]), cast("Domain", node["params"])
    given = [name for name in ACTOR_FIELDS if name in example and name not in params]
    action: dict[str, object] = {"type": node["type"], **{name: example[name] for name in given}}
    _fill(action, params, pick)
    return action


def draw_actions(
    nodes: Sequence[LegalNode], digest: str, count: int
) -> tuple[Mapping[str, object], ...]:
    """Pick `count` actions, none if there is no node; the same digest gives the same actions."""
    source = DiceStream(bytes.fromhex(digest), 0, 0)
    made = (pick_action(nodes, lambda n: source.face(n) - 1) for _ in range(count))
    return tuple(each for each in made if each is not None)


def _fill(into: dict[str, object], params: object, pick: Pick) -> None:
    """A value for every parameter; each optional one is left out half of the time."""
    for name, domain in cast("Mapping[str, Domain]", params).items():
        if not domain.get("optional") or pick(2):
            into[name] = _value(into, domain, pick)


def _value(into: dict[str, object], domain: Domain, pick: Pick) -> object:
    """A value of a domain; the parameters that its member brings go into the same object."""
    if "one_of" in domain or "cells" in domain:
        return _member(into, domain, pick)
    if "int_range" in domain:
        bounds = cast("Mapping[str, int]", domain["int_range"])
        return bounds["min"] + pick(bounds["max"] - bounds["min"] + 1)
    if "some_of" in domain:
        return _several(domain, pick)
    if "accepted" in domain:
        accepted = cast("Sequence[object]", domain["accepted"])
        return accepted[pick(len(accepted))]
    if "disc" in domain:
        return _point(cast("Mapping[str, int]", domain["disc"]), pick)
    if "path" in domain:
        return _way(cast("Mapping[str, int]", domain["path"]), pick)
    if "list_of" in domain:
        element = cast("Domain", domain["list_of"])
        return [_value({}, element, pick) for _ in range(cast("int", domain["length"]))]
    inner: dict[str, object] = {}
    _fill(inner, domain["params"], pick)
    return inner


def _member(into: dict[str, object], domain: Domain, pick: Pick) -> object:
    is_path = "cells" in domain
    members = cast("Sequence[object]", domain["cells" if is_path else "one_of"])
    member = members[pick(len(members))]
    if not isinstance(member, Mapping) or not (is_path or "params" in member):
        return member
    _fill(into, member.get("params", {}), pick)
    return member["path" if is_path else "value"]


def _several(domain: Domain, pick: Pick) -> list[object]:
    """Distinct members in their order, as many as the bounds allow."""
    left = list(cast("Sequence[object]", domain["some_of"]))
    least, most = cast("int", domain["min"]), cast("int", domain["max"])
    wanted = least + pick(most - least + 1)
    while len(left) > wanted:
        left.pop(pick(len(left)))
    return left


def _point(disc: Mapping[str, int], pick: Pick) -> dict[str, int]:
    radius = disc.get("radius", _ANYWHERE)
    dx = pick(2 * radius + 1) - radius
    height = isqrt(radius * radius - dx * dx)
    dy = pick(2 * height + 1) - height
    return {"x": _kept(disc["x"] + dx), "y": _kept(disc["y"] + dy)}


def _kept(axis: int) -> int:
    return min(max(axis, -FARTHEST), FARTHEST)


def _way(path: Mapping[str, int], pick: Pick) -> list[dict[str, int]]:
    """One leg, or two where the first leaves something of the budget."""
    here, way, left = (path["x"], path["y"]), list[dict[str, int]](), path["budget"]
    for _ in range(1 + pick(2)):
        point = _point({"x": here[0], "y": here[1], "radius": left}, pick)
        squared = (point["x"] - here[0]) ** 2 + (point["y"] - here[1]) ** 2
        left -= isqrt(squared - 1) + 1 if squared else 0
        here = (point["x"], point["y"])
        way.append(point)
    return way
