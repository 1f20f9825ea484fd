"""Each kind of bad input has a separate problem, in both languages; nothing is written."""

import json
import secrets
from typing import Any

import pytest

from tests.api.serving import CREATION, SHOT, SUPPLIED, Caller, problem

JSON = {"Content-Type": "application/json"}


def refused(
    caller: Caller, encounter: str, body: bytes, path: str = "/actions", **headers: str
) -> dict[str, Any]:
    """Send it in both languages; the English problem, when both say the same and nothing moved."""
    before = caller.head(encounter)
    told = []
    for language in ("en", "ru"):
        answer = caller.http.post(
            encounter + path,
            content=body,
            headers={
                "content-type": "application/json",
                "idempotency-key": secrets.token_hex(8),
                "accept-language": language,
                **{name.replace("_", "-"): value for name, value in headers.items()},
            },
        )
        assert answer.headers["Content-Language"] == language
        told.append(problem(answer))
    english, russian = told
    assert english["detail"] != russian["detail"]
    assert english["title"] != russian["title"]
    words = {"title", "detail"}
    assert {k: v for k, v in english.items() if k not in words} == {
        k: v for k, v in russian.items() if k not in words
    }
    assert caller.head(encounter) == before
    return english


def act(action: object, **more: object) -> bytes:
    return json.dumps({"action": action, **more}).encode()


@pytest.fixture
def encounter(caller: Caller) -> str:
    return caller.started()


@pytest.mark.parametrize(
    ("path", "body", "where"),
    [
        ("/seats", {"seat": {"id": "s1", "role": "gm", "name": "Bo\u202eb"}}, "$.seat.name"),
        ("/actions", {"action": {"type": "change_seat", "seat": "vera", "name": "\x1b[2J"}},
         "$.action.name"),
        ("/forks", {"at": 1, "title": "two\nlines"}, "$.title"),
    ],
)  # fmt: skip
def test_a_name_that_misleads_is_refused(
    caller: Caller, encounter: str, path: str, body: object, where: str
) -> None:
    told = refused(caller, encounter, json.dumps(body).encode(), path)
    assert (told["status"], told["code"], told["params"]["path"]) == (400, "malformed", where)
    assert told["params"]["why"] == "misleading_name"


@pytest.mark.parametrize("path", ["/actions", "/preview"])
@pytest.mark.parametrize(
    ("body", "why", "where"),
    [
        (b"", "empty", "$"),
        (b'{"action":', "syntax", "$"),
        (b"[1]", "not_an_object", "$"),
        (b'{"action":{"type":"note","text":"\xff"}}', "encoding", "$"),
        (b'{"action":{"type":"note","type":"note"}}', "duplicate_key", "$.action"),
        (b'{"action":{"type":"note","text":"\\u0000"}}', "nul", "$.action.text"),
        (b'{"action":{"type":"note","text":"\\ud800"}}', "lone_surrogate", "$.action.text"),
        (b'{"action":{"type":"rewind","to":9007199254740992}}', "integer_too_large", "$.action.to"),
        (b'{"action":{"type":"rewind","to":1.0}}', "not_an_integer", "$.action.to"),
        (b'{"action":{"type":"rewind","to":1e2}}', "not_an_integer", "$.action.to"),
        (b'{"action":{"type":"rewind","to":NaN}}', "not_a_number", "$.action.to"),
        (b'{"action":{"type":"rewind","to":-Infinity}}', "not_a_number", "$.action.to"),
        (b'{"action":{"type":"rewind","to":"2"}}', "wrong_type", "$.action.to"),
        (b'{"action":{"type":"rewind","to":null}}', "wrong_type", "$.action.to"),
        (b'{"action":{"type":"rewind","to":0}}', "too_small", "$.action.to"),
        (b'{"action":{"type":"rewind","to":2147483648}}', "too_big", "$.action.to"),
        (b'{"action":{"type":"note","text":""}}', "too_short", "$.action.text"),
        (b'{"action":{"type":"end_turn","combatant":"a b"}}', "wrong_form", "$.action.combatant"),
        (b'{"action":{"type":"rewind","to":2,"x":1}}', "unknown_field", "$.action"),
        (b'{"action":{"type":"rewind"}}', "missing_field", "$.action"),
        (b'{"action":{}}', "missing_field", "$.action"),
        (b'{"action":{"type":"fly"}}', "unknown_value", "$.action.type"),
        (b'{"action":{"type":1}}', "wrong_type", "$.action.type"),
        (b'{"action":[]}', "wrong_type", "$.action"),
        (b'{"acton":{}}', None, "$"),
        (b"{}", "missing_field", "$"),
        (b'{"action":' + b"[" * 10_000 + b"]" * 10_000 + b"}", "too_deep", "$"),
        (b'{"action":' + b'{"a":' * 100 + b"1" + b"}" * 100 + b"}", "too_deep", None),
    ],
)
def test_what_cannot_be_read_is_malformed(
    caller: Caller, encounter: str, path: str, body: bytes, why: str | None, where: str | None
) -> None:
    told = refused(caller, encounter, body, path)
    assert (told["status"], told["code"]) == (400, "malformed")
    if why is not None:
        assert told["params"]["why"] == why
    if where is not None:
        assert told["params"]["path"] == where
    assert told["params"]["path"] in told["detail"] or why in {"empty", "syntax", "not_an_object"}


