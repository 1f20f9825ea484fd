"""Forks over HTTP: a battle continues elsewhere, and its own log knows nothing of it."""

from typing import Any

import pytest

from tests.api.joining import delete, joined
from tests.api.people import OWN, RULESETS, UNSEEN, battle
from tests.api.serving import CREATION, SHOT, START, Caller, problem
from tests.kit.rigs import rig_of

END = {"type": "end_encounter", "reveal": "now", "open": "all"}
NOTE = {"type": "note", "text": "somebody was here"}


def forked(caller: Caller, encounter: str, at: int, **more: Any) -> dict[str, Any]:
    """A fork that works; the answer."""
    answer = caller.post(f"{encounter}/forks", {"at": at, **more})
    assert answer.status_code == 201, answer.text
    assert answer.headers["Location"] == f"/v1/encounters/{answer.json()['encounter']}"
    body: dict[str, Any] = answer.json()
    return body


def listed(*actions: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"action": action} for action in actions]


def address(fork: dict[str, Any]) -> str:
    return f"/v1/encounters/{fork['encounter']}"


def without_text(state: Any) -> Any:
    """A state without what stays behind in a fork, and without its status."""
    if isinstance(state, list):
        return [without_text(each) for each in state]
    if not isinstance(state, dict):
        return state
    left = {"name", "metadata", "status", "opened_by"}
    return {name: without_text(value) for name, value in state.items() if name not in left}


@pytest.mark.parametrize("slug", RULESETS)
def test_a_battle_of_every_ruleset_goes_on_in_a_fork(caller: Caller, slug: str) -> None:
    encounter = battle(caller, slug)
    before = caller.get(encounter).json()
    log = caller.get(f"{encounter}/events").json()
    fork = forked(caller, encounter, 2)
    home = address(fork)
    head = log["events"][1]
    assert fork["fork_of"] == {
        "encounter": before["encounter"],
        "seq": 2,
        "hash": head["hash"],
        "status": "running",
    }
    assert fork["view"]["state"]["status"] == "setup"
    assert without_text(fork["view"]["state"]) == without_text(before["state"])
    created = fork["events"][0]
    told = created.get("seen", created["event"])
    assert told["effects"][0]["state"] == fork["view"]["state"]
    assert caller.get(home).json() == fork["view"]
    seat = {"id": "vera", "role": "player", "combatants": [OWN[slug]]}
    caller.act(home, {"type": "add_seat", "seat": seat})
    caller.act(home, START)
    with caller.seated("vera") as vera:
        there, here = (vera.get(each).json()["state"] for each in (encounter, home))
        assert without_text(here) == without_text(there)
        assert UNSEEN not in vera.get(f"{home}/events").text
    assert here["status"] == "running"
    ending = rig_of(slug).deeds.ending or {"combatant": OWN[slug]}
    caller.post(f"{home}/actions", {"action": {"type": "end_turn", **ending}})
    caller.act(home, END)
    report = caller.get(f"{home}/audit").json()
    assert (report["clean"], report["fork_of"]) == (True, fork["fork_of"])
    assert report["dice"]["fairness"] == "verified"
    assert caller.get(f"{encounter}/events").json() == log
    assert caller.get(encounter).json() == before


def test_actions_sent_along_are_posted_behind_what_is_taken_up(caller: Caller) -> None:
    encounter = caller.started()
    fork = forked(caller, encounter, 2, title="What if", actions=listed(START, SHOT, NOTE))
    assert (fork["accepted"], "stopped" in fork, fork["view"]["seq"]) == (3, False, 4)
    assert [each["seq"] for each in fork["events"]] == [1, 2, 3, 4]
    assert fork["view"]["title"] == "What if"
    assert fork["receipt"]["seq"] == 4
    assert "somebody was here" not in caller.get(f"{encounter}/events").text
    assert len(caller.get(f"{encounter}/events").json()["events"]) == 2


def test_a_list_stops_before_the_first_that_is_refused(caller: Caller) -> None:
    encounter = caller.started()
    fork = forked(caller, encounter, 2, actions=listed(NOTE, SHOT, START))
    assert fork["accepted"] == 1
    stopped = fork["stopped"]
    assert (stopped["index"], stopped["problem"]["code"]) == (1, "encounter_not_running")
    other = forked(caller, encounter, 2, actions=listed(SHOT))
    assert (other["accepted"], other["stopped"]["index"]) == (0, 0)
    assert other["stopped"]["problem"]["code"] == "encounter_not_running"
    assert caller.get(address(other)).json()["seq"] == 1


