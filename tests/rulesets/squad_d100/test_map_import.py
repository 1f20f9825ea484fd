"""Pasted maps: how a text is read, what `under` and the roster add, and what is refused."""

import msgspec
import pytest

from service.errors import Refused
from service.rulesets.squad_d100.map_text import (
    Imported,
    Presence,
    blob_of,
    imported,
    problems,
    sides_of,
)
from service.rulesets.squad_d100.maps import Fold, MapImport
from service.rulesets.squad_d100.rules.glyphs import GlyphFolding
from service.rulesets.squad_d100.state import Combatant
from service.rulesets.squad_d100.terrain import Cell

KUTSENKO = "\N{CYRILLIC CAPITAL LETTER KA}"
ALIEN = "\N{CYRILLIC CAPITAL LETTER A}"
LATIN_A = "\N{LATIN CAPITAL LETTER A}"
CYRILLIC_EM = "\N{CYRILLIC CAPITAL LETTER EM}"
CYRILLIC_HA = "\N{CYRILLIC SMALL LETTER HA}"


def stated(text: str, **fields: object) -> MapImport:
    return msgspec.convert({"text": text, **fields}, MapImport)


def read(text: str, folding: GlyphFolding = "repair", **fields: object) -> Imported:
    return imported(stated(text, **fields), folding)


def told(problem: Refused) -> dict[str, object]:
    return {"code": problem.code, **problem.params}


def refusal(text: str, folding: GlyphFolding = "repair", **fields: object) -> dict[str, object]:
    with pytest.raises(Refused) as refused:
        read(text, folding, **fields)
    return told(refused.value)


def sheet(unit: Combatant, *fields: str) -> dict[str, object]:
    tree = msgspec.to_builtins(unit)
    return {field: tree.get(field) for field in fields}


@pytest.mark.rule("SQ-MAP-2")
@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("x.\n.x", ("x.", ".x")),
        ("x.\n.x\n", ("x.", ".x")),
        ("\N{ZERO WIDTH NO-BREAK SPACE}x.\r\n.x\r\n", ("x.", ".x")),
        ("█", ("█",)),
        ("." * 256, ("." * 256,)),
    ],
)
def test_a_text_is_cut_into_rows(text: str, rows: tuple[str, ...]) -> None:
    assert read(text).blob.rows == rows


@pytest.mark.rule("SQ-MAP-2")
@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("", {"code": "map_empty"}),
        ("\n", {"code": "map_empty"}),
        ("\r\n", {"code": "map_empty"}),
        ("\n\n\n", {"code": "map_empty"}),
        (
            "..\n...\n.",
            {"code": "map_ragged", "x": 2, "y": 1, "line": 2, "column": 3, "width": 3}
            | {"expected": 2},
        ),
        (
            "..\n\n..",
            {"code": "map_ragged", "x": 0, "y": 1, "line": 2, "column": 1, "width": 0}
            | {"expected": 2},
        ),
        (
            "..\n..\n\n",
            {"code": "map_ragged", "x": 0, "y": 2, "line": 3, "column": 1, "width": 0}
            | {"expected": 2},
        ),
        ("." * 257, {"code": "map_too_large", "width": 257, "height": 1, "longest": 256}),
        (".\n" * 257, {"code": "map_too_large", "width": 1, "height": 257, "longest": 256}),
        (
            "EF" * 128 + f"\n{'E' * 256}" * 15 + f"\n...F{'.' * 252}",
            {"code": "map_too_explosive", "x": 3, "y": 16, "line": 17, "column": 4, "most": 4096},
        ),
    ],
)
def test_a_text_that_is_no_rectangle_is_refused(text: str, facts: dict[str, object]) -> None:
    assert refusal(text) == facts


