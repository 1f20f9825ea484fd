"""What previews of attacks tell next to the single roll: volleys, what is hidden, what is left."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from tests.kit.odds import by_outcome
from tests.kit.table import Table, tree_of
from tests.rulesets.squad_d100.setups import FREE, bomb, fighter, in_progress, pistol, rifle, seated

Tree = dict[str, Any]

HIDDEN: Tree = {"enemy_numbers": "hidden", "enemy_health": "none", "breakdowns": "own"}
SNAP_HIT = Fraction(49, 100)
"""With accuracy 60 and +10: faces 1 to 49 hit."""


def battle(*others: Tree, text: str = FREE, options: Tree | None = None, **sheet: Any) -> Table:
    """Ann's a at (0, 0) with a rifle and a pistol has the turn; the others follow."""
    arms = {"weapons": [rifle(kind="other", automatic=True), pistol()], **sheet}
    people = [fighter("a", "red", 0, 0, **arms), *others]
    order = in_progress(*(each["id"] for each in people))
    return seated(
        {
            "map": {"text": text},
            "combatants": people,
            "battle": order,
            "options": options or {},
        }
    )


def preview(table: Table, by: str = "ann", **action: Any) -> Tree:
    """The preview of an action of a's; its odds by outcome."""
    table.ask({"type": "start_encounter"})
    told: Tree = tree_of(table.preview({"combatant": "a", **action}, by))
    return {**told, "odds": by_outcome(told["odds"])}


def snaps(*targets: Tree) -> Tree:
    """Snap shots with the rifle."""
    return {"type": "snap_shots", "weapon": "rifle", "targets": list(targets)}


@pytest.mark.rule("SQ-SHOOT-9")
@pytest.mark.parametrize("health", [30, 31])
def test_rounds_at_somebody_who_may_be_down_by_then_are_counted(health: int) -> None:
    table = battle(fighter("t", "blue", 4, 0, health_max=health))
    told = preview(table, **snaps({"target": "t"}, {"target": "t"}))
    falls = health == 30
    hits = {count: Fraction(0) for count in range(3)}
    for first, second in product((SNAP_HIT, 1 - SNAP_HIT), repeat=2):
        did_hit = first == SNAP_HIT
        also = second == SNAP_HIT and not (did_hit and falls)
        hits[did_hit + also] += first * second
    assert told["odds"] == {f"hits_{count}": chance for count, chance in hits.items()}
    [fall] = told["facts"]["felled"]
    down = hits[1] + hits[2] if falls else hits[2]
    assert by_outcome(fall["odds"]) == {"down": down, "standing": 1 - down}


@pytest.mark.rule("SQ-SHOOT-3")
def test_hits_at_several_targets_add_up() -> None:
    table = battle(fighter("t", "blue", 4, 0, health_max=5), fighter("u", "blue", 4, 2))
    told = preview(table, **snaps({"target": "t"}, {"target": "u"}))
    missed = 1 - SNAP_HIT
    assert told["odds"] == {
        "hits_0": missed**2,
        "hits_1": 2 * SNAP_HIT * missed,
        "hits_2": SNAP_HIT**2,
    }
    assert told["facts"]["rounds_left"] == {"rifle": 58}
    assert [each["target"] for each in told["facts"]["felled"]] == ["t", "u"]


def test_what_depends_on_hidden_numbers_is_named_and_left_out() -> None:
    t = fighter("t", "blue", 4, 0, armour_class=4)
    told = preview(battle(t, options=HIDDEN), **snaps({"target": "t"}, {"target": "t"}))
    assert (told["odds"], told["unknown"]) == ({}, ["felled"])
    assert "felled" not in told["facts"]
    shots = told["facts"]["shots"]
    assert [by_outcome(shot["odds"])["hit"] for shot in shots] == [Fraction(48, 100)] * 2
    assert not any({"zones", "armour_class"} & shot.keys() for shot in shots)


