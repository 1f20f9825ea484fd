"""Parts of the JavaScript client by themselves: patches, frames, clocks, retries, names."""

import copy
import hashlib
import json
import re
from pathlib import Path
from random import Random
from typing import Any, Final

import jsonpatch

from tests.clients.node_client import LIBRARY
from tests.clients.tools import HERE, NODE, succeeded

SCRIPT: Final = HERE / "client_parts.mjs"
NAMES: Final = ("a", "b", "~", "/", "", "0", "-", "__proto__", "~1", "\u2028")


def asked(folder: Path, cases: list[tuple[str, list[Any]]]) -> list[Any]:
    """What each part gives back; the name of what it threw as an exception."""
    lines = "".join(json.dumps({"part": part, "args": args}) + "\n" for part, args in cases)
    said = succeeded(NODE, str(SCRIPT), str(LIBRARY.parent), cwd=folder, stdin=lines)
    answers = [json.loads(line) for line in said.split("\n")[:-1]]
    assert len(answers) == len(cases)
    return [f"{each['error']}!" if "error" in each else each.get("value") for each in answers]


def tree(chance: Random, depth: int) -> Any:
    """Some JSON."""
    kind = chance.randrange(3 if depth else 1)
    if kind == 1:
        return [tree(chance, depth - 1) for _ in range(chance.randrange(5))]
    if kind == 2:
        return {chance.choice(NAMES): tree(chance, depth - 1) for _ in range(chance.randrange(5))}
    return chance.choice([None, True, 0, -1, 2**53, "", "\u2028", "text"])


def spoilt(chance: Random, steps: list[Any]) -> list[Any]:
    """The steps, one of them another."""
    others = copy.deepcopy(steps)
    step = chance.choice(others)
    step["path"] = chance.choice([f"{step['path']}/x", "/nowhere/0", "a", f"{step['path']}/01"])
    return others


def applied(before: Any, steps: list[Any]) -> Any:
    """What the library of the Python world makes of it, `PatchMisfit!` where it refuses."""
    try:
        return jsonpatch.apply_patch(before, steps)
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException, TypeError, KeyError):
        return "PatchMisfit!"


def test_patches_lead_where_another_implementation_leads(tmp_path: Path) -> None:
    chance = Random(6902)
    cases = []
    for _ in range(400):
        before, after = ({"root": tree(chance, 4)} for _ in range(2))
        steps = jsonpatch.make_patch(before, after).patch
        cases.append((before, steps))
        if steps:
            cases.append((before, spoilt(chance, steps)))
    expected = [applied(before, steps) for before, steps in cases]
    assert expected.count("PatchMisfit!") > 50
    assert asked(tmp_path, [("patched", [*case]) for case in cases]) == expected


STEPS: Final[list[tuple[Any, list[Any], Any]]] = [
    ({"a": [1, 2]}, [{"op": "add", "path": "/a/-", "value": 3}], {"a": [1, 2, 3]}),
    ({"a": [1, 2]}, [{"op": "add", "path": "/a/2", "value": 3}], {"a": [1, 2, 3]}),
    ({"a": [1, 2]}, [{"op": "add", "path": "/a/3", "value": 3}], "PatchMisfit!"),
    ({"a": [1, 2]}, [{"op": "remove", "path": "/a/2"}], "PatchMisfit!"),
    ({"a": 1}, [{"op": "remove", "path": ""}], "PatchMisfit!"),
    ({"a": 1}, [{"op": "replace", "path": "", "value": [2]}], [2]),
    ({"a": 1}, [{"op": "replace", "path": "/b", "value": 2}], "PatchMisfit!"),
    ({"a": {"b": 1}}, [{"op": "move", "from": "/a", "path": "/a/b"}], "PatchMisfit!"),
    ({"a": {"b": 1}}, [{"op": "move", "from": "/a/b", "path": "/c"}], {"a": {}, "c": 1}),
    ({"a": [1]}, [{"op": "copy", "from": "/a", "path": "/b"}], {"a": [1], "b": [1]}),
    ({"a": {"x": [1], "y": 2}}, [{"op": "test", "path": "/a", "value": {"y": 2, "x": [1]}}], 0),
    ({"a": 1}, [{"op": "test", "path": "/a", "value": True}], "PatchMisfit!"),
    ({"a": 1}, [{"op": "turn", "path": "/a"}], "PatchMisfit!"),
]
"""A value, steps, and what they lead to; 0 for the value itself."""


def test_each_step_does_what_the_standard_says(tmp_path: Path) -> None:
    expected = [before if after == 0 else after for before, _, after in STEPS]
    assert asked(tmp_path, [("patched", [before, steps]) for before, steps, _ in STEPS]) == expected