@pytest.mark.rule("SQ-MAP-2")
@pytest.mark.parametrize(
    ("character", "code_point", "looks_like"),
    [
        (" ", "U+0020", None),
        ("\t", "U+0009", None),
        ("\r", "U+000D", None),
        ("#", "U+0023", None),
        ("\N{CYRILLIC SMALL LETTER VE}", "U+0432", None),
        ("\N{LATIN CAPITAL LETTER B}", "U+0042", "\N{CYRILLIC CAPITAL LETTER VE}"),
        ("\N{PISTOL}", "U+1F52B", None),
        ("\N{ZERO WIDTH NO-BREAK SPACE}", "U+FEFF", None),
    ],
)
def test_what_is_no_glyph_is_refused(
    character: str, code_point: str, looks_like: str | None
) -> None:
    likeness: dict[str, str] = {}
    if looks_like is not None:
        likeness = {
            "looks_like": looks_like,
            "looks_like_code_point": "U+0412",
            "looks_like_meaning": "vika_greshovski",
        }
    assert refusal(f"..\n.{character}") == {
        "code": "map_unknown_glyph",
        "x": 1,
        "y": 1,
        "line": 2,
        "column": 2,
        "code_point": code_point,
        **likeness,
    }


@pytest.mark.rule("SQ-MAP-1", "SQ-MAP-2")
def test_look_alikes_are_folded_as_the_table_wants_it() -> None:
    text = LATIN_A + CYRILLIC_EM + CYRILLIC_HA
    assert refusal(text, "strict")["code_point"] == "U+0041"
    assert refusal(text, "repair")["code_point"] == "U+0445"
    folded = read(text, "fold")
    assert folded.blob.rows == ("..x",)
    assert [each.id for each in folded.combatants] == ["alien_0_0", "maxim_gander"]
    assert folded.folds == (
        Fold(x=0, y=0, glyph=LATIN_A, read_as=ALIEN, combatant="alien_0_0"),
        Fold(x=1, y=0, glyph=CYRILLIC_EM, read_as="M", combatant="maxim_gander"),
        Fold(x=2, y=0, glyph=CYRILLIC_HA, read_as="x"),
    )


@pytest.mark.rule("SQ-MAP-2")
def test_a_named_character_comes_once_however_it_is_written() -> None:
    place = {"x": 1, "y": 1, "line": 2, "column": 2}
    assert refusal(f"{KUTSENKO}.\n.{KUTSENKO}") == {
        "code": "map_duplicate_named",
        **place,
        "character": "warrant_officer_kutsenko",
    }
    assert refusal(f"M.\n.{CYRILLIC_EM}")["character"] == "maxim_gander"


@pytest.mark.rule("SQ-MAP-5")
def test_units_come_row_by_row_with_the_defaults_of_their_kind() -> None:
    units = read(f".G\n{ALIEN}{KUTSENKO}").combatants
    fields = ("id", "kind", "character", "name", "side", "place", "hidden")
    assert [sheet(unit, *fields) for unit in units] == [
        {
            "id": "mercenary_1_0",
            "kind": "mercenary",
            "character": None,
            "name": None,
            "side": "squad",
            "place": {"x": 1, "y": 0},
            "hidden": False,
        },
        {
            "id": "alien_0_1",
            "kind": "alien",
            "character": None,
            "name": None,
            "side": "aliens",
            "place": {"x": 0, "y": 1},
            "hidden": False,
        },
        {
            "id": "warrant_officer_kutsenko",
            "kind": "named",
            "character": "warrant_officer_kutsenko",
            "name": "Warrant Officer Kutsenko",
            "side": "squad",
            "place": {"x": 1, "y": 1},
            "hidden": False,
        },
    ]
    numbers = ("strength", "agility", "accuracy", "endurance", "health_max", "armour_class")
    assert [sheet(unit, *numbers) for unit in units] == [
        dict(zip(numbers, (40, 30, 60, 10, 100, 0), strict=True))
    ] * 3
    assert sides_of(units) == ("squad", "aliens")


