"""The print of a battle: what it shows, and that reading it back gives the same map."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rulesets.squad_d100.map_print import PrintedUnit, print_of, read_print
from service.rulesets.squad_d100.map_text import Imported, imported
from service.rulesets.squad_d100.maps import MapImport, RosterEntry, UnderCell
from service.rulesets.squad_d100.rules.glyphs import FOLDS, UNITS, glyph_of
from service.rulesets.squad_d100.rules.ground import OPEN_DOOR, Ground
from service.rulesets.squad_d100.rules.terrain import KINDS, TERRAINS

ALIEN = "\N{CYRILLIC CAPITAL LETTER A}"
GREGARIOUS = [glyph for glyph, unit in UNITS.items() if unit.character is None]
NAMED = [glyph for glyph, unit in UNITS.items() if unit.character is not None]
STANDABLE = [kind.glyph for kind in KINDS.values() if kind.is_passable] + ["D"]
PLAIN = st.sampled_from([*TERRAINS, *GREGARIOUS, "\N{LATIN CAPITAL LETTER A}", "x", "O"])


@st.composite
def legal_maps(draw: st.DrawFn) -> MapImport:
    """A text that the catalogue accepts, with terrain under some units."""
    width, height = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    cells = draw(st.lists(PLAIN, min_size=width * height, max_size=width * height))
    named = draw(st.lists(st.sampled_from(NAMED), unique=True, max_size=min(5, len(cells))))
    for at, glyph in zip(draw(st.permutations(range(len(cells)))), named, strict=False):
        cells[at] = glyph
    folded = [FOLDS["fold"].get(glyph, glyph) for glyph in cells]
    units = [at for at, glyph in enumerate(folded) if glyph in UNITS]
    below = [(at, draw(st.sampled_from(STANDABLE))) for at in units if draw(st.booleans())]
    rows = ["".join(cells[at : at + width]) for at in range(0, len(cells), width)]
    end, begin = (
        draw(st.sampled_from(("", "\n"))),
        draw(st.sampled_from(("", "\N{ZERO WIDTH NO-BREAK SPACE}"))),
    )
    return MapImport(
        text=begin + draw(st.sampled_from(("\n", "\r\n"))).join(rows) + end,
        under=tuple(UnderCell(x=at % width, y=at // width, glyph=glyph) for at, glyph in below),
    )


def ground_of(laid: Imported) -> Ground:
    rows = [list(row) for row in laid.blob.rows]
    for door in laid.doors:
        rows[door.y][door.x] = OPEN_DOOR
    return Ground(tuple("".join(row) for row in rows))


def units_of(laid: Imported) -> list[PrintedUnit]:
    return [
        PrintedUnit(
            id=each.id,
            glyph=glyph_of(each.kind, each.character or None),
            cell=None if not each.place else (each.place.x, each.place.y),
            side=each.side,
            is_down=False,
        )
        for each in laid.combatants
    ]


def canonical(stated: MapImport) -> str:
    """The text of a map in glyphs of the legend, each row ended by a line feed."""
    plain = stated.text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").replace("\r\n", "\n")
    folded = "".join(FOLDS["fold"].get(each, each) for each in plain)
    return folded.removesuffix("\n") + "\n"


@pytest.mark.rule("SQ-MAP-2")
@given(legal_maps())
def test_the_print_of_any_legal_map_is_its_text_and_is_read_back(stated: MapImport) -> None:
    laid = imported(stated, "fold")
    printed = print_of(ground_of(laid), units_of(laid))
    assert printed.startswith(canonical(stated) + "\n")
    again = imported(read_print(MapImport(text=printed)), "strict")
    assert again == msgspec.structs.replace(laid, folds=(), paths=again.paths)
    assert print_of(ground_of(again), units_of(again)) == printed


def test_a_print_lists_what_the_rows_cannot_show() -> None:
    units = (
        PrintedUnit(id="a", glyph=ALIEN, cell=(1, 1), side="aliens", is_down=False),
        PrintedUnit(id="b", glyph="G", cell=(0, 0), side="squad", is_down=True),
        PrintedUnit(id="c", glyph="R", cell=(2, 0), side="squad", is_down=False),
        PrintedUnit(id="d", glyph="i", cell=None, side="neutral", is_down=False),
    )
    printed = print_of(Ground(("x./", "/D~", "...")), units)
    assert printed.splitlines() == [
        "x.R",
        f"D{ALIEN}~",
        "...",
        "",
        "under 2 0 D",
        "under 1 1 D",
        "open 2 0",
        "open 0 1",
        f"unit a {ALIEN} 1 1 aliens",
        "unit b G 0 0 squad down",
        "unit c R 2 0 squad",
        "unit d i - - neutral",
    ]
    assert printed.endswith("neutral\n")
    assert read_print(MapImport(text=printed)) == MapImport(
        text=f"x.R\nD{ALIEN}~\n...\n",
        under=(UnderCell(x=2, y=0, glyph="D"), UnderCell(x=1, y=1, glyph="D")),
        roster=(
            RosterEntry(x=1, y=1, id="a", side="aliens"),
            RosterEntry(x=2, y=0, id="c", side="squad"),
        ),
    )


def test_a_print_of_nothing_but_ground_ends_with_an_empty_line() -> None:
    assert print_of(Ground(("..",)), ()) == "..\n\n"
    assert read_print(MapImport(text="..\r\n\r\n")) == MapImport(text="..\n")
    assert print_of(Ground(()), ()) == "\n"


def test_what_is_stated_beside_a_print_comes_after_it() -> None:
    own = RosterEntry(glyph="G", agility=3)
    both = read_print(MapImport(text="G\n\nunit me G 0 0 squad\n", roster=(own,)))
    assert both.roster == (RosterEntry(x=0, y=0, id="me", side="squad"), own)


@pytest.mark.parametrize(
    "text", ["..\n..", "..\n\n..\n", "..\n\nunit\n", "\n\nopen 0 0\n", "..\n\nopen 0 0\n\n", ""]
)
def test_any_other_text_is_no_print(text: str) -> None:
    assert read_print(MapImport(text=text)) == MapImport(text=text)
