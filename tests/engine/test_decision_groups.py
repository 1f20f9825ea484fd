"""Questions asked of several at once: answered in any order, worked out in the order of asking."""

from itertools import permutations

import pytest
from msgspec import UNSET

from service.engine.battle import decision_groups
from service.engine.battle.decisions import open_question
from service.engine.battle.fold import EffectBuilder
from service.engine.kit.perception import perceive
from service.engine.log.event import Event
from service.engine.ruleset.legal_nodes import LegalDecision
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.choices import PassChoice, RollChoice
from service.engine.vocabulary.values import By
from service.errors import Forbidden, Refused
from tests.kit.table import GM, Table
from tests.toy.battles import ANN, BOB
from tests.toy.model import Adjust, DodgeChoice, Step, Strike, Sweep, ToyAnswer, ToyChoice
from tests.toy.rules import RULESET
from tests.toy.suspending import READERS
from tests.toy.sweeps import (
    CLOCK,
    DODGE,
    EVE,
    GIL,
    LOW,
    PASS,
    TARGETS,
    answer,
    asked,
    melee,
    struck_down,
    swept,
)

CHOICES: dict[str, ToyChoice] = {"berta": DODGE, "gerda": LOW, "bruno": PASS}


def closings(event: Event) -> list[tuple[str, object, object]]:
    return [
        (effect.decision_id, effect.how, effect.choice)
        for effect in event.effects
        if isinstance(effect, fx.DecisionClosed)
    ]


def refusal(table: Table, action: do.Action, by: By = GM) -> str:
    before = (table.state, list(table.sealed))
    with pytest.raises((Refused, Forbidden)) as caught:
        table.act(action, by)
    assert (table.state, table.sealed) == before
    return caught.value.code


# --- answering ------------------------------------------------------------------------------------


def test_everybody_is_asked_in_the_order_of_the_targets_and_nothing_is_rolled() -> None:
    table = swept()
    event = table.events[-1]
    assert event.draws == ()
    opened = [effect for effect in event.effects if isinstance(effect, fx.DecisionOpened)]
    assert len(opened) == len(event.effects) == 3
    assert [(e.decision.id, e.decision.combatant, e.decision.side, e.joins) for e in opened] == [
        (f"d{event.seq}.1", "berta", "blue", UNSET),
        (f"d{event.seq}.2", "gerda", "green", True),
        (f"d{event.seq}.3", "bruno", "blue", True),
    ]
    assert [e.suspended is UNSET for e in opened] == [False, True, True]
    assert asked(table, "bruno").options == ("parry", "pass")


@pytest.mark.parametrize("order", list(permutations(TARGETS)), ids="-".join)
def test_in_whatever_order_they_answer_they_are_stated_in_the_order_of_asking(
    order: tuple[str, ...],
) -> None:
    table = swept()
    seq = len(table.sealed)
    for number, who in enumerate(order, 1):
        event = answer(table, who, CHOICES[who])
        if number < 3:
            [closed] = event.effects
            assert isinstance(closed, fx.DecisionClosed)
            assert (closed.how, closed.choice, closed.full) == (UNSET, UNSET, UNSET)
            assert event.draws == ()
    assert closings(table.events[-1]) == [
        (f"d{seq}.1", "answered", "dodge"),
        (f"d{seq}.2", "answered", "parry"),
        (f"d{seq}.3", "passed", "pass"),
    ]
    assert [e.full for e in table.events[-1].effects[:3] if isinstance(e, fx.DecisionClosed)] == [
        UNSET,
        LOW,
        UNSET,
    ]
    purposes = [(draw.purpose, draw.combatant) for draw in table.events[-1].draws]
    answers = [("sweep", "anders"), ("dodge", "berta"), ("dodge", "gerda")]
    assert purposes[:3] == answers
    assert all(purpose == "damage" for purpose, _ in purposes[3:])
    assert table.state.rule.pending == ()