def test_a_repeated_request_makes_one_fork_and_gets_the_same_answer(caller: Caller) -> None:
    encounter = caller.started()
    body = {"at": 2, "actions": listed(START, SHOT)}
    first = caller.post(f"{encounter}/forks", body, idempotency_key="fork")
    caller.act(address(first.json()), {"type": "note", "text": "meanwhile"})
    again = caller.post(f"{encounter}/forks", body, idempotency_key="fork")
    assert again.headers["Idempotency-Replayed"] == "true"
    for part in ("encounter", "fork_of", "events", "accepted"):
        assert again.json()[part] == first.json()[part]
    other = caller.post(f"{encounter}/forks", {"at": 1}, idempotency_key="fork")
    assert problem(other)["code"] == "idempotency_key_reused"
    assert len(caller.get("/v1/encounters").json()["encounters"]) == 2
    keyless = caller.post(f"{encounter}/forks", body, idempotency_key="")
    assert problem(keyless)["code"] == "idempotency_key_required"


def test_what_was_refused_is_not_done_by_a_repetition(caller: Caller) -> None:
    encounter = caller.started()
    body = {"at": 2, "actions": listed(SHOT)}
    first = caller.post(f"{encounter}/forks", body, idempotency_key="fork").json()
    caller.act(address(first), START)
    again = caller.post(f"{encounter}/forks", body, idempotency_key="fork").json()
    assert (again["encounter"], again["accepted"]) == (first["encounter"], 0)
    assert caller.get(address(first)).json()["seq"] == 2


def test_a_fork_has_dice_of_its_own_seed(caller: Caller) -> None:
    encounter = caller.started()
    caller.act(encounter, SHOT)
    seeds = ["0" * 64, "0" * 64, "1" * 64]
    forks = [forked(caller, encounter, 2, seed=seed, actions=listed(START, SHOT)) for seed in seeds]
    created = [fork["events"][0]["event"]["effects"][0] for fork in forks]
    assert [each["seed"] for each in created] == ["given"] * 3
    assert created[0]["commitment"] == created[1]["commitment"] != created[2]["commitment"]
    assert forks[0]["events"][2]["event"]["draws"] != forks[1]["events"][2]["event"]["draws"]
    assert forked(caller, encounter, 2)["events"][0]["event"]["effects"][0]["seed"] == "os"


def test_a_fork_of_a_rewound_erased_and_revealed_battle_goes_on(caller: Caller) -> None:
    named = {**CREATION, "title": "secret title"}
    encounter = caller.create(named)
    caller.act(encounter, START)
    caller.act(encounter, SHOT)
    caller.act(encounter, {"type": "rewind", "to": 2})
    undone = forked(caller, encounter, 3, actions=listed(START))
    then = caller.get(f"{encounter}?at=3").json()["state"]
    assert without_text(undone["view"]["state"]) == without_text(then)
    caller.act(encounter, END)
    caller.act(encounter, {"type": "erase", "seqs": [1]})
    late = caller.get(encounter).json()["seq"]
    refused = caller.post(f"{encounter}/forks", {"at": late})
    assert (refused.status_code, problem(refused)["code"]) == (409, "fork_after_end")
    fork = forked(caller, encounter, 4, actions=listed(START, SHOT))
    assert fork["accepted"] == 2
    assert "secret title" not in caller.get(f"{address(fork)}/events").text
    again = forked(caller, address(fork), 2, actions=listed(START, SHOT))
    assert again["fork_of"]["encounter"] == fork["encounter"]
    assert delete(caller, encounter).status_code == 200
    assert caller.post(f"{encounter}/forks", {"at": 2}).status_code == 404
    for each in (undone, fork, again):
        assert caller.get(f"{address(each)}/audit").json()["clean"]


def test_dice_of_the_table_stay_its_own_unless_the_service_is_to_roll(caller: Caller) -> None:
    encounter = caller.create({**CREATION, "dice": "supplied"})
    start = caller.post(f"{encounter}/actions", {"action": START, "dice": []})
    dice: list[int] = []
    while start.status_code == 422:
        dice += [3] * int(start.json()["params"]["missing"])
        start = caller.post(f"{encounter}/actions", {"action": START, "dice": dice})
    assert start.status_code == 201, start.text
    same = forked(caller, encounter, 2)
    assert same["view"]["state"]["dice"] == "supplied"
    rolled = forked(caller, encounter, 2, dice="sealed", actions=listed(START, SHOT))
    assert (rolled["view"]["state"]["dice"], rolled["accepted"]) == ("sealed", 2)
    seat = {"id": "ann", "role": "player", "sides": ["village"]}
    caller.act(encounter, {"type": "add_seat", "seat": seat})
    with caller.seated("ann") as ann:
        asked = ann.act(encounter, SHOT)
    [roll] = asked["decisions"]
    assert (roll["kind"], roll["seat"]) == ("roll", "ann")
    waiting = asked["version"]
    answer = {"type": "answer", "decision_id": "d1.1", "choice": {"type": "roll"}}
    for mode in ("supplied", "sealed"):
        fork = forked(caller, encounter, waiting, dice=mode, actions=listed(START))
        [question] = fork["view"]["decisions"]
        assert question == {**without(roll, "seat"), "id": "d1.1", "opened_by": 1}
        home = address(fork)
        body: dict[str, Any] = {"action": answer}
        if mode == "supplied":
            refused = caller.post(f"{home}/actions", body)
            assert problem(refused)["code"] == "too_few_faces"
            body["dice"] = [3] * roll["roll"]["count"]
        happened = caller.post(f"{home}/actions", body)
        assert happened.status_code == 201, happened.text
        [record] = happened.json()["events"]
        assert [each["sides"] for each in record["event"]["draws"]][: roll["roll"]["count"]] == (
            [roll["roll"]["sides"]] * roll["roll"]["count"]
        )
        told = [each["type"] for each in record["event"]["effects"]]
        assert (told[0], len(told) > 1) == ("decision_closed", True)
        assert caller.get(f"{home}/audit").json()["clean"]
    faces = {"action": answer, "dice": [1]}
    sealed = forked(caller, encounter, waiting, dice="sealed", actions=listed(START))
    refused = caller.post(f"{address(sealed)}/actions", faces)
    assert problem(refused)["code"] == "faces_not_taken"


