"""What is wrong with an action of `melody-d6` is shown over HTTP, by its preview as well."""

from typing import Any

import pytest

from tests.api.serving import START, Caller, problem
from tests.rulesets.melody_d6.examples import EXAMPLES
from tests.rulesets.melody_d6.faults import DEEDS, Deed
from tests.soak import with_soak

Tree = dict[str, Any]


def begun(caller: Caller, setup: Tree, mode: str) -> str:
    """The address of a battle in progress."""
    creation = EXAMPLES.creation(EXAMPLES.complete(setup))
    encounter = caller.create({"ruleset": "melody-d6", **creation, "dice": mode})
    caller.act(encounter, START)
    return encounter


@pytest.mark.parametrize("mode", with_soak(["sealed"], ["supplied"]))
@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.name)
@pytest.mark.parametrize("third", with_soak([0], [1, 2]))
def test_every_fault_is_told_and_leaves_no_trace(
    caller: Caller, deed: Deed, mode: str, third: int
) -> None:
    told = []
    faults = deed.faults[(DEEDS.index(deed) + third) % 3 :: 3]
    for fault in faults:
        setup, action = deed.with_faults(fault)
        encounter = begun(caller, setup, mode)
        before = caller.head(encounter)
        for path in ("preview", "actions"):
            answer = caller.post(f"{encounter}/{path}", {"action": action})
            told.append((answer.status_code, problem(answer)["code"]))
        assert caller.head(encounter) == before
    assert told == [(422, fault.code) for fault in faults for _ in range(2)]


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


TEMPLATE: Tree = {"id": "disc", "shape": "disc", "radius": 1000}
FIELD: Tree = {
    "combatants": {"a": {"side": "red", "place": [10_000, 10_000]}},
    "options": {},
    "battle": None,
}
DENTED: Tree = {
    "kind": "rock",
    "vertices": [{"x": 0, "y": 0}, {"x": 4, "y": 0}, {"x": 2, "y": 1}, {"x": 2, "y": 4}],
}


@pytest.mark.parametrize(
    ("action", "params", "details"),
    [
        (
            {"type": "set_terrain", "features": [{"feature": "t", "terrain": DENTED}]},
            {
                "reason": "polygon_not_convex",
                "path": "$.action.features[0].terrain.vertices",
            },
            (
                "$.action.features[0].terrain.vertices does not fit (changing the ground):"
                " the polygon is not convex.",
                "$.action.features[0].terrain.vertices не подходит (изменение местности):"
                " многоугольник не выпуклый.",
            ),
        ),
        (
            {"type": "configure", "content": {"templates": [TEMPLATE, TEMPLATE]}},
            {
                "reason": "duplicate_id",
                "path": "$.action.content.templates[1].id",
                "id": "disc",
            },
            (
                "$.action.content.templates[1].id does not fit (setting up): the id is used"
                " already (disc).",
                "$.action.content.templates[1].id не подходит (настройка): такой id уже есть"
                " (disc).",
            ),
        ),
    ],
)
def test_what_does_not_fit_together_is_told_with_the_action_that_states_it(
    caller: Caller, action: Tree, params: Tree, details: tuple[str, str]
) -> None:
    creation = EXAMPLES.creation(EXAMPLES.complete(FIELD))
    encounter = caller.create({"ruleset": "melody-d6", **creation})
    for language, detail in zip(("en", "ru"), details, strict=True):
        answer = caller.post(f"{encounter}/actions", {"action": action}, accept_language=language)
        told = problem(answer)
        assert (told["detail"], told["params"]) == (detail, params)


def test_what_does_not_fit_together_in_a_creation_or_a_map_is_told_without_an_action(
    caller: Caller,
) -> None:
    feature = {"id": "t", **DENTED}
    creation = EXAMPLES.creation(EXAMPLES.complete(FIELD))
    field = {"width": 40_000, "height": 40_000, "features": [feature]}
    body = {"ruleset": "melody-d6", **creation, "setup": {**creation["setup"], "map": field}}
    told = problem(caller.post("/v1/encounters", body))
    assert (told["detail"], told["params"]) == (
        "$.setup.map.features[0].vertices does not fit: the polygon is not convex.",
        {"reason": "polygon_not_convex", "path": "$.setup.map.features[0].vertices"},
    )
    answer = caller.post("/v1/maps", {"ruleset": "melody-d6", "map": field}).json()
    assert [each["detail"] for each in answer["problems"]] == [
        "$.map.features[0].vertices does not fit: the polygon is not convex."
    ]
