"""Simulations over HTTP: a battle is played on many times, and nothing is stored."""

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from service.eventstore.embedded import Dsns
from tests.api.joining import joined
from tests.api.people import RULESETS, battle
from tests.api.serving import CREATION, SHOT, START, Caller, Served, problem, settings_for
from tests.patience import PATIENCE_SECONDS
from tests.soak import with_soak

SEED = "07" * 32


@pytest.fixture(scope="module")
def served(database: Dsns) -> Iterator[Served]:
    """A service that plays at most so many battles, in one process whatever machine it is."""
    settings = settings_for(database, WARLOG_SIMULATIONS="500", WARLOG_SIMULATION_PROCESSES="1")
    with Served(settings) as running:
        yield running


def simulated(caller: Caller, encounter: str, **more: Any) -> Any:
    """A simulation that works; the answer."""
    body = {"at": 2, "n": 3, "max_rounds": 2, "seed": SEED, **more}
    answer = caller.post(f"{encounter}/forks/simulations", body, idempotency_key="")
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("slug", with_soak(RULESETS[:1], RULESETS[1:]))
def test_a_battle_of_every_ruleset_is_played_on(caller: Caller, slug: str) -> None:
    encounter = battle(caller, slug)
    log = caller.get(f"{encounter}/events").content
    sides = [side["id"] for side in caller.get(encounter).json()["state"]["sides"]]
    first = simulated(caller, encounter, n=2, policies={sides[0]: "simple"})
    assert (first["ruleset"], first["at"], first["seed"]) == (slug, 2, SEED)
    assert (first["asked"], first["ended"], first["left_out"]) == (2, "complete", 0)
    told = first["simulation"]
    assert [each.get("side") for each in told["outcomes"]] == [*sides, None, None]
    assert sum(each["count"] for each in told["outcomes"]) == told["played"] == 2
    assert simulated(caller, encounter, n=2, policies={sides[0]: "simple"}) == first
    assert caller.get(f"{encounter}/events").content == log
    assert len(caller.get("/v1/encounters").json()["encounters"]) == 1


def test_what_if_actions_come_first(caller: Caller) -> None:
    encounter = caller.started()
    alone = {"type": "remove_combatant", "combatant": "ghoul"}
    sides = caller.get(encounter).json()["state"]["combatants"]
    others = [each["id"] for each in sides if each["side"] != "village"]
    actions = [{"action": {**alone, "combatant": each}} for each in others]
    told = simulated(caller, encounter, actions=actions)["simulation"]
    assert [each["count"] for each in told["outcomes"] if each.get("side") == "village"] == [3]
    unseen = {"action": {**alone, "combatant": "nobody"}}
    refused = caller.post(
        f"{encounter}/forks/simulations", {"at": 2, "n": 3, "actions": [*actions, unseen]}
    )
    assert (refused.status_code, problem(refused)["code"]) == (422, "unknown_combatant")


def test_progress_is_told_as_events(caller: Caller) -> None:
    encounter = caller.started()
    body = {"at": 2, "n": 4, "max_rounds": 1, "seed": SEED}
    answer = caller.post(f"{encounter}/forks/simulations", body, accept="text/event-stream")
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    told = [each.split("\n") for each in answer.text.strip().split("\n\n")]
    assert [name for name, _ in told] == ["event: progress"] * 4 + ["event: result"]
    records = [json.loads(line.removeprefix("data: ")) for _, line in told]
    assert records[:4] == [{"done": done, "n": 4} for done in (1, 2, 3, 4)]
    assert records[4] == simulated(caller, encounter, n=4, max_rounds=1)


def test_whoever_leaves_ends_it(caller: Caller, served: Served) -> None:
    encounter = battle(caller, "tactical-d20")
    body = {"at": 2, "n": 500, "max_rounds": 1000}
    with httpx.Client(base_url=caller.url, headers=dict(caller.http.headers)) as client:
        address = f"{encounter}/forks/simulations"
        accept = {"Accept": "text/event-stream"}
        with client.stream("POST", address, json=body, headers=accept) as answer:
            # Whoever drops the iterator has left.
            lines = answer.iter_lines()
            assert next(lines) == "event: progress"
            jobs = served.edge.application.state["services"].jobs
            assert jobs.running == 1
            other = caller.post(address, {"at": 2, "n": 1})
            assert (other.status_code, problem(other)["code"]) == (429, "simulation_running")
    deadline = time.monotonic() + PATIENCE_SECONDS
    while jobs.running:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_dice_of_the_table_are_rolled_from_the_requests_seed(caller: Caller) -> None:
    encounter = caller.create({**CREATION, "dice": "supplied"})
    first = simulated(caller, encounter, at=1)
    assert simulated(caller, encounter, at=1) == first
    given = {"at": 1, "n": 1, "actions": [{"action": START, "dice": [1]}]}
    refused = caller.post(f"{encounter}/forks/simulations", given)
    assert (refused.status_code, problem(refused)["code"]) == (400, "malformed")


