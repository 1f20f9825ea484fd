"""Notes: so many of the last in states and streams, the others by page, and how many a minute."""

import json
from collections.abc import Iterator
from typing import Any

import jsonpatch
import pytest

from service.engine.battle.linear import WHOLE_NOTES
from service.eventstore.embedded import Dsns
from tests.api.joining import joined
from tests.api.serving import Caller, Served, problem, settings_for

MARA = {"id": "mara", "role": "gm"}
NOTES = WHOLE_NOTES + 6


@pytest.fixture(scope="module")
def served(database: Dsns) -> Iterator[Served]:
    """A service where a caller may write three notes more than a test needs."""
    settings = settings_for(database, WARLOG_NOTES_PER_MINUTE=str(NOTES + 3))
    with Served(settings) as running:
        yield running


def noted(caller: Caller, encounter: str, first: int, count: int) -> None:
    """So many notes, in lists."""
    texts = [f"note {number}" for number in range(first, first + count)]
    while texts:
        some, texts = texts[:32], texts[32:]
        actions = [{"action": {"type": "note", "text": text}} for text in some]
        answer = caller.post(f"{encounter}/actions", {"actions": actions})
        assert answer.status_code == 201, answer.text


def notes_of(answer: dict[str, Any]) -> list[dict[str, Any]]:
    notes: list[dict[str, Any]] = answer["table"]["notes"]
    return notes


def test_the_last_notes_alone_the_others_by_page_and_so_many_a_minute(caller: Caller) -> None:
    encounter = caller.started()
    noted(caller, encounter, 0, NOTES)
    whole = caller.get(encounter)
    every = notes_of(whole.json())
    assert [each["text"] for each in every] == [f"note {number}" for number in range(NOTES)]
    for last in (0, 1, WHOLE_NOTES, WHOLE_NOTES + 2, NOTES, NOTES + 1):
        answer = caller.get(f"{encounter}?notes={last}")
        assert notes_of(answer.json()) == every[max(0, NOTES - last) :]
        assert answer.headers["ETag"] != whole.headers["ETag"]
    assert problem(caller.get(f"{encounter}?notes=-1"))["params"]["path"] == "query.notes"
    read: list[dict[str, Any]] = []
    after, has_more = 0, True
    while has_more:
        page = caller.get(f"{encounter}/notes?after={after}&limit=30").json()
        read += page["notes"]
        after, has_more = page["next"], page["has_more"]
    assert read == every
    assert caller.get(f"{encounter}/notes?after={after}").json() == {
        "notes": [],
        "next": after,
        "has_more": False,
    }
    with joined(caller, encounter, MARA) as mara:
        assert mara.get(f"{encounter}/notes?limit=2").json()["notes"] == every[:2]
        noted(mara, encounter, NOTES, 3)
    actions = [{"action": {"type": "note", "text": "more"}}] * 32
    answers = (caller.post(f"{encounter}/actions", {"actions": actions}) for _ in range(NOTES))
    refused = next(answer for answer in answers if answer.status_code != 201)
    assert (refused.status_code, problem(refused)["code"]) == (429, "too_many_requests")
    assert int(refused.headers["Retry-After"]) >= 1


@pytest.mark.parametrize("last", [0, 2, 100])
def test_a_patched_document_has_the_notes_that_hello_asked_for(caller: Caller, last: int) -> None:
    encounter = caller.started()
    noted(caller, encounter, 0, 5)
    query = f"state=patch&notes={last}"
    page = caller.get(f"{encounter}/events?{query}").json()
    document: Any = {}
    for record in page["events"]:
        document = jsonpatch.apply_patch(document, record.get("patch", []))
    assert document["table"] == caller.get(f"{encounter}?notes={last}").json()["table"]
    with caller.http.stream("GET", f"{encounter}/stream?{query}") as following:
        lines = following.iter_lines()
        hello = next(json.loads(line[6:]) for line in lines if line.startswith("data: {"))
        assert hello["document"] == document
        noted(caller, encounter, 5, 1)
        told = next(
            record
            for line in lines
            if line.startswith("data: {") and "patch" in (record := json.loads(line[6:]))
        )
    document = jsonpatch.apply_patch(hello["document"], told["patch"])
    assert document["table"] == caller.get(f"{encounter}?notes={last}").json()["table"]
    assert len(notes_of(document)) == min(last, 6)
