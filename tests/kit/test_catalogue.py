"""The catalogue, the functions and the notes of every ruleset name one another."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import get_args, get_type_hints

import pytest

from service.engine.narration.narrator import words_of
from service.engine.vocabulary.changes import SetStat
from tests.house.tree import folder_of, lineage
from tests.kit.request_types import structs_of
from tests.kit.rig import Rig
from tests.kit.rigs import EVERY_RIG

CYRILLIC = re.compile(r"[\u0400-\u04ff]")
OPTIONAL = re.compile(r"\[\[.*?\]\]")
RULE = re.compile(r'rule="([^"]+)"')

pytestmark = pytest.mark.parametrize("rig", EVERY_RIG, ids=repr)


def sources(rig: Rig) -> tuple[Path, ...]:
    """The modules of the rulebook."""
    folders = lineage(folder_of(rig.ruleset.slug, rig.ruleset.version))
    return tuple(path for folder in folders for path in sorted(folder.glob("rules/*.py")))


def refusals(rig: Rig) -> Iterator[tuple[frozenset[str], set[str | None]]]:
    """Codes and parameters of every refusal of the rulebook; None: facts handed on whole."""
    for source in sources(rig):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Refused":
                code = node.args[0]
                is_literal = isinstance(code, ast.Constant)
                codes = frozenset({ast.literal_eval(code)}) if is_literal else rig.wording.codes
                assert codes, f"{source.name}:{node.lineno} refuses with a code that nothing names"
                yield codes, {keyword.arg for keyword in node.keywords}


def stats_of(rig: Rig) -> list[str]:
    """The numbers of a sheet that the game master may set."""
    [change] = [kind for kind in structs_of(rig.ruleset) if issubclass(kind.cls, SetStat)]
    return list(get_args(get_type_hints(change.cls)["stat"]))


def parameters(text: str) -> set[str]:
    """The parameters that a template names."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_there_are_as_many_rules_as_the_rulebook_counts(rig: Rig) -> None:
    assert len(rig.ruleset.catalogue.rules) == rig.wording.rule_count


@pytest.mark.parametrize("kind", ["rules", "terms"])
def test_ids_are_unique_and_both_languages_are_there(rig: Rig, kind: str) -> None:
    entries = getattr(rig.ruleset.catalogue, kind)
    assert len({each.id for each in entries}) == len(entries)
    assert [
        each.id for each in entries if CYRILLIC.search(each.en) or not CYRILLIC.search(each.ru)
    ] == []
    assert [each.id for each in entries if not (each.id and each.en)] == []


def test_messages_are_in_both_languages_with_the_same_parameters(rig: Rig) -> None:
    messages = rig.ruleset.catalogue.messages
    for message in messages:
        assert parameters(message.en) == parameters(message.ru), message.code
        assert len(OPTIONAL.findall(message.en)) == len(OPTIONAL.findall(message.ru))
        assert CYRILLIC.search(message.ru)
        assert not CYRILLIC.search(message.en)
    assert len({message.code for message in messages}) == len(messages)


def test_every_refusal_of_the_rulebook_names_its_rule_and_fills_its_message(rig: Rig) -> None:
    templates = {
        message.code: OPTIONAL.sub("", message.en) for message in rig.ruleset.catalogue.messages
    }
    ruleless: set[str] = set()
    for codes, named in refusals(rig):
        assert codes <= templates.keys()
        ruleless |= frozenset() if "rule" in named else codes
        for code in codes:
            assert None in named or parameters(templates[code]) <= named, code
    assert ruleless == rig.wording.ruleless


def test_every_rule_that_the_rulebook_names_is_in_the_catalogue(rig: Rig) -> None:
    catalogued = {rule.id for rule in rig.ruleset.catalogue.rules}
    for source in sources(rig):
        assert set(RULE.findall(source.read_text(encoding="utf-8"))) <= catalogued, source.name


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_note_outcome_and_purpose_is_a_term(rig: Rig, language: str) -> None:
    terms = {term.id: getattr(term, language) for term in rig.ruleset.catalogue.terms}
    assert [
        word for word in sorted(rig.wording.words | rig.wording.purposes) if not terms.get(word)
    ] == []


def test_every_number_of_a_sheet_is_told_by_a_name(rig: Rig) -> None:
    russian = words_of(rig.ruleset.catalogue, "ru")
    assert [stat for stat in stats_of(rig) if not CYRILLIC.search(russian(stat))] == []


def test_sources_are_quoted_and_the_defaults_have_none(rig: Rig) -> None:
    rules = rig.ruleset.catalogue.rules
    without = tuple(rule.id for rule in rules if not isinstance(rule.source, str))
    assert without == rig.wording.unsourced
    quoted = [rule.source for rule in rules if isinstance(rule.source, str)]
    assert all(source.startswith("«") and source.endswith("»") for source in quoted)
