"""Patches of the client against another implementation, and what RFC 6902 says of odd ones."""

import copy
import json
from random import Random
from typing import Any

import jsonpatch
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warlog import PatchFailed, PatchStep, patched

NAMES = st.sampled_from(["a", "b", "a/b", "m~n", "", "0", "-"])
LEAVES = st.none() | st.booleans() | st.integers(-3, 3) | st.text("xy", max_size=2)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=10,
)


def steps_of(patch: Any) -> list[PatchStep]:
    return msgspec.convert(list(patch), list[PatchStep])


@given(JSON, JSON)
def test_what_another_library_makes_is_applied_and_nothing_is_changed_in_place(
    before: Any, after: Any
) -> None:
    kept = copy.deepcopy(before)
    patch = jsonpatch.make_patch({"it": before}, {"it": after})
    wrapped = {"it": before}
    made = patched(wrapped, steps_of(patch))
    assert json.dumps(made, sort_keys=True) == json.dumps({"it": after}, sort_keys=True)
    assert json.dumps(wrapped) == json.dumps({"it": kept})


def pointers(tree: Any, path: str = "") -> list[str]:
    """All places of a document, and some that are not there."""
    places = [path]
    if isinstance(tree, dict):
        for name, each in tree.items():
            escaped = name.replace("~", "~0").replace("/", "~1")
            places += pointers(each, f"{path}/{escaped}")
    if isinstance(tree, list):
        for index, each in enumerate(tree):
            places += pointers(each, f"{path}/{index}")
    return [*places, f"{path}/-", f"{path}/9", f"{path}/01", f"{path}/new"]


@given(st.dictionaries(st.sampled_from("abc"), JSON, min_size=1), st.randoms(), JSON)
def test_any_step_is_applied_or_refused_as_by_another_library(
    document: Any, chance: Random, value: Any
) -> None:
    path, source = chance.choice(pointers(document)), chance.choice(pointers(document))
    op = chance.choice(["add", "remove", "replace", "move", "copy", "test"])
    step = {"op": op, "path": path, "from": source, "value": value}
    try:
        theirs = jsonpatch.apply_patch(document, [step])
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException, TypeError, KeyError):
        theirs = None
    try:
        ours = patched(document, steps_of([step]))
    except PatchFailed:
        ours = None
    if theirs is None or path == "" or source == "":
        return
    assert json.dumps(ours, sort_keys=True) == json.dumps(theirs, sort_keys=True), step


@pytest.mark.parametrize(
    "step",
    [
        {"op": "remove", "path": "/gone"},
        {"op": "replace", "path": "/gone", "value": 1},
        {"op": "add", "path": "/list/4", "value": 1},
        {"op": "add", "path": "/list/01", "value": 1},
        {"op": "add", "path": "/gone/deeper", "value": 1},
        {"op": "add", "path": "/number/deeper", "value": 1},
        {"op": "remove", "path": "/list/-"},
        {"op": "remove", "path": ""},
        {"op": "replace", "path": "list", "value": 1},
        {"op": "test", "path": "/number", "value": True},
        {"op": "move", "path": "/list/0/x", "from": "/list"},
        {"op": "fold", "path": "/list"},
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused_and_changes_nothing(step: dict[str, Any]) -> None:
    document = {"list": [1, 2, 3], "number": 1}
    good = {"op": "add", "path": "/new", "value": 1}
    with pytest.raises(PatchFailed):
        patched(document, steps_of([good, step]))
    assert document == {"list": [1, 2, 3], "number": 1}


def test_what_did_not_change_is_shared() -> None:
    document: dict[str, Any] = {
        "people": [{"id": "a", "hp": 3}, {"id": "b", "hp": 4}],
        "map": {"rows": []},
    }
    step = {"op": "replace", "path": "/people/0/hp", "value": 2}
    after = patched(document, steps_of([step]))
    assert after["people"][0] == {"id": "a", "hp": 2}
    assert after["people"][1] is document["people"][1]
    assert after["map"] is document["map"]
