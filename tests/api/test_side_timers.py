"""Limits of a battle in which sides have the turn, over real HTTP: windows that time out, turns."""

from typing import Any

from service.eventstore.embedded import Dsns
from tests.api.serving import START, Caller
from tests.api.test_timers import grown, is_over, require_clean

Tree = dict[str, Any]

LIMITS = {"turn_seconds": 1200, "decision_seconds": 600}


def warrior(name: str, x: int, y: int, **sheet: Any) -> Tree:
    """A warrior, a separate unit."""
    place = {"x": x, "y": y}
    return {"id": name, "side": name[0], "unit": name.upper(), "place": place, **sheet}


MOVER = warrior("a1", 10000, 12000)
GUARD = warrior("b1", 12000, 20000, weapons=["rifle"], conditions=["on_guard"])
CREATION: Tree = {
    "ruleset": "melody-d6",
    "sides": [{"id": "a"}, {"id": "b"}],
    "seats": [
        {"id": "ann", "role": "player", "sides": ["a"]},
        {"id": "bob", "role": "player", "sides": ["b"]},
    ],
    "setup": {
        "options": LIMITS,
        "units": [{"id": unit, "side": unit[0].lower(), "kind": "lone"} for unit in ("A1", "B1")],
        "combatants": [MOVER, GUARD],
        "battle": {"round": 1, "first_side": "a", "turn_side": "a"},
    },
}


def timers(caller: Caller, encounter: str) -> list[Tree]:
    """The timers that run."""
    found: list[Tree] = caller.get(encounter).json()["timers"]
    return found


async def test_a_window_that_times_out_is_passed_and_the_mover_goes_on(
    caller: Caller, database: Dsns
) -> None:
    encounter = caller.create(CREATION)
    caller.act(encounter, START)
    with caller.seated("ann") as ann:
        ann.act(encounter, {"type": "activate_unit", "unit": "A1"})
        way = [{"x": 14000, "y": 12000}]
        asked = ann.act(encounter, {"type": "move", "combatant": "a1", "path": way})
    [decision] = asked["decisions"]
    assert [each.get("decision_id") for each in timers(caller, encounter)] == [decision["id"], None]
    head = asked["version"]
    await is_over(database, encounter, f"decision:{head}.{head}.1")
    [event] = grown(caller, encounter, head)
    assert event["action"]["choice"] == {"type": "pass", "reason": "timeout"}
    [moved] = [each for each in event["effects"] if each["type"] == "moved"]
    assert moved["end"] == way[0]
    require_clean(caller, encounter)


async def test_the_turn_is_the_sides_and_an_activation_starts_no_clock_anew(
    caller: Caller, database: Dsns
) -> None:
    encounter = caller.create(CREATION)
    began = caller.act(encounter, START)["version"]
    [before] = timers(caller, encounter)
    with caller.seated("ann") as ann:
        for deed in ("activate_unit", "end_movement", "end_activation"):
            ann.act(encounter, {"type": deed, "unit": "A1"})
    [after] = timers(caller, encounter)
    assert after == before
    assert (after["side"], "unit" in after, "turn" in after) == ("a", False, False)
    head = caller.get(encounter).json()["seq"]
    await is_over(database, encounter, f"turn:{began - 1}")
    [asked] = grown(caller, encounter, head)
    assert (asked["by"]["kind"], asked["action"]) == ("system", {"type": "end_turn", "side": "a"})
    assert [each["type"] for each in asked["effects"]] == ["decision_opened"]
    assert caller.get(encounter).json()["state"]["turn_side"] == "a"
