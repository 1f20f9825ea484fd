"""Who may know what at one moment, and when a change of the battle changes that."""

import pytest
from msgspec.structs import replace

from service.engine.battle.fold import EffectBuilder
from service.engine.battle.linear import Linear
from service.engine.battle.open_decisions import Decision, DecisionGroup
from service.engine.battle.state import Combatant, RuleState, State, TableOptions, scope_of
from service.engine.battle.terms import NO_TERMS
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Side

A = Combatant(id="a", side="red", health=6, health_max=6)
B = Combatant(id="b", side="blue", health=6, health_max=6)
RULE = RuleState(
    options=TableOptions(),
    dice="sealed",
    sides=(Side(id="red"), Side(id="blue")),
    combatants=(A, B),
)
ASKED = Decision(
    id="d2.1",
    kind="dodge",
    opened_by=2,
    side="blue",
    combatant="b",
    options=("pass",),
    default="pass",
)
HURT = replace(A, health=1)
CHANGES = {
    "the only one hides": (
        replace(RULE, combatants=(A,)),
        replace(RULE, combatants=(replace(A, hidden=True),)),
    ),
    "everybody hides": (
        RULE,
        replace(RULE, combatants=(replace(A, hidden=True), replace(B, hidden=True))),
    ),
    "one hides": (RULE, replace(RULE, combatants=(A, replace(B, hidden=True)))),
    "one changes sides": (RULE, replace(RULE, combatants=(A, replace(B, side="red")))),
    "another one": (RULE, replace(RULE, combatants=(A, replace(B, id="c")))),
    "one more": (replace(RULE, combatants=(A,)), RULE),
    "one fewer": (RULE, replace(RULE, combatants=(A,))),
    "one is hurt": (RULE, replace(RULE, combatants=(HURT, B))),
    "options": (RULE, replace(RULE, options=TableOptions(enemy_numbers="hidden"))),
    "a question": (RULE, replace(RULE, pending=(DecisionGroup(decisions=(ASKED,)),))),
    "a round": (RULE, replace(RULE, round=2)),
}


def following(before: RuleState, after: RuleState) -> RuleState:
    """The state after an effect, with the lookups that the one before it hands on."""
    builder: EffectBuilder[RuleState] = EffectBuilder(
        State(rule=before, linear=Linear(), terms=NO_TERMS), lambda *_: replace(after)
    )
    builder.emit(fx.RoundBegan(round=1))
    return builder.rule


@pytest.mark.parametrize(("before", "after"), CHANGES.values(), ids=CHANGES)
def test_after_every_change_it_is_known_anew_who_may_know_what(
    before: RuleState, after: RuleState
) -> None:
    scope_of(before)
    assert scope_of(following(before, after)) == scope_of(replace(after))


@pytest.mark.parametrize("change", ["one is hurt", "a round"])
def test_what_changes_nobodys_knowledge_keeps_what_is_known_of_it(change: str) -> None:
    before, after = CHANGES[change]
    scope = scope_of(before)
    assert scope_of(following(before, after)) is scope
