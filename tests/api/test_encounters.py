"""Encounters over HTTP: created once, listed in pages, read with tags, shown to strangers never."""

import httpx
import pytest

from tests.api.serving import CREATION, SHOT, START, Caller


def test_a_created_encounter_is_where_its_location_says(caller: Caller) -> None:
    answer = caller.post("/v1/encounters", CREATION)
    assert answer.status_code == 201
    body = answer.json()
    read = caller.get(answer.headers["Location"])
    assert read.json() == body["view"]
    assert read.headers["ETag"] == answer.headers["ETag"]
    assert answer.headers["ETag"] == f'"1-{body["events"][0]["hash"][:8]}"'


def test_a_retry_of_a_creation_gets_the_first_answer_byte_by_byte(caller: Caller) -> None:
    first = caller.post("/v1/encounters", CREATION, idempotency_key="once")
    again = caller.post("/v1/encounters", CREATION, idempotency_key="once")
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers["Location"] == first.headers["Location"]
    assert len(caller.get("/v1/encounters").json()["encounters"]) == 1


def test_a_retry_of_an_action_gets_the_first_answer_byte_by_byte(caller: Caller) -> None:
    encounter = caller.started()
    body = {"action": SHOT}
    first = caller.post(f"{encounter}/actions", body, idempotency_key="shot")
    caller.act(encounter, {"type": "note", "text": "meanwhile"})
    again = caller.post(f"{encounter}/actions", body, idempotency_key="shot")
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.headers["Idempotency-Replayed"] == "true"
    for part in ("accepted", "events", "version", "etag"):
        assert again.json()[part] == first.json()[part]


def test_a_retry_with_a_stale_if_match_still_gets_the_original_answer(caller: Caller) -> None:
    encounter = caller.started()
    tag, _ = caller.head(encounter)
    body = {"action": SHOT}
    first = caller.post(f"{encounter}/actions", body, idempotency_key="k", if_match=tag)
    again = caller.post(f"{encounter}/actions", body, idempotency_key="k", if_match=tag)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json()["events"] == first.json()["events"]


def test_the_same_key_for_another_body_is_a_conflict(caller: Caller) -> None:
    encounter = caller.started()
    caller.post(f"{encounter}/actions", {"action": SHOT}, idempotency_key="k")
    before = caller.head(encounter)
    other = {"action": {"type": "note", "text": "x"}}
    answer = caller.post(f"{encounter}/actions", other, idempotency_key="k")
    assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_key_reused")
    assert caller.head(encounter) == before


def test_a_list_is_read_in_pages_without_gap_or_repeat(caller: Caller) -> None:
    made = [caller.create().rpartition("/")[2] for _ in range(5)]
    seen: list[str] = []
    cursor = ""
    while True:
        page = caller.get(f"/v1/encounters?limit=2{cursor}").json()
        seen += [each["encounter"] for each in page["encounters"]]
        if "next" not in page:
            break
        cursor = f"&cursor={page['next']}"
    assert seen == made


def test_an_unchanged_state_is_not_sent_again(caller: Caller) -> None:
    encounter = caller.create()
    first = caller.get(encounter)
    tag = first.headers["ETag"]
    unchanged = caller.get(encounter, if_none_match=f'"1-00000000", W/{tag}')
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert unchanged.headers["ETag"] == tag
    for name, value in (
        ("Cache-Control", "private, no-cache"),
        ("Vary", "Authorization, Accept, Accept-Language, Warlog-Seat, Origin"),
    ):
        assert first.headers[name] == unchanged.headers[name] == value
    caller.act(encounter, START)
    assert caller.get(encounter, if_none_match=tag).status_code == 200


@pytest.mark.parametrize("known", ['"99-00000000"', 'W/"3-0a1b2c3d;seat=rita", "x"'])
def test_a_state_ahead_of_the_log_is_told_to_be_of_another_history(
    caller: Caller, known: str
) -> None:
    encounter = caller.started()
    for path in (encounter, f"{encounter}?at=1"):
        answer = caller.get(path, if_none_match=known)
        assert (answer.status_code, answer.json()["code"]) == (409, "history_diverged")
    assert caller.get(f"{encounter}?at=1", if_none_match='"x", "1-00000000"').status_code == 200


def test_an_earlier_state_has_a_tag_of_its_own(caller: Caller) -> None:
    encounter = caller.started()
    caller.act(encounter, SHOT)
    earlier = caller.get(f"{encounter}?at=2")
    assert (earlier.json()["seq"], earlier.json()["head"]) == (2, 3)
    tag = earlier.headers["ETag"]
    assert tag.endswith(';head=3"')
    assert caller.get(f"{encounter}?at=2", if_none_match=tag).status_code == 304
    beyond = caller.get(f"{encounter}?at=4")
    assert (beyond.status_code, beyond.json()["code"]) == (404, "unknown_event")


