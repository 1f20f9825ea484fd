"""Limits over real HTTP: a running service ends what is over, and shows what is not."""

import secrets
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from service.eventstore.embedded import Dsns
from tests.api.examples import EXAMPLES
from tests.api.serving import START, Caller, problem
from tests.api.streaming import eventually

LIMITED = next(each.value for each in EXAMPLES["create_encounter"] if each.name == "time_limits")
SEEKER = next(each.value for each in EXAMPLES["create_encounter"] if each.name == "seeker_d100")
CLUB = {"id": "club", "sample": "w_knife"}

Tree = dict[str, Any]


async def is_over(database: Dsns, encounter: str, subject: str) -> None:
    """Somebody has had an hour less than he thinks: his time is over, and the row says so."""
    admin = await asyncpg.connect(database.admin)
    named = UUID(encounter.rpartition("/")[2])
    await admin.execute("INSERT INTO clock_change VALUES ($1, $2, -3600000)", named, subject)
    await admin.execute(
        "UPDATE clock SET changes = changes + 1, due = clock_timestamp() WHERE encounter_id = $1",
        named,
    )
    await admin.close()


def grown(caller: Caller, encounter: str, after: int) -> list[Tree]:
    """The events behind `after`, waited for."""
    address = f"{encounter}/events?after={after}"
    eventually(lambda: bool(caller.get(f"{address}&wait=20").json()["events"]), "nothing happens")
    page = caller.get(address).json()
    return [each.get("seen", each["event"]) for each in page["events"]]


def in_melee() -> Tree:
    """The seeker with his fists next to the cultist, who may dodge and has ten minutes for it."""
    seeker, cultist = SEEKER["setup"]["combatants"]
    near = {**seeker, "place": {"x": 7, "y": 0}, "weapons": [CLUB], "held_items": ["club"]}
    near["skills"] = {**seeker["skills"], "melee_weapon": 50}
    return {
        **SEEKER,
        "seats": [
            {"id": "olga", "role": "player", "combatants": ["seeker"]},
            {"id": "carl", "role": "player", "combatants": ["cultist"]},
        ],
        "setup": {
            "options": {"decision_seconds": 600, "turn_seconds": 1200},
            "combatants": [near, cultist],
            "battle": SEEKER["setup"]["battle"],
        },
    }


async def test_a_dodge_that_times_out_plays_on_and_audits_clean(
    caller: Caller, database: Dsns
) -> None:
    encounter = caller.create(in_melee())
    caller.act(encounter, START)
    blow = {"type": "attack", "combatant": "seeker", "weapon": "club", "target": "cultist"}
    with caller.seated("olga") as olga:
        asked = olga.act(encounter, blow)
    [decision] = asked["decisions"]
    with caller.seated("carl") as carl:
        [timer, turn] = carl.get(encounter).json()["timers"]
    assert (timer["decision_id"], turn["turn"]) == (decision["id"], "seeker")
    assert not timer["paused"]
    assert "left_seconds" not in timer
    head = asked["version"]
    await is_over(database, encounter, f"decision:{head}.{head}.1")
    [event] = grown(caller, encounter, head)
    assert event["by"] == {"kind": "system", "id": "timer", "role": "gm"}
    assert event["action"]["choice"] == {"type": "pass", "reason": "timeout"}
    [closed] = [each for each in event["effects"] if each["type"] == "decision_closed"]
    assert (closed["decision_id"], closed["how"]) == (decision["id"], "timeout")
    assert event["draws"]
    with caller.seated("carl") as carl:
        late = {"type": "answer", "decision_id": decision["id"], "choice": {"type": "pass"}}
        told = problem(carl.post(f"{encounter}/actions", {"action": late}))
        assert (told["status"], told["code"]) == (409, "decision_closed")
    require_clean(caller, encounter)


async def test_a_turn_that_times_out_goes_to_the_next(caller: Caller, database: Dsns) -> None:
    encounter = caller.create(LIMITED)
    caller.act(encounter, START)
    await is_over(database, encounter, "turn:2")
    [event] = grown(caller, encounter, 2)
    assert (event["by"]["kind"], event["action"]["type"]) == ("system", "end_turn")
    view = caller.get(encounter).json()
    assert view["state"]["turn"] == "raider"
    assert [timer["turn"] for timer in view["timers"]] == ["raider"]
    require_clean(caller, encounter)


def require_clean(caller: Caller, encounter: str) -> None:
    audited = caller.get(f"{encounter}/audit").json()
    assert audited["clean"]
    assert audited["counts"] == {"match": audited["head"]}


@pytest.fixture
def limited(caller: Caller) -> str:
    """A battle with limits that runs."""
    encounter = caller.create(LIMITED)
    caller.act(encounter, START)
    return encounter


