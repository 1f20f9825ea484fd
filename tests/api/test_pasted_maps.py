"""Maps that are pasted as text: laid, checked, printed, and what others learn of them."""

import re
from typing import Any

import pytest

from tests.api.serving import Caller, problem
from tests.kit.rigs import rig_of

Tree = dict[str, Any]

ALIEN = "\N{CYRILLIC CAPITAL LETTER A}"
KUTSENKO = "\N{CYRILLIC CAPITAL LETTER KA}"
LATIN_A = "\N{LATIN CAPITAL LETTER A}"
CYRILLIC_HA = "\N{CYRILLIC SMALL LETTER HA}"

TEXT = f"{KUTSENKO}.x.\n..█{LATIN_A}\n.D.{LATIN_A}\n"
MAP: Tree = {
    "text": TEXT,
    "under": [{"x": 3, "y": 1, "glyph": "x"}, {"x": 0, "y": 0, "glyph": "x"}],
    "roster": [
        {"x": 3, "y": 1, "hidden": True, "id": "lurker"},
        {"x": 0, "y": 0, "agility": 50},
    ],
}
WITHOUT: Tree = {
    "text": f"{KUTSENKO}.x.\n..█x\n.D.{LATIN_A}\n",
    "under": [MAP["under"][1]],
    "roster": [MAP["roster"][1]],
}
"""The same map without the one who is hidden."""

PRINTED = (
    f"{KUTSENKO}.x.\n"
    "..█{lurker}\n"
    f".D.{ALIEN}\n"
    "\n"
    "under 0 0 x\n"
    "{under}"
    f"unit warrant_officer_kutsenko {KUTSENKO} 0 0 squad\n"
    "{unit}"
    f"unit alien_3_2 {ALIEN} 3 2 aliens\n"
)
SEEN = PRINTED.format(lurker="x", under="", unit="")
WHOLE = PRINTED.format(
    lurker=ALIEN, under="under 3 1 x\n", unit=f"unit lurker {ALIEN} 3 1 aliens\n"
)


def creation(stated: Tree | None) -> Tree:
    return {
        "ruleset": "squad-d100",
        "seed": "0" * 64,
        "sides": [{"id": "squad"}],
        "seats": [{"id": "ann", "role": "player", "sides": ["squad"]}],
        "setup": {} if stated is None else {"map": stated},
    }


def by(seat: str) -> dict[str, str]:
    """The header of a seat; none for the game master."""
    return {"warlog_seat": seat} if seat else {}


def printed(caller: Caller, address: str, seat: str = "") -> str:
    """The print of a battle, for the game master or a seat."""
    answer = caller.get(f"{address}/scene", accept="text/plain", **by(seat))
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    return answer.text


def learned(caller: Caller, address: str) -> list[Tree]:
    """All that a player is shown of a battle, but for what names the battle or seals it."""
    view = caller.get(address, warlog_seat="ann").json()
    scene = caller.get(f"{address}/scene", warlog_seat="ann").json()
    events = caller.get(f"{address}/events", warlog_seat="ann").json()["events"]
    told = [record.get("seen", record["event"]) for record in events]
    kept = [{name: event[name] for name in ("action", "effects")} for event in told]
    return [view["state"], view["table"], scene["scene"], *kept]


def checked(caller: Caller, stated: Tree, **options: object) -> Tree:
    body = {"ruleset": "squad-d100", "map": stated, "options": options}
    answer = caller.post("/v1/maps", body)
    assert answer.status_code == 200
    tree: Tree = answer.json()
    return tree


def test_a_pasted_map_makes_a_battle_that_prints_itself(caller: Caller) -> None:
    address = caller.create(creation(MAP))
    state = caller.get(address).json()["state"]
    assert [side["id"] for side in state["sides"]] == ["squad", "aliens"]
    assert [each["id"] for each in state["combatants"]] == [
        "warrant_officer_kutsenko",
        "lurker",
        "alien_3_2",
    ]
    assert printed(caller, address) == WHOLE
    assert printed(caller, address, "ann") == SEEN
    again = caller.create(creation(checked(caller, {"text": WHOLE})["map"]))
    assert printed(caller, again) == WHOLE


