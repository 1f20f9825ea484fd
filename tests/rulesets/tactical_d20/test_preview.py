"""What previews tell, and what they leave out of numbers that are hidden from the asker."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from service.engine.ruleset.definition import choices_of
from service.engine.vocabulary.values import DiceMode
from service.errors import Refused
from tests.kit.odds import by_outcome, counted
from tests.kit.table import PEOPLE, Table, tree_of
from tests.rulesets.tactical_d20.odds import BLOW, BURST, GUESS, OUTCOMES, SHOT, SMOKE, UNSEEN, duel
from tests.rulesets.tactical_d20.setups import RULESET, Tree, blade, fighter, seated

HIDDEN: Tree = {"enemy_numbers": "hidden"}
STRIKE: Tree = {"type": "opportunity_attack", "weapon": "blade"}
PASS: Tree = {"type": "pass"}
ARMED: Tree = {"weapons": [blade()]}
AWAY: Tree = {"type": "move", "combatant": "a", "path": [{"x": -1, "y": 0}, {"x": -2, "y": 0}]}


def battle(
    a: Tree | None = None,
    t: Tree | None = None,
    *others: Tree,
    x: int = 4,
    dice: DiceMode = "sealed",
    **more: Any,
) -> Table:
    """Ann's a, who has the turn, Bob's t so many cells east, and others."""
    setup = duel(a or {}, t or {}, x=x, **more)
    table = seated({**setup, "combatants": [*setup["combatants"], *others]}, dice=dice)
    table.ask({"type": "start_encounter"})
    return table


def told(
    table: Table, action: Tree, by: str = "gm", answers: Mapping[str, Tree] | None = None
) -> Any:
    """The preview of an action where those asked answer like this."""
    kind = choices_of(RULESET)
    choices = {who: msgspec.convert(choice, kind) for who, choice in (answers or {}).items()}
    return tree_of(RULESET.preview(table.state, table.read(action), PEOPLE[by], choices))


def refused(table: Table, action: Tree, **more: Any) -> str:
    """The code with which a preview is refused."""
    with pytest.raises(Refused) as refusal:
        told(table, action, **more)
    return refusal.value.code


def resolved(table: Table, action: Tree) -> Any:
    """The attack that an action comes to."""
    effects = tree_of(table.ask(action).effects)
    return next(each for each in effects if each["type"] == "attack_resolved")


def test_an_attack_is_made_of_what_was_told() -> None:
    table = battle({"conditions": ["prone"]}, {"conditions": ["prone"]}, map=SMOKE)
    facts = told(table, SHOT)["facts"]
    detail = resolved(table, SHOT)["detail"]
    named = ("mode", "distance_ft", "base", "breakdown", "pool", "against", "cover", "concealment")
    assert {name: facts[name] for name in named} == {name: detail[name] for name in named}
    assert facts["damage"] == {"count": 1, "sides": 8, "bonus": 0}
    assert [line["amount"] for line in facts["against"]["breakdown"]] == [4, 4]
    assert (facts["cover"]["ac"], facts["concealment"]["percent"]) == (4, 35)


def test_a_flanked_target_is_told_with_its_partner() -> None:
    table = battle({}, {}, fighter("p", "red", 2, 0, **ARMED), x=1)
    facts = told(table, BLOW)["facts"]
    line = {"rule": "TD-FLANK-1", "amount": 2, "combatants": ["p"]}
    assert (facts["flanking"], facts["breakdown"], facts["pool"]) == ({"partner": "p"}, [line], 6)


def test_a_miss_by_concealment_is_told_only_where_there_is_any() -> None:
    outcomes = [
        [each["outcome"] for each in told(table, SHOT)["odds"]]
        for table in (battle(), battle(map=SMOKE))
    ]
    assert outcomes == [
        ["miss", "hit", "critical"],
        ["miss", "miss_concealment", "hit", "critical"],
    ]


def test_hidden_numbers_of_the_target_leave_no_odds() -> None:
    table = battle({}, {"ac": {"kac": 17}, "blur_pct": 30}, options=HIDDEN)
    preview = told(table, SHOT, "ann")
    assert (preview["odds"], preview["unknown"]) == ([], ["needed", "miss_chance", "asks"])
    assert preview["facts"] == {
        "mode": "ranged",
        "distance_ft": 20,
        "base": 4,
        "breakdown": [],
        "pool": 4,
        "damage": {"count": 1, "sides": 8, "bonus": 0},
    }
    assert told(table, SHOT)["unknown"] == []


def test_a_partner_of_a_third_side_is_doubtful_while_its_reach_is_hidden() -> None:
    opposite = fighter("g", "green", 2, 0, **ARMED)
    beside = fighter("g", "green", 1, 1, **ARMED)
    unknown = [
        told(battle({}, {}, each, x=1, options=HIDDEN), BLOW, "ann")["unknown"]
        for each in (opposite, beside)
    ]
    assert unknown == [["needed", "miss_chance", "partners"], ["needed", "miss_chance"]]
    facts = told(battle({}, {}, opposite, x=1, options=HIDDEN), BLOW, "ann")["facts"]
    assert ("pool" in facts, facts["breakdown"]) == (False, [])


def test_health_that_is_hidden_leaves_out_who_falls() -> None:
    facts = [
        told(battle({}, {"health": 3}, x=1, options={"enemy_health": each}), BLOW, "ann")["facts"]
        for each in ("exact", "band")
    ]
    assert ["felled" in each for each in facts] == [True, False]


def test_a_target_far_from_falling_falls_never() -> None:
    facts = told(battle({}, {"health_max": 100}, x=1), BLOW)["facts"]
    assert by_outcome(facts["felled"]) == {"unconscious": Fraction(0), "dead": Fraction(0)}


def test_a_guess_tells_a_player_the_same_whoever_is_there() -> None:
    previews = [told(battle({}, UNSEEN, x=x), GUESS, "ann") for x in (4, 5)]
    assert previews[0] == previews[1]
    assert (previews[0]["odds"], previews[0]["unknown"]) == ([], ["target"])
    assert previews[0]["facts"] == {
        "mode": "ranged",
        "distance_ft": 20,
        "base": 4,
        "breakdown": [],
        "pool": 4,
        "damage": {"count": 1, "sides": 8, "bonus": 0},
    }


def test_those_who_would_be_asked_are_told() -> None:
    table = battle({}, ARMED, x=1)
    walk, shot = told(table, AWAY), told(table, SHOT)
    assert walk["facts"] == {
        "cost_ft": 10,
        "budget_ft": 30,
        "end": {"x": -2, "y": 0},
        "asks": [{"combatant": "t", "steps": 0}],
    }
    assert shot["facts"]["asks"] == [{"combatant": "t"}]
    assert (walk["opens"], shot["opens"]) == (["reaction"], ["reaction"])
    assert by_outcome(shot["odds"])["critical"] == Fraction(1, 20)


def test_who_passes_is_asked_again_before_the_next_step() -> None:
    along = {**AWAY, "path": [{"x": 0, "y": 1}, {"x": 0, "y": 2}, {"x": 0, "y": 3}]}
    asks = told(battle({}, ARMED, x=1), along)["facts"]["asks"]
    assert asks == [{"combatant": "t", "steps": steps} for steps in (0, 1)]


def test_a_player_whose_table_rolls_is_told_that_faces_are_asked_for() -> None:
    table = battle(dice="supplied")
    assert [told(table, SHOT, by)["opens"] for by in ("ann", "gm")] == [["roll"], []]
    asking = battle({}, ARMED, x=1, dice="supplied")
    assert told(asking, SHOT, "ann")["opens"] == ["reaction"]


def test_a_hidden_shooter_is_known_before_its_shot_if_the_table_says_so() -> None:
    asked = [
        "asks" in told(battle({"hidden": True}, ARMED, x=1, options=options), SHOT)["facts"]
        for options in ({}, {"attack_reveals": False})
    ]
    assert asked == [True, False]


def test_enemies_of_hidden_reach_may_or_may_not_be_asked() -> None:
    table = battle({}, ARMED, x=1, options=HIDDEN)
    walk = told(table, AWAY, "ann")
    assert ("asks" in walk["facts"], walk["opens"], walk["unknown"]) == (False, [], ["asks"])
    for harmless in ({"reaction_left": 0}, {"place": {"x": 21, "y": 0}}):
        assert told(battle({}, harmless, options=HIDDEN), AWAY, "ann")["unknown"] == []
    afar = battle({}, {"place": {"x": 20, "y": 0}}, options=HIDDEN)
    assert told(afar, AWAY, "ann")["unknown"] == ["asks"]


def test_a_strike_in_between_may_drop_the_shot() -> None:
    table = battle({}, ARMED, x=1)
    passed = by_outcome(told(table, SHOT, answers={"t": PASS})["odds"])
    struck = by_outcome(told(table, SHOT, answers={"t": STRIKE})["odds"])
    assert struck == {**passed, "dropped": Fraction(0)}
    frail = battle({"health_max": 1}, ARMED, x=1)
    dropped = by_outcome(told(frail, SHOT, answers={"t": STRIKE})["odds"])["dropped"]
    hit = by_outcome(strike_odds(frail))
    assert dropped == hit["hit"] + hit["critical"]


def strike_odds(table: Table) -> Any:
    """The odds of t's strike at a, who has shot."""
    table.ask(SHOT)
    [(decision, _)] = table.questions
    return told(table, {"type": "answer", "decision_id": decision, "choice": STRIKE})["odds"]


