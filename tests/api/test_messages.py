"""Every code the service can answer with is said in both languages."""

import ast
import inspect
import re
from collections.abc import Iterator, Set
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from service import errors
from service.api import malformed_texts, problem_texts
from service.api.malformed import in_russian
from service.api.message_template import fill
from service.api.negotiation import LANGUAGES
from service.api.problems import Phrasebook, problem_of, status_of
from service.api.strict_json import read_object
from service.encounters.requests import convert
from service.engine.ruleset.definition import Catalogue
from service.engine.vocabulary import action_life
from service.engine.vocabulary.catalogue import Message
from service.engine.vocabulary.client_ids import ONCE, UNRESERVED
from service.rulesets import RULESETS
from tests.kit.rigs import EVERY_RIG

SERVICE = Path(errors.__file__).parent
CLASSES = {
    name: kind
    for name, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, errors.WarlogError)
}
COMPUTED = {
    "engine/battle/decisions.py": {"too_few_faces", "too_many_faces"},
    "engine/battle/permission.py": {
        code
        for life in vars(action_life).values()
        if isinstance(life, action_life.ActionLife)
        for code in (life.setup, life.running, life.ended)
        if code is not None
    },
    "api/limits/job_places.py": {
        "audit_running",
        "simulation_running",
        "tenant_audits_running",
        "tenant_simulations_running",
    },
    # What a run is refused for, the rules of its battle refuse: their own rigs name it.
    "encounters/simulations/service.py": set(),
}
"""Codes of the engine that are not written where they are raised; a ruleset's are in its rig."""

PLACEHOLDER = re.compile(r"\{([a-z_]+(?::term)?)\}")


def raised() -> Iterator[tuple[str, str | None]]:
    """(file, code) of every error made in the service; no code where it is computed."""
    for path in SERVICE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name not in CLASSES:
                continue
            where = str(path.relative_to(SERVICE))
            if not node.args:
                yield where, CLASSES[name].code
            elif isinstance(node.args[0], ast.Constant):
                yield where, str(node.args[0].value)
            else:
                yield where, None


def computed(where: str) -> Set[str]:
    """The codes that a file raises without writing them in the call."""
    if not where.startswith("rulesets/"):
        return COMPUTED[where]
    folder = where.split("/")[1]
    rigs = [rig for rig in EVERY_RIG if rig.ruleset.slug.replace("-", "_") == folder]
    codes = frozenset[str]().union(*(rig.wording.codes for rig in rigs))
    assert codes, f"{where} raises codes that its rig does not name"
    return codes


def all_codes() -> set[tuple[str, str]]:
    found = set()
    for where, code in raised():
        for each in [code] if code is not None else computed(where):
            found.add((where, each))
    return found | {("errors.py", kind.code) for kind in CLASSES.values()}


def test_every_code_has_its_message() -> None:
    own = {message.code for message in problem_texts.MESSAGES}
    by_ruleset = {
        ruleset.slug.replace("-", "_"): {message.code for message in ruleset.catalogue.messages}
        for ruleset in RULESETS.values()
    }
    # The plain classes are never raised without a code of their own.
    abstract = {"refused", "forbidden", "conflict"}
    lacking = [
        (where, code)
        for where, code in sorted(all_codes())
        if code not in own | abstract
        and not (where.startswith("rulesets/") and code in by_ruleset[where.split("/")[1]])
    ]
    assert lacking == []


@pytest.mark.parametrize("said", [problem_texts.MESSAGES, malformed_texts.FORMS])
def test_messages_are_unique_and_say_the_same_facts_in_both_languages(
    said: tuple[Message, ...],
) -> None:
    codes = [message.code for message in said]
    assert len(set(codes)) == len(codes)
    for message in said:
        assert message.en != message.ru
        assert set(PLACEHOLDER.findall(message.en)) == set(PLACEHOLDER.findall(message.ru)), message


def test_every_status_a_class_has_is_titled() -> None:
    for kind in CLASSES.values():
        assert status_of(kind("x")) in problem_texts.TITLES


def test_ways_of_being_malformed_are_all_known() -> None:
    known = {message.code for message in malformed_texts.FORMS}
    used = {
        keyword.value.value
        for path in (SERVICE / "api").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "why" and isinstance(keyword.value, ast.Constant)
    }
    assert used <= known


NEUTRAL = {". # c s d"}
"""What was allowed, where it is the same in every language."""


def allowed_phrases() -> Iterator[str]:
    """Every phrase that says what was allowed, with 7 for each number in it."""
    for path in SERVICE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Malformed":
                for keyword in node.keywords:
                    match keyword.arg, keyword.value:
                        case "allowed", ast.Constant(value=str(phrase)):
                            yield phrase
                        case "allowed", ast.JoinedStr(values=pieces):
                            yield "".join(
                                str(piece.value) if isinstance(piece, ast.Constant) else "7"
                                for piece in pieces
                            )
                        case _:
                            pass


def test_what_was_allowed_is_said_in_both_languages() -> None:
    phrases = (set(allowed_phrases()) | {ONCE, UNRESERVED}) - NEUTRAL
    assert "each id once" in phrases
    assert [phrase for phrase in sorted(phrases) if in_russian(phrase) == phrase] == []


def test_a_passage_whose_fact_is_missing_is_left_out() -> None:
    template = "{a} is wrong[[; there are {allowed}]]."
    assert fill(template, {"a": 1, "allowed": ["x", "y"]}) == "1 is wrong; there are x, y."
    assert fill(template, {}) == "? is wrong."