def test_every_example_of_a_change_works(caller: Caller, limited: str) -> None:
    timer: Tree = {}
    for example in EXAMPLES["change_timers"]:
        answer = caller.post(f"{limited}/timers", example.value)
        assert answer.status_code == 200, answer.text
        assert answer.json()["paused"] == (example.name == "pause")
        [timer] = answer.json()["timers"]
        assert timer["turn"] == "hunter"
        assert ("expires_at" in timer) != timer["paused"]
    # Two minutes, and five more.
    assert 300 < timer["left_seconds"] <= 420
    assert caller.get(f"{limited}/timers").json()["timers"][0]["expires_at"] == timer["expires_at"]


def test_a_state_has_another_tag_when_its_deadlines_move(caller: Caller, limited: str) -> None:
    tags = []
    for change in (None, {"do": "pause"}, {"do": "resume"}, {"do": "extend", "seconds": 60}):
        if change is not None:
            assert caller.post(f"{limited}/timers", change).status_code == 200
        first = caller.get(limited)
        tags.append(first.headers["ETag"])
        again = caller.get(limited, if_none_match=tags[-1])
        assert (again.status_code, again.headers["ETag"]) == (304, tags[-1])
    assert len(set(tags)) == 4
    assert {tag.partition(";")[0] for tag in tags} == {tags[0].partition(";")[0]}
    moved = caller.post(
        f"{limited}/actions",
        {"action": {"type": "note", "text": "x"}},
        idempotency_key="",
        if_match=tags[-1],
    )
    assert moved.status_code == 201, moved.text
    assert "timers" not in caller.get(f"{limited}?at=2").json()


def test_a_change_is_made_once_per_key(caller: Caller, limited: str) -> None:
    key, body = secrets.token_hex(8), {"do": "extend", "seconds": 600}
    answers = [caller.post(f"{limited}/timers", body, idempotency_key=key) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert [answer.headers.get("Idempotency-Replayed") for answer in answers] == [None, "true"]
    ends = [answer.json()["timers"][0]["expires_at"] for answer in answers]
    assert ends[0] == ends[1]
    other = caller.post(f"{limited}/timers", {"do": "pause"}, idempotency_key=key)
    assert problem(other)["code"] == "idempotency_key_reused"
    assert problem(caller.post(f"{limited}/timers", body, idempotency_key=""))["status"] == 428


def test_refusals_are_told_in_both_languages(
    caller: Caller, stranger: Caller, limited: str
) -> None:
    plain = caller.started()
    far = {"do": "extend", "seconds": 604_800, "turn": "hunter"}
    for _ in range(4):
        caller.post(f"{limited}/timers", far)
    cases = [
        (limited, {"do": "extend", "seconds": 60, "turn": "raider"}, 422, "unknown_timer"),
        (limited, far, 422, "extended_too_far"),
        (limited, {"do": "wait"}, 400, "malformed"),
        (plain, {"do": "pause"}, 409, "no_time_limit"),
    ]
    for encounter, body, status, code in cases:
        said = set()
        for language in ("en", "ru"):
            told = problem(caller.post(f"{encounter}/timers", body, accept_language=language))
            assert (told["status"], told["code"]) == (status, code)
            said.add(told["detail"])
        assert len(said) == 2
    assert problem(caller.get(f"{plain}/timers"))["code"] == "no_time_limit"
    absent = stranger.get("/v1/encounters/01900000-0000-7000-8000-000000000001/timers")
    foreign = stranger.get(f"{limited}/timers")
    assert problem(foreign)["code"] == problem(absent)["code"] == "unknown_encounter"
    assert problem(stranger.post(f"{limited}/timers", {"do": "pause"}))["status"] == 404
    assert not caller.get(f"{limited}/timers").json()["paused"]


def test_a_player_and_an_observer_see_the_clock_and_leave_it_alone(caller: Caller) -> None:
    seats = [
        {"id": "vera", "role": "player", "sides": ["village"]},
        {"id": "o", "role": "observer"},
    ]
    encounter = caller.create({**LIMITED, "seats": seats})
    caller.act(encounter, START)
    for name in ("vera", "o"):
        with caller.seated(name) as seat:
            told = problem(seat.post(f"{encounter}/timers", {"do": "pause"}))
            assert (told["status"], told["code"]) == (403, "gm_only")
            [timer] = seat.get(f"{encounter}/timers").json()["timers"]
            assert timer["turn"] == "hunter"
            assert 0 < timer["left_seconds"] <= 120
    with caller.seated("vera") as vera:
        vera.act(encounter, {"type": "end_turn", "combatant": "hunter"})