def test_one_who_is_asked_alone_answers_and_it_happens() -> None:
    table = swept(targets=["gerda"])
    event = answer(table, "gerda", PASS)
    assert closings(event) == [(f"d{event.seq - 1}.1", "passed", "pass")]
    assert event.draws[0].purpose == "sweep"


def test_where_nobody_can_answer_nobody_is_asked() -> None:
    table = melee()
    table.act(struck_down("gerda"))
    event = table.act(Sweep(combatant="anders", targets=("gerda",)), ANN)
    assert event.effects[0] == fx.WindowSkipped(kind="sweep", why="nobody")
    assert isinstance(event.effects[1], fx.Rolled)
    assert isinstance(event.effects[2], fx.AttackResolved)
    assert table.state.rule.pending == ()


def test_how_a_question_was_closed_is_told_at_the_end() -> None:
    table = swept()
    seq = len(table.sealed)
    answer(table, "gerda", PassChoice(reason="timeout"), CLOCK)
    answer(table, "berta", PASS)
    event = table.act(do.ForcePass(decision_id=asked(table, "bruno").id, reason="asleep"))
    assert closings(event) == [
        (f"d{seq}.1", "passed", "pass"),
        (f"d{seq}.2", "timeout", "pass"),
        (f"d{seq}.3", "forced", "pass"),
    ]


def test_the_first_answer_counts() -> None:
    table = swept()
    question = asked(table, "berta").id
    answer(table, "berta", DODGE)
    for by in (BOB, GM):
        again = ToyAnswer(decision_id=question, choice=PASS)
        assert refusal(table, again, by) == "decision_closed"
    assert refusal(table, do.ForcePass(decision_id=question)) == "decision_closed"
    answer(table, "gerda", PASS)
    answer(table, "bruno", PASS)
    assert closings(table.events[-1])[0] == (question, "answered", "dodge")
    assert refusal(table, ToyAnswer(decision_id=question, choice=PASS), BOB) == "decision_closed"


def test_only_whoever_is_asked_answers() -> None:
    table = swept()
    to_berta = ToyAnswer(decision_id=asked(table, "berta").id, choice=DODGE)
    assert refusal(table, to_berta, ANN) == "not_your_decision"
    assert refusal(table, to_berta, GIL) == "not_your_decision"
    assert refusal(table, to_berta, EVE) == "observer_cannot_act"
    assert refusal(table, do.ForcePass(decision_id=to_berta.decision_id), BOB) == "gm_only"
    assert refusal(table, ToyAnswer(decision_id="d9.9", choice=PASS), BOB) == "decision_closed"


def test_everything_else_waits_and_is_told_who_is_still_asked() -> None:
    table = swept()
    answer(table, "berta", DODGE)
    with pytest.raises(Refused) as caught:
        table.act(Step(combatant="anders", dx=0, dy=1), ANN)
    assert caught.value.code == "decision_pending"
    left = [asked(table, "gerda"), asked(table, "bruno")]
    assert caught.value.params == {
        "decisions": [{"id": left[0].id, "who": "green"}, {"id": left[1].id, "who": "blue"}]
    }
    table.act(do.NoteAction(text="well?"), ANN)


def test_a_choice_that_is_not_possible_is_refused_in_the_rulesets_own_words() -> None:
    table = swept()
    choices: tuple[ToyChoice, ...] = (DODGE, RollChoice())
    for choice in choices:
        with pytest.raises(Refused) as caught:
            answer(table, "bruno", choice)
        assert caught.value.code == "dodge_not_possible"
        assert caught.value.params["allowed"] == ["parry", "pass"]
    answer(table, "bruno", LOW)


def test_a_question_of_which_nothing_hangs_is_no_group() -> None:
    table = melee()
    while not table.state.rule.pending:
        table.act(Strike(combatant="anders", target="gerda"), ANN)
    told = EffectBuilder(table.state, RULESET.evolve)
    pass_it = do.ForcePass(decision_id=asked(table, "gerda").id)
    with pytest.raises(ValueError, match="nothing waits"):
        decision_groups.close(told, asked(table, "gerda"), pass_it, READERS)
    table.act(Adjust(changes=()))
    assert asked(table, "gerda").kind == "dodge"


