"""What a combatant may do now, as far as a viewer knows: a domain for every parameter.

Nodes and domains are those of `engine/kit/action_nodes.py`. A path lists every other cell where it
may end for at most 120 movement points, with its cost and one path to it. Snap shots with two hands
have a node beside that of those with one. While the table's dice are awaited nothing is listed.
"""

from collections.abc import Iterator

from service.engine.battle.state import State
from service.engine.kit.action_nodes import LegalNode, is_allowed
from service.engine.vocabulary.values import By
from service.rulesets.squad_d100.deciding.phases import acting
from service.rulesets.squad_d100.legal_actions.movement import movement_nodes
from service.rulesets.squad_d100.legal_actions.shots import shooting_nodes
from service.rulesets.squad_d100.state import BattleState, Combatant


def legal_actions(view: State[BattleState], combatant: str, by: By) -> tuple[LegalNode, ...]:
    """One node for every type of action that this combatant may take now, for `snap_shots` two."""
    is_running = view.rule.status == "running" and not view.rule.pending
    if is_running and is_allowed(lambda: acting(view.rule, combatant)):
        return tuple(_nodes(view, acting(view.rule, combatant), by))
    return ()


def _nodes(view: State[BattleState], actor: Combatant, by: By) -> Iterator[LegalNode]:
    yield from movement_nodes(view, actor)
    yield from shooting_nodes(view, actor, is_gm=by.role == "gm")
