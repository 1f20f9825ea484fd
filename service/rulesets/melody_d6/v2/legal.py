"""What may be done is as in version 1, but for shots at those who are on their way no more."""

from service.engine.battle.state import State
from service.engine.kit.action_nodes import NodeSource
from service.engine.vocabulary.values import By
from service.rulesets.melody_d6.legal import legal_of_side_by
from service.rulesets.melody_d6.state import BattleState
from service.rulesets.melody_d6.v2.rules.guard import is_met_while_it_goes_on


def legal_of_side(view: State[BattleState], side: str, by: By) -> tuple[NodeSource, ...]:
    """The end of a side's turn, or the answers to what it is asked."""
    return legal_of_side_by(is_met_while_it_goes_on, view, side, by)
