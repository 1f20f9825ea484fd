"""Strict reading: what is JSON but none of ours, shown with its path."""

import ast
import json
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from service.api import strict_json
from service.api.strict_json import DISPLAY_NAMES, read_object
from service.errors import Malformed
from tests.house.tree import ROOT

DEPTH = 64


def refused(body: bytes) -> dict[str, object]:
    with pytest.raises(Malformed) as refusal:
        read_object(body, DEPTH)
    return refusal.value.params


def test_an_object_is_read_as_it_is() -> None:
    body = b' {"a": [1, -2, true, null, "\\u00e9"], "b": {"c": 9007199254740991}} '
    assert read_object(body, DEPTH) == {
        "a": [1, -2, True, None, "é"],
        "b": {"c": 9007199254740991},
    }


@pytest.mark.parametrize(
    ("body", "params"),
    [
        (b"", {"path": "$", "why": "empty"}),
        (b" \n", {"path": "$", "why": "empty"}),
        (b"[]", {"path": "$", "why": "not_an_object"}),
        (b"7", {"path": "$", "why": "not_an_object"}),
        (b'{"a" 1}', {"path": "$", "why": "syntax", "line": 1, "column": 6}),
        (b'{"a":1}x', {"path": "$", "why": "syntax", "line": 1, "column": 8}),
        (b'{"a":01}', {"path": "$", "why": "syntax", "line": 1, "column": 7}),
        (b"\xef\xbb\xbf{}", {"path": "$", "why": "syntax", "line": 1, "column": 1}),
        (b'{"a":"\xff"}', {"path": "$", "why": "encoding", "byte": 6}),
        (b'{"a":1,"a":1}', {"path": "$", "why": "duplicate_key", "key": "a"}),
        (b'{"a":[{"b":1,"b":2}]}', {"path": "$.a[0]", "why": "duplicate_key", "key": "b"}),
        (b'{"a":1.0}', {"path": "$.a", "why": "not_an_integer", "number": "1.0"}),
        (b'{"a":1e0}', {"path": "$.a", "why": "not_an_integer", "number": "1e0"}),
        (b'{"a":NaN}', {"path": "$.a", "why": "not_a_number", "number": "NaN"}),
        (b'{"a":-Infinity}', {"path": "$.a", "why": "not_a_number", "number": "-Infinity"}),
        (b'{"a":"\\u0000"}', {"path": "$.a", "why": "nul"}),
        (b'{"\\u0000":1}', {"path": '$["\\u0000"]', "why": "nul"}),
        (b'{"a":"\\ud800"}', {"path": "$.a", "why": "lone_surrogate"}),
        (b'{"a":["x","\\udc00\\ud800"]}', {"path": "$.a[1]", "why": "lone_surrogate"}),
    ],
)
def test_what_is_none_of_ours_is_named(body: bytes, params: dict[str, object]) -> None:
    assert refused(body) == params


METADATA = (
    b'{ "A b": [1.50, null, -0, 1e999],\n "metadata": {"x": "\\u00e9"}, "n": 99999999999999999999 }'
)


@pytest.mark.parametrize(
    "key", [b'"metadata":', b'"metadata" \n:\t', b'"\\u006dEt\\u0061data":'.lower()]
)
def test_metadata_are_kept_as_they_came(key: bytes) -> None:
    body = b'{"a":{"metadata":{}},"b":[{' + key + METADATA + b'}],"c":"\\"metadata\\": {"}'
    assert read_object(body, DEPTH) == {
        "a": {"metadata": "{}"},
        "b": [{"metadata": METADATA.decode()}],
        "c": '"metadata": {',
    }


@pytest.mark.parametrize(
    ("metadata", "params"),
    [
        (
            b"7",
            {"path": "$.a.metadata", "why": "wrong_type", "expected": "object", "got": "integer"},
        ),
        (
            b'"{}"',
            {"path": "$.a.metadata", "why": "wrong_type", "expected": "object", "got": "string"},
        ),
        (
            b"[{}]",
            {"path": "$.a.metadata", "why": "wrong_type", "expected": "object", "got": "array"},
        ),
        (
            b"null",
            {"path": "$.a.metadata", "why": "wrong_type", "expected": "object", "got": "null"},
        ),
        (
            b"true",
            {"path": "$.a.metadata", "why": "wrong_type", "expected": "object", "got": "boolean"},
        ),
        (b'{"x":1,"x":2}', {"path": "$.a.metadata", "why": "duplicate_key", "key": "x"}),
        (b'{"x":{"y":1,"y":2}}', {"path": "$.a.metadata.x", "why": "duplicate_key", "key": "y"}),
        (b'{"x":"\\u0000"}', {"path": "$.a.metadata.x", "why": "nul"}),
        (b'{"\\u0000":1}', {"path": '$.a.metadata["\\u0000"]', "why": "nul"}),
        (b'{"x":"\\ud800"}', {"path": "$.a.metadata.x", "why": "lone_surrogate"}),
        (b'{"x":NaN}', {"path": "$.a.metadata.x", "why": "not_a_number", "number": "NaN"}),
        (b'{"x":tru}', {"path": "$", "why": "syntax", "line": 1, "column": 25}),
        (b'{"x":1', {"path": "$", "why": "syntax", "line": 1, "column": 28}),
        (b'{"x":"\x00"}', {"path": "$", "why": "syntax", "line": 1, "column": 26}),
        (
            b'{"x":"' + b"\xc3\xa9" * 2045 + b'"}',
            {"path": "$.a.metadata", "why": "too_many_bytes", "bytes": 4098, "limit": 4096},
        ),
    ],
)
def test_metadata_are_an_object_of_their_own(metadata: bytes, params: dict[str, object]) -> None:
    assert refused(b'{"a":{"metadata" : ' + metadata + b"}}") == params


