"""Maps that are looked at before any battle has them."""

from typing import Any

import pytest

from tests.api.examples import EXAMPLES
from tests.api.serving import Caller, problem

Tree = dict[str, Any]

DRAWING: Tree = {"form": "ascii", "rows": ["..#..", "..c", "?...?"]}


def checked(caller: Caller, ruleset: str, stated: Tree, **headers: str) -> Tree:
    answer = caller.post("/v1/maps", {"ruleset": ruleset, "map": stated}, **headers)
    assert answer.status_code == 200
    body: Tree = answer.json()
    return body


@pytest.mark.parametrize("example", EXAMPLES["check_map"], ids=lambda example: example.name)
def test_the_published_examples_are_answered(caller: Caller, example: Any) -> None:
    answer = caller.post("/v1/maps", example.value)
    assert answer.status_code == 200
    assert answer.json()["ruleset"] == example.value["ruleset"]
    assert bool(answer.json()["problems"]) is ("map" not in answer.json())


@pytest.mark.parametrize("ruleset", ["crossfire-d6", "tactical-d20"])
def test_every_problem_of_a_drawing_is_told_with_its_place(caller: Caller, ruleset: str) -> None:
    answer = checked(caller, ruleset, DRAWING)
    places = ("code", "path", "x", "y", "line", "column")
    assert [[each[place] for place in places] for each in answer["problems"]] == [
        ["malformed", "$.map.rows[1]", 3, 1, 2, 4],
        ["malformed", "$.map.rows[2]", 0, 2, 3, 1],
        ["malformed", "$.map.rows[2]", 4, 2, 3, 5],
    ]
    assert "map" not in answer
    creation = {"ruleset": ruleset, "sides": [{"id": "red"}], "setup": {"map": DRAWING}}
    refused = problem(caller.post("/v1/encounters", creation))
    assert refused["detail"].replace("$.setup", "$") == answer["problems"][0]["detail"]


def test_problems_are_told_in_russian_too(caller: Caller) -> None:
    answer = checked(caller, "crossfire-d6", DRAWING, accept_language="ru")
    english = checked(caller, "crossfire-d6", DRAWING)
    assert answer["problems"][0]["params"] == english["problems"][0]["params"]
    assert answer["problems"][0]["detail"] != english["problems"][0]["detail"]


def test_no_more_than_a_hundred_problems_are_told(caller: Caller) -> None:
    answer = checked(caller, "crossfire-d6", {"form": "ascii", "rows": ["?" * 200]})
    assert [each["x"] for each in answer["problems"]] == list(range(100))


def test_a_sound_map_comes_back_as_it_would_be_taken(caller: Caller) -> None:
    drawing = {"form": "ascii", "rows": ["..#", "c.."]}
    assert checked(caller, "crossfire-d6", drawing) == {
        "ruleset": "crossfire-d6",
        "version": "2",
        "problems": [],
        "warnings": [],
        "map": {**drawing, "x": 0, "y": 0},
    }


def test_what_is_no_drawing_is_told_of_its_first_problem(caller: Caller) -> None:
    ground = {"form": "cells", "cells": [{"x": 0, "y": 0, "transparent": True}]}
    [only] = checked(caller, "tactical-d20", ground)["problems"]
    assert (only["code"], only["path"]) == ("malformed", "$.map.cells[0].transparent")
    assert "x" not in only


def test_things_that_are_stated_twice_are_told_where_no_map_is_drawn(caller: Caller) -> None:
    wall = next(each.value for each in EXAMPLES["check_map"] if each.name == "a_wall")
    [only] = checked(caller, wall["ruleset"], {"cover": wall["map"]["cover"] * 2})["problems"]
    assert (only["code"], only["path"]) == ("malformed", "$.map.cover[1].id")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"ruleset": "crossfire-d6"}, 400, "malformed"),
        ({"ruleset": "crossfire-d6", "map": {"form": "runes"}}, 400, "malformed"),
        ({"ruleset": "crossfire-d6", "map": DRAWING, "options": {"no": 1}}, 400, "malformed"),
        ({"ruleset": "chess", "map": {}}, 422, "unknown_ruleset"),
        ({"ruleset": "crossfire-d6", "version": "9", "map": {}}, 422, "unknown_version"),
    ],
)
def test_what_is_no_map_of_a_ruleset_is_refused(
    caller: Caller, body: Tree, status: int, code: str
) -> None:
    answer = caller.post("/v1/maps", body)
    assert (answer.status_code, problem(answer)["code"]) == (status, code)
