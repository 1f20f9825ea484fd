"""What may be done now, as far as a caller knows: by a warrior, by a unit, by a side.

Nodes and domains: `engine/ruleset/legal_nodes.py`. A unit activates, masks some of its
members and goes on; a side ends its turn, and answers what it is asked; all else warriors do.
Points and paths are in u. Everything is tried with the checks that decide it. While the table's
dice are awaited nothing is listed.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from service.engine.battle.roster import existing
from service.engine.battle.state import State, controls
from service.engine.ruleset.legal_nodes import (
    LegalNode,
    NodeSource,
    NodeUse,
    is_allowed,
    node,
    ready,
)
from service.engine.vocabulary.actions import EndSideTurn
from service.engine.vocabulary.values import By
from service.rulesets.melody_d6.actions import Activate, EndActivation, EndMovement, Guard
from service.rulesets.melody_d6.deciding import activation, turns
from service.rulesets.melody_d6.deciding.guard import require_guard
from service.rulesets.melody_d6.deciding.requirements import is_own_unit, require_acting
from service.rulesets.melody_d6.legal_actions.attacks import (
    fight_node,
    guard_shot_node,
    shoot_node,
)
from service.rulesets.melody_d6.legal_actions.decisions import answer_node
from service.rulesets.melody_d6.legal_actions.movement import (
    mask_node,
    movement_nodes,
    unmask_node,
)
from service.rulesets.melody_d6.legal_actions.songs import dampen_node, sing_node, stop_node
from service.rulesets.melody_d6.state import BattleState, Combatant, Phase, members_of

View = State[BattleState]
"""The battle as somebody may know it."""

Nodes = Callable[[View, Combatant], Iterator[LegalNode]]
"""What makes the nodes of a warrior."""


def legal_actions(view: View, combatant: str, _: By) -> tuple[NodeSource, ...]:
    """One node for every type of action that this warrior may take now."""
    if not _is_free(view):
        return ()
    actor = existing(view.rule, combatant)
    phased = _IN_PHASE[view.rule.phase] if _may_act(view, actor) else ()
    return tuple(NodeSource(use, partial(make, view, actor)) for use, make in (*phased, *_ANY_TIME))


def legal_of_unit(view: View, unit: str, by: By) -> tuple[NodeSource, ...]:
    """What a unit may do now, and its members together, as far as the caller controls them."""
    is_theirs = _is_free(view) and is_own_unit(view, by, unit)
    return ready(*_unit_nodes(view, unit, by)) if is_theirs else ()


def legal_of_side(view: View, side: str, by: By) -> tuple[NodeSource, ...]:
    """The end of a side's turn, or the answers to what it is asked."""
    rule = view.rule
    if rule.status != "running":
        return ()
    if rule.pending:
        mine = [each.id for each in rule.combatants if _is_own(view, each, side, by)]
        asked = (each for each in rule.pending[-1].decisions if each.side == side)
        return ready(
            *(answer_node(view, each, mine) for each in asked if "roll" not in each.options)
        )
    end = EndSideTurn(side=side)
    is_over = is_allowed(lambda: turns.require_end(rule, end, is_timeout=False))
    return ready(node({}, end)) if is_over else ()


def _is_free(view: View) -> bool:
    """Whether the battle runs and waits for no answer."""
    return view.rule.status == "running" and not view.rule.pending


def _may_act(view: View, actor: Combatant) -> bool:
    """Whether a warrior may act in the open activation, in the phase that it is in."""
    return is_allowed(lambda: require_acting(view.rule, actor.id, view.rule.phase))


def _is_own(view: View, warrior: Combatant, side: str, by: By) -> bool:
    return warrior.side == side and controls(by, view.linear, warrior)


def _unit_nodes(view: View, unit: str, by: By) -> Iterator[LegalNode]:
    rule = view.rule
    begin, go_on, end = Activate(unit=unit), EndMovement(unit=unit), EndActivation(unit=unit)
    if is_allowed(lambda: activation.require_activation(rule, begin)):
        yield node({}, begin)
    if rule.turn_unit != unit:
        return
    own = [each.id for each in members_of(rule, unit) if controls(by, view.linear, each)]
    yield from mask_node(view, own)
    if is_allowed(lambda: activation.require_end_of_movement(rule, go_on)):
        yield node({}, go_on)
    if is_allowed(lambda: activation.require_end(rule, end)):
        yield node({}, end)


def _guard(view: View, actor: Combatant) -> Iterator[LegalNode]:
    action = Guard(combatant=actor.id)
    if is_allowed(lambda: require_guard(view, action)):
        yield node({}, action)


_IN_PHASE: Final[dict[Phase, tuple[tuple[NodeUse, Nodes], ...]]] = {
    "movement": (("approach", movement_nodes), ("other", unmask_node)),
    "action": (
        ("attack", shoot_node),
        ("attack", fight_node),
        ("other", sing_node),
        ("other", _guard),
        ("other", unmask_node),
    ),
}
"""What is done in the activation of one's unit, by its phase."""

_ANY_TIME: Final[tuple[tuple[NodeUse, Nodes], ...]] = (
    ("other", stop_node),
    ("other", dampen_node),
    ("attack", guard_shot_node),
)
"""What is done in it and at other times, as its own checks say."""
