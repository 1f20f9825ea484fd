"""Complete legal actions picked from the domains: for random battles and for clients' tests."""

from collections.abc import Callable, Mapping
from typing import cast

import msgspec

from service.engine.canonical import encode
from service.engine.dice import Stream
from service.engine.hashing import blob_digest
from service.engine.projection import view
from service.engine.scope import Viewer
from service.engine.state import State, scope_of
from service.rulesets.crossfire_d6.actions import AnyAction
from service.rulesets.crossfire_d6.legal import legal_actions
from service.rulesets.crossfire_d6.state import BattleState

Pick = Callable[[int], int]
"""Picks a number from 0 up to (not including) its argument, which is 1 or more."""


def sample(
    state: State[BattleState], combatant: str, viewer: Viewer, pick: Pick
) -> AnyAction | None:
    """One legal action of a combatant, None if there is none.

    Raises Refused("unknown_combatant") for one that the viewer does not know.
    """
    nodes = legal_actions(state, combatant, viewer).actions
    chosen = _picked(nodes, combatant, pick)
    action: AnyAction | None = None if chosen is None else msgspec.convert(chosen, AnyAction)
    return action


def samples(
    state: State[BattleState], combatant: str, viewer: Viewer, count: int
) -> tuple[Mapping[str, object], ...]:
    """So many legal actions, each picked anew; none if there is none.

    The picks follow from what the viewer sees of the battle: the same view, the same samples.
    """
    nodes = legal_actions(state, combatant, viewer).actions
    sight = view(state.rule, scope_of(state.rule), viewer)
    source = Stream(bytes.fromhex(blob_digest(encode(sight))), 0, 0)
    drawn = (_picked(nodes, combatant, lambda n: source.face(n) - 1) for _ in range(count))
    return tuple(each for each in drawn if each is not None)


def _picked(
    nodes: tuple[Mapping[str, object], ...], combatant: str, pick: Pick
) -> dict[str, object] | None:
    if not nodes:
        return None
    node = nodes[pick(len(nodes))]
    action: dict[str, object] = {"type": node["type"], "combatant": combatant}
    _fill(action, node["params"], pick)
    return action


def _fill(action: dict[str, object], params: object, pick: Pick) -> None:
    """A value for every parameter; each optional one is left out half of the time."""
    for name, domain in cast("dict[str, dict[str, object]]", params).items():
        if domain.get("optional") and not pick(2):
            continue
        if "cells" in domain:
            cells = cast("list[dict[str, object]]", domain["cells"])
            cell = cells[pick(len(cells))]
            action[name] = cell["path"]
            _fill(action, cell["params"], pick)
            continue
        values = cast("list[object]", domain["one_of"])
        value = values[pick(len(values))]
        if isinstance(value, dict):
            action[name] = value["value"]
            _fill(action, value["params"], pick)
        else:
            action[name] = value
