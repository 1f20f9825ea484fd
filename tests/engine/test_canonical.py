"""Canonical bytes: one text per value, and no text for what it cannot hold."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Struct, UnsetType

from service.engine import hashing
from service.engine.log import canonical
from service.engine.log.canonical import NotCanonical
from tests.engine import plain_texts

PUBLISHED: list[dict[str, str]] = json.loads(plain_texts.VECTORS.read_text(encoding="utf-8"))
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"))
KEYS = st.from_regex(r"[a-z0-9_]{1,8}", fullmatch=True)
VALUES = st.recursive(
    st.booleans() | st.integers(1 - 2**53, 2**53 - 1) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
)


def test_there_are_twenty_published_texts() -> None:
    assert len(PUBLISHED) == 20
    assert plain_texts.vectors() == PUBLISHED


@pytest.mark.parametrize("vector", PUBLISHED, ids=lambda vector: vector["hash"][:8])
def test_a_published_text_is_what_its_value_encodes_to(vector: dict[str, str]) -> None:
    value = json.loads(vector["text"])
    canonical.check(value)
    assert canonical.encode(value).decode() == vector["text"]
    assert hashing.event_hash(vector["text"].encode()) == vector["hash"]


@given(VALUES)
def test_any_value_encodes_as_a_plain_reading_of_the_contract_has_it(value: object) -> None:
    canonical.check(value)
    assert canonical.encode(value).decode() == plain_texts.canonical(value)
    assert json.loads(canonical.encode(value)) == value


class _Inner(Struct, frozen=True, tag_field="type", tag="inner"):
    zeta: int = 1
    alpha: str | UnsetType = UNSET


class _Outer(Struct, frozen=True):
    inner: _Inner
    absent: int | UnsetType = UNSET
    default: bool = False


def test_absent_optionals_are_left_out_and_defaults_are_written() -> None:
    assert canonical.encode(_Outer(inner=_Inner())) == (
        b'{"default":false,"inner":{"type":"inner","zeta":1}}'
    )


def test_text_that_is_no_unicode_has_no_canonical_bytes() -> None:
    with pytest.raises(NotCanonical):
        canonical.encode({"text": "\ud800"})


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (None, "$"),
        (0.5, "$"),
        ({"a": {"b": [1, None]}}, "$.a.b[1]"),
        ({"a": 1.0}, "$.a"),
        ({"n": 2**53}, "$.n"),
        ({"n": -(2**53)}, "$.n"),
        ({"A": 1}, "$"),
        ({"a-b": 1}, "$"),
        ({"": 1}, "$"),
        ({"a\n": 1}, "$"),
        ({"text": "a\x00b"}, "$.text"),
        ({"text": ["\ud800"]}, "$.text[0]"),
        ({"text": "\udfff"}, "$.text"),
        (b"bytes", "$"),
    ],
)
def test_what_canonical_bytes_cannot_hold_is_named_with_its_path(value: Any, path: str) -> None:
    with pytest.raises(NotCanonical) as caught:
        canonical.check(value)
    assert caught.value.path == path


@pytest.mark.parametrize("value", [2**53 - 1, 1 - 2**53, "\ud7ff\ue000\U0010ffff", True, []])
def test_what_lies_just_inside_is_fine(value: Any) -> None:
    canonical.check({"value": value})
