"""`warlog map`: what is wrong with a map in a file, and the map in colour."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from service.cli import run
from service.cli.maps import coloured_rows
from service.engine.map_check import MapDrawing
from service.exits import Exit

ALIEN = "\N{CYRILLIC CAPITAL LETTER A}"
CYRILLIC_HA = "\N{CYRILLIC SMALL LETTER HA}"
SOUND = f"█D█\r\nG.{ALIEN}\r\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "map.txt"


def test_a_sound_map_is_said_to_be_sound(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(SOUND.encode())
    assert run(["map", "check", str(file)]) == Exit.OK
    assert capsys.readouterr().out == f"{file} is sound\n"


def test_each_problem_has_a_line_of_its_own(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(f"..\n.{CYRILLIC_HA}\n...\n")
    assert run(["map", "check", str(file)]) == Exit.WRONG
    captured = capsys.readouterr()
    assert captured.out == ""
    ragged, unknown = captured.err.splitlines()
    assert ragged.startswith(f"warlog: {file}:3:3: ")
    assert ragged.endswith(" (map_ragged)")
    assert unknown.startswith(f"warlog: {file}:2:2: ")
    assert unknown.endswith(" (map_unknown_glyph)")
    assert "U+0445" in unknown


def test_an_option_of_the_battle_is_heeded(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(CYRILLIC_HA)
    command = ["map", "check", str(file), "--json", "--option", "glyph_folding=fold"]
    assert run(command) == Exit.OK
    answer = json.loads(capsys.readouterr().out)
    assert answer["map"] == {"text": "x\n", "under": [], "roster": []}


def test_a_map_in_json_is_read_as_in_a_creation(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(json.dumps({"text": "G", "roster": [{"glyph": "G", "hidden": True}]}))
    assert run(["map", "check", str(file)]) == Exit.OK
    warning, sound = capsys.readouterr().out.splitlines()
    assert warning.startswith(f"{file}:1:1: ")
    assert warning.endswith("(map_hidden_on_floor) (warning)")
    assert sound == f"{file} is sound"


def test_another_rulebook_reads_its_own_maps(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(json.dumps({"form": "ascii", "rows": ["..", "."]}))
    command = [str(file), "--ruleset", "crossfire-d6"]
    assert run(["map", "check", *command]) == Exit.WRONG
    assert f"{file}:2:2: " in capsys.readouterr().err
    file.write_text(json.dumps({"form": "ascii", "rows": ["..", ".."]}))
    assert run(["map", "show", *command]) == Exit.WRONG
    assert "not shown" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["--ruleset", "chess"], ["--option", "no=1"], ["--option", "no"]]
)
def test_what_cannot_be_understood_is_a_wrong_call(
    file: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(".")
    assert run(["map", "check", str(file), *arguments]) == Exit.USAGE
    assert capsys.readouterr().err


def test_a_file_that_is_no_text_is_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(b"..\xff")
    assert run(["map", "check", str(file)]) == Exit.WRONG
    assert capsys.readouterr().err == f"warlog: {file} is not UTF-8: byte 2\n"


def test_a_map_is_shown_without_colour_where_there_is_no_terminal(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_bytes(SOUND.encode())
    assert run(["map", "show", str(file)]) == Exit.OK
    assert capsys.readouterr().out == f"█D█\nG.{ALIEN}\n"


def test_a_map_with_problems_is_not_shown(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("?")
    assert run(["map", "show", str(file)]) == Exit.WRONG
    captured = capsys.readouterr()
    assert (captured.out, "(map_unknown_glyph)" in captured.err) == ("", True)


def test_ground_and_sides_have_colours_of_their_own_on_a_terminal() -> None:
    drawing = MapDrawing(
        rows=("x.", "ab", "cx"),
        legend={"x": "cover", ".": "floor"},
        sides={(0, 1): "red", (1, 1): "blue", (0, 2): "red"},
    )
    rows = coloured_rows(drawing)
    assert [row.plain for row in rows] == ["x.", "ab", "cx"]
    styles = [[str(span.style) for span in row.spans] for row in rows]
    assert styles == [["green"], ["bold blue", "bold magenta"], ["bold blue", "green"]]
    terminal = Console(file=io.StringIO(), force_terminal=True, color_system="standard")
    with terminal.capture() as capture:
        terminal.print(rows[0])
    assert capture.get() == "\x1b[32mx\x1b[0m.\n"