@pytest.mark.parametrize(
    ("archer", "striker"),
    [({}, {"hidden": True}), ({"hidden": True}, {})],
    ids=["a hidden striker", "a hidden archer"],
)
def test_where_a_strike_in_between_cannot_be_weighed_there_are_no_odds(
    archer: Tree, striker: Tree
) -> None:
    table = battle(archer, {**ARMED, **striker}, x=1)
    struck = told(table, SHOT, answers={"t": STRIKE})
    assert (struck["odds"], "felled" in struck["facts"]) == ([], False)


def test_what_is_refused_of_an_answer_is_refused_of_one_that_is_stated() -> None:
    table = battle({}, ARMED, x=1)
    club = {"type": "opportunity_attack", "weapon": "club"}
    assert refused(table, SHOT, answers={"t": club}) == "unknown_weapon"
    assert refused(table, SHOT, answers={"a": PASS}) == "not_asked"
    assert refused(battle(), SHOT, answers={"t": PASS}) == "not_asked"


def test_an_answer_tells_the_odds_of_its_strike() -> None:
    table = battle({"ac": {"kac": 12}, "blur_pct": 20}, ARMED, x=1)
    table.ask(AWAY)
    [(decision, _)] = table.questions
    answer = {"type": "answer", "decision_id": decision, "choice": STRIKE}
    preview = told(table, answer, "bob")
    assert (preview["facts"]["base"], preview["facts"]["against"]["needed"]) == (4, 12)
    assert by_outcome(preview["odds"]) == counted(table, answer, OUTCOMES, 2_000)
    assert told(table, {**answer, "choice": PASS}, "bob") == {
        "legal": True,
        "facts": {},
        "odds": [],
        "opens": [],
        "unknown": [],
        "follows": [],
    }


