"""Query parameters are read strictly, and named when they cannot be taken."""

import pytest

from service.api.query_parameters import Query, Text, Whole
from service.errors import Malformed

LIMIT = Whole(name="limit", says="", least=1, most=10, default=5)
AT = Whole(name="at", says="", least=1, most=99)
NAME = Text(name="name", says="", pattern="[a-z]{1,5}", form="a name", is_required=True)
DECLARED = (LIMIT, AT, NAME)


def test_what_is_given_is_read_and_what_is_not_has_its_default() -> None:
    query = Query(b"name=ab&at=7", DECLARED)
    assert (query.whole(LIMIT), query.whole_or_none(AT), query.text(NAME)) == (5, 7, "ab")
    assert Query(b"name=%61", DECLARED).whole_or_none(AT) is None


@pytest.mark.parametrize(
    ("text", "path", "why"),
    [
        (b"name=a&limit=0", "query.limit", "out_of_bounds"),
        (b"name=a&limit=11", "query.limit", "out_of_bounds"),
        (b"name=a&limit=-1", "query.limit", "out_of_bounds"),
        (b"name=a&limit=1e1", "query.limit", "not_whole"),
        (b"name=a&limit=-0", "query.limit", "not_whole"),
        (b"name=a&limit=5.0", "query.limit", "not_whole"),
        (b"name=a&limit=+5", "query.limit", "not_whole"),
        (b"name=a&limit=", "query.limit", "not_whole"),
        (b"name=a&limit=05", "query.limit", "not_whole"),
        (b"name=a&limit=%D9%A3", "query.limit", "not_whole"),
        (b"name=a&limit=" + b"9" * 5000, "query.limit", "out_of_bounds"),
        (b"name=A", "query.name", "wrong_form"),
        (b"name=a%00", "query.name", "wrong_form"),
        (b"name=a&name=b", "query.name", "repeated_parameter"),
        (b"name=a&nmae=b", "query.nmae", "unknown_parameter"),
        (b"limit=5", "query.name", "missing_parameter"),
        (b"name=%ff", "query", "encoding"),
        (b"a=1&" * 200, "query.a", "unknown_parameter"),
    ],
)
def test_what_cannot_be_taken_is_named(text: bytes, path: str, why: str) -> None:
    with pytest.raises(Malformed) as refusal:
        Query(text, DECLARED)
    assert (refusal.value.params["path"], refusal.value.params["why"]) == (path, why)
