"""Request headers, read strictly."""

import pytest

from service.api.headers import Headers
from service.errors import Malformed, PreconditionRequired, TooLarge, UnsupportedMedia


def given(**pairs: str) -> Headers:
    return Headers(
        (name.replace("_", "-").encode(), value.encode()) for name, value in pairs.items()
    )


@pytest.mark.parametrize("key", ["a", "!~", "x" * 200])
def test_an_idempotency_key_is_visible_ascii(key: str) -> None:
    assert given(idempotency_key=key).required_idempotency_key() == key


@pytest.mark.parametrize("key", ["", "x" * 201, "a b", "é", "a\tb"])
def test_any_other_idempotency_key_is_malformed(key: str) -> None:
    with pytest.raises(Malformed) as refusal:
        given(idempotency_key=key).idempotency_key()
    assert refusal.value.params["path"] == "header.idempotency-key"


def test_where_a_key_is_required_its_absence_is_told() -> None:
    with pytest.raises(PreconditionRequired):
        given().required_idempotency_key()


@pytest.mark.parametrize("tag", ['"12-0a1b2c3d"', '"12-0a1b2c3d;seat=ann"'])
def test_if_match_takes_what_stands_before_the_variant(tag: str) -> None:
    assert given(if_match=tag).if_match() == "12-0a1b2c3d"


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
        given(if_match=tag).if_match()


def test_a_header_that_names_one_thing_comes_once() -> None:
    twice = Headers(given(if_match='"1-00000000"') * 2)
    with pytest.raises(Malformed) as refusal:
        twice.if_match()
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
    assert given(if_none_match=value).lists_tag('"1-00000000"') is is_known


def test_the_versions_that_a_client_knows_are_found_among_other_tags() -> None:
    value = '"3-0a1b2c3d", W/"12-00000000;seat=ann", "x", "4-0A1B2C3D", *'
    found = given(if_none_match=value).known_versions()
    assert found == ("3-0a1b2c3d", "12-00000000")
    assert given().known_versions() == ()


@pytest.mark.parametrize(
    "content_type",
    ["application/json", "Application/JSON; charset=UTF-8", 'application/json; charset="utf-8"'],
)
def test_json_is_taken(content_type: str) -> None:
    assert given(content_type=content_type).names_json()
    assert given(content_type=content_type, content_encoding="Identity").names_json()


def test_a_body_may_name_no_type() -> None:
    assert not given(content_encoding="gzip").names_json()


@pytest.mark.parametrize(
    ("content_type", "encoding"),
    [
        ("text/plain", "identity"),
        ("application/json; charset=latin-1", "identity"),
        ("application/jsonx", "identity"),
        ("", "identity"),
        ("application/json", "gzip"),
    ],
)
def test_other_types_and_encodings_are_not(content_type: str, encoding: str) -> None:
    with pytest.raises(UnsupportedMedia):
        given(content_type=content_type, content_encoding=encoding).names_json()


def test_a_declared_length_over_the_limit_is_refused_unread() -> None:
    given(content_length="1024").require_length(1024)
    given().require_length(1024)
    for declared in ("1025", "9" * 4000):
        with pytest.raises(TooLarge):
            given(content_length=declared).require_length(1024)


@pytest.mark.parametrize(
    ("declared", "shown"), [("-1", "-1"), ("²", "²"), ("x" * 41, "x" * 40 + "...")]
)
def test_a_declared_length_is_a_number(declared: str, shown: str) -> None:
    pairs = [(b"content-length", declared.encode("latin-1"))]
    with pytest.raises(Malformed) as refusal:
        Headers(pairs).require_length(1024)
    problem = {"path": "header.Content-Length", "why": "not_a_number", "number": shown}
    assert refusal.value.params == problem