# --- the game master's word -----------------------------------------------------------------------


def test_who_is_struck_down_is_asked_no_more_and_the_others_still_are() -> None:
    table = swept()
    question = asked(table, "gerda").id
    event = table.act(struck_down("gerda"))
    assert closings(event) == [(question, "void", UNSET)]
    assert [d.combatant for d in table.state.rule.pending[-1].decisions] == ["berta", "bruno"]
    answer(table, "bruno", PASS)
    event = answer(table, "berta", DODGE)
    assert [how for _, how, _ in closings(event)] == ["answered", "passed"]
    victims = [e.target for e in event.effects if isinstance(e, fx.AttackResolved)]
    assert victims == list(TARGETS)


def test_if_nobody_is_left_to_answer_it_happens_in_the_same_event() -> None:
    table = swept()
    seq = len(table.sealed)
    answer(table, "gerda", DODGE)
    event = table.act(struck_down("berta", "bruno"))
    assert closings(event) == [
        (f"d{seq}.1", "void", UNSET),
        (f"d{seq}.3", "void", UNSET),
        (f"d{seq}.2", "answered", "dodge"),
    ]
    assert [draw.purpose for draw in event.draws[:2]] == ["sweep", "dodge"]
    assert table.state.rule.pending == ()


def test_if_all_who_are_asked_are_struck_down_it_happens_to_them() -> None:
    table = swept()
    event = table.act(struck_down(*TARGETS))
    assert [how for _, how, _ in closings(event)] == ["void"] * 3
    assert event.draws[0].purpose == "sweep"
    assert table.state.rule.pending == ()


def test_if_the_attacker_is_struck_down_nothing_happens_and_no_answer_is_told() -> None:
    table = swept()
    seq = len(table.sealed)
    answer(table, "gerda", LOW)
    event = table.act(struck_down("anders"))
    assert closings(event) == [(f"d{seq}.{n}", "void", UNSET) for n in (1, 2, 3)]
    assert event.draws == ()
    assert not any(isinstance(effect, fx.AttackResolved) for effect in event.effects)
    assert table.state.rule.pending == ()


def test_what_concerns_nobody_who_is_asked_leaves_the_questions_alone() -> None:
    table = swept()
    before = table.state.rule.pending
    table.act(Adjust(changes=(alter.SetHp(combatant="berta", value=3),)))
    assert table.state.rule.pending == before


def test_the_end_of_the_battle_closes_all_questions() -> None:
    table = swept()
    seq = len(table.sealed)
    answer(table, "gerda", LOW)
    event = table.act(do.EndEncounter())
    assert closings(event) == [(f"d{seq}.{n}", "void", UNSET) for n in (1, 2, 3)]
    assert table.state.rule.pending == ()


# --- rewinding ------------------------------------------------------------------------------------


def test_a_rewind_out_of_a_group_leaves_it_and_its_ids_behind() -> None:
    table = swept()
    question = asked(table, "berta").id
    table.act(do.Rewind(to=len(table.sealed) - 1))
    assert table.state.rule.pending == ()
    assert refusal(table, ToyAnswer(decision_id=question, choice=PASS), BOB) == "decision_closed"


def test_a_rewind_into_a_group_asks_again_under_new_ids() -> None:
    table = swept()
    opened = len(table.sealed)
    old = [asked(table, who).id for who in TARGETS]
    for who in TARGETS:
        answer(table, who, PASS)
    event = table.act(do.Rewind(to=opened))
    new = [asked(table, who).id for who in TARGETS]
    assert new == [f"d{event.seq}.{n}" for n in (1, 2, 3)]
    reissued = tuple(fx.Reissued(was=was, id=now) for was, now in zip(old, new, strict=True))
    assert event.effects == (fx.Rewound(to=opened, decisions=reissued),)
    for question in old:
        late = ToyAnswer(decision_id=question, choice=PASS)
        assert refusal(table, late, BOB) == "decision_closed"
    for who in reversed(TARGETS):
        answer(table, who, CHOICES[who])
    assert [name for name, _, _ in closings(table.events[-1])] == new