def test_frames_are_the_same_however_they_come(tmp_path: Path) -> None:
    text = (
        'retry: 2000\n\nid: 4-0a1b2c3d\nevent: hello\ndata: {"a": "\u2028\u00e4"}\n\n: quiet\n\n'
        "data:one\ndata: two\ndata\nother: x\n\nid: 5-0a1b2c3d\r\ndata: {}\r\n\r\ndata: cut"
    )
    expected = [
        {"id": "4-0a1b2c3d", "data": '{"a": "\u2028\u00e4"}'},
        {"data": "one\ntwo\n"},
        {"id": "5-0a1b2c3d", "data": "{}"},
    ]
    whole = list(text.encode())
    cases: list[tuple[str, list[Any]]] = [
        ("frames", [whole[at : at + size] for at in range(0, len(whole), size)])
        for size in (1, 2, 3, 7, 50, 1000)
    ]
    assert asked(tmp_path, cases) == [expected] * len(cases)
    assert asked(tmp_path, [("silence", [])]) == ["Silence!"]


def test_a_page_that_slept_notices_that_its_stream_is_gone(tmp_path: Path) -> None:
    slept, glanced = asked(tmp_path, [("woken", [60_000]), ("woken", [1_000])])
    assert slept == ["Silence", True]
    # The timer sent it, of which 200 ms had to go by.
    assert glanced[0] == "Silence"


def test_the_servers_clock_is_known_ever_better(tmp_path: Path) -> None:
    date = "Thu, 01 Jan 1970 00:00:{:02} GMT"
    heard = [
        {"at": 1_000},
        {"at": 1_000, "asked": 900, "date": date.format(11)},
        {"at": 2_500, "asked": 2_450, "date": date.format(12)},
        {"at": 2_600, "recorded": "1970-01-01T00:00:12.900000Z"},
        {"at": 9_000, "asked": 9_000, "date": date.format(10)},
    ]
    differences = asked(tmp_path, [("clock", [heard])])[0]
    # The bounds are 10,000 to 11,100, then 9,500 to 10,550; an event says 10,300 at least.
    assert differences == [0, 10_550, 10_275, 10_425, 1_500]


def test_only_what_cannot_act_twice_is_asked_again(tmp_path: Path) -> None:
    statuses = {
        (429, "too_many_requests"): (True, True),
        (503, "try_again"): (True, False),
        (503, "outcome_unknown"): (True, False),
        (502, "unexpected_answer"): (True, False),
        (504, "unexpected_answer"): (True, False),
        (409, "in_progress"): (True, False),
        (409, "decision_closed"): (False, False),
        (409, "key_reused"): (False, False),
        (400, "malformed"): (False, False),
        (401, "unauthenticated"): (False, False),
        (404, "not_found"): (False, False),
        (408, "request_timeout"): (False, False),
        (412, "precondition_failed"): (False, False),
        (422, "refused"): (False, False),
        (500, "internal_error"): (False, False),
    }
    cases: list[tuple[str, list[Any]]] = [
        ("again", [*status, is_repeatable])
        for status in statuses
        for is_repeatable in (True, False)
    ]
    told = [verdict for pair in statuses.values() for verdict in pair]
    assert asked(tmp_path, cases) == told


def test_pauses_grow_to_a_bound_and_heed_the_service(tmp_path: Path) -> None:
    cases: list[tuple[str, list[Any]]] = [
        ("pause", [failures, seconds, random])
        for failures, seconds, random in [
            (1, 0, 0), (1, 0, 1), (2, 0, 0), (3, 0, 0), (7, 0, 1), (99, 0, 0), (5, 30, 0),
        ]
    ]  # fmt: skip
    assert asked(tmp_path, cases) == [125, 250, 250, 500, 15_000, 7_500, 30_000]


def test_a_document_has_the_digest_that_the_service_names(tmp_path: Path) -> None:
    document = {"b": [{"z": "\u00e4\u2028", "metadata": {"x": 1.5}, "a": -1}], "a": True}
    bare = '{"a":true,"b":[{"a":-1,"z":"\u00e4\u2028"}]}'
    expected = hashlib.sha256(bare.encode()).hexdigest()
    assert asked(tmp_path, [("digest", [document])]) == [expected]


def test_names_are_of_the_form_that_the_service_takes(tmp_path: Path) -> None:
    one, other = asked(tmp_path, [("secrets", []), ("secrets", [])])
    for key, token, digest in (one, other):
        assert re.fullmatch("[0-9a-f]{32}", key)
        assert re.fullmatch("ws_[A-Za-z0-9_-]{43}", token)
        assert digest == hashlib.sha256("ws_\u00e4".encode()).hexdigest()
    assert one[:2] != other[:2]
