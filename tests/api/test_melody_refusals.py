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


SINGER: Tree = {"side": "red", "place": [10_000, 10_000], "singer": {"melodies": ["ember_march"]}}
SHOOTER: Tree = {"side": "red", "place": [10_000, 10_000], "weapons": ["darts"], "sight": 20_000}
SONG: Tree = {"type": "sing", "melody": "ember_march", "point": {"x": 28_501, "y": 10_000}}
SHOT: Tree = {"type": "shoot", "target": "b", "weapon": "darts"}


@pytest.mark.parametrize(
    ("sheet", "x", "action", "details"),
    [
        (
            SINGER,
            40_000,
            SONG,
            ("Out of range; at most 18000 u.", "Слишком далеко; не больше 18000 тысячных шага."),
        ),
        (
            SHOOTER,
            19_001,
            SHOT,
            (
                "Out of range: b; at most 8000 u.",
                "Слишком далеко: b; не больше 8000 тысячных шага.",
            ),
        ),
        (
            SHOOTER,
            31_001,
            SHOT,
            (
                "b is beyond the sight radius of 20000 u.",
                "Воин b дальше радиуса видимости: 20000 тысячных шага.",
            ),
        ),
    ],
)
def test_what_is_too_far_is_told_with_how_far_one_may_reach(
    caller: Caller, sheet: Tree, x: int, action: Tree, details: tuple[str, str]
) -> None:
    combatants = {"a": sheet, "b": {"side": "blue", "place": [x, 10_000]}}
    battle = {"unit": "a", "phase": "action"}
    setup = {"combatants": combatants, "battle": battle, "options": {}}
    encounter = begun(caller, setup, "sealed")
    for language, detail in zip(("en", "ru"), details, strict=True):
        deed = {"action": {**action, "combatant": "a"}}
        answer = caller.post(f"{encounter}/actions", deed, accept_language=language)
        assert problem(answer)["detail"] == detail