@pytest.mark.parametrize(
    ("sentence", "params", "english", "russian"),
    [
        (
            "Expected `int`, got `str`",
            {"why": "wrong_type", "expected": "integer", "got": "string"},
            "$.x must be a whole number, not text.",
            "$.x — нужно: целое число, прислано: текст.",
        ),
        (
            "Expected `bool | int | float | str | array | object | null`, got `bytes`",
            {
                "why": "wrong_type",
                "expected": "boolean | integer | number | string | array | object | null",
                "got": "string",
            },
            "$.x must be true or false, a whole number, a number, text, a list, an object or null,"
            " not text.",
            "$.x — нужно: true или false, целое число, число, текст, список, объект или null,"
            " прислано: текст.",
        ),
        (
            "Expected `str | null`, got `array`",
            {"why": "wrong_type", "expected": "string | null", "got": "array"},
            "$.x must be text or null, not a list.",
            "$.x — нужно: текст или null, прислано: список.",
        ),
        (
            "Expected `str`, got `dict`",
            {"why": "wrong_type", "expected": "string", "got": "object"},
            "$.x must be text, not an object.",
            "$.x — нужно: текст, прислано: объект.",
        ),
        (
            "Expected `array` of length 2, got 3",
            {"why": "wrong_length", "expected": "array", "least": 2},
            "$.x must have a length of 2.",
            "$.x: длина должна быть 2.",
        ),
        (
            "Expected `int` >= 1",
            {"why": "too_small", "expected": "integer", "least": 1},
            "$.x must be at least 1.",
            "$.x: не меньше 1.",
        ),
    ],
)
def test_a_decoders_sentence_is_taken_apart_and_told_in_the_types_of_json(
    sentence: str, params: dict[str, object], english: str, russian: str
) -> None:
    error = errors.Malformed(path="$.x", allowed=sentence)
    told = {
        language: problem_of(error, language, "/", Phrasebook({}), "r") for language in LANGUAGES
    }
    assert (told["en"].detail, told["ru"].detail) == (english, russian)
    assert told["en"].params == told["ru"].params == {"path": "$.x", **params}


STATED: tuple[tuple[object, str, str], ...] = (
    ("x", "string", "text"),
    (1, "integer", "a whole number"),
    (1.5, "number", "a number"),
    (True, "boolean", "true or false"),
    (None, "null", "null"),
    ([], "array", "a list"),
    ({}, "object", "an object"),
)
TYPES: tuple[tuple[Any, str, set[str]], ...] = (
    (str, "string", {"string"}),
    (int, "integer", {"integer"}),
    (float, "number", {"integer", "number"}),
    (bool, "boolean", {"boolean"}),
    (None, "null", {"null"}),
    (list[int], "array", {"array"}),
    (dict[str, int], "object", {"object"}),
    (datetime, "string", {"string"}),
    (UUID, "string", {"string"}),
    (int | None, "integer | null", {"integer", "null"}),
    (dict[str, int] | list[int] | bool, "boolean | object | array", {"boolean", "object", "array"}),
)


@pytest.mark.parametrize(("kind", "expected", "fitting"), TYPES)
def test_every_type_that_the_decoder_names_is_told_as_one_of_json(
    kind: Any, expected: str, fitting: set[str]
) -> None:
    others = [(value, got) for value, got, _ in STATED if got not in fitting]
    told = []
    for value, _ in others:
        with pytest.raises(errors.Malformed) as caught:
            convert(value, kind)
        told.append(problem_of(caught.value, "en", "/", Phrasebook({}), "r").params)
    assert told == [
        {"path": "$", "why": "wrong_type", "expected": expected, "got": got} for _, got in others
    ]


@pytest.mark.parametrize(
    ("value", "got", "words"), [each for each in STATED if each[1] not in {"string", "number"}]
)
def test_a_tag_of_another_type_is_told_by_the_name_that_json_has_for_it(
    value: object, got: str, words: str
) -> None:
    with pytest.raises(errors.Malformed) as caught:
        convert({"type": value}, RULESETS["tactical-d20", "1"].action, "$.action")
    told = problem_of(caught.value, "en", "/", Phrasebook({}), "r")
    assert told.detail == f"$.action.type must be text, not {words}."
    assert told.params["got"] == got


def test_an_integer_too_far_below_zero_is_told_the_least_one() -> None:
    with pytest.raises(errors.Malformed) as caught:
        read_object(b'{"x":-9007199254740992}', 64)
    english, russian = (
        problem_of(caught.value, language, "/", Phrasebook({}), "r").detail
        for language in LANGUAGES
    )
    most = 9007199254740991
    assert english == f"$.x is -9007199254740992; integers go from -{most} to {most}."
    assert russian == f"$.x: -9007199254740992; целые — от -{most} до {most}."


def said(*messages: Message) -> Catalogue:
    """A catalogue of these messages alone."""
    return Catalogue(rules=(), terms=(), messages=messages)


def test_a_refusal_is_told_in_the_words_of_the_ruleset_and_version_that_refused() -> None:
    first = Message(code="too_far", en="Too far.", ru="Далеко.")
    second = Message(code="too_far", en="It is too far.", ru="Слишком далеко.")
    common = Message(code="unknown_side", en="No such army.", ru="Такой армии нет.")
    book = Phrasebook(
        {("x", "1"): said(first), ("x", "2"): said(second, common), ("y", "1"): said()}
    )
    assert [book.find("too_far", key) for key in (("x", "1"), ("x", "2"), ("y", "1"), None)] == [
        first,
        second,
        None,
        None,
    ]
    own = problem_texts.message_of("unknown_side")
    assert own is not None
    assert [book.find("unknown_side", key) for key in (("x", "1"), ("x", "2"), None)] == [
        own,
        common,
        own,
    ]
    assert book.rule_messages() == (second, first, common)
