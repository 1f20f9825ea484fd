"""The catalogue, the functions and the notes name one another."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from service.rulesets.seeker_d100 import rules
from service.rulesets.seeker_d100.catalogue import MESSAGES, RULES, TERMS
from service.rulesets.seeker_d100.rules.aim import AimLost
from service.rulesets.seeker_d100.rules.armour import NOTE_BODY, NOTE_COVER, NOTE_HELMET
from service.rulesets.seeker_d100.rules.attack import AttackOutcome
from service.rulesets.seeker_d100.rules.called import cover_modifier
from service.rulesets.seeker_d100.rules.checks import NOTE_GM, OUTCOMES
from service.rulesets.seeker_d100.rules.damage import NOTE_CRITICAL, NOTE_FLOOR
from service.rulesets.seeker_d100.rules.grapple import HoldEnd
from service.rulesets.seeker_d100.rules.lethality import KilledBy
from service.rulesets.seeker_d100.rules.opposed import AnswerOutcome, Why
from service.rulesets.seeker_d100.rules.words import (
    Answered,
    ArmouredPart,
    AttackKind,
    Delivery,
    FelledState,
    Gait,
    Intent,
    Reaction,
    Skill,
)

CYRILLIC = re.compile(r"[\u0400-\u04ff]")
OPTIONAL = re.compile(r"\[\[.*?\]\]")
SOURCES = tuple(sorted(Path(rules.__path__[0]).glob("*.py")))


def refusals() -> Iterator[tuple[str, set[str]]]:
    """Code and parameters of every refusal of the rulebook."""
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Refused":
                named = {keyword.arg for keyword in node.keywords if keyword.arg}
                yield ast.literal_eval(node.args[0]), named


def parameters(text: str) -> set[str]:
    """The parameters a template names."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_there_are_as_many_rules_as_the_catalogue_counts() -> None:
    assert len(RULES) == 73


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
        assert parameters(message.en) == parameters(message.ru), message.code
        assert len(OPTIONAL.findall(message.en)) == len(OPTIONAL.findall(message.ru))
        assert CYRILLIC.search(message.ru)
        assert not CYRILLIC.search(message.en)
    assert len({message.code for message in MESSAGES}) == len(MESSAGES)


def test_every_refusal_names_its_rule_and_fills_its_message() -> None:
    templates = {message.code: OPTIONAL.sub("", message.en) for message in MESSAGES}
    known = {rule.id for rule in RULES}
    for source in SOURCES:
        text = source.read_text(encoding="utf-8")
        assert set(re.findall(r'rule="([^"]+)"', text)) <= known, source.name
    for code, named in refusals():
        assert code in templates
        assert "rule" in named, code
        # The facts of a turn are handed on whole.
        if code != "not_your_turn":
            assert parameters(templates[code]) <= named, code


def test_every_note_and_every_word_of_an_outcome_is_a_term() -> None:
    known = {term.id for term in TERMS}
    notes = {NOTE_GM, NOTE_FLOOR, NOTE_CRITICAL, NOTE_BODY, NOTE_HELMET, NOTE_COVER}
    notes |= {str(cover_modifier(degree).note) for degree in ("partial", "large")}
    words = (
        AttackOutcome,
        AnswerOutcome,
        Why,
        KilledBy,
        AimLost,
        HoldEnd,
        Answered,
        ArmouredPart,
        AttackKind,
        Delivery,
        FelledState,
        Gait,
        Intent,
        Reaction,
        Skill,
    )
    said = {word for each in words for word in get_args(each)}
    assert (notes | said | set(OUTCOMES)) - known == set()


def test_sources_are_quoted_and_the_defaults_have_none() -> None:
    without = [rule.id for rule in RULES if not isinstance(rule.source, str)]
    assert without == [
        "SK-INIT-2",
        "SK-INIT-3",
        "SK-CHECK-3",
        "SK-CHECK-4",
        "SK-ORD-1",
        "SK-AIM-3",
        "SK-STAND-2",
        "SK-STAND-3",
        "SK-REACT-2",
        "SK-REACT-3",
        "SK-MOVE-2",
        "SK-GRAB-5",
        "SK-DMG-2",
        "SK-DMG-3",
        "SK-AREA-2",
        "SK-LETH-7",
        "SK-ARM-5",
    ]
    quoted = [rule.source for rule in RULES if isinstance(rule.source, str)]
    assert all(source.startswith("«") and source.endswith("»") for source in quoted)
