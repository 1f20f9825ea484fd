"""Whoever passes for a walk is not asked again on it, and everybody else is."""

from typing import Any

import pytest

from service.encounters.simulations.policies import Chooser, Menu
from service.engine.kit.legal_actions import sources_for
from service.engine.vocabulary.values import By
from service.errors import Refused
from tests.kit.table import Table, effects_of, tree_of
from tests.replay.memory_audit import audit
from tests.rulesets.tactical_d20.setups import fighter, rifle
from tests.rulesets.tactical_d20.v3.setups import SECOND, THIRD, all_passed, battle, put, ruled
from tests.rulesets.tactical_d20.walks import (
    PASS,
    STRIKE,
    answer,
    made,
    moved,
    opened,
    place,
    swordsman,
    walk,
)

Tree = dict[str, Any]

PASS_WALK: Tree = {"type": "pass_walk"}
ANSWERS = ("opportunity_attack", "pass", "pass_walk")
"""What may be answered before a step, as it is listed."""
ALONG = walk("a", (1, 0), (2, 0), (3, 0))
"""A walk along (0, 1), (2, 1) and (3, 1), where enemies may be."""


def walking(*others: Tree, **more: Any) -> Table:
    """Ann's a walks past Bob's g, who reaches all cells of the way."""
    people = [fighter("a", "red", 0, 0), swordsman("g", "blue", 1, 1, reach_ft=10), *others]
    table = battle(*people, **more)
    table.ask(ALONG, "ann")
    return table


@pytest.mark.rule("TD-WAIT-3")
def test_whoever_passes_for_the_walk_is_not_asked_again_on_it() -> None:
    table = walking()
    effects = effects_of(answer(table, "g", PASS_WALK, "bob"))
    assert effects == [
        {
            "type": "decision_closed",
            "decision_id": "d3.1",
            "how": "answered",
            "choice": "pass_walk",
        },
        moved("a", (0, 0), (1, 0), (2, 0), (3, 0), cost=15),
    ]
    assert audit(table).clean


@pytest.mark.rule("TD-WAIT-3")
def test_whoever_passes_plainly_is_asked_before_each_step() -> None:
    table = walking()
    for at in ((1, 0), (2, 0)):
        assert opened(effects_of(answer(table, "g", PASS))) == [("g", "a")]
        assert place(table, "a") == at
    assert effects_of(answer(table, "g", PASS))[1:] == [moved("a", (2, 0), (3, 0), cost=5)]


@pytest.mark.rule("TD-WAIT-3")
def test_everybody_else_is_asked_as_before() -> None:
    table = walking(swordsman("k", "blue", 2, 1), swordsman("m", "blue", -1, 0))
    answer(table, "m", PASS)
    effects = effects_of(answer(table, "g", PASS_WALK))
    assert opened(effects) == [("k", "a")]
    assert (place(table, "a"), made(table)["passed"]) == ((1, 0), ["g"])
    answer(table, "k", PASS_WALK)
    assert place(table, "a") == (3, 0)
    assert table.state.rule.pending == ()


@pytest.mark.rule("TD-WAIT-3")
def test_a_pass_for_one_walk_is_none_for_the_next() -> None:
    table = walking()
    answer(table, "g", PASS_WALK)
    assert opened(effects_of(table.ask(walk("a", (2, 0)), "ann"))) == [("g", "a")]


@pytest.mark.rule("TD-WAIT-3")
def test_several_pass_in_the_order_in_which_they_are_asked_and_for_good() -> None:
    table = walking(swordsman("k", "blue", 2, 1, reach_ft=10), swordsman("m", "blue", 1, -1))
    answer(table, "m", PASS)
    answer(table, "k", PASS_WALK)
    effects = effects_of(answer(table, "g", PASS_WALK))
    assert opened(effects) == [("m", "a")]
    assert made(table)["passed"] == ["g", "k"]
    ruled(table, put("m", 1, 9))
    assert place(table, "a") == (3, 0)


@pytest.mark.rule("TD-WAIT-3")
def test_it_is_offered_about_walks_alone_and_in_this_version_alone() -> None:
    [walked] = walking().state.rule.pending[-1].decisions
    assert walked.options == ANSWERS
    assert walked.default == "pass"
    [before] = walking(ruleset=SECOND).state.rule.pending[-1].decisions
    assert before.options == ("opportunity_attack", "pass")
    people = [fighter("a", "red", 0, 0, weapons=[rifle()]), swordsman("g", "blue", 1, 1)]
    for ruleset in (SECOND, THIRD):
        table = battle(*people, fighter("t", "blue", 9, 0), ruleset=ruleset)
        table.ask({"type": "attack", "combatant": "a", "weapon": "rifle", "target": "t"})
        [shot] = table.state.rule.pending[-1].decisions
        assert shot.options == ("opportunity_attack", "pass")
        assert why_not(table, PASS_WALK) == ("wrong_choice", ["opportunity_attack", "pass"])
    assert why_not(walking(ruleset=SECOND), PASS_WALK) == (
        "wrong_choice",
        ["opportunity_attack", "pass"],
    )


def why_not(table: Table, choice: Tree) -> tuple[str, object]:
    """Why g may not answer so."""
    with pytest.raises(Refused) as refused:
        answer(table, "g", choice, "bob")
    return refused.value.code, refused.value.params["allowed"]


@pytest.mark.rule("TD-WAIT-3")
def test_it_is_listed_and_foretold_as_an_answer() -> None:
    table = walking()
    [node] = tree_of(table.legal("g", "bob"))
    listed = node["params"]["choice"]["params"]["type"]["one_of"]
    named = tuple(each if isinstance(each, str) else each["value"] for each in listed)
    assert named == ANSWERS
    asked = {"type": "answer", "decision_id": "d3.1", "choice": PASS_WALK}
    assert tree_of(table.preview(asked, "bob"))["legal"] is True
    assert asked in table.samples("g", 20, "bob")


def test_a_rewind_into_a_walk_keeps_who_has_passed_for_it() -> None:
    table = walking(swordsman("k", "blue", 2, 1, reach_ft=5))
    answer(table, "g", PASS_WALK)
    assert [who for _, who in table.questions] == ["k"]
    seq = len(table.events)
    answer(table, "k", STRIKE)
    table.ask({"type": "rewind", "to": seq})
    assert made(table)["passed"] == ["g"]
    all_passed(table)
    while table.questions:
        assert [who for _, who in table.questions] == ["k"]
        all_passed(table)
    assert place(table, "a") == (3, 0)
    assert audit(table).clean


@pytest.mark.parametrize("passes", [0, 1, 2, 3])
def test_a_simulated_player_looks_on_for_another_answer_than_a_pass(passes: int) -> None:
    """It looks at four answers: those before the last are `pass_walk`, so many times."""
    table, by = walking(), By(kind="key", id="gm", role="gm")
    menu = Menu(sources_for(table.ruleset, table.state, by))
    left = [2] * passes

    def pick(count: int) -> int:
        """The last one of three answers while there are passes left, else the first of any."""
        return left.pop() if count == len(ANSWERS) and left else 0

    chosen: Any = Chooser(table.ruleset, "simple", by, "blue", pick).choose(table.state, menu, 4)
    assert (chosen["choice"]["type"], left) == ("opportunity_attack", [])
