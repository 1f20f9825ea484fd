"""What a patch says, applied by somebody else's library, leads to the value it was made for."""

import json
from copy import deepcopy
from typing import Any

import jsonpatch
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from service.encounters.json_patch import PatchStep, patch

NAMES = st.sampled_from(["id", "seq", "a", "b", "a/b", "~", "~1", "", "п"])
LEAVES = st.sampled_from([None, True, False, 0, 1, 1.0, -3, "", "a", "b", "1", "п"])
TREES: st.SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(NAMES, inner, max_size=4)
        | st.lists(
            st.builds(
                lambda name, value: {"id": name, "value": value}, st.sampled_from("abcdef"), inner
            ),
            max_size=6,
            unique_by=lambda each: each["id"],
        )
    ),
    max_leaves=25,
)


def steps_between(before: Any, after: Any) -> tuple[PatchStep, ...]:
    return patch(text_of(before), text_of(after))


def text_of(tree: Any) -> Raw:
    return Raw(msgspec.json.encode(tree, order="deterministic"))


def told(steps: tuple[PatchStep, ...]) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = msgspec.json.decode(msgspec.json.encode(steps))
    return listed


def applied(steps: tuple[PatchStep, ...], before: Any) -> Any:
    return jsonpatch.apply_patch(deepcopy(before), told(steps))


def same(one: object, other: object) -> bool:
    """Whether both are the same JSON: 1 is neither 1.0 nor true."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@given(before=TREES, after=TREES)
def test_a_patch_leads_from_one_value_to_the_other(before: Any, after: Any) -> None:
    steps = steps_between(before, after)
    assert same(applied(steps, before), after)
    assert (steps == ()) == same(before, after)


@given(
    elements=st.lists(
        st.builds(
            lambda name, value: {"id": name, "v": value}, st.sampled_from("abcdefgh"), LEAVES
        ),
        max_size=8,
        unique_by=lambda each: str(each["id"]),
    ),
    gone=st.sets(st.sampled_from("abcdefgh")),
)
def test_who_left_is_one_step(elements: list[Any], gone: set[str]) -> None:
    after = [each for each in elements if each["id"] not in gone]
    steps = steps_between(elements, after)
    assert applied(steps, elements) == after
    assert len(steps) <= len(elements) - len(after)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"a": 1}, {"a": 1}, ()),
        ({"a": 1}, {"a": True}, (["replace", "/a", True],)),
        ({"a": 1}, {"a": 1.0}, (["replace", "/a", 1.0],)),
        ({"a": 1}, {"b": 1}, (["remove", "/a"], ["add", "/b", 1])),
        ({"a/b": {"~": 1}}, {"a/b": {"~": 2}}, (["replace", "/a~1b/~0", 2],)),
        ([1, 2, 3], [1, 3], (["remove", "/1"],)),
        ([1, 3], [1, 2, 3], (["add", "/1", 2],)),
        ([], [1, 2], (["add", "/0", 1], ["add", "/1", 2])),
        ([{"id": "a", "hp": 3}, {"id": "b"}], [{"id": "b"}], (["remove", "/0"],)),
        (
            [{"id": "a", "hp": 3}, {"id": "b", "hp": 2}, {"id": "c"}],
            [{"id": "a", "hp": 2}, {"id": "d"}, {"id": "c"}],
            (["remove", "/1"], ["replace", "/0/hp", 2], ["add", "/1", {"id": "d"}]),
        ),
        (1, [1], (["replace", "", [1]],)),
    ],
)
def test_it_says_no_more_than_what_changed(
    before: Any, after: Any, expected: tuple[list[Any], ...]
) -> None:
    steps = [list(each.values()) for each in told(steps_between(before, after))]
    assert steps == list(expected)
