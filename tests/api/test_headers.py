"""Request headers, read strictly."""

import pytest

from service.api import headers
from service.errors import Malformed, PreconditionRequired


def given(**pairs: str) -> list[tuple[bytes, bytes]]:
    return [(name.replace("_", "-").encode(), value.encode()) for name, value in pairs.items()]


@pytest.mark.parametrize("key", ["a", "!~", "x" * 200])
def test_an_idempotency_key_is_visible_ascii(key: str) -> None:
    assert headers.required_idempotency_key(given(idempotency_key=key)) == key


@pytest.mark.parametrize("key", ["", "x" * 201, "a b", "é", "a\tb"])
def test_any_other_idempotency_key_is_malformed(key: str) -> None:
    with pytest.raises(Malformed) as refusal:
        headers.idempotency_key(given(idempotency_key=key))
    assert refusal.value.params["path"] == "header.idempotency-key"


def test_where_a_key_is_required_its_absence_is_told() -> None:
    with pytest.raises(PreconditionRequired):
        headers.required_idempotency_key([])


@pytest.mark.parametrize("tag", ['"12-0a1b2c3d"', '"12-0a1b2c3d;seat=ann"'])
def test_if_match_takes_what_stands_before_the_variant(tag: str) -> None:
    assert headers.if_match(given(if_match=tag)) == "12-0a1b2c3d"


@pytest.mark.parametrize(
    "tag",
    [
        "12-0a1b2c3d",
        "*",
        'W/"12-0a1b2c3d"',
        '"12"',
        '"0-0a1b2c3d"',
        '"12-0A1B2C3D"',
        '"1-00000000", "2-00000000"',
        "",
    ],
)
def test_any_other_if_match_is_malformed(tag: str) -> None:
    with pytest.raises(Malformed):
        headers.if_match(given(if_match=tag))


def test_a_header_that_names_one_thing_comes_once() -> None:
    twice = given(if_match='"1-00000000"') * 2
    with pytest.raises(Malformed) as refusal:
        headers.if_match(twice)
    assert refusal.value.params == {"path": "header.if-match", "why": "repeated_parameter"}


@pytest.mark.parametrize(
    ("value", "is_known"),
    [
        ('"1-00000000"', True),
        ('W/"1-00000000"', True),
        ('"x", "1-00000000"', True),
        ("*", True),
        ('"1-00000001"', False),
        ("1-00000000", False),
    ],
)
def test_if_none_match_lists_what_the_client_has(value: str, is_known: bool) -> None:
    assert headers.is_known_to_client(given(if_none_match=value), '"1-00000000"') is is_known


def test_the_versions_that_a_client_knows_are_found_among_other_tags() -> None:
    value = '"3-0a1b2c3d", W/"12-00000000;seat=ann", "x", "4-0A1B2C3D", *'
    found = headers.versions_known(given(if_none_match=value))
    assert found == ("3-0a1b2c3d", "12-00000000")
    assert headers.versions_known([]) == ()
