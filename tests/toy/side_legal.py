"""What sides and units may do in the toy ruleset of sides."""

from msgspec import UNSET

from service.engine.battle.open_decisions import Decision
from service.engine.battle.state import Combatant, RuleState, State, controls
from service.engine.battle.turn import TurnHolder
from service.engine.ruleset.legal_nodes import (
    LegalNode,
    answers,
    node,
    one_of,
    some_of,
    with_params,
)
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.choices import PassChoice
from service.engine.vocabulary.values import By
from tests.toy.dares import Answer, Dare, StandUpChoice


def side_nodes(
    view: State[RuleState], side: str, by: By, turn: TurnHolder | None, shout: type[do.JointAction]
) -> tuple[LegalNode, ...]:
    """Dare, shout and end the turn; or answer what is asked."""
    if view.rule.status != "running":
        return ()
    own = [each for each in view.rule.combatants if each.side == side]
    mine = [each.id for each in own if controls(by, view.linear, each)]
    if view.rule.pending:
        asked = (each for each in view.rule.pending[-1].decisions if each.side == side)
        return tuple(_answer(each, mine) for each in asked)
    if turn is None or turn.side != side:
        return ()
    shouting = (
        (node({"combatants": some_of(mine, 1, len(mine))}, shout(combatants=tuple(mine[:1]))),)
        if mine
        else ()
    )
    whole = (
        node({}, Dare(side=side)),
        *(() if turn.unit else (node({}, do.EndSideTurn(side=side)),)),
    )
    return (*shouting, *whole)


def _answer(decision: Decision, mine: list[str]) -> LegalNode:
    standing = [with_params("stand_up", {"combatant": one_of(mine)})] if mine else []
    example = StandUpChoice(combatant=mine[0]) if mine else PassChoice()
    answer = Answer(decision_id=decision.id, choice=example)
    return answers([*standing, "pass"], answer, decision, UNSET)


def unit_node(
    view: State[RuleState],
    member: Combatant,
    turn: TurnHolder | None,
    begin: do.UnitAction,
    end: do.UnitAction,
) -> tuple[LegalNode, ...]:
    """Have one's turn within that of the side, and end it."""
    if turn is None or turn.side != member.side or view.rule.pending:
        return ()
    if not turn.unit:
        return (node({}, begin),)
    return (node({}, end),) if turn.unit == end.unit else ()
