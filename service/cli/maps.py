"""`warlog map`: look at a map in a file by a rulebook; needs neither a service nor a database."""

from pathlib import Path
from typing import Annotated, Final, get_args

import typer
from msgspec import UNSET, DecodeError, Struct
from msgspec.json import decode
from rich.text import Text

from service.api.map_answer import MapAnswer, MapProblem, map_answer
from service.api.problems import Phrasebook, facts_of, sentence_of
from service.console import AsJson, out, print_json, tell_error
from service.encounters.creation import CheckedMap, check_map
from service.engine.map_check import MapDrawing
from service.errors import WarlogError
from service.exits import Exit
from service.rulesets import RULESETS

maps = typer.Typer(
    help="Look at a map in a file: what is wrong with it, or show it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

MapFile = Annotated[
    Path,
    typer.Argument(
        help="A map as text, or as the JSON of `map` in a creation.", exists=True, dir_okay=False
    ),
]
RulesetOption = Annotated[
    str | None,
    typer.Option("--ruleset", help="The rulebook to read it by; absent: the one for texts."),
]
OptionList = Annotated[
    list[str] | None,
    typer.Option("--option", help="An option of the battle it is meant for, as name=value."),
]

_STYLES: Final = {
    "wall": "bright_black",
    "solid_obstacle": "bright_black",
    "shootable_obstacle": "white",
    "door": "yellow",
    "fire": "bright_red",
    "fuel": "red",
    "explosive_cargo": "red",
    "cover": "green",
    "weapons_ammo": "bright_yellow",
    "reserved": "cyan",
}
"""Colours of ground by the words of rulebooks; any other ground is plain."""

_SIDE_STYLES: Final = ("bold blue", "bold magenta", "bold green", "bold cyan", "bold white")
"""Colours of whoever is on a map, by side in the order of their appearance."""


@maps.command("check")
def check(
    file: MapFile,
    *,
    ruleset: RulesetOption = None,
    option: OptionList = None,
    as_json: AsJson = False,
) -> None:
    """Tell what is wrong with a map, with line and column; exit with 1 if anything is."""
    answer = _answer(_checked(file, ruleset, option or []))
    if as_json:
        print_json(answer)
    else:
        for problem in answer.problems:
            tell_error(_sentence(file, problem))
        for warning in answer.warnings:
            out.print(Text(f"{_sentence(file, warning)} (warning)"))
        if not answer.problems:
            out.print(Text(f"{file} is sound"))
    if answer.problems:
        raise typer.Exit(Exit.WRONG)


@maps.command("show")
def show(file: MapFile, *, ruleset: RulesetOption = None, option: OptionList = None) -> None:
    """Print a map in colour; without colour where the output is no terminal."""
    checked = _checked(file, ruleset, option or [])
    drawing = checked.report.drawing
    if drawing is None:
        for problem in _answer(checked).problems:
            tell_error(_sentence(file, problem))
        if checked.report.map is not None:
            tell_error(f"maps of {checked.ruleset.slug} are not shown in characters")
        raise typer.Exit(Exit.WRONG)
    for row in coloured_rows(drawing):
        out.print(row)


def coloured_rows(drawing: MapDrawing) -> tuple[Text, ...]:
    """The rows of a drawing, each character in the colour of what it represents."""
    sides = tuple(dict.fromkeys(drawing.sides.values()))
    rows = []
    for y, characters in enumerate(drawing.rows):
        row = Text()
        for x, character in enumerate(characters):
            side = drawing.sides.get((x, y))
            if side is None:
                style = _STYLES.get(drawing.legend.get(character, ""), "")
            else:
                style = _SIDE_STYLES[sides.index(side) % len(_SIDE_STYLES)]
            row.append(character, style)
        rows.append(row)
    return tuple(rows)


def _checked(file: Path, ruleset: str | None, options: list[str]) -> CheckedMap:
    """The report on the map in a file. Raises typer.BadParameter, typer.Exit."""
    try:
        text = file.read_bytes().decode()
    except UnicodeDecodeError as error:
        tell_error(f"{file} is not UTF-8: byte {error.start}")
        raise typer.Exit(Exit.WRONG) from error
    tree = {
        "ruleset": ruleset or _text_ruleset(),
        "options": dict(map(_option, options)),
        "map": _map_of(text),
    }
    try:
        return check_map(tree, RULESETS)
    except WarlogError as error:
        tell_error(sentence_of(error, facts_of(error), "en", _phrasebook()))
        raise typer.Exit(Exit.USAGE) from error


def _map_of(text: str) -> object:
    """The map that a file holds: JSON as it is, any other text as a text."""
    try:
        tree: object = decode(text)
    except DecodeError:
        return {"text": text}
    return tree if isinstance(tree, dict) else {"text": text}


def _text_ruleset() -> str:
    """The first rulebook whose maps are texts. Raises typer.BadParameter without one."""
    for ruleset in RULESETS.values():
        kinds = get_args(ruleset.map) or (ruleset.map,)
        if any(issubclass(kind, Struct) and "text" in kind.__struct_fields__ for kind in kinds):
            return ruleset.slug
    raise typer.BadParameter("name a rulebook with --ruleset")


def _option(stated: str) -> tuple[str, object]:
    """An option as it is stated: JSON where it is that, else a word. Raises typer.BadParameter."""
    name, separator, value = stated.partition("=")
    if not separator:
        raise typer.BadParameter(f"{stated} is not name=value")
    try:
        tree: object = decode(value)
    except DecodeError:
        return name, value
    return name, tree


def _answer(checked: CheckedMap) -> MapAnswer:
    return map_answer(checked, "en", _phrasebook())


def _phrasebook() -> Phrasebook:
    return Phrasebook({key: ruleset.catalogue for key, ruleset in RULESETS.items()})


def _sentence(file: Path, problem: MapProblem) -> str:
    """A problem on one line, with its place as compilers write it."""
    place = "" if problem.line is UNSET else f":{problem.line}:{problem.column}"
    return f"{file}{place}: {problem.detail} ({problem.code})"