def test_a_shot_that_waits_for_dice_is_fired_first(caller: Caller) -> None:
    encounter = caller.create({**CREATION, "dice": "supplied"})
    dice: list[int] = []
    start = caller.post(f"{encounter}/actions", {"action": START, "dice": dice})
    while start.status_code == 422:
        dice += [3] * int(start.json()["params"]["missing"])
        start = caller.post(f"{encounter}/actions", {"action": START, "dice": dice})
    seat = {"id": "ann", "role": "player", "sides": ["village"]}
    caller.act(encounter, {"type": "add_seat", "seat": seat})
    with caller.seated("ann") as ann:
        waiting = ann.act(encounter, SHOT)["version"]
    told = simulated(caller, encounter, at=waiting)
    assert told["simulation"]["played"] == 3
    refused = caller.post(
        f"{encounter}/forks/simulations", {"at": waiting, "n": 1, "actions": [{"action": SHOT}]}
    )
    assert (refused.status_code, problem(refused)["code"]) == (409, "decision_pending")


def test_only_who_may_fork_may_simulate(caller: Caller, stranger: Caller) -> None:
    encounter = caller.started()
    body = {"at": 2, "n": 1, "max_rounds": 1}
    with joined(caller, encounter) as bob:
        refused = bob.post(f"{encounter}/forks/simulations", body)
        assert (refused.status_code, problem(refused)["code"]) == (403, "gm_only")
        caller.act(encounter, {"type": "end_encounter", "reveal": "now"})
        refused = bob.post(f"{encounter}/forks/simulations", body)
        assert (refused.status_code, problem(refused)["code"]) == (403, "gm_only")
        caller.act(encounter, {"type": "reveal", "seed": False, "open": "all"})
        assert bob.post(f"{encounter}/forks/simulations", body).status_code == 200
    assert stranger.post(f"{encounter}/forks/simulations", body).status_code == 404


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"at": 2}, 400, "malformed"),
        ({"at": 2, "n": 0}, 400, "malformed"),
        ({"at": 2, "n": 501}, 400, "malformed"),
        ({"at": 2, "n": 10**9}, 400, "malformed"),
        ({"at": 2, "n": 10**30}, 400, "malformed"),
        ({"at": 2, "n": 1, "max_rounds": 0}, 400, "malformed"),
        ({"at": 2, "n": 1, "max_rounds": 1001}, 400, "malformed"),
        ({"at": 9, "n": 1}, 404, "unknown_event"),
        ({"at": 2, "n": 1, "ruleset": "melody-d6"}, 400, "wrong_ruleset"),
        ({"at": 2, "n": 1, "policies": {"nobody": "simple"}}, 422, "unknown_side"),
        ({"at": 2, "n": 1, "policies": {"village": "clever"}}, 400, "malformed"),
        ({"at": 2, "n": 1, "policies": {"": "simple"}}, 400, "malformed"),
        ({"at": 2, "n": 1, "seed": "zz"}, 400, "malformed"),
        ({"at": 2, "n": 1, "actions": [{"action": SHOT}] * 33}, 400, "malformed"),
        ({"at": 2, "n": 1, "actions": [{"action": {"type": "sing"}}]}, 400, "malformed"),
        *(
            (
                {"at": 2, "n": 1, "actions": [{"action": START}, {"action": action}]},
                400,
                "malformed",
            )
            for action in (
                {"type": "rewind", "to": 1},
                {"type": "remove_seat", "seat": "village"},
                {"type": "add_seat", "seat": {"id": "x", "role": "observer"}},
                {"type": "change_seat", "seat": "village", "sides": []},
                {"type": "assign_control", "seat": "village", "combatants": []},
            )
        ),
    ],
)
def test_what_cannot_be_is_refused(
    caller: Caller, body: dict[str, Any], status: int, code: str
) -> None:
    encounter = caller.started()
    answer = caller.post(f"{encounter}/forks/simulations", body)
    assert (answer.status_code, problem(answer)["code"]) == (status, code)