def test_an_answer_that_was_given_at_the_seq_rewound_to_stays_given() -> None:
    table = swept()
    was = asked(table, "gerda").id
    answer(table, "gerda", LOW)
    mark = len(table.sealed)
    answer(table, "berta", PASS)
    seq = table.act(do.Rewind(to=mark)).seq
    [chosen] = table.state.rule.pending[-1].closed
    assert (chosen.decision.id, chosen.decision.combatant) == (f"d{seq}.2", "gerda")
    for question in (was, chosen.decision.id):
        late = ToyAnswer(decision_id=question, choice=PASS)
        assert refusal(table, late, GIL) == "decision_closed"
    answer(table, "bruno", PASS)
    assert closings(answer(table, "berta", DODGE)) == [
        (f"d{seq}.1", "answered", "dodge"),
        (f"d{seq}.2", "answered", "parry"),
        (f"d{seq}.3", "passed", "pass"),
    ]


def test_a_declared_sweep_is_not_withdrawn_to_learn_who_is_asked() -> None:
    table = swept()
    with pytest.raises(Refused) as caught:
        table.act(do.Rewind(to=len(table.sealed) - 1), ANN)
    assert caught.value.code == "rewind_not_allowed"


def test_an_answer_may_be_taken_back_until_somebody_else_answers() -> None:
    table = swept()
    opened = len(table.sealed)
    answer(table, "berta", PASS)
    table.act(do.Rewind(to=opened), BOB)
    answer(table, "berta", DODGE)
    answer(table, "gerda", PASS)
    assert refusal(table, do.Rewind(to=opened + 2), BOB) == "rewind_not_allowed"


# --- who learns what may be answered -------------------------------------------------------------


def test_the_question_is_listed_for_whom_it_is_about() -> None:
    table = swept()
    question = asked(table, "bruno")
    [listed] = table.legal("bruno", "eve")
    assert (listed.type, listed.decision) == (
        "answer",
        LegalDecision(
            id=question.id, kind=question.kind, options=("parry", "pass"), default="pass"
        ),
    )
    assert table.legal("anders", "eve") == ()
    answer(table, "bruno", PASS)
    assert table.legal("bruno") == ()


def test_a_question_about_somebody_unseen_exists_for_its_side_alone() -> None:
    table = swept(hidden=["gerda"])
    rule = table.state.rule
    seq = len(table.sealed)
    assert asked(table, "gerda").id == f"d{seq}.c1"
    assert [asked(table, who).id for who in ("berta", "bruno")] == [f"d{seq}.1", f"d{seq}.2"]
    assert open_question(rule, "gerda", Viewer(sides=("blue",))) is None
    assert open_question(rule, "gerda", Viewer(sides=("green",))) == asked(table, "gerda")
    to_gerda = ToyAnswer(decision_id=f"d{seq}.c1", choice=PASS)
    assert refusal(table, to_gerda, BOB) == "decision_closed"
    answer(table, "gerda", PASS)
    answer(table, "berta", PASS)
    assert len(closings(answer(table, "bruno", PASS))) == 3


def test_who_is_left_when_all_that_one_sees_have_answered_is_not_told() -> None:
    table = swept(hidden=["gerda"])
    answer(table, "berta", PASS)
    answer(table, "bruno", PASS)
    with pytest.raises(Refused) as caught:
        table.act(do.EndTurn(combatant="anders"), ANN)
    assert (caught.value.code, caught.value.params) == ("decision_pending", {"decisions": []})


def test_what_is_perceived_holds_neither_answers_nor_what_waits() -> None:
    table = swept(hidden=["gerda"])
    answer(table, "berta", DodgeChoice())
    red = Viewer(sides=("red",))
    [group] = perceive(table.state, red).rule.pending
    assert [decision.combatant for decision in group.decisions] == ["bruno"]
    assert (group.closed, group.suspended, group.declared) == (UNSET, UNSET, UNSET)
    answer(table, "bruno", PASS)
    assert perceive(table.state, red).rule.pending == ()