@pytest.mark.parametrize("way", ["create", "configure"])
def test_nothing_tells_a_player_that_a_map_holds_somebody_hidden(caller: Caller, way: str) -> None:
    addresses = []
    for stated in (MAP, WITHOUT):
        if way == "create":
            addresses.append(caller.create(creation(stated)))
        else:
            bare = creation(None) | {"sides": [{"id": "squad"}, {"id": "aliens"}]}
            addresses.append(caller.create(bare))
            caller.act(addresses[-1], {"type": "configure", "map": stated})
    with_lurker, without = addresses
    told, expected = learned(caller, with_lurker), learned(caller, without)
    assert told[:3] == expected[:3]
    assert told == expected
    assert printed(caller, with_lurker, "ann") == printed(caller, without, "ann") == SEEN
    assert "lurker" not in str(told)
    assert TEXT not in str(told)


def test_folded_cells_are_told_but_for_those_of_hidden_units(caller: Caller) -> None:
    address = caller.create(creation(None) | {"sides": [{"id": "squad"}, {"id": "aliens"}]})
    caller.act(address, {"type": "configure", "map": MAP})

    def folds(seat: str) -> list[tuple[int, int]]:
        record = caller.get(f"{address}/events/2", **by(seat)).json()
        effects = record.get("seen", record["event"])["effects"]
        folded = [each["folds"] for each in effects if each["type"] == "glyphs_folded"]
        return [(fold["x"], fold["y"]) for each in folded for fold in each]

    assert (folds(""), folds("ann")) == ([(3, 1), (3, 2)], [(3, 2)])


def test_a_picture_tells_all_kinds_of_ground_apart(caller: Caller) -> None:
    under = [{"x": 0, "y": 0, "glyph": "D"}]
    address = caller.create(creation({"text": "G█~|0DEFWXx", "under": under}))
    svg = caller.get(f"{address}/scene", accept="image/svg+xml").text
    patterns = dict(re.findall(r'<pattern id="k-([a-z_]+)".*?d="([^"]+)"', svg))
    hatched = {
        "fire",
        "shootable_obstacle",
        "reserved",
        "door",
        "open_door",
        "explosive_cargo",
        "fuel",
        "weapons_ammo",
        "solid_obstacle",
        "cover",
    }
    assert patterns.keys() == hatched
    assert len(set(patterns.values())) == len(hatched)
    shapes = caller.get(f"{address}/scene").json()["scene"]["shapes"]
    assert {shape["kind"]: shape["cells"] for shape in shapes} == {
        "wall": [[1, 0, 1]],
        "fire": [[2, 0, 1]],
        "shootable_obstacle": [[3, 0, 1]],
        "reserved": [[4, 0, 1]],
        "door": [[5, 0, 1]],
        "explosive_cargo": [[6, 0, 1]],
        "fuel": [[7, 0, 1]],
        "weapons_ammo": [[8, 0, 1]],
        "solid_obstacle": [[9, 0, 1]],
        "cover": [[10, 0, 1]],
        "open_door": [[0, 0, 1]],
    }


def test_a_seat_may_have_a_side_that_the_map_brings(caller: Caller) -> None:
    seats = [{"id": "zoe", "role": "player", "sides": ["aliens"]}]
    address = caller.create(creation(MAP) | {"seats": seats})
    assert printed(caller, address, "zoe") == WHOLE
    stranger = [{"id": "zoe", "role": "player", "sides": ["red"]}]
    answer = caller.post("/v1/encounters", creation(MAP) | {"seats": stranger})
    assert problem(answer)["code"] == "unknown_side"


def test_a_bad_map_is_refused_with_its_first_problem(caller: Caller) -> None:
    bad = {"text": f"{CYRILLIC_HA}.\n...\n#."}
    answer = caller.post("/v1/encounters", creation(bad))
    assert (answer.status_code, problem(answer)["code"]) == (422, "map_ragged")
    assert problem(answer)["detail"] != "map_ragged"
    address = caller.create(creation(None))
    refused = caller.post(f"{address}/actions", {"action": {"type": "configure", "map": bad}})
    assert (refused.status_code, problem(refused)["params"]) == (
        422,
        {"x": 2, "y": 1, "line": 2, "column": 3, "width": 3, "expected": 2},
    )


