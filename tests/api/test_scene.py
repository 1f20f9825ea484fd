"""The scene of a battle over HTTP: as data, as a picture, in characters."""

import json
from typing import Any
from xml.etree.ElementTree import fromstring

import httpx
import pytest

from service.api import strict_json
from tests.api.serving import START, Caller

SVG = "{http://www.w3.org/2000/svg}"
NASTY = "<script>alert(1)</script>\u202e\u0007 \"&'"


@pytest.fixture(autouse=True)
def _names_of_old_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that are refused today stand in logs that were begun before."""
    monkeypatch.setattr(strict_json, "DISPLAY_NAMES", frozenset())


CROSSFIRE: dict[str, Any] = {
    "ruleset": "crossfire-d6",
    "setup": {
        "map": {"form": "ascii", "rows": ["..#..", ".c.s.", "....."], "x": 0, "y": 0},
        "combatants": [
            {
                "id": "hunter",
                "name": NASTY,
                "side": "red",
                "place": {"x": 0, "y": 2},
                "facing": "E",
                "health": 10,
                "melee_defence": 10,
                "ranged_defence": 10,
                "weapons": [
                    {
                        "id": "rifle",
                        "kind": "ranged",
                        "attack_dice": 5,
                        "damage_dice": 2,
                        "range_increment_ft": 60,
                    }
                ],
            },
            {
                "id": "raider",
                "side": "blue",
                "place": {"x": 4, "y": 2},
                "health": 8,
                "melee_defence": 10,
                "ranged_defence": 10,
            },
            {
                "id": "sniper",
                "side": "blue",
                "place": {"x": 3, "y": 0},
                "hidden": True,
                "health": 9,
                "melee_defence": 10,
                "ranged_defence": 10,
            },
        ],
        "options": {"initiative": "fixed"},
    },
    "sides": [{"id": "red"}, {"id": "blue"}],
    "seats": [{"id": "ann", "role": "player", "sides": ["red"]}],
}
SEEKER: dict[str, Any] = {
    "ruleset": "seeker-d100",
    "setup": {
        "map": {
            "cover": [
                {"id": "wall", "start": {"x": 2, "y": 0}, "end": {"x": 2, "y": 3}, "armour": 5}
            ]
        },
        "combatants": [
            {
                "id": "seeker",
                "name": "Vera",
                "side": "red",
                "place": {"x": 0, "y": 1},
                "health": 10,
                "skills": {"unarmed": 60},
            },
            {"id": "cultist", "side": "blue", "place": {"x": 1, "y": 1}, "health": 9},
        ],
    },
    "sides": [{"id": "red"}, {"id": "blue"}],
}


def made(caller: Caller, creation: dict[str, Any]) -> str:
    answer = caller.post("/v1/encounters", creation)
    assert answer.status_code == 201, answer.text
    return str(answer.headers["Location"])


def picture(caller: Caller, address: str, media_type: str, **headers: str) -> httpx.Response:
    return caller.get(f"{address}/scene", accept=media_type, **headers)


def test_a_scene_of_crossfire_is_told_whole(caller: Caller) -> None:
    address = made(caller, CROSSFIRE)
    caller.act(address, START)
    shot = {"type": "ranged_attack", "combatant": "hunter", "weapon": "rifle", "target": "raider"}
    outcome = next(
        effect["outcome"]
        for effect in caller.act(address, shot)["events"][0]["event"]["effects"]
        if effect["type"] == "attack_resolved"
    )
    after = caller.get(address).json()["state"]["combatants"]
    answer = caller.get(f"{address}/scene")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json")
    assert answer.json() == {
        "encounter": address.rpartition("/")[2],
        "ruleset": "crossfire-d6",
        "seq": 3,
        "head": 3,
        "scene": {
            "unit": "cell_5ft",
            "is_grid": True,
            "bounds": {"x": 0, "y": 0, "width": 5, "height": 3},
            "shapes": [
                {"kind": "smoke", "cells": [[3, 1, 1]], "points": []},
                {"kind": "cover", "cells": [[1, 1, 1]], "points": []},
                {"kind": "solid", "cells": [[2, 0, 1]], "points": []},
            ],
            "combatants": [
                {
                    "id": "hunter",
                    "name": NASTY,
                    "side": "red",
                    "x": 0,
                    "y": 2,
                    "size": 1,
                    "facing": "E",
                    "band": "unhurt",
                    "conditions": [],
                    "hidden": False,
                    "is_out": False,
                    "has_turn": True,
                },
                {
                    "id": "raider",
                    "side": "blue",
                    "x": 4,
                    "y": 2,
                    "size": 1,
                    "facing": "N",
                    "band": after[1]["band"],
                    "conditions": after[1]["conditions"],
                    "hidden": False,
                    "is_out": after[1]["band"] == "down",
                    "has_turn": False,
                },
                {
                    "id": "sniper",
                    "side": "blue",
                    "x": 3,
                    "y": 0,
                    "size": 1,
                    "facing": "N",
                    "band": "unhurt",
                    "conditions": [],
                    "hidden": True,
                    "is_out": False,
                    "has_turn": False,
                },
            ],
            "areas": [],
            "lines": [
                {
                    "kind": "attack",
                    "start": {"x": 1, "y": 5},
                    "end": {"x": 9, "y": 5},
                    "source": "hunter",
                    "target": "raider",
                    "outcome": outcome,
                }
            ],
        },
    }
    earlier = caller.get(f"{address}/scene?at=1").json()
    assert (earlier["seq"], earlier["head"], earlier["scene"]["lines"]) == (1, 3, [])


def test_a_scene_of_seeker_is_told_whole(caller: Caller) -> None:
    address = made(caller, SEEKER)
    assert caller.get(f"{address}/scene").json()["scene"] == {
        "unit": "metre",
        "is_grid": False,
        "bounds": {"x": -1, "y": -1, "width": 4, "height": 5},
        "shapes": [
            {
                "kind": "cover",
                "label": "wall",
                "cells": [],
                "points": [{"x": 2, "y": 0}, {"x": 2, "y": 3}],
            }
        ],
        "combatants": [
            {
                "id": "seeker",
                "name": "Vera",
                "side": "red",
                "x": 0,
                "y": 1,
                "size": 1,
                "band": "unhurt",
                "conditions": [],
                "hidden": False,
                "is_out": False,
                "has_turn": False,
            },
            {
                "id": "cultist",
                "side": "blue",
                "x": 1,
                "y": 1,
                "size": 1,
                "band": "unhurt",
                "conditions": [],
                "hidden": False,
                "is_out": False,
                "has_turn": False,
            },
        ],
        "areas": [],
        "lines": [],
    }


def test_a_scene_in_characters_is_drawn_with_its_legend(caller: Caller) -> None:
    address = made(caller, CROSSFIRE)
    answer = picture(caller, address, "text/plain")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.text == (
        "The battle after event 1\n"
        "..#S.\n"
        ".c.s.\n"
        "H...R\n"
        "H <script>alert(1)</script> \"&': red, unhurt\n"
        "R raider: blue, unhurt\n"
        "S sniper: blue, unhurt, hidden\n"
        "s smoke\n"
        "c cover\n"
        "# solid\n"
        ". cells of 5 feet\n"
    )
    russian = picture(caller, made(caller, SEEKER), "text/plain", accept_language="ru")
    assert russian.text == (
        "Бой после события 1\n"
        ".....\n"
        "...c.\n"
        ".SCc.\n"
        "...c.\n"
        "...c.\n"
        ".....\n"
        "S Vera: red, невредим\n"
        "C cultist: blue, невредим\n"
        "c укрытие\n"
        ". метры\n"
    )


def test_a_player_is_shown_nobody_hidden(caller: Caller) -> None:
    address = made(caller, CROSSFIRE)
    for media_type in ("application/json", "text/plain", "image/svg+xml"):
        seen = picture(caller, address, media_type, warlog_seat="ann").text
        assert "raider" in seen
        assert "sniper" not in seen


def test_a_picture_is_well_formed_and_runs_nothing(caller: Caller) -> None:
    address = made(caller, CROSSFIRE)
    answer = picture(caller, address, "image/svg+xml")
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert answer.headers["Content-Security-Policy"] == (
        "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    )
    root = fromstring(answer.content)
    assert root.tag == f"{SVG}svg"
    assert {each.tag for each in root.iter()} <= {
        SVG + name
        for name in (
            "svg",
            "title",
            "desc",
            "style",
            "defs",
            "pattern",
            "path",
            "rect",
            "g",
            "text",
            "circle",
        )
    }
    titles = [each.text for each in root.iter(f"{SVG}title")]
    assert titles == [
        "The battle after event 1",
        "smoke",
        "cover",
        "solid",
        "<script>alert(1)</script> \"&': red, unhurt",
        "raider: blue, unhurt",
        "sniper: blue, unhurt, hidden",
    ]
    assert not any(name.startswith("on") for each in root.iter() for name in each.attrib)


@pytest.mark.parametrize(
    ("metres", "scale", "pixels"), [(20, 1, 40), (100, 5, 95), (1_900, 50, 50)]
)
def test_the_scale_of_a_picture_is_a_round_number_of_units(
    caller: Caller, metres: int, scale: int, pixels: int
) -> None:
    [seeker, cultist] = SEEKER["setup"]["combatants"]
    setup = {"combatants": [seeker, cultist | {"place": {"x": metres, "y": 1}}]}
    address = made(caller, SEEKER | {"setup": setup})
    drawn = picture(caller, address, "image/svg+xml", accept_language="ru").text
    assert f">метры: {scale}<" in drawn
    assert f"m0 -4h{pixels}m0 -4" in drawn


def test_no_name_is_cut_off_at_an_edge_of_the_ground(caller: Caller) -> None:
    root = fromstring(picture(caller, made(caller, CROSSFIRE), "image/svg+xml").content)
    [ground] = root.findall(f"{SVG}svg")
    left, top, width, height = map(int, ground.attrib["viewBox"].split())
    labels = [each for each in ground.iter(f"{SVG}text") if each.text]
    assert len(labels) == 3
    for label in labels:
        half = 3 * len(label.text or "")
        x, y = int(label.attrib["x"]), int(label.attrib["y"])
        assert left <= x - half <= x + half <= left + width, label.text
        assert top + 12 <= y <= top + height, label.text


@pytest.mark.parametrize("media_type", ["application/json", "text/plain", "image/svg+xml"])
def test_an_unchanged_picture_is_not_sent_again(caller: Caller, media_type: str) -> None:
    address = made(caller, SEEKER)
    first = picture(caller, address, media_type)
    tag = first.headers["ETag"]
    again = picture(caller, address, media_type, if_none_match=tag)
    assert (again.status_code, again.content) == (304, b"")
    caller.act(address, {"type": "note", "text": "x"})
    assert picture(caller, address, media_type, if_none_match=tag).status_code == 200


def test_an_event_that_is_not_there_has_no_scene(caller: Caller) -> None:
    address = made(caller, SEEKER)
    answer = caller.get(f"{address}/scene?at=9")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_event")
    wrong = picture(caller, address, "image/png")
    assert (wrong.status_code, json.loads(wrong.content)["code"]) == (406, "not_acceptable")