def test_metadata_have_their_bounds() -> None:
    longest = b'{"x":"' + b"\xc3\xa9" * 2044 + b'"}'
    assert len(longest) == 4096
    assert read_object(b'{"metadata":' + longest + b"}", DEPTH) == {"metadata": longest.decode()}
    nested = b'{"x":' + b"[" * 62 + b"]" * 62 + b"}"
    assert read_object(b'{"metadata":' + nested + b"}", DEPTH) == {"metadata": nested.decode()}
    assert refused(b'{"a":{"metadata":' + nested + b"}}")["why"] == "too_deep"
    assert (
        refused(b'{"metadata":{"x":' + b"[" * 10_000 + b"]" * 10_000 + b"}}")["why"] == "too_deep"
    )


MISLEADING = [
    *map(chr, range(1, 0x20)),
    *map(chr, range(0x7F, 0xA0)),
    *"\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
]


@pytest.mark.parametrize("is_ascii", [True, False])
def test_a_name_is_one_line_that_turns_nothing(is_ascii: bool) -> None:
    for character in MISLEADING:
        told = {"why": "misleading_name", "character": f"U+{ord(character):04X}"}
        for key in sorted(DISPLAY_NAMES):
            body = json.dumps({"a": [{key: f"x{character}"}]}, ensure_ascii=is_ascii).encode()
            assert refused(body) == {"path": f"$.a[0].{key}", **told}, key
        for other in (
            {"text": character},
            {"metadata": {"name": character}},
            {"name": [character]},
        ):
            body = json.dumps(other, ensure_ascii=is_ascii).encode()
            assert json.loads(body) == other
            assert read_object(body, DEPTH).keys() == other.keys()


def test_a_name_may_be_of_any_language() -> None:
    for name in ("Анна-Мария", "שרה", "فاطمة\u200e", "José 🏹", "nobody's"):
        assert read_object(json.dumps({"name": name}).encode(), DEPTH) == {"name": name}
        body = json.dumps({"name": name}, ensure_ascii=False).encode()
        assert read_object(body, DEPTH) == {"name": name}


def test_every_display_name_is_known_by_its_key() -> None:
    texts = [(path, path.read_text(encoding="utf-8")) for path in (ROOT / "service").rglob("*.py")]
    keys = {
        (node.target.id, path.name)
        for path, text in texts
        if "NameText" in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and "NameText" in ast.unparse(node.annotation)
    }
    assert {key for key, _ in keys} == DISPLAY_NAMES


def test_a_raw_control_character_is_a_syntax_error() -> None:
    assert refused(b'{"a":"\x00"}')["why"] == "syntax"


@pytest.mark.parametrize("number", ["9007199254740992", "-9007199254740992", "9" * 5000])
def test_integers_past_2_53_are_refused(number: str) -> None:
    shown = number if len(number) <= 40 else number[:40] + "..."
    assert refused(f'{{"a":{number}}}'.encode()) == {
        "path": "$.a",
        "why": "integer_too_large",
        "number": shown,
        "limit": 9007199254740991,
    }


@pytest.mark.parametrize("unit", [b"[", b'{"a":', b'[{"a":'])
def test_ten_thousand_levels_are_refused_and_harm_nothing(unit: bytes) -> None:
    assert refused(b'{"a":' + unit * 10_000) == {"path": "$", "why": "too_deep", "limit": DEPTH}


def test_nesting_is_allowed_up_to_the_limit() -> None:
    def nested(levels: int) -> bytes:
        return b'{"a":' + b"[" * (levels - 1) + b"]" * (levels - 1) + b"}"

    assert read_object(nested(DEPTH), DEPTH)
    assert refused(nested(DEPTH + 1))["why"] == "too_deep"


def test_a_surrogate_pair_is_one_character() -> None:
    assert read_object(b'{"a":"\\ud83d\\ude00"}', DEPTH) == {"a": "\U0001f600"}


PLAIN = (
    '{ } [ ] , : " a "a" "b:c" "\\u003a" "\\"" 1 -0 0 true null 1.5 1e2 "a": "b": {"a":1, "é" NaN'
)
PIECES = st.sampled_from(
    [*PLAIN.split(), " ", "\n", "\x00", "\ufeff", str(2**53 - 1), str(2**53), "1" * 30]
)
TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
WRITTEN = st.one_of(
    st.lists(PIECES, max_size=12).map("".join).map(str.encode),
    st.builds(
        lambda tree, is_ascii: json.dumps({"a": tree}, ensure_ascii=is_ascii).encode(
            "utf-8", "surrogatepass"
        ),
        TREES,
        st.booleans(),
    ),
    st.binary(max_size=12),
)


def read_by(reader: Callable[[bytes, int], dict[str, object]], body: bytes) -> object:
    """What is read, or why it is refused."""
    try:
        return reader(body, 4)
    except Malformed as error:
        return error.params


@given(WRITTEN)
@example(b'{"a:":1,"a:":1}')
@example(b'{"a":"\\u003a","a":1}')
@example(b'{"a":{"b":{"c":{"d":1}}}}')
@example(b'{"a":{"b":{"c":1}}}')
def test_the_fast_reading_takes_nothing_that_the_strict_one_does_not(body: bytes) -> None:
    strictly = read_by(strict_json._read_strictly, body)
    # By their form: 1 and True are equal.
    assert repr(read_by(strict_json.read_object, body)) == repr(strictly)


def test_a_plain_body_is_read_fast() -> None:
    body = '{"action": {"type": "note", "text": "é: 12:30", "n": [1, {"m": null}]}}'.encode()
    assert strict_json._read_plain(body, 64) == json.loads(body)