@pytest.mark.parametrize(
    ("action", "params", "details"),
    [
        (
            {"type": "rewind", "to": "2"},
            {"path": "$.action.to", "expected": "integer", "got": "string"},
            (
                "$.action.to must be a whole number, not text.",
                "$.action.to — нужно: целое число, прислано: текст.",
            ),
        ),
        (
            [],
            {"path": "$.action", "expected": "object", "got": "array"},
            (
                "$.action must be an object, not a list.",
                "$.action — нужно: объект, прислано: список.",
            ),
        ),
        (
            {**SHOT, "reckless": 1},
            {"path": "$.action.reckless", "expected": "boolean", "got": "integer"},
            (
                "$.action.reckless must be true or false, not a whole number.",
                "$.action.reckless — нужно: true или false, прислано: целое число.",
            ),
        ),
    ],
)
def test_a_value_of_another_type_is_told_in_the_words_of_json(
    caller: Caller,
    encounter: str,
    action: object,
    params: dict[str, object],
    details: tuple[str, str],
) -> None:
    told = [
        problem(caller.post(f"{encounter}/actions", {"action": action}, accept_language=language))
        for language in ("en", "ru")
    ]
    wrong = {"why": "wrong_type", **params}
    assert [each["params"] for each in told] == [wrong, wrong]
    assert tuple(each["detail"] for each in told) == details


def test_a_body_over_a_mebibyte_is_too_large(caller: Caller, encounter: str) -> None:
    told = refused(caller, encounter, act({"type": "note", "text": "x" * (1 << 20)}))
    assert (told["status"], told["code"], told["params"]) == (413, "too_large", {"limit": 1 << 20})


def test_a_body_without_a_length_is_given_up_at_a_mebibyte(caller: Caller, encounter: str) -> None:
    before = caller.head(encounter)
    answer = caller.http.post(
        f"{encounter}/actions",
        content=(b" " * 65536 for _ in range(40)),
        headers={**JSON, "Idempotency-Key": "k"},
    )
    assert problem(answer)["code"] == "too_large"
    assert caller.head(encounter) == before


@pytest.mark.parametrize(
    "media_type", ["text/plain", "application/xml", "application/json; charset=latin-1"]
)
def test_another_content_type_is_not_taken(caller: Caller, encounter: str, media_type: str) -> None:
    told = refused(caller, encounter, act(SHOT), content_type=media_type)
    assert (told["status"], told["code"]) == (415, "unsupported_media_type")
    assert told["params"] == {"header": "Content-Type"}


def test_a_compressed_body_is_not_taken(caller: Caller, encounter: str) -> None:
    told = refused(caller, encounter, act(SHOT), content_encoding="gzip")
    assert (told["status"], told["params"]) == (415, {"header": "Content-Encoding"})


@pytest.mark.parametrize(
    ("name", "value"),
    [("if_match", "3"), ("if_match", "*"), ("idempotency_key", "a b"), ("warlog_seat", "Vera!")],
)
def test_a_header_that_cannot_be_read_is_named(
    caller: Caller, encounter: str, name: str, value: str
) -> None:
    told = refused(caller, encounter, act(SHOT), **{name: value})
    assert (told["status"], told["code"]) == (400, "malformed")
    assert told["params"]["path"] == f"header.{name.replace('_', '-')}"


