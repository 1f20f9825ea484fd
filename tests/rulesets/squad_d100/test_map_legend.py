"""The legend: every glyph by its code point, what it lets pass, what is read as which glyph."""

import pytest

from service.rulesets.squad_d100.rules.glyphs import (
    FOLDS,
    GLYPHS,
    UNITS,
    UnitGlyph,
    glyph_of,
    unit_of,
)
from service.rulesets.squad_d100.rules.lines import stops_line
from service.rulesets.squad_d100.rules.terrain import KINDS, Terrain, is_passable, terrain_of
from service.rulesets.squad_d100.rules.words import Kind

TERRAIN: dict[int, tuple[Terrain, bool, bool, bool]] = {
    0x2588: ("wall", False, True, True),
    0x002E: ("floor", True, False, False),
    0x007E: ("fire", True, False, False),
    0x007C: ("shootable_obstacle", False, False, False),
    0x0030: ("reserved", True, False, False),
    0x0044: ("door", False, True, True),
    0x0045: ("explosive_cargo", False, False, False),
    0x0046: ("fuel", False, False, False),
    0x0057: ("weapons_ammo", True, False, False),
    0x0058: ("solid_obstacle", False, True, False),
    0x0078: ("cover", True, False, False),
}
"""Code point -> terrain, whether one can stand there, whether it stops shots and sight."""

KIND_OF: dict[int, tuple[Kind, str]] = {
    0x0410: ("alien", "aliens"),
    0x0047: ("mercenary", "squad"),
    0x0069: ("civilian", "neutral"),
    0x0052: ("robot", "squad"),
    0x0053: ("scientist", "neutral"),
    0x0055: ("engineer", "neutral"),
}

NAMES = {
    0x0412: "Vika Greshovski",
    0x0413: "Pavel Grachyov",
    0x0418: "The Watchman",
    0x041A: "Warrant Officer Kutsenko",
    0x041B: "Kostya Lisitsin",
    0x004D: "Maxim Gander",
    0x041F: "Gennady Pereproshitko",
    0x0420: "Inga Rozhdestvenskaya",
    0x0421: "Sergei Sinitsa",
    0x0422: "Vasily Altshuller",
    0x0423: "Ivan Rusoslavov",
    0x0424: "Daniil Mitrofanov",
    0x0426: "Andrei Taganov",
    0x0427: "Radek Voronich",
    0x0428: "Yegor Shestiruky",
}

REPAIRED = {0x41: 0x410, 0x41C: 0x4D}
LIKE = {
    0x42: 0x412,
    0x43: 0x421,
    0x4B: 0x41A,
    0x50: 0x420,
    0x54: 0x422,
    0x59: 0x423,
    0x415: 0x45,
    0x405: 0x53,
    0x425: 0x58,
    0x445: 0x78,
    0x456: 0x69,
    0x4F: 0x30,
    0x41E: 0x30,
}


@pytest.mark.rule("SQ-MAP-1", "SQ-MAP-3", "SQ-LOS-3")
def test_each_terrain_glyph_lets_pass_what_the_legend_says() -> None:
    legend = {}
    for code_point in TERRAIN:
        terrain = terrain_of(chr(code_point))
        assert terrain is not None
        stops = [stops_line(terrain, kind, x_blocks_sight=False) for kind in ("shot", "sight")]
        legend[code_point] = (terrain, is_passable(terrain), *stops)
    assert legend == TERRAIN
    assert {kind.glyph for kind in KINDS.values()} == {chr(each) for each in TERRAIN}


@pytest.mark.rule("SQ-LOS-3")
def test_solid_obstacles_stop_sight_by_an_option_alone() -> None:
    stopping = {each for each in KINDS if stops_line(each, "sight", x_blocks_sight=True)}
    assert stopping == {"wall", "door", "solid_obstacle"}


@pytest.mark.rule("SQ-MAP-3")
def test_an_open_door_is_passable() -> None:
    assert is_passable("door", is_open=True)
    assert not is_passable("door")


@pytest.mark.rule("SQ-MAP-5")
def test_each_unit_glyph_is_one_combatant_of_its_kind() -> None:
    units = {ord(glyph): (unit.kind, unit.side) for glyph, unit in UNITS.items()}
    assert units == {**KIND_OF, **dict.fromkeys(NAMES, ("named", "squad"))}


@pytest.mark.rule("SQ-MAP-5")
def test_each_named_glyph_is_its_character() -> None:
    for code_point, name in NAMES.items():
        unit = unit_of(chr(code_point))
        assert unit is not None
        assert (unit.name, unit.character) == (name, name.lower().replace(" ", "_"))
        assert glyph_of("named", unit.character) == chr(code_point)
    assert unit_of("\N{FULL BLOCK}") is None
    assert unit_of("G") == UnitGlyph(kind="mercenary", side="squad")


def test_there_are_32_glyphs() -> None:
    assert {ord(glyph) for glyph in GLYPHS} == {*TERRAIN, *KIND_OF, *NAMES}
    assert len(GLYPHS) == 32


@pytest.mark.rule("SQ-MAP-1")
def test_look_alikes_are_read_by_the_option() -> None:
    folds = {
        mode: {ord(like): ord(glyph) for like, glyph in table.items()}
        for mode, table in FOLDS.items()
    }
    assert folds == {"strict": {}, "repair": REPAIRED, "fold": {**REPAIRED, **LIKE}}


def test_a_named_one_without_a_character_has_no_glyph() -> None:
    with pytest.raises(ValueError, match="no glyph"):
        glyph_of("named", None)
