"""Questions over HTTP that are no actions: the line between two combatants."""

from copy import deepcopy
from typing import Any

import pytest
from msgspec.structs import fields

from service.api.endpoints.actions import INSPECT
from service.engine.ruleset.definition import Ruleset
from service.rulesets import RULESETS
from tests.api.serving import START, Caller
from tests.api.test_scene import CROSSFIRE as DRAWN
from tests.api.test_scene import SEEKER, made

CROSSFIRE: dict[str, Any] = deepcopy(DRAWN)
CROSSFIRE["setup"]["combatants"][0]["name"] = "The hunter"


def asked(caller: Caller, address: str, query: str, **headers: str) -> tuple[int, dict[str, Any]]:
    answer = caller.get(f"{address}/inspections/line?{query}", **headers)
    return answer.status_code, answer.json()


def test_the_line_of_crossfire_is_told_whole_before_anything_began(caller: Caller) -> None:
    address = made(caller, CROSSFIRE)
    assert asked(caller, address, "attacker=hunter&target=sniper") == (
        200,
        {
            "ruleset": "crossfire-d6",
            "version": 1,
            "inspection": "line",
            "answer": {
                "attacker": "hunter",
                "target": "sniper",
                "distance_ft": 15,
                "position": "blocked",
                "line": [{"x": 0, "y": 2}, {"x": 3, "y": 0}],
                "ground": [{"kind": "cell", "x": 2, "y": 0}],
                "cover_dice": 0,
                "smoke_on_line": False,
                "target_dark": False,
                "by_own_posture": False,
                "higher_ft": 0,
            },
        },
    )


def test_the_line_of_seeker_names_the_covers_on_it(caller: Caller) -> None:
    creation = {
        **SEEKER,
        "setup": {
            **SEEKER["setup"],
            "combatants": [
                *SEEKER["setup"]["combatants"],
                {"id": "far", "side": "blue", "place": {"x": 4, "y": 1}, "health": 9},
            ],
        },
    }
    address = made(caller, creation)
    parts = ["head", "left_arm", "right_arm", "left_leg", "right_leg"]
    assert asked(caller, address, "attacker=seeker&target=far")[1]["answer"] == {
        "attacker": "seeker",
        "target": "far",
        "distance_m": 4,
        "distance_sq": 16,
        "covers": [{"id": "wall", "degree": "partial", "armour": 5, "exposed": parts}],
        "degree": "partial",
        "exposed": parts,
        "counting": "wall",
    }
    assert asked(caller, address, "attacker=seeker&target=cultist")[1]["answer"] == {
        "attacker": "seeker",
        "target": "cultist",
        "distance_m": 1,
        "distance_sq": 1,
        "covers": [],
    }


TACTICAL: dict[str, Any] = {
    "ruleset": "tactical-d20",
    "setup": {
        "map": {"form": "ascii", "rows": ["....", "..c.", "...."], "x": 0, "y": 0},
        "combatants": [
            {"id": "archer", "side": "red", "place": {"x": 0, "y": 1}, "health_max": 9},
            {"id": "guard", "side": "blue", "place": {"x": 3, "y": 1}, "health_max": 9},
            {
                "id": "lurker",
                "side": "blue",
                "place": {"x": 2, "y": 0},
                "hidden": True,
                "health_max": 9,
            },
        ],
        "options": {"enemy_numbers": "hidden"},
    },
    "sides": [{"id": "red"}, {"id": "blue"}],
    "seats": [{"id": "ann", "role": "player", "sides": ["red"]}],
}


def test_the_cover_table_of_tactical_names_what_the_caller_may_not_know(caller: Caller) -> None:
    address = made(caller, TACTICAL)
    table = f"{address}/inspections/cover?attacker=archer"
    told = caller.get(f"{table}&mode=melee", warlog_seat="ann")
    assert (told.status_code, told.json()["inspection"]) == (200, "cover")
    corner = {"x": 0, "y": 1}
    met = [{"kind": "cell", "x": 2, "y": 1}]
    assert told.json()["answer"] == {
        "attacker": "archer",
        "mode": "melee",
        "targets": [
            {
                "target": "guard",
                "distance_ft": 15,
                "line_of_effect": True,
                "line_of_sight": "yes",
                "cover": {
                    "grade": "normal",
                    "ac": 4,
                    "reflex": 2,
                    "can_hide": True,
                    "sources": [{"rule": "TD-COVER-2", "ac": 4, "reflex": 2, "ground": met}],
                    "corner": corner,
                    "lines": [
                        {"end": {"x": x, "y": y}, "ground": met} for x, y in ((3, 2), (4, 2))
                    ],
                },
                "concealment": {"percent": 0, "sources": [], "corner": corner, "lines": []},
                "flanked": "no",
                "unknown": ["cover_override", "concealment_override", "blur"],
            }
        ],
    }
    targets = [each["target"] for each in caller.get(table).json()["answer"]["targets"]]
    assert targets == ["guard", "lurker"]


def test_a_cover_table_is_for_strikes_or_for_shots(caller: Caller) -> None:
    table = f"{made(caller, TACTICAL)}/inspections/cover?attacker=archer"
    assert caller.get(table).json()["answer"]["mode"] == "ranged"
    thrown = caller.get(f"{table}&mode=thrown")
    assert (thrown.status_code, thrown.json()["code"]) == (400, "malformed")
    unknown = caller.get(f"{table}er&mode=melee")
    assert (unknown.status_code, unknown.json()["code"]) == (422, "unknown_combatant")