def without(value: dict[str, Any], name: str) -> dict[str, Any]:
    return {each: value[each] for each in value if each != name}


def test_others_than_the_game_master_fork_once_all_is_open_to_them(caller: Caller) -> None:
    encounter = caller.started()
    bob = joined(caller, encounter)
    key = caller.seated("bob")
    for refused in (
        bob.post(f"{encounter}/forks", {"at": 2}),
        key.post(f"{encounter}/forks", {"at": 2}),
    ):
        assert (refused.status_code, problem(refused)["code"]) == (403, "gm_only")
    caller.act(encounter, {"type": "end_encounter", "reveal": "now"})
    closed = bob.post(f"{encounter}/forks", {"at": 3})
    assert (closed.status_code, problem(closed)["code"]) == (403, "gm_only")
    caller.act(encounter, {"type": "reveal", "seed": False, "open": "all"})
    answer = bob.post(f"{encounter}/forks", {"at": 3}, idempotency_key="bob")
    assert answer.status_code == 201, answer.text
    fork = answer.json()
    assert answer.headers["Cache-Control"] == "no-store"
    with Caller(caller.url, fork["token"]) as master:
        me = master.get("/v1/me").json()
        assert (me["seat"]["id"], me["seat"]["role"]) == ("gm", "gm")
        assert me["battle"]["encounter"]["encounter"] == fork["encounter"]
        master.act(address(fork), START)
        assert master.get(encounter).status_code == 404
    again = bob.post(f"{encounter}/forks", {"at": 3}, idempotency_key="bob")
    assert (again.json()["encounter"], "token" in again.json()) == (fork["encounter"], False)
    by_key = forked(key, encounter, 3)
    assert caller.get(address(by_key)).status_code == 200
    assert bob.get(address(by_key)).status_code == 404
    bob.http.close()
    key.http.close()


def test_nobody_forks_what_is_not_theirs(caller: Caller, stranger: Caller) -> None:
    encounter = caller.started()
    answer = stranger.post(f"{encounter}/forks", {"at": 1})
    assert (answer.status_code, problem(answer)["code"]) == (404, "unknown_encounter")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "malformed"),
        ({"at": 0}, 400, "malformed"),
        ({"at": 10**9}, 404, "unknown_event"),
        ({"at": 2**40}, 400, "malformed"),
        ({"at": "2"}, 400, "malformed"),
        ({"at": 2, "ruleset": "melody-d6"}, 400, "wrong_ruleset"),
        ({"at": 2, "setup": {}}, 400, "malformed"),
        ({"at": 2, "seed": "0" * 63}, 400, "malformed"),
        ({"at": 2, "actions": listed(*[NOTE] * 33)}, 400, "malformed"),
        ({"at": 2, "actions": listed({"type": "activate", "unit": "a"})}, 400, "malformed"),
        ({"at": 2, "actions": [{"action": NOTE, "ruleset": "melody-d6"}]}, 400, "wrong_ruleset"),
        ({"at": 2, "actions": [{}]}, 400, "malformed"),
        (
            {"at": 2, "seats": [{"id": "a", "role": "gm"}, {"id": "a", "role": "gm"}]},
            400,
            "malformed",
        ),
        (
            {"at": 2, "seats": [{"id": "a", "role": "player", "sides": ["nobody"]}]},
            422,
            "unknown_side",
        ),
        ({"at": 2, "actions": listed({"type": "create_encounter"})}, 400, "malformed"),
    ],
)
def test_what_cannot_be_is_refused_and_makes_nothing(
    caller: Caller, body: dict[str, Any], status: int, code: str
) -> None:
    encounter = caller.started()
    answer = caller.post(f"{encounter}/forks", body)
    assert (answer.status_code, problem(answer)["code"]) == (status, code)
    assert len(caller.get("/v1/encounters").json()["encounters"]) == 1
