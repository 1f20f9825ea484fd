"""Every rulebook has one table of actions, with an entry for each type of action and no other.

Deciding, previews, withdrawal and luck look an action up by its type, so that mypy's
`assert_never` can no longer tell of a type that is missing. These tests do.
"""

import ast
from importlib import import_module
from inspect import getclosurevars
from pathlib import Path
from types import FunctionType
from typing import Any, Final, cast, get_args

import pytest

from service.engine.kit.action_table import ActionTable
from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary.actions import EngineAction, FormedAction
from service.rulesets import RULESETS
from tests.house.tree import SERVICE, folder_of, lineage

EACH: Final = pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda each: str(each.slug))

LOOKING_UP: Final = ("preview.py", "luck.py", "withdrawal.py")
"""Modules of a rulebook that look actions up, or that its table takes functions from."""


def folders_of(ruleset: Ruleset[Any]) -> tuple[Path, ...]:
    return lineage(folder_of(ruleset.slug, ruleset.version))


def table_of(ruleset: Ruleset[Any]) -> ActionTable[Any, Any, Any]:
    """The table of a version: its own, or that of the version before it."""
    home = next(each for each in folders_of(ruleset) if (each / "action_table.py").exists())
    module = ".".join(home.relative_to(SERVICE.parent).parts)
    table: ActionTable[Any, Any, Any] = import_module(f"{module}.action_table").ACTIONS
    return table


def ruled_by(ruleset: Ruleset[Any]) -> set[Any]:
    """The types of action that the rulebook decides in a battle that exists."""
    return set(get_args(ruleset.action)) - set(get_args(EngineAction))


@EACH
def test_the_table_has_every_action_of_the_ruleset_and_no_other(ruleset: Ruleset[Any]) -> None:
    assert set(table_of(ruleset).entries) == ruled_by(ruleset)


@EACH
def test_every_action_of_players_says_whether_it_binds(ruleset: Ruleset[Any]) -> None:
    # An action of the game master has nothing to say: nobody asks.
    entries = table_of(ruleset).entries
    stated = {kind for kind, entry in entries.items() if entry.binds is not None}
    assert stated == {kind for kind in entries if kind.WHO == "player"}


@EACH
def test_withdrawal_and_luck_are_those_of_the_table(ruleset: Ruleset[Any]) -> None:
    table = table_of(ruleset)
    assert ruleset.binds == table.binds
    assert ruleset.luck is not None
    assert (ruleset.luck.odds, ruleset.luck.ending) == (table.odds, table.ending)


@EACH
def test_deciding_and_previews_look_up_the_table(ruleset: Ruleset[Any]) -> None:
    table = table_of(ruleset)
    assert getclosurevars(cast(FunctionType, ruleset.decide)).nonlocals["table"] is table
    assert vars(import_module(ruleset.preview.__module__))["ACTIONS"] is table


@EACH
def test_what_looks_up_the_table_names_no_action_itself(ruleset: Ruleset[Any]) -> None:
    kinds = {kind.__name__ for kind in ruled_by(ruleset)}
    named = {
        f"{path.name}: {name}"
        for folder in folders_of(ruleset)
        for path in (folder / each for each in LOOKING_UP)
        if path.exists()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (name := getattr(node, "attr", getattr(node, "id", None))) in kinds
    }
    assert named == set()


@EACH
def test_every_action_that_checks_its_form_is_asked_to(ruleset: Ruleset[Any]) -> None:
    kinds = [kind for kind in get_args(ruleset.action) if hasattr(kind, "require_form")]
    assert [kind for kind in kinds if not issubclass(kind, FormedAction)] == []
