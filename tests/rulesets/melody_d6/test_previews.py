"""Previews: answers to questions, what is not known, what an action would open and uncover."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from service.errors import Refused
from tests.kit.given_when_then import Given
from tests.kit.odds import by_outcome, counted, told
from tests.kit.rig import Chances
from tests.kit.table import tree_of
from tests.rulesets.melody_d6.odds import of_kind, song_outcome
from tests.rulesets.melody_d6.skirmishes import (
    WIDE,
    effects_of,
    guard,
    in_turn,
    move,
    shot,
    warrior,
)

Tree = dict[str, Any]
MARCH: Tree = {
    "type": "sing",
    "combatant": "a1",
    "melody": "ember_march",
    "point": {"x": 9000, "y": 9000},
}
RIFLE: Tree = {"weapons": ["rifle"]}


def voice(**more: Any) -> Tree:
    """A singer of every Melody that these tests sing."""
    melodies = ["ember_march", "veil_of_mist", "dazzle_chord"]
    return {"singer": {"melodies": melodies, **more}}


def foretold(battle: Given, action: Tree, by: str = "gm") -> Tree:
    """The preview of an action, as JSON values."""
    shown: Tree = tree_of(battle.table.preview(action, by))
    return shown


def the_question(battle: Given) -> str:
    [(decision, _)] = battle.table.questions
    return decision


def told_odds(_: Mapping[str, Any], preview: Tree) -> Mapping[str, Fraction]:
    return by_outcome(preview["odds"])


def ended_song(effects: list[Tree]) -> Iterable[str]:
    return [song_outcome(each) for each in of_kind(effects, "check_resolved", check="song")]


def ended_dampening(effects: list[Tree]) -> Iterable[str]:
    return [each["outcome"] for each in of_kind(effects, "check_resolved", check="dampening")]


SONG = Chances(purposes=frozenset({"song"}), told=told_odds, ended=ended_song)
DAMPENING = Chances(purposes=frozenset({"dampening"}), told=told_odds, ended=ended_dampening)


def require_counted(battle: Given, action: Tree, chances: Chances) -> None:
    """The chances shown are those of every combination of faces."""
    shown = told(chances, battle.table, action)
    counts = counted(battle.table, action, chances, 10_000)
    assert shown
    assert shown == {name: counts.get(name, 0) for name in shown}


@pytest.mark.parametrize("faces", [(1, 1), (2, 3), (6, 1), (1, 5)])
@pytest.mark.parametrize("uncovers", [True, False])
def test_rerolls_have_the_chances_of_their_dice(faces: tuple[int, int], uncovers: bool) -> None:
    battle = in_turn(
        warrior("a1", 5000, 5000, unit="A1", **voice(rerolls_per_round=1)),
        warrior("a2", 6500, 5000, unit="A1"),
        warrior("b1", 20000, 20000),
        unit="A1",
        phase="action",
        options={"ui_uncovers_power": uncovers},
    )
    battle.table.ask({"type": "adjust", "changes": [{"type": "fp", "side": "a", "value": 3}]})
    battle.table.ask(MARCH, dice=faces)
    answer = {"type": "answer", "decision_id": the_question(battle)}
    sources = ["united_impulse"] if faces == (1, 1) else ["united_impulse", "ordinary"]
    for source in sources:
        for dice in ([0], [1], [0, 1]):
            choice = {"type": "reroll", "source": source, "dice": dice}
            require_counted(battle, {**answer, "choice": choice}, SONG)
    require_counted(battle, {**answer, "choice": {"type": "pass"}}, SONG)
    if faces == (1, 1):
        ordinary = {"type": "reroll", "source": "ordinary", "dice": [0]}
        with pytest.raises(Refused) as refused:
            foretold(battle, {**answer, "choice": ordinary})
        assert refused.value.code == "reroll_unavailable"


@pytest.mark.parametrize("dice", [1, 2, 3])
@pytest.mark.parametrize("bonus", [-3, 0, 4])
def test_dampening_has_the_chances_of_its_dice(dice: int, bonus: int) -> None:
    battle = in_turn(
        warrior("a1", 5000, 5000, **voice()),
        warrior("b1", 20000, 20000, **voice(song_dice=dice, dampen_bonus=bonus)),
        unit="A1",
        phase="action",
    )
    battle.table.ask(MARCH, dice=(4, 5))
    choice = {"type": "dampen", "combatant": "b1"}
    action = {"type": "answer", "decision_id": the_question(battle), "choice": choice}
    shown = foretold(battle, action)
    assert shown["facts"]["dampening"] == {
        "melody": "ember_march",
        "dice": dice,
        "base": bonus,
        "breakdown": [],
        "target_kind": "result",
        "needed": 9,
    }
    assert shown["opens"] == []
    require_counted(battle, action, DAMPENING)


def test_a_dampening_that_may_be_rerolled_says_so_and_its_reroll_has_its_own_chances() -> None:
    battle = in_turn(
        warrior("a1", 5000, 5000, **voice()),
        warrior("b1", 20000, 20000, **voice(rerolls_per_round=1)),
        unit="A1",
        phase="action",
    )
    battle.table.ask(MARCH, dice=(4, 5))
    choice = {"type": "dampen", "combatant": "b1"}
    action = {"type": "answer", "decision_id": the_question(battle), "choice": choice}
    assert foretold(battle, action)["opens"] == ["reroll"]
    battle.table.ask(action, dice=(1, 5))
    answer = {"type": "answer", "decision_id": the_question(battle)}
    for count in (1, 2):
        for indexes in combinations(range(2), count):
            reroll = {"type": "reroll", "source": "ordinary", "dice": list(indexes)}
            require_counted(battle, {**answer, "choice": reroll}, DAMPENING)
    require_counted(battle, {**answer, "choice": {"type": "pass"}}, DAMPENING)


def test_a_song_says_whom_it_reaches_and_who_may_be_asked() -> None:
    battle = in_turn(
        warrior("a1", 5000, 5000, **voice(rerolls_per_round=1)),
        warrior("b1", 9000, 9000, resistances=[{"to": "fire", "value": 2}]),
        warrior("b2", 10500, 9000),
        warrior("b3", 20000, 20000, **voice()),
        unit="A1",
        phase="action",
    )
    shown = foretold(battle, MARCH)
    assert shown["opens"] == ["reroll", "dampen"]
    song = shown["facts"]["song"]
    assert (song["dice"], song["base"], song["needed"]) == (2, 0, 7)
    assert shown["unknown"] == []
    # Of 36 pairs of dice 21 reach 7; a double one and a double six stand out.
    assert by_outcome(shown["odds"]) == {
        "terrible_mistake": Fraction(1, 36),
        "failure": Fraction(14, 36),
        "success": Fraction(20, 36),
        "monstrous_power": Fraction(1, 36),
    }
    assert song["shape"] == {"kind": "disc", "origin": {"x": 9000, "y": 9000}, "radius": 1500}
    first, second = song["targets"]
    assert (first["target"], first["coverage"]) == ("b1", "full")
    assert [(each["check"], each["needed"]) for each in first["tests"]] == [("resistance", 2)]
    assert (first["affected"]["num"], first["affected"]["den"]) == ("2", "3")
    assert (second["target"], second["coverage"]) == ("b2", "part")
    assert [(each["check"], each["needed"]) for each in second["tests"]] == [("template", 4)]
    assert (second["affected"]["num"], second["affected"]["den"]) == ("1", "2")
    assert by_outcome(second["harm"])["felled"] == Fraction(1, 2) * Fraction(2, 3)
    assert by_outcome(second["harm_by_power"])["felled"] == Fraction(1, 2) * Fraction(5, 6)


def test_a_move_says_what_it_costs_whom_it_uncovers_and_that_guards_are_asked() -> None:
    battle = in_turn(
        warrior("a1", 5000, 5000),
        warrior("b1", 12000, 9000, conditions=["masked"]),
        warrior("b2", 20000, 15000, conditions=["on_guard"], **RIFLE),
        unit="A1",
    )
    way = {"type": "move", "combatant": "a1", "path": [{"x": 9000, "y": 5000}]}
    assert foretold(battle, way) == {
        "legal": True,
        "facts": {
            "movement": {
                "cost": 4000,
                "allowance": 6000,
                "end": {"x": 9000, "y": 5000},
                "detected": ["b1"],
                "engaged": [],
                "enters": [],
                "leaves": [],
            }
        },
        "odds": [],
        "opens": ["guard_window"],
        "unknown": [],
        "follows": [],
    }
    short = {**way, "path": [{"x": 7000, "y": 5000}]}
    assert foretold(battle, short)["facts"]["movement"]["detected"] == []


def test_a_masked_charger_is_uncovered_at_once_and_engaged_at_the_end() -> None:
    battle = in_turn(
        warrior("a1", 5000, 5000, conditions=["masked"]), warrior("b1", 9000, 5000), unit="A1"
    )
    charge = {
        "type": "charge",
        "combatant": "a1",
        "target": "b1",
        "path": [{"x": 8000, "y": 5000}],
    }
    movement = foretold(battle, charge)["facts"]["movement"]
    assert (movement["uncovered"], movement["engaged"]) == ("charged", ["b1"])


def test_numbers_that_are_hidden_are_named_and_left_out() -> None:
    battle = in_turn(
        warrior("a1", 5000, 5000, **RIFLE),
        warrior("b1", 9000, 5000, armour=4, toughness=5),
        unit="A1",
        phase="action",
        options={"enemy_numbers": "hidden", "enemy_health": "band"},
    )
    shot = {"type": "shoot", "combatant": "a1", "target": "b1", "weapon": "rifle"}
    known, unknown = foretold(battle, shot), foretold(battle, shot, "ann")
    assert known["unknown"] == []
    assert known["facts"]["shot"]["wound_needed"] == 5
    assert unknown["unknown"] == ["toughness", "armour", "health"]
    assert {"wound_needed", "save_needed", "harm"}.isdisjoint(unknown["facts"]["shot"])
    chances = by_outcome(unknown["odds"])
    assert chances == {"miss": Fraction(1, 3), "hit": Fraction(2, 3)}
    assert chances["miss"] == by_outcome(known["odds"])["miss"]


def test_nobody_foretells_dice_of_the_table_nor_what_the_engine_decides() -> None:
    battle = in_turn(warrior("a1", 5000, 5000), warrior("b1", 9000, 5000), unit="A1")
    with pytest.raises(Refused) as refused:
        foretold(battle, {"type": "note", "text": "hm"})
    assert refused.value.code == "no_preview"


WATCH: Tree = {"conditions": ["on_guard"], **RIFLE}
MASKED: Tree = {"conditions": ["masked"]}
PASS: Tree = {"type": "pass"}


def answered(battle: Given, choice: Tree) -> Tree:
    return {"type": "answer", "decision_id": the_question(battle), "choice": choice}


def require_followed(
    battle: Given, action: Tree, kind: str, *, dice: tuple[int, ...] = (), by: str = "gm"
) -> None:
    """The preview tells of the question that the action then opens."""
    shown = foretold(battle, action, by)
    assert kind in shown["follows"]
    effects = effects_of(battle.when(action, by=by, dice=dice))
    asked = [each["decision"]["kind"] for each in of_kind(effects, "decision_opened")]
    assert asked == [kind]


def watched(lead: Tree, *others: Tree, phase: str = "action", **setup: Any) -> Given:
    """The activation of A, with b1 and b2 on guard far away."""
    return in_turn(
        lead,
        *others,
        warrior("b1", 30000, 5000, **WATCH),
        warrior("b2", 30000, 9000, **WATCH),
        unit="A",
        phase=phase,
        **setup,
    )


def test_a_song_of_a_masked_singer_is_followed_by_a_window_and_without_guards_by_none() -> None:
    masked = warrior("a1", 5000, 5000, unit="A", **voice(), **MASKED)
    require_followed(watched(masked), MARCH, "guard_window", dice=(2, 3))
    assert foretold(watched(warrior("a1", 5000, 5000, unit="A", **voice())), MARCH)["follows"] == []
    unmarked = watched(masked, options={"singing_reveals": False})
    assert foretold(unmarked, MARCH)["follows"] == []
    alone = in_turn(masked, warrior("b1", 30000, 5000), unit="A", phase="action")
    assert foretold(alone, MARCH)["follows"] == []


def test_a_shot_from_ambush_is_followed_by_a_window_and_keeps_its_odds() -> None:
    battle = watched(warrior("a1", 9000, 5000, unit="A", **RIFLE, **MASKED))
    shot = {"type": "shoot", "combatant": "a1", "target": "b1", "weapon": "rifle"}
    shown = foretold(battle, shot)
    assert (shown["opens"], bool(shown["odds"])) == ([], True)
    require_followed(battle, shot, "guard_window", dice=(1, 1, 1))


def test_a_reveal_of_the_game_master_is_followed_by_a_window_about_the_active_side_alone() -> None:
    masked = warrior("a1", 5000, 5000, unit="A", **MASKED)
    require_followed(watched(masked), {"type": "gm_reveal", "combatant": "a1"}, "guard_window")
    foe = watched(masked, warrior("b3", 30000, 20000, **MASKED))
    assert foretold(foe, {"type": "gm_reveal", "combatant": "b3"})["follows"] == []


def test_panic_that_uncovers_the_active_side_is_followed_by_a_window() -> None:
    battle = watched(warrior("a1", 9000, 5000, unit="A", **MASKED))
    test = {"type": "gm_panic_test", "unit": "A"}
    require_followed(battle, test, "guard_window", dice=(6, 6))


def test_the_end_of_movement_is_followed_by_a_window_where_somebody_may_be_found() -> None:
    near = {"conditions": ["masked", "approaching"]}
    battle = watched(
        warrior("a1", 26500, 5000, unit="A", **near), phase="movement", options={"measure": "edge"}
    )
    require_followed(battle, {"type": "end_movement", "unit": "A"}, "guard_window", dice=(6,))


def test_a_guards_shot_is_followed_by_the_next_guards_window() -> None:
    battle = watched(warrior("a1", 9000, 7000, unit="A", **MASKED))
    battle.when({"type": "gm_reveal", "combatant": "a1"})
    first = {"type": "guard_shoot", "combatant": "b1", "target": "a1", "weapon": "rifle"}
    second = {**first, "combatant": "b2"}
    assert foretold(battle, answered(battle, PASS))["follows"] == []
    require_followed(battle, answered(battle, first), "guard_window", dice=(1,))
    assert foretold(battle, answered(battle, second))["follows"] == []


def test_the_preview_of_a_guards_shot_says_where_on_its_way_the_mover_is() -> None:
    battle = in_turn(warrior("a1", 16000, 20000), guard("b1", 12000, 28000), unit="A1", map=WIDE)
    battle.when(move("a1", (10001, 20000)), by="ann")
    shown = foretold(battle, answered(battle, shot("b1", "a1", (0, 333))))["facts"]["shot"]
    assert (shown["target"], shown["place"]) == ("a1", {"x": 14003, "y": 20000})


def test_the_preview_of_a_guards_shot_is_weighed_where_the_mover_is() -> None:
    battle = in_turn(warrior("a1", 16000, 20000), guard("b1", 16000, 34000), unit="A1", map=WIDE)
    battle.when(move("a1", (16000, 25999)), by="ann")
    shots = [
        foretold(battle, answered(battle, shot("b1", "a1", (0, permille))))["facts"]["shot"]
        for permille in (100, 900)
    ]
    weighed = [[each["rule"] for each in told["breakdown"]] for told in shots]
    assert weighed == [["ML-SHOOT-3"], []]


def test_rerolls_and_passes_are_followed_by_what_the_song_still_opens() -> None:
    lead = warrior("a1", 5000, 5000, unit="A", **voice(rerolls_per_round=1), **MASKED)
    battle = watched(lead, warrior("b3", 30000, 20000, **voice(rerolls_per_round=1)))
    battle.when(MARCH, dice=(2, 3))
    assert foretold(battle, answered(battle, PASS))["follows"] == ["guard_window"]
    again = answered(battle, {"type": "reroll", "source": "ordinary", "dice": [0]})
    assert foretold(battle, again)["follows"] == ["dampen", "guard_window"]
    require_followed(battle, again, "dampen", dice=(6,))
    attempt = answered(battle, {"type": "dampen", "combatant": "b3"})
    shown = foretold(battle, attempt)
    assert (shown["opens"], shown["follows"]) == (["reroll"], ["guard_window"])
    battle.when(attempt, dice=(2, 3))
    require_followed(battle, answered(battle, PASS), "guard_window")


def test_a_pass_on_a_song_that_succeeds_is_followed_by_its_dampening() -> None:
    lead = warrior("a1", 5000, 5000, unit="A", **voice(rerolls_per_round=1))
    battle = watched(lead, warrior("b3", 30000, 20000, **voice()))
    battle.when(MARCH, dice=(4, 5))
    require_followed(battle, answered(battle, PASS), "dampen")


def test_a_pass_on_a_masked_mover_may_be_followed_by_a_window_about_it() -> None:
    lead = warrior("a1", 5000, 5000, unit="A", **MASKED)
    battle = watched(lead, phase="movement", options={"mask_leaving_cover": "kept"})
    way = {"type": "move", "combatant": "a1", "path": [{"x": 9000, "y": 5000}]}
    battle.when(way)
    assert foretold(battle, answered(battle, PASS))["follows"] == ["guard_window"]