@pytest.mark.parametrize(
    ("action", "status", "code", "fact"),
    [
        ({**SHOT, "target": "nobody"}, 422, "unknown_combatant", ("combatant", "nobody")),
        ({**SHOT, "combatant": "nobody"}, 422, "unknown_combatant", ("combatant", "nobody")),
        ({**SHOT, "weapon": "bow"}, 422, "unknown_weapon", None),
        (
            {**SHOT, "combatant": "raider", "weapon": "pistol", "target": "hunter"},
            422,
            "not_your_turn",
            None,
        ),
        (
            {"type": "answer", "decision_id": "d9.1", "choice": {"type": "pass"}},
            409,
            "decision_closed",
            ("decision_id", "d9.1"),
        ),
        ({"type": "assign_control", "seat": "nobody"}, 422, "unknown_seat", ("seat", "nobody")),
        ({"type": "change_seat", "seat": "nobody"}, 422, "unknown_seat", ("seat", "nobody")),
        ({"type": "remove_seat", "seat": "nobody"}, 422, "unknown_seat", ("seat", "nobody")),
        (
            {"type": "add_seat", "seat": {"id": "vera", "role": "gm"}},
            422,
            "seat_taken",
            ("seat", "vera"),
        ),
        (
            {"type": "add_seat", "seat": {"id": "otto", "role": "player", "sides": ["nobody"]}},
            422,
            "unknown_side",
            ("side", "nobody"),
        ),
        (
            {"type": "change_seat", "seat": "vera", "combatants": ["nobody"]},
            422,
            "unknown_combatant",
            ("combatant", "nobody"),
        ),
        (
            {"type": "add_seat", "seat": {"id": "otto", "role": "king"}},
            400,
            "malformed",
            ("path", "$.action.seat.role"),
        ),
        ({"type": "rewind", "to": 99}, 422, "unknown_event", ("seq", 99)),
        ({"type": "rewind", "to": 1}, 409, "rewind_before_start", None),
        ({"type": "start_encounter"}, 409, "already_started", None),
        ({"type": "configure"}, 409, "options_frozen", None),
        ({"type": "reveal"}, 409, "encounter_not_ended", None),
        ({"type": "end_encounter", "winner": "nobody"}, 422, "unknown_side", ("side", "nobody")),
    ],
)
def test_what_the_rules_or_the_moment_refuse_is_named(
    caller: Caller,
    encounter: str,
    action: dict[str, Any],
    status: int,
    code: str,
    fact: tuple[str, object] | None,
) -> None:
    told = refused(caller, encounter, act(action))
    assert (told["status"], told["code"]) == (status, code)
    if fact is not None:
        assert told["params"][fact[0]] == fact[1]


def test_the_dead_do_nothing(caller: Caller, encounter: str) -> None:
    """Whoever's turn it is: they learn why they cannot act."""
    dies = {"type": "condition", "combatant": "hunter", "condition": "dead"}
    caller.act(encounter, {"type": "adjust", "changes": [dies]})
    told = refused(caller, encounter, act(SHOT))
    assert (told["status"], told["code"]) == (422, "actor_incapacitated")


def test_a_players_seat_acts_for_its_own_combatants_only(caller: Caller, encounter: str) -> None:
    theirs = {"type": "end_turn", "combatant": "raider"}
    told = refused(caller, encounter, act(theirs), warlog_seat="vera")
    assert (told["status"], told["code"]) == (403, "not_your_combatant")
    told = refused(caller, encounter, act({"type": "reveal"}), warlog_seat="vera")
    assert (told["status"], told["code"]) == (403, "gm_only")
    told = refused(caller, encounter, act(SHOT), warlog_seat="guest")
    assert (told["status"], told["code"]) == (403, "observer_cannot_act")
    told = refused(caller, encounter, act(SHOT), warlog_seat="nobody")
    assert (told["status"], told["code"]) == (404, "unknown_seat")


@pytest.mark.parametrize(
    ("dice", "code"),
    [
        ([1], "too_few_faces"),
        ([], "too_few_faces"),
        ([1] * 60, "too_many_faces"),
        ([7] * 6, "impossible_face"),
    ],
)
def test_faces_that_do_not_fit_are_refused_by_purpose(
    caller: Caller, dice: list[int], code: str
) -> None:
    encounter = caller.create(SUPPLIED)
    caller.act(encounter, {"type": "start_encounter"})
    told = refused(caller, encounter, act(SHOT, dice=dice))
    assert (told["status"], told["code"]) == (422, code)
    assert told["params"]["sides"] == 6
    assert told["params"]["purpose"]


