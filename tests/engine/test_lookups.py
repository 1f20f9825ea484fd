"""What is kept next to a state is no part of it, and never reports another state."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from service.engine.battle import decide, fold
from service.engine.battle.fold import EffectBuilder, _evolved
from service.engine.battle.roster import combatant_of
from service.engine.battle.state import MOST_ENTRIES, RuleState, Table, scope_of
from service.engine.dice.dice import SealedDice
from service.engine.kit.perception import perceive
from service.engine.log import canonical
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import EndTurn
from service.engine.vocabulary.values import Place
from tests.kit.random_battles import ask, play
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.table import GM, seated
from tests.toy.battles import ambush
from tests.toy.rules import RULESET as TOY
from tests.toy.rules import evolve
from tests.toy.sweeps import melee


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3))))
def test_an_answer_is_found_again_only_for_what_it_was_worked_out_of(
    asked: list[tuple[int, int]],
) -> None:
    table: Table[int, tuple[int, int]] = Table()
    for key, given_value in asked:
        found = table.find(key, (given_value,))
        assert found in (None, (key, given_value))
        table.keep(key, (given_value,), (key, given_value))
        assert table.find(key, (given_value,)) == (key, given_value)


def test_a_table_is_bounded() -> None:
    table: Table[int, int] = Table()
    for number in range(3 * MOST_ENTRIES):
        assert table.keep(number, (), number) == number
        assert len(table) <= MOST_ENTRIES
    assert table.find(0, ()) is None


def test_lookups_are_neither_encoded_nor_compared_nor_hashed_nor_copied() -> None:
    rule = ambush().state.rule
    bare = replace(rule)
    assert scope_of(rule) == scope_of(bare)
    assert combatant_of(rule, rule.combatants[-1].id) is rule.combatants[-1]
    assert rule.lookups.positions != bare.lookups.positions == {}
    assert (rule, hash(rule)) == (bare, hash(bare))
    assert canonical.encode(rule) == canonical.encode(bare)
    assert "lookups" not in replace(rule).__dict__


def test_an_effect_hands_the_lookups_on() -> None:
    state = ambush().state
    rule = state.rule
    moved = fx.Moved(
        combatant=rule.combatants[0].id, manner="gm", start=Place(x=0, y=0), end=Place(x=3, y=3)
    )
    told = EffectBuilder(state, evolve)
    told.emit(moved)
    assert told.rule.lookups is rule.lookups
    assert _evolved(evolve, replace(rule), moved).lookups is not rule.lookups
    other = replace(rule)
    assert _evolved(evolve, other, moved).lookups is other.lookups


def test_a_perceived_state_begins_with_none() -> None:
    state = ambush().state
    for known in state.rule.combatants:
        combatant_of(state.rule, known.id)
    hidden = {each.id for each in state.rule.combatants if each.hidden}
    assert hidden <= state.rule.lookups.positions.keys()
    seen = perceive(state, Viewer())
    assert seen.rule is not state.rule
    assert "lookups" not in seen.rule.__dict__
    assert all(combatant_of(seen.rule, name) is None for name in hidden)


def steps_from(rule: RuleState) -> list[RuleState]:
    """The states that a decision led to from this one, as they are kept."""
    states = [rule]
    while "step" in states[-1].__dict__:
        _, _, after = states[-1].__dict__["step"]
        states.append(after)
    return states


def test_the_fold_takes_the_steps_of_the_decision_and_leaves_none_behind() -> None:
    table = melee()
    state, seq = table.state, len(table.sealed) + 1
    action = EndTurn(combatant=state.rule.turn)
    dice = SealedDice(bytes(32), seq)
    effects = decide.decide(TOY, state, action, GM, seq, dice)
    decided = steps_from(state.rule)
    assert len(decided) == len(effects) + 1 > 2
    event = TOY.event(
        seq=seq,
        base=seq - 1,
        encounter=table.encounter,
        at="2026-11-21T20:00:00.000Z",
        by=GM,
        action=action,
        draws=tuple(dice.draws),
        effects=effects,
    )
    after = fold.apply(TOY, state, event)
    assert after.rule is decided[-1]
    assert [rule for rule in decided if "step" in rule.__dict__] == []
    again = fold.apply(TOY, state, event)
    assert again.rule is not after.rule
    assert again.rule == after.rule


def test_a_step_of_another_effect_is_not_taken() -> None:
    state = ambush().state
    rule = state.rule
    told = EffectBuilder(state, evolve)
    told.emit(fx.RoundBegan(round=8))
    assert _evolved(evolve, rule, fx.RoundBegan(round=9)).round == 9
    assert _evolved(evolve, rule, told.emitted[0]) is told.rule


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_the_scope_that_is_handed_on_is_that_of_the_state(rig: Rig, number: int) -> None:
    scopes = []

    def look_and_ask(table: Any, action: Any, by: str) -> None:
        scopes.append(scope_of(table.state.rule))
        assert scopes[-1] == scope_of(replace(table.state.rule))
        ask(table, action, by)

    table = seated(rig.ruleset, rig.battles.setup(number, with_secrets=True))
    play(table, number, 40, deed=look_and_ask)
    assert len({id(scope) for scope in scopes}) < len(scopes) > 20