@pytest.mark.rule("SQ-MAP-2")
def test_terrain_under_a_unit_is_floor_unless_it_is_stated() -> None:
    under = [{"x": 0, "y": 0, "glyph": "x"}, {"x": 2, "y": 0, "glyph": "D"}]
    laid = read("GGG", under=under)
    assert laid.blob.rows == ("x.D",)
    assert laid.doors == (Cell(x=2, y=0),)
    fire = read("G", "fold", under=[{"x": 0, "y": 0, "glyph": CYRILLIC_HA}])
    assert fire.blob.rows == ("x",)


@pytest.mark.rule("SQ-MAP-2")
@pytest.mark.parametrize(
    ("under", "why"),
    [
        ([{"x": 2, "y": 0, "glyph": "x"}], "outside"),
        ([{"x": 0, "y": -1, "glyph": "x"}], "outside"),
        ([{"x": 0, "y": 0, "glyph": "G"}], "no_terrain"),
        ([{"x": 0, "y": 0, "glyph": "#"}], "no_terrain"),
        ([{"x": 1, "y": 0, "glyph": "x"}], "no_unit"),
        *(([{"x": 0, "y": 0, "glyph": glyph}], "impassable") for glyph in "█|XEF"),
        ([{"x": 0, "y": 0, "glyph": "x"}, {"x": 0, "y": 0, "glyph": "x"}], "twice"),
    ],
)
def test_wrong_terrain_under_units_is_refused(under: list[dict[str, object]], why: str) -> None:
    x, y = under[0]["x"], under[0]["y"]
    assert isinstance(x, int)
    assert isinstance(y, int)
    assert refusal("Gx", under=under) == {
        "code": "map_bad_under",
        "index": len(under) - 1,
        "x": x,
        "y": y,
        "line": y + 1,
        "column": x + 1,
        "why": why,
    }


@pytest.mark.rule("SQ-MAP-2")
def test_roster_entries_count_in_their_order_field_by_field() -> None:
    roster = [
        {"x": 0, "y": 0, "agility": 50, "id": "scout"},
        {"glyph": "G", "agility": 20, "accuracy": 70, "side": "red"},
        {"x": 0, "y": 0, "accuracy": 80, "hidden": True},
    ]
    units = read("GGR", roster=roster).combatants
    assert [sheet(unit, "id", "agility", "accuracy", "side", "hidden") for unit in units] == [
        {"id": "scout", "agility": 20, "accuracy": 80, "side": "red", "hidden": True},
        {"id": "mercenary_1_0", "agility": 20, "accuracy": 70, "side": "red", "hidden": False},
        {"id": "robot_2_0", "agility": 30, "accuracy": 60, "side": "squad", "hidden": False},
    ]


@pytest.mark.rule("SQ-MAP-2", "SQ-LOOT-1")
def test_things_lie_in_the_last_stated_way_where_weapons_are() -> None:
    grenade = {"id": "g", "damage": 5, "ap_class": 1, "radius": 1}
    laid = read(
        "G.W",
        under=[{"x": 0, "y": 0, "glyph": "W"}],
        roster=[
            {"x": 2, "y": 0, "items": {}},
            {"x": 2, "y": 0, "items": {"grenades": [grenade]}},
            {"x": 0, "y": 0, "items": {}},
        ],
    )
    assert [
        (each.x, each.y, len(each.weapons), [one.id for one in each.grenades])
        for each in laid.caches
    ] == [(0, 0, 0, []), (2, 0, 0, ["g"])]