def test_a_check_tells_all_problems_with_line_and_column(caller: Caller) -> None:
    answer = checked(caller, {"text": f"{CYRILLIC_HA}.\n...\n#."})
    assert [
        [each[name] for name in ("code", "x", "y", "line", "column")] for each in answer["problems"]
    ] == [
        ["map_ragged", 2, 1, 2, 3],
        ["map_unknown_glyph", 0, 0, 1, 1],
        ["map_unknown_glyph", 0, 2, 3, 1],
    ]
    assert answer["problems"][1]["params"] == {
        "code_point": "U+0445",
        "looks_like": "x",
        "looks_like_code_point": "U+0078",
        "looks_like_meaning": "cover",
    }
    assert answer["problems"][1]["detail"] == (
        "Line 1, column 1: U+0445 is no glyph of the legend; it looks like U+0078 (cover)."
    )
    assert "map" not in answer
    many = checked(caller, {"text": "#" * 200})
    assert len(many["problems"]) == 100


def test_a_check_gives_the_map_in_canonical_glyphs(caller: Caller) -> None:
    answer = checked(caller, {"text": f"\ufeff{CYRILLIC_HA}{LATIN_A}\r\n.."}, glyph_folding="fold")
    assert answer == {
        "ruleset": "squad-d100",
        "version": rig_of("squad-d100").ruleset.version,
        "problems": [],
        "warnings": [],
        "map": {"text": f"x{ALIEN}\n..\n", "under": [], "roster": []},
    }


def test_a_check_takes_a_whole_print(caller: Caller) -> None:
    answer = checked(caller, {"text": WHOLE})
    assert [each["code"] for each in answer["warnings"]] == ["map_is_print"]
    assert answer["map"] == {
        "text": f"{KUTSENKO}.x.\n..█{ALIEN}\n.D.{ALIEN}\n",
        "under": [{"x": 0, "y": 0, "glyph": "x"}, {"x": 3, "y": 1, "glyph": "x"}],
        "roster": [
            {"x": 0, "y": 0, "id": "warrant_officer_kutsenko", "side": "squad"},
            {"x": 3, "y": 1, "id": "lurker", "side": "aliens"},
            {"x": 3, "y": 2, "id": "alien_3_2", "side": "aliens"},
        ],
    }


def test_a_check_tells_of_sheets_that_a_creation_would_not_take(caller: Caller) -> None:
    empty = {"id": "gun", "kind": "pistol", "ap_class": 1, "damage": 1, "magazine": 2, "rounds": 3}
    roster = [{"glyph": "G", "health": 101}, {"x": 2, "y": 0, "health": 9, "weapons": [empty]}]
    answer = checked(caller, {"text": "G.G", "roster": roster})
    assert [
        [each[name] for name in ("x", "y", "path", "params")] for each in answer["problems"]
    ] == [
        [0, 0, "$.map.roster[0].health", {"allowed": "100 at most"}],
        [2, 0, "$.map.roster[1].weapons[0].rounds", {"allowed": "2 at most"}],
    ]
    assert "map" not in answer
    refused = caller.post("/v1/encounters", creation({"text": "G.G", "roster": roster}))
    assert problem(refused)["params"]["path"] == "$.setup.map.roster[0].health"


def test_a_check_warns_of_hidden_units_without_anything_under_them(caller: Caller) -> None:
    roster = [{"glyph": "G", "hidden": True}]
    under = [{"x": 0, "y": 0, "glyph": "."}]
    answer = checked(caller, {"text": "G.G", "roster": roster, "under": under})
    [warning] = answer["warnings"]
    assert (warning.pop("detail") == "map_hidden_on_floor", warning) == (
        False,
        {
            "code": "map_hidden_on_floor",
            "x": 2,
            "y": 0,
            "line": 1,
            "column": 3,
            "params": {"combatant": "mercenary_2_0", "telling_id": "mercenary_2_0"},
        },
    )
    assert "map" in answer


