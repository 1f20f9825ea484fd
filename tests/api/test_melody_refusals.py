"""What is wrong with an action of `melody-d6` is told over HTTP, by its preview as well."""

from typing import Any

import pytest

from tests.api.serving import START, Caller, problem
from tests.rulesets.melody_d6.examples import EXAMPLES
from tests.rulesets.melody_d6.faults import DEEDS, Deed

Tree = dict[str, Any]


def begun(caller: Caller, setup: Tree, mode: str) -> str:
    """The address of a battle in progress."""
    creation = EXAMPLES.creation(EXAMPLES.complete(setup))
    encounter = caller.create({"ruleset": "melody-d6", **creation, "dice": mode})
    caller.act(encounter, START)
    return encounter


@pytest.mark.parametrize("mode", ["sealed", "supplied"])
@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.name)
def test_every_fault_is_told_and_leaves_no_trace(caller: Caller, deed: Deed, mode: str) -> None:
    told = []
    for fault in deed.faults:
        setup, action = deed.with_faults(fault)
        encounter = begun(caller, setup, mode)
        before = caller.head(encounter)
        for path in ("preview", "actions"):
            answer = caller.post(f"{encounter}/{path}", {"action": action})
            told.append((answer.status_code, problem(answer)["code"]))
        assert caller.head(encounter) == before
    assert told == [(422, fault.code) for fault in deed.faults for _ in range(2)]


@pytest.mark.parametrize(
    ("language", "detail"),
    [
        ("en", "Out of range; at most 18000 u."),
        ("ru", "Слишком далеко; не больше 18000 тысячных шага."),
    ],
)
def test_a_song_out_of_range_is_told_how_far_it_may_reach(
    caller: Caller, language: str, detail: str
) -> None:
    singer = {"side": "red", "place": [10_000, 10_000], "singer": {"melodies": ["ember_march"]}}
    setup = {"combatants": {"a": singer}, "battle": {"unit": "a", "phase": "action"}, "options": {}}
    encounter = begun(caller, setup, "sealed")
    song = {"type": "sing", "combatant": "a", "melody": "ember_march"}
    action = {**song, "point": {"x": 28_501, "y": 10_000}}
    answer = caller.post(f"{encounter}/actions", {"action": action}, accept_language=language)
    assert problem(answer)["detail"] == detail