@pytest.mark.rule("SQ-MAP-2")
@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"agility": 3}, "address"),
        ({"x": 0, "agility": 3}, "address"),
        ({"glyph": "G", "x": 0, "agility": 3}, "address"),
        ({"glyph": "G", "x": 0, "y": 0, "agility": 3}, "address"),
        ({"glyph": "R", "agility": 3}, "no_unit"),
        ({"glyph": ".", "agility": 3}, "no_unit"),
        ({"x": 1, "y": 0, "agility": 3}, "no_unit"),
        ({"x": 2, "y": 0, "agility": 3}, "no_unit"),
        ({"x": 9, "y": 0, "agility": 3}, "no_unit"),
        ({"glyph": "G", "id": "me"}, "field"),
        ({"glyph": "G", "items": {}}, "field"),
        ({"x": 1, "y": 0, "items": {}}, "no_weapons_ammo"),
        ({"x": 0, "y": 0, "items": {}}, "no_weapons_ammo"),
        ({"x": 2, "y": 0, "items": {}, "agility": 3}, "field"),
        ({"x": 0, "y": 0, "id": "Everyone"}, "service_word"),
        ({"glyph": "G", "side": "gm"}, "service_word"),
    ],
)
def test_a_roster_entry_that_does_not_fit_is_refused(entry: dict[str, object], why: str) -> None:
    x, y = entry.get("x"), entry.get("y")
    place = {}
    if isinstance(x, int) and isinstance(y, int):
        place = {"x": x, "y": y, "line": y + 1, "column": x + 1}
    facts = refusal("G.W", roster=[{"glyph": "G"}, entry])
    assert facts == {"code": "map_bad_roster", "index": 1, **place, "why": why}


@pytest.mark.rule("SQ-MAP-2")
def test_units_must_fit_into_the_battle_that_they_come_to() -> None:
    text = stated(f"G{ALIEN}")
    present = Presence(sides=("squad",), combatants=("Mercenary_0_0",))
    place = {"y": 0, "line": 1}
    assert [told(problem) for problem in problems(text, "repair", present)] == [
        {
            "code": "unknown_side",
            "side": "aliens",
            "allowed": ["squad"],
            "x": 1,
            "column": 2,
            **place,
        },
        {
            "code": "duplicate_combatant",
            "combatant": "mercenary_0_0",
            "taken": "Mercenary_0_0",
            "x": 0,
            "column": 1,
            **place,
        },
    ]
    with pytest.raises(Refused) as refused:
        imported(text, "repair", present)
    assert refused.value.code == "unknown_side"


@pytest.mark.rule("SQ-MAP-2")
def test_two_units_of_one_id_and_too_many_units_are_refused() -> None:
    twice = [{"x": 0, "y": 0, "id": "me"}, {"x": 1, "y": 0, "id": "Me"}]
    assert refusal("GG", roster=twice)["code"] == "duplicate_combatant"
    crowd = "\n".join(["G" * 250] * 2)
    assert len(read(crowd).combatants) == 500
    assert refusal(crowd + "\n" + "G" + "." * 249) == {
        "code": "too_many_combatants",
        "longest": 500,
    }
    with pytest.raises(Refused) as refused:
        imported(stated("G"), "repair", Presence(combatants=tuple(map(str, range(500)))))
    assert refused.value.code == "too_many_combatants"


@pytest.mark.rule("SQ-MAP-2")
def test_all_problems_are_told_in_the_order_of_the_checks() -> None:
    text = stated(
        f"{KUTSENKO}#.\n{KUTSENKO}.",
        under=[{"x": 1, "y": 1, "glyph": "x"}],
        roster=[{"glyph": "U"}],
    )
    codes = [problem.code for problem in problems(text, "repair", Presence(sides=()))]
    assert codes == [
        "map_ragged",
        "map_unknown_glyph",
        "map_duplicate_named",
        "map_bad_under",
        "map_bad_roster",
        "unknown_side",
        "unknown_side",
        "duplicate_combatant",
    ]
    assert blob_of(text) is None


def test_the_ground_of_a_map_is_the_same_however_it_is_folded() -> None:
    text = stated(f"{LATIN_A}x", under=[{"x": 0, "y": 0, "glyph": "x"}])
    blob = blob_of(text)
    assert blob is not None
    assert blob.rows == ("xx",)
    assert imported(text, "repair").blob == blob


def test_ids_do_not_tell_of_hidden_units() -> None:
    """With or without a hidden alien the others are called the same."""
    with_hidden = read(f"{ALIEN}.{ALIEN}", roster=[{"x": 0, "y": 0, "hidden": True}])
    without = read(f"..{ALIEN}")
    assert [each for each in with_hidden.combatants if not each.hidden] == list(without.combatants)
    assert with_hidden.blob == without.blob
