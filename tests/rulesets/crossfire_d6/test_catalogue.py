"""The catalogue, the functions and the notes name one another."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

from service.rulesets.crossfire_d6 import rules
from service.rulesets.crossfire_d6.catalogue import MESSAGES, RULES, TERMS
from service.rulesets.crossfire_d6.rules.general import (
    NOTE_ALREADY_APPLIED,
    NOTE_IGNORED,
    NOTE_RECKLESS,
)

CYRILLIC = re.compile(r"[\u0400-\u04ff]")
SOURCES = tuple(sorted(Path(rules.__path__[0]).glob("*.py")))


def refused_codes() -> dict[str, set[str]]:
    """The codes the rulebook refuses with, and the parameters each of them always has."""
    found: dict[str, set[str]] = {}
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "Refused"):
                continue
            code = ast.literal_eval(node.args[0]) if isinstance(node.args[0], ast.Constant) else ""
            names = {keyword.arg for keyword in node.keywords if keyword.arg} - {"rule"}
            found[code] = found.get(code, names) & names
    return found


@pytest.mark.parametrize("entries", [RULES, TERMS], ids=["rules", "terms"])
def test_ids_are_unique_and_both_languages_are_there(entries: tuple[object, ...]) -> None:
    texts = [
        (getattr(each, "id", ""), getattr(each, "en", ""), getattr(each, "ru", ""))
        for each in entries
    ]
    assert len({name for name, _, _ in texts}) == len(texts)
    assert [name for name, en, ru in texts if CYRILLIC.search(en) or not CYRILLIC.search(ru)] == []


def test_messages_are_in_both_languages_with_the_same_parameters() -> None:
    for message in MESSAGES:
        named = [
            {name for _, name, _, _ in Formatter().parse(text) if name}
            for text in (message.en, message.ru)
        ]
        assert named[0] == named[1], message.code
        assert CYRILLIC.search(message.ru)
        assert not CYRILLIC.search(message.en)
    assert len({message.code for message in MESSAGES}) == len(MESSAGES)


def test_every_refusal_of_the_rulebook_has_a_message_that_its_parameters_fill() -> None:
    codes = refused_codes()
    # The two codes for solids in the way are handed to one function.
    codes["cell_impassable"] = codes["diagonal_blocked"] = codes.pop("")
    templates = {message.code: message.en for message in MESSAGES}
    assert sorted(set(codes) - set(templates)) == []
    for code, params in codes.items():
        needed = {name for _, name, _, _ in Formatter().parse(templates[code]) if name}
        assert needed <= params, code


def test_every_note_is_a_term() -> None:
    known = {term.id for term in TERMS}
    assert {NOTE_ALREADY_APPLIED, NOTE_IGNORED, NOTE_RECKLESS} <= known


def test_sources_are_quoted_and_the_defaults_have_none() -> None:
    without = [rule.id for rule in RULES if not isinstance(rule.source, str)]
    assert without == [
        "CF-RANGE-3",
        *(f"CF-GEO-{number}" for number in range(1, 7)),
        *(f"CF-SD-{number}" for number in range(1, 5)),
    ]
    quoted = [rule.source for rule in RULES if isinstance(rule.source, str)]
    assert all(source.startswith("«") and source.endswith("»") for source in quoted)