@pytest.mark.parametrize(
    ("dice", "why"),
    [(["1"], "wrong_type"), ([0], "too_small"), ([65_537], "too_big"), (1, "wrong_type")],
)
def test_faces_that_are_none_are_malformed(
    caller: Caller, encounter: str, dice: object, why: str
) -> None:
    told = refused(caller, encounter, act(SHOT, dice=dice))
    assert (told["code"], told["params"]["why"]) == ("malformed", why)
    assert told["params"]["path"].startswith("$.dice")


def test_faces_are_not_taken_where_the_service_rolls(caller: Caller, encounter: str) -> None:
    told = refused(caller, encounter, act(SHOT, dice=[1, 2, 3]))
    assert (told["status"], told["code"]) == (422, "faces_not_taken")


NOTE = {"action": {"type": "note", "text": "x"}}


@pytest.mark.parametrize(
    ("call", "body", "where"),
    [
        ("actions", {"ruleset": "seeker-d100", **NOTE}, "$.ruleset"),
        ("actions", {"ruleset": "chess", "action": {"type": "castle"}}, "$.ruleset"),
        ("actions", {"ruleset": "seeker-d100", "actions": [NOTE]}, "$.ruleset"),
        (
            "actions",
            {"actions": [NOTE, {"ruleset": "seeker-d100", **NOTE}]},
            "$.actions[1].ruleset",
        ),
        ("preview", {"ruleset": "seeker-d100", "action": SHOT}, "$.ruleset"),
    ],
)
def test_what_is_meant_for_another_ruleset_is_refused_whole(
    caller: Caller, encounter: str, call: str, body: dict[str, Any], where: str
) -> None:
    before = caller.get(encounter).json()
    told = problem(caller.post(f"{encounter}/{call}", body))
    assert (told["status"], told["code"], told["allowed"]) == (400, "wrong_ruleset", "crossfire-d6")
    assert told["params"] == {"path": where}
    assert caller.get(encounter).json() == before
    own = {**body, "ruleset": "crossfire-d6"}
    if call == "preview":
        assert caller.post(f"{encounter}/{call}", own).json()["ruleset"] == "crossfire-d6"


def test_a_request_may_name_its_ruleset(caller: Caller, encounter: str) -> None:
    named = {"ruleset": "crossfire-d6", **NOTE}
    for body in (named, {"ruleset": "crossfire-d6", "actions": [named, NOTE]}):
        answer = caller.post(f"{encounter}/actions", body)
        assert answer.status_code == 201, answer.text
        told = answer.json()
        assert {told["ruleset"]} | {each["ruleset"] for each in told["events"]} == {"crossfire-d6"}


def test_a_list_is_neither_empty_nor_longer_than_allowed(caller: Caller, encounter: str) -> None:
    item = {"action": {"type": "note", "text": "x"}}
    for actions in ([], [item] * 33):
        told = refused(caller, encounter, json.dumps({"actions": actions}).encode())
        assert (told["code"], told["params"]["path"]) == ("malformed", "$.actions")


@pytest.mark.parametrize(
    ("change", "status", "code", "where"),
    [
        ({"ruleset": "chess"}, 422, "unknown_ruleset", None),
        ({"version": "99"}, 422, "unknown_version", None),
        ({"seed": "ab"}, 400, "malformed", "$.seed"),
        ({"sides": []}, 400, "malformed", "$.sides"),
        ({"sides": [{"id": "gm"}]}, 400, "malformed", "$.sides"),
        ({"title": "x" * 201}, 400, "malformed", "$.title"),
        ({"seats": [{"id": "a", "role": "king"}]}, 400, "malformed", "$.seats[0].role"),
        ({"seats": [{"id": "a", "role": "player", "sides": ["x"]}]}, 422, "unknown_side", None),
        ({"setup": {"optons": {}}}, 400, "malformed", "$.setup"),
        ({"setup": {"options": {"pool_floor": 2}}}, 400, "malformed", "$.setup.options.pool_floor"),
        (
            {"setup": {"map": {"form": "ascii", "rows": ["..", "."]}}},
            400,
            "malformed",
            "$.setup.map.rows[1]",
        ),
        ({"reveal_by_days": 0}, 400, "malformed", "$.reveal_by_days"),
        ({"surprise": 1}, 400, "malformed", "$"),
    ],
)
def test_a_creation_that_does_not_fit_creates_nothing(
    caller: Caller, change: dict[str, Any], status: int, code: str, where: str | None
) -> None:
    for language in ("en", "ru"):
        answer = caller.post("/v1/encounters", CREATION | change, accept_language=language)
        told = problem(answer)
        assert (told["status"], told["code"]) == (status, code)
        if where is not None:
            assert told["params"]["path"] == where
    assert caller.get("/v1/encounters").json() == {"encounters": []}