def test_an_area_tells_each_save_and_nothing_of_hidden_numbers() -> None:
    table = battle({}, {"reflex": 3}, fighter("r", "red", 2, 0, reflex=1), map=SMOKE)
    [mine, theirs] = sorted(
        told(table, BURST)["facts"]["victims"], key=lambda victim: victim["target"]
    )
    assert [(each["target"], each["base"], each["pool"]) for each in (mine, theirs)] == [
        ("r", 1, 3),
        ("t", 3, 5),
    ]
    assert by_outcome(theirs["odds"]) == {"success": Fraction(14, 20), "failure": Fraction(6, 20)}
    hidden = battle({}, {"reflex": 3}, options=HIDDEN, map=SMOKE)
    preview = told(hidden, BURST, "ann")
    assert preview["facts"]["victims"] == [{"target": "t", "odds": []}]
    assert preview["unknown"] == ["victims"]
    banded = battle({}, {"reflex": 3}, options={"enemy_health": "band"}, map=SMOKE)
    for by, is_known in (("gm", True), ("ann", False)):
        [victim] = told(banded, BURST, by)["facts"]["victims"]
        assert ("felled" in victim, bool(victim["odds"])) == (is_known, True)


def test_what_the_rules_refuse_is_refused_with_the_same_code() -> None:
    table = battle()
    assert refused(table, BLOW) == "out_of_reach"
    assert refused(table, {**BURST, "area": "none"}) == "unknown_area"
    assert refused(table, {"type": "stand_up", "combatant": "a"}) == "nothing_changes"
    assert told(table, {"type": "drop_prone", "combatant": "a"})["facts"] == {}
