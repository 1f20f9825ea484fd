"""The list of encounters: its order, its filters, and the cursors that belong to them."""

import json
from typing import Any

import pytest

from service.rulesets import RULESETS
from tests.api.serving import CREATION, START, Caller, problem
from tests.encounters.random_actions import battle

Tree = dict[str, Any]
SEEKER = battle("seeker-d100", "sealed")


def listed(caller: Caller, query: str) -> list[Tree]:
    """All pages of a list, two at a time."""
    found: list[Tree] = []
    cursor = ""
    while True:
        page = caller.get(f"/v1/encounters?limit=2&{query}{cursor}").json()
        found += page["encounters"]
        if "next" not in page:
            return found
        cursor = f"&cursor={page['next']}"


def ids(caller: Caller, query: str = "") -> list[str]:
    return [each["encounter"] for each in listed(caller, query)]


def made(caller: Caller, tree: Tree, **more: object) -> str:
    return caller.create({**tree, **more}).rpartition("/")[2]


def test_the_list_is_ordered_and_filtered_as_is_asked(caller: Caller) -> None:
    first, second = made(caller, CREATION), made(caller, SEEKER, title="Second")
    third, fourth, fifth = (made(caller, CREATION, metadata={"n": str(n)}) for n in (3, 4, 5))
    caller.act(f"/v1/encounters/{second}", START)
    caller.act(f"/v1/encounters/{fourth}", START)
    everything = [first, second, third, fourth, fifth]
    assert ids(caller) == ids(caller, "order=oldest") == everything
    assert ids(caller, "order=newest") == everything[::-1]
    assert ids(caller, "status=running") == [second, fourth]
    assert ids(caller, "status=setup&order=newest") == [fifth, third, first]
    assert ids(caller, "status=ended") == []
    assert ids(caller, "ruleset=seeker-d100") == [second]
    assert ids(caller, "ruleset=crossfire-d6&status=running&order=newest") == [fourth]
    assert ids(caller, "metadata=n:4") == ids(caller, "metadata=n:4&status=running") == [fourth]
    assert ids(caller, "metadata=n:4&status=setup") == []
    lines = {each["encounter"]: each for each in listed(caller, "")}
    assert lines[second]["title"] == "Second"
    assert "metadata" not in lines[second]
    assert lines[fifth]["metadata"] == {"n": "5"}


def test_a_cursor_is_of_its_list_alone(caller: Caller) -> None:
    for _ in range(3):
        caller.started()
    lists = ("", "&order=newest", "&status=running", "&ruleset=crossfire-d6", "&metadata=a:b")
    page = caller.get("/v1/encounters?limit=1&order=newest").json()
    for terms in lists:
        answer = caller.get(f"/v1/encounters?limit=1&cursor={page['next']}{terms}")
        if terms == "&order=newest":
            assert answer.status_code == 200
        else:
            told = problem(answer)
            assert (told["status"], told["params"]["path"]) == (400, "cursor")
    assert problem(caller.get(f"/v1/me?cursor={page['next']}"))["status"] == 400
    battles = caller.get("/v1/me?limit=1").json()["next"]
    assert caller.get(f"/v1/me?limit=1&cursor={battles}").status_code == 200
    assert problem(caller.get(f"/v1/encounters?cursor={battles}"))["status"] == 400


def test_what_cannot_be_asked_for_is_told_with_what_can(caller: Caller) -> None:
    for query, path, allowed in (
        ("order=upwards", "query.order", "oldest | newest"),
        ("status=over", "query.status", "setup | running | ended"),
        ("ruleset=chess", "query.ruleset", sorted({slug for slug, _ in RULESETS})),
        ("metadata=foundry", "query.metadata", "key:text"),
        ("metadata=a:%00", "query.metadata", "key:text"),
        ("metadata=:a", "query.metadata", "key:text"),
    ):
        told = problem(caller.get(f"/v1/encounters?{query}"))
        assert (told["status"], told["params"]["path"], told["allowed"]) == (400, path, allowed)


ODD = {"a b": "c:d é'\"\\", "é": "", "n": 1, "deep": {"n": "x"}, "none": None, "list": ["x"]}


@pytest.mark.parametrize(
    ("wanted", "is_found"),
    [
        ("a b:c:d é'\"\\", True),
        ("é:", True),
        ("n:1", False),
        ("deep:x", False),
        ("none:null", False),
        ("list:x", False),
        ("a b:C:D é'\"\\", False),
        ("nothing:x", False),
    ],
)
def test_metadata_are_searched_for_texts_at_the_top(
    caller: Caller, wanted: str, is_found: bool
) -> None:
    odd = made(caller, CREATION, metadata=ODD)
    made(caller, CREATION, metadata={"a b": "other"})
    told = caller.http.get("/v1/encounters", params={"metadata": wanted}).json()["encounters"]
    assert [each["encounter"] for each in told] == [odd] * is_found
    with caller.seated("vera") as vera:
        assert vera.get("/v1/encounters").status_code == 400


def test_metadata_stated_anew_are_found_and_erased_ones_are_not(caller: Caller) -> None:
    encounter = caller.create({**CREATION, "metadata": {"id": "old"}})
    own = encounter.rpartition("/")[2]
    number = {"x": 1e300, "y": 123456789012345678901234567890, "id": "new"}
    body = json.dumps({"action": {"type": "configure", "metadata": number}}).replace(
        "1e+300", "1e999999"
    )
    headers = {"Idempotency-Key": "k", "Content-Type": "application/json"}
    for _ in range(2):
        answer = caller.http.post(f"{encounter}/actions", content=body, headers=headers)
        assert answer.status_code == 201, answer.text
        assert (ids(caller, "metadata=id:old"), ids(caller, "metadata=id:new")) == ([], [own])
    assert '"x":1e999999' in caller.get("/v1/encounters").text.replace(" ", "")
    caller.act(encounter, {"type": "erase", "seqs": [1]})
    assert (ids(caller, "metadata=id:old"), ids(caller, "metadata=id:new")) == ([], [own])
    caller.act(encounter, {"type": "erase", "seqs": [2]})
    [left] = listed(caller, "")
    assert "metadata" not in left
    assert "title" not in left
    caller.http.post(f"{encounter}/actions", content=body, headers=headers)
    assert ids(caller, "metadata=id:new") == []


def test_a_seat_lists_its_own_encounter_if_that_is_so(caller: Caller) -> None:
    encounter = caller.create({**CREATION, "title": "Ours", "metadata": {"id": "x", "n": 1}})
    seat = {"id": "ann", "role": "observer"}
    code = caller.post(f"{encounter}/seats", {"seat": seat}).json()["invitation"]["code"]
    token = caller.post("/v1/join", {"code": code}).json()["token"]
    own = encounter.rpartition("/")[2]
    with Caller(caller.url, token) as ann:
        [line] = listed(ann, "")
        assert (line["title"], line["metadata"]) == ("Ours", {"id": "x", "n": 1})
        assert ann.get("/v1/me").json()["battle"]["encounter"] == line
        for query in ("order=newest", "status=setup", "ruleset=crossfire-d6", "metadata=id:x"):
            assert ids(ann, query) == [own]
        for query in ("status=running", "ruleset=seeker-d100", "metadata=id:y", "metadata=n:1"):
            assert ids(ann, query) == []
        for order, is_behind in (("oldest", False), ("newest", False)):
            made(caller, CREATION)
            page = caller.get(f"/v1/encounters?limit=1&order={order}").json()
            listing = ann.get(f"/v1/encounters?order={order}&cursor={page['next']}").json()
            assert bool(listing["encounters"]) == (order == "newest") or is_behind