def test_nobody_learns_of_the_hidden_by_asking(caller: Caller) -> None:
    address = made(caller, CROSSFIRE)
    for query in ("attacker=hunter&target={}", "attacker={}&target=hunter"):
        answers = [
            asked(caller, address, query.format(name), warlog_seat="ann")
            for name in ("sniper", "nobody")
        ]
        told = [
            {**body, "detail": "", "params": {**body["params"], "combatant": ""}}
            for _, body in answers
        ]
        assert told[0] == told[1]
        assert [(status, body["code"]) for status, body in answers] == [
            (422, "unknown_combatant")
        ] * 2


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/inspections/line?attacker=hunter", 400, "malformed"),
        ("/inspections/line", 400, "malformed"),
        ("/inspections/line?attacker=hunter&target=raider&more=1", 400, "malformed"),
        ("/inspections/line?attacker=hunter&target=%20", 400, "malformed"),
        ("/inspections/line?attacker=hunter&target=hunter", 422, "target_is_self"),
        ("/inspections/nothing?attacker=hunter&target=raider", 404, "unknown_inspection"),
    ],
)
def test_what_cannot_be_answered_says_why(
    caller: Caller, path: str, status: int, code: str
) -> None:
    address = made(caller, CROSSFIRE)
    caller.act(address, START)
    for language in ("en", "ru"):
        answer = caller.get(address + path, accept_language=language)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert answer.json()["detail"]


def test_the_refusal_names_what_there_is(caller: Caller) -> None:
    address = made(caller, CROSSFIRE)
    missing = caller.get(f"{address}/inspections/nothing").json()
    assert (missing["params"], missing["allowed"]) == ({"inspection": "nothing"}, ["line"])
    query = caller.get(f"{address}/inspections/line?attacker=hunter").json()
    assert "target" in query["detail"]


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.slug)
def test_all_that_an_inspection_can_be_asked_is_a_parameter_of_the_call(
    ruleset: Ruleset[Any],
) -> None:
    declared = {parameter.name for parameter in INSPECT.query}
    for each in ruleset.inspections:
        assert {field.name for field in fields(each.query)} <= declared, each.name


MELODY: dict[str, Any] = {
    "ruleset": "melody-d6",
    "sides": [{"id": "red"}, {"id": "blue"}],
    "setup": {
        "units": [
            {"id": "choir", "side": "red", "kind": "lone"},
            {"id": "guard", "side": "blue", "kind": "lone"},
        ],
        "combatants": [
            {
                "id": "singer",
                "side": "red",
                "unit": "choir",
                "place": {"x": 5000, "y": 10_000},
                "singer": {"melodies": ["ember_march"]},
            },
            {"id": "sentry", "side": "blue", "unit": "guard", "place": {"x": 15_000, "y": 10_000}},
        ],
    },
}


@pytest.mark.parametrize(
    "query", ["combatant=singer&melody=ember_march", "template=small_round"], ids=["melody", "disc"]
)
def test_whom_a_template_of_melody_would_cover_is_told(caller: Caller, query: str) -> None:
    address = f"{made(caller, MELODY)}/inspections/coverage"
    told = caller.get(f"{address}?{query}&x=16500&y=10000")
    assert (told.status_code, told.json()["answer"]) == (
        200,
        {
            "shape": {"kind": "disc", "origin": {"x": 16_500, "y": 10_000}, "radius": 1500},
            "combatants": [{"combatant": "sentry", "coverage": "part"}],
        },
    )
    neither = caller.get(f"{address}?x=16500&y=10000")
    assert (neither.status_code, neither.json()["code"]) == (400, "malformed")
    assert caller.get(f"{address}?{query}&x=-200000&y=10000").status_code == 200
    for x in (200_001, -200_001):
        far = caller.get(f"{address}?{query}&x={x}&y=10000")
        assert (far.status_code, far.json()["params"]["path"]) == (400, "query.x")
    between = caller.get(f"{address}?{query}&x=1.5&y=10000")
    assert (between.status_code, between.json()["detail"]) == (
        400,
        "query.x is “1.5”; it must be a whole number from -200000 to 200000, in digits.",
    )
    russian = caller.get(f"{address}?{query}&x=1.5&y=10000", accept_language="ru").json()
    assert russian["detail"] == (
        "query.x: «1.5» — нужно целое число от -200000 до 200000, цифрами."
    )


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("x=1&y=1", "query.melody"),
        ("melody=ember_march&x=1&y=1", "query.combatant"),
        ("combatant=singer&melody=drum_of_dread&x=1&y=1", "query.melody"),
        ("template=rings&x=1&y=1", "query.template"),
        ("template=beam&x=1&y=1", "query.combatant"),
    ],
)
def test_what_a_template_lacks_is_told_as_a_parameter(
    caller: Caller, query: str, path: str
) -> None:
    told = caller.get(f"{made(caller, MELODY)}/inspections/coverage?{query}")
    assert (told.status_code, told.json()["params"]["path"]) == (400, path)
    assert told.json()["detail"].startswith(path)
