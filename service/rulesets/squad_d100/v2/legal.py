"""Legal actions are those of version 1, but for the duty of whoever stands in a wall."""

from service.engine.battle.state import State
from service.engine.kit.action_nodes import NodeSource
from service.engine.vocabulary.values import By
from service.rulesets.squad_d100.legal import legal_by
from service.rulesets.squad_d100.state import BattleState
from service.rulesets.squad_d100.v2.rules.suppression import READING


def legal_actions(view: State[BattleState], combatant: str, by: By) -> tuple[NodeSource, ...]:
    """One node for every type of action that this combatant may take now, for `snap_shots` two."""
    return legal_by(READING, view, combatant, by)