def test_the_roll_of_one_shot_depends_on_nothing_hidden() -> None:
    table = battle(fighter("t", "blue", 4, 0, armour_class=4), options=HIDDEN)
    told = preview(table, type="aimed_shot", weapon="rifle", target="t")
    assert told["odds"] == {
        "critical_success": Fraction(1, 100),
        "hit": Fraction(58, 100),
        "miss": Fraction(40, 100),
        "critical_failure": Fraction(1, 100),
    }
    assert told["unknown"] == []


@pytest.mark.rule("SQ-SHOOT-9")
def test_a_burst_at_an_object_goes_on_until_it_is_gone() -> None:
    table = battle(text="...E........\n" + FREE[13:])
    told = preview(table, type="burst", weapon="rifle", cell={"x": 3, "y": 0})
    never = Fraction(71, 100) ** 5
    assert told["odds"] == {"hits_0": never, "hits_1": 1 - never}
    assert (told["facts"]["rolls"], told["facts"]["rounds_left"]) == (5, {"rifle": 55})


def test_what_an_explosion_does_to_the_shots_after_it_is_not_told() -> None:
    table = battle(fighter("t", "blue", 4, 0), text="...E........\n" + FREE[13:])
    told = preview(table, **snaps({"cell": {"x": 3, "y": 0}}, {"target": "t"}))
    assert (told["odds"], told["unknown"]) == ({}, ["explosions"])
    assert [shot.get("target") for shot in told["facts"]["shots"]] == [None, "t"]


@pytest.mark.rule("SQ-SUP-2")
@pytest.mark.parametrize(("health", "hits"), [(30, 1), (31, 2), (1000, 16)])
def test_suppressive_fire_pins_down_whom_it_does_not_fell(health: int, hits: int) -> None:
    one, none = Fraction(1, 100), Fraction(99, 100)
    fewer = {0: Fraction(0), 1: none**15, 2: none**15 + 15 * one * none**14, 16: Fraction(1)}
    table = battle(fighter("t", "blue", 4, 0, health_max=health))
    told = preview(table, type="suppress", weapon="rifle", target="t")
    assert told["odds"] == {"suppressed": fewer[hits], "felled": 1 - fewer[hits]}
    [shot] = told["facts"]["shots"]
    assert by_outcome(shot["odds"]) == {
        "critical_success": one,
        "hit": 0,
        "miss": Fraction(98, 100),
        "critical_failure": one,
    }
    assert not {"pool", "threshold", "breakdown"} & shot.keys()


def test_whether_suppressive_fire_fells_is_hidden_with_the_health() -> None:
    table = battle(fighter("t", "blue", 4, 0), options=HIDDEN)
    told = preview(table, type="suppress", weapon="rifle", target="t")
    assert (told["odds"], told["unknown"]) == ({}, ["felled"])


@pytest.mark.rule("SQ-GREN-4")
def test_of_a_blast_it_is_told_whom_it_reaches_though_not_through_hidden_armour() -> None:
    t, far = fighter("t", "blue", 4, 1), fighter("u", "blue", 9, 7)
    table = battle(t, far, options=HIDDEN, grenades=[bomb(radius=0)], accuracy=300)
    told = preview(table, type="throw_grenade", grenade="bomb", cell={"x": 4, "y": 1})
    [victim] = told["facts"]["victims"]
    missed = Fraction(1, 100)
    odds = {"reached": 1 - missed, "unreached": missed}
    assert (victim["target"], by_outcome(victim["odds"])) == ("t", odds)
    assert told["facts"]["rounds_left"] == {"bomb": 2}


def test_of_somebody_unseen_in_a_blast_nothing_is_told() -> None:
    table = battle(fighter("t", "green", 4, 1, hidden=True))
    told = preview(table, type="throw_grenade", grenade="bomb", cell={"x": 4, "y": 1})
    assert "victims" not in told["facts"]


def test_a_reload_tells_what_is_in_the_magazine_then() -> None:
    table = battle(weapons=[rifle(rounds=2)])
    told = preview(table, type="reload", weapon="rifle")
    assert (told["legal"], told["facts"]) == (True, {"rounds_left": {"rifle": 60}})
