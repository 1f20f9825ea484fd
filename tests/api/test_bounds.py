"""Numbers at their bounds: what a battle makes of them can still be read, shown and audited."""

from typing import Any

import pytest

from tests.api.serving import CREATION, START, Caller

MOST_TURNS = 1_000


def fighter(name: str, side: str, x: int) -> dict[str, Any]:
    return {
        "id": name,
        "side": side,
        "place": {"x": x, "y": 0},
        "health": 10_000,
        "health_max": 10_000,
        "melee_defence": 200,
        "ranged_defence": 200,
        "agi_pool": 30,
        "int_pool": 30,
        "pin_count": MOST_TURNS,
        "weapons": [
            {
                "id": "gun",
                "kind": "both",
                "attack_dice": 50,
                "damage_dice": 50,
                "range_increment_ft": 10_000,
            }
        ],
    }


@pytest.fixture
def extreme(caller: Caller) -> str:
    """A battle whose numbers are as large as they may be; it runs, and `a` has the turn."""
    setup = {
        "options": {"initiative": "fixed", "natural_crit_sixes": 10, "crossfire_cap": 20},
        "combatants": [fighter("a", "one", 0), fighter("b", "two", 4)],
        "battle": {"round": 100_000, "order": [{"combatant": "a"}, {"combatant": "b"}]},
    }
    sides = [{"id": "one"}, {"id": "two"}]
    encounter = caller.create({**CREATION, "sides": sides, "seats": [], "setup": setup})
    caller.act(encounter, START)
    return encounter


def test_the_largest_pool_has_odds_and_can_be_thrown(caller: Caller, extreme: str) -> None:
    shot = {"type": "ranged_attack", "combatant": "a", "weapon": "gun", "target": "b"}
    found = caller.post(f"{extreme}/preview", {"action": shot})
    assert found.status_code == 200
    assert found.json()["facts"]["pool"] == 50 + MOST_TURNS
    assert len(caller.act(extreme, shot)["events"][0]["event"]["draws"]) >= 50 + MOST_TURNS
    assert caller.get(f"{extreme}/audit").json()["clean"]


def test_what_has_reached_its_bound_stays_readable(caller: Caller, extreme: str) -> None:
    caller.act(extreme, {"type": "end_turn", "combatant": "a"})
    caller.act(extreme, {"type": "end_turn", "combatant": "b"})
    names = ("a", "b")
    for change in ("hide", "reveal"):
        changes = [{"type": change, "combatant": name} for name in names]
        caller.act(extreme, {"type": "adjust", "changes": changes})
    audit = caller.get(f"{extreme}/audit")
    assert (audit.status_code, audit.json()["clean"]) == (200, True)
    state = caller.get(extreme).json()["state"]
    assert [each["pin_count"] for each in state["combatants"]] == [MOST_TURNS, MOST_TURNS]
    assert state["round"] == 100_001


def test_a_table_can_roll_the_initiative_of_the_largest_crowd(caller: Caller) -> None:
    crowd = [{**fighter(f"c{n}", "one", 0), "place": {"x": n, "y": 0}} for n in range(500)]
    setup = {"combatants": [{**each, "int_pool": 3, "weapons": []} for each in crowd]}
    sides = [{"id": "one"}]
    encounter = caller.create(
        {**CREATION, "dice": "supplied", "sides": sides, "seats": [], "setup": setup}
    )
    started = caller.post(f"{encounter}/actions", {"action": START, "dice": [6] * 1500})
    assert started.status_code == 201
    assert caller.get(encounter).json()["state"]["turn"] == "c0"