def test_an_id_of_the_roster_tells_no_cell(caller: Caller) -> None:
    secret = {"x": 2, "y": 0, "hidden": True, "id": "lurker"}
    [warning] = checked(caller, {"text": "G.G", "roster": [secret]})["warnings"]
    assert warning["params"] == {"combatant": "lurker"}
    assert warning["detail"].endswith("others will see empty floor there.")


@pytest.mark.parametrize(
    ("name", "query", "answer"),
    [
        (
            "field_of_view",
            "combatant=warrant_officer_kutsenko",
            {
                "combatant": "warrant_officer_kutsenko",
                "place": {"x": 0, "y": 0},
                "cells": [[0, 0, 4], [0, 1, 3], [0, 2, 2]],
                "combatants": [],
            },
        ),
        (
            "line_of_fire",
            "attacker=warrant_officer_kutsenko&target=alien_3_2",
            {
                "attacker": "warrant_officer_kutsenko",
                "target": "alien_3_2",
                "start": {"x": 0, "y": 0},
                "end": {"x": 3, "y": 2},
                "distance": 3,
                "band": "medium_range",
                "is_clear": False,
                "is_in_sight": False,
                "cells": [{"x": 1, "y": 0}, {"x": 1, "y": 1}, {"x": 2, "y": 1}, {"x": 2, "y": 2}],
                "in_cover": False,
            },
        ),
        (
            "line_of_fire",
            "attacker=warrant_officer_kutsenko&x=2&y=0",
            {
                "attacker": "warrant_officer_kutsenko",
                "start": {"x": 0, "y": 0},
                "end": {"x": 2, "y": 0},
                "distance": 2,
                "band": "close_range",
                "is_clear": True,
                "is_in_sight": True,
                "cells": [{"x": 1, "y": 0}],
            },
        ),
        (
            "nearest_cover",
            "combatant=alien_3_2",
            {
                "combatant": "alien_3_2",
                "place": {"x": 3, "y": 2},
                "price_mp": 4,
                "path": [{"x": 3, "y": 1}],
            },
        ),
        (
            "nearest_cover",
            "combatant=warrant_officer_kutsenko",
            {
                "combatant": "warrant_officer_kutsenko",
                "place": {"x": 0, "y": 0},
                "price_mp": 0,
                "path": [],
            },
        ),
    ],
)
def test_inspections_are_answered_from_what_the_caller_sees(
    caller: Caller, name: str, query: str, answer: Tree
) -> None:
    address = caller.create(creation(MAP))
    told = caller.get(f"{address}/inspections/{name}?{query}", warlog_seat="ann")
    assert (told.status_code, told.json()["answer"]) == (200, answer)


def test_the_game_master_sees_who_is_hidden_in_the_way(caller: Caller) -> None:
    address = caller.create(creation(MAP))
    inspections = f"{address}/inspections"
    way = caller.get(f"{inspections}/nearest_cover?combatant=alien_3_2").json()["answer"]
    assert way == {"combatant": "alien_3_2", "place": {"x": 3, "y": 2}, "path": []}
    line = f"{inspections}/line_of_fire?attacker=alien_3_2&target=lurker"
    assert caller.get(line).json()["answer"]["in_cover"] is True
    assert problem(caller.get(line, warlog_seat="ann"))["code"] == "unknown_combatant"


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("line_of_fire?attacker=alien_3_2&target=alien_3_2", "target_self"),
        ("line_of_fire?attacker=alien_3_2&x=9&y=0", "out_of_map"),
        ("line_of_fire?attacker=alien_3_2&x=1", "malformed"),
        ("line_of_fire?attacker=alien_3_2", "malformed"),
        ("line_of_fire?attacker=alien_3_2&target=lurker&x=1&y=1", "malformed"),
        ("field_of_view?combatant=nobody", "unknown_combatant"),
        ("nearest_cover?combatant=nobody", "unknown_combatant"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(caller: Caller, query: str, code: str) -> None:
    address = caller.create(creation(MAP))
    assert problem(caller.get(f"{address}/inspections/{query}"))["code"] == code