@pytest.mark.parametrize(
    "path",
    [
        "/v1/nothing",
        "/v1/encounters/zzz",
        "/v1/rulesets/chess",
        "/v1/rulesets/chess/schema",
        "/docs/x",
    ],
)
def test_what_is_not_there_is_not_found(caller: Caller, path: str) -> None:
    assert problem(caller.get(path))["status"] == 404


def test_events_that_are_not_there_are_not_found(caller: Caller, encounter: str) -> None:
    for seq in ("0", "3", "x", "-1", "1.0", "9" * 40):
        told = problem(caller.get(f"{encounter}/events/{seq}"))
        assert (told["status"], told["code"]) == (404, "unknown_event")


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("?at=0", "query.at"),
        ("?at=x", "query.at"),
        ("?att=1", "query.att"),
        ("/events?limit=0", "query.limit"),
        ("/events?after=1&after=2", "query.after"),
        ("/events?after=-1", "query.after"),
        ("/events?wait=1.5", "query.wait"),
        ("/map?digest=zz", "query.digest"),
        ("/legal-actions?combatant=hunter&unit=guards", "query.unit"),
        ("/legal-actions?combatant=hunter&sample=9999", "query.sample"),
    ],
)
def test_a_query_that_cannot_be_read_is_named(
    caller: Caller, encounter: str, path: str, where: str
) -> None:
    told = problem(caller.get(encounter + path))
    assert (told["code"], told["params"]["path"]) == ("malformed", where)


def test_a_bad_cursor_is_malformed(caller: Caller) -> None:
    for cursor in ("AAAA", "W10", "x" * 201):
        assert problem(caller.get(f"/v1/encounters?cursor={cursor}"))["code"] == "malformed"


@pytest.mark.parametrize(
    ("action", "why", "path", "known"),
    [
        (
            {"type": "end_turn", "combatnt": "hunter"},
            "unknown_field",
            "$.action",
            ["type", "combatant"],
        ),
        (
            {"type": "change_posture", "combatant": "hunter", "posture": "flat"},
            "unknown_value",
            "$.action.posture",
            ["open", "in_cover", "blocked"],
        ),
        (
            {"type": "adjust", "changes": [{"type": "hp", "combatant": "hunter", "hp": 3}]},
            "unknown_field",
            "$.action.changes[0]",
            ["type", "combatant", "value"],
        ),
    ],
)
def test_an_unknown_word_is_told_with_those_that_are_known(
    caller: Caller, encounter: str, action: dict[str, object], why: str, path: str, known: list[str]
) -> None:
    told = problem(caller.post(f"{encounter}/actions", {"action": action}))
    assert (told["status"], told["params"]["why"], told["params"]["path"]) == (400, why, path)
    assert sorted(told["allowed"]) == sorted(known)
    assert all(word in told["detail"] for word in known)
    assert "known" not in told["params"]


def test_an_unknown_type_of_action_is_told_with_all_there_are(
    caller: Caller, encounter: str
) -> None:
    told = problem(caller.post(f"{encounter}/actions", {"action": {"type": "ranged_atack"}}))
    assert (told["params"]["path"], told["params"]["why"]) == ("$.action.type", "unknown_value")
    assert {"ranged_attack", "melee_attack", "end_turn", "note", "rewind"} <= set(told["allowed"])
    told = problem(caller.post("/v1/encounters", {**CREATION, "dise": 1}))
    assert {"dice", "seed", "sides", "metadata", "setup"} <= set(told["allowed"])