def test_a_stale_if_match_is_refused_and_a_fresh_one_taken(caller: Caller) -> None:
    encounter = caller.started()
    stale, _ = caller.head(encounter)
    caller.act(encounter, {"type": "note", "text": "x"})
    before = caller.head(encounter)
    answer = caller.post(
        f"{encounter}/actions", {"action": SHOT}, idempotency_key="", if_match=stale
    )
    assert (answer.status_code, answer.json()["code"]) == (412, "precondition_failed")
    assert f'"{answer.json()["params"]["head"]}"' == before[0]
    assert caller.head(encounter) == before
    variant = before[0][:-1] + ';seat=vera"'
    fresh = caller.post(
        f"{encounter}/actions", {"action": SHOT}, idempotency_key="", if_match=variant
    )
    assert fresh.status_code == 201


def test_a_write_that_could_happen_twice_is_refused(caller: Caller) -> None:
    encounter = caller.started()
    before = caller.head(encounter)
    answer = caller.post(f"{encounter}/actions", {"action": SHOT}, idempotency_key="")
    assert (answer.status_code, answer.json()["code"]) == (428, "precondition_required")
    assert answer.json()["allowed"] == ["Idempotency-Key", "If-Match"]
    unkeyed = caller.post("/v1/encounters", CREATION, idempotency_key="")
    assert (unkeyed.status_code, unkeyed.json()["code"]) == (428, "idempotency_key_required")
    assert caller.head(encounter) == before


@pytest.mark.parametrize(
    "path",
    ["", "/map", "/events", "/events/1", "/audit", "/bundle", "/legal-actions?combatant=hunter"],
)
def test_a_strangers_encounter_looks_exactly_like_none(
    caller: Caller, stranger: Caller, path: str
) -> None:
    encounter = caller.started()
    nowhere = "/v1/encounters/01900000-0000-7000-8000-00000000dead"
    for language in ("en", "ru"):
        theirs = stranger.get(encounter + path, accept_language=language)
        none = stranger.get(nowhere + path, accept_language=language)
        assert theirs.status_code == none.status_code == 404
        mine, other = encounter.rpartition("/")[2], nowhere.rpartition("/")[2]
        assert theirs.text.replace(mine, other) == none.text
        assert _without_date(theirs.headers) == _without_date(none.headers)


@pytest.mark.parametrize("path", ["/actions", "/preview"])
def test_a_stranger_cannot_write_or_probe_either(
    caller: Caller, stranger: Caller, path: str
) -> None:
    encounter = caller.started()
    nowhere = "/v1/encounters/01900000-0000-7000-8000-00000000dead"
    body = {"action": SHOT}
    theirs, none = stranger.post(encounter + path, body), stranger.post(nowhere + path, body)
    assert theirs.status_code == none.status_code == 404
    mine, other = encounter.rpartition("/")[2], nowhere.rpartition("/")[2]
    assert theirs.text.replace(mine, other) == none.text
    assert caller.head(encounter)[1] == 2


def test_a_list_of_actions_stops_before_the_first_refusal(caller: Caller) -> None:
    encounter = caller.started()
    note = {"action": {"type": "note", "text": "x"}}
    wrong = {"action": {**SHOT, "weapon": "bow"}}
    answer = caller.post(
        f"{encounter}/actions", {"actions": [note, wrong, note]}, accept_language="ru"
    )
    body = answer.json()
    assert (answer.status_code, body["accepted"], body["version"]) == (201, 1, 3)
    assert (body["stopped"]["index"], body["stopped"]["reason"]) == (1, "refused")
    problem = body["stopped"]["problem"]
    assert (problem["status"], problem["code"]) == (422, "unknown_weapon")
    assert problem["title"] == "Правила этого не допускают"
    alone = caller.post(f"{encounter}/actions", wrong, accept_language="ru")
    assert alone.json() == problem


def test_the_map_is_sent_once(caller: Caller) -> None:
    encounter = caller.create()
    first = caller.get(f"{encounter}/map")
    digest = first.headers["ETag"].strip('"')
    assert caller.get(encounter).json()["state"]["map"] == digest
    assert first.json()["bounds"] == {"x": 0, "y": 0, "width": 10, "height": 7}
    assert caller.get(f"{encounter}/map", if_none_match=f'"{digest}"').status_code == 304
    assert caller.get(f"{encounter}/map?digest={digest}").content == first.content
    other = caller.get(f"{encounter}/map?digest={'0' * 64}")
    assert (other.status_code, other.json()["code"]) == (404, "unknown_map")


def _without_date(headers: httpx.Headers) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name != "date"}
