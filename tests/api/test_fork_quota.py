"""How many forks there may be, and on whose account is asked in them."""

from collections.abc import Iterator
from typing import Any

import pytest

from service.eventstore.embedded import Dsns
from tests.api.joining import delete, joined
from tests.api.serving import SHOT, START, Caller, Served, problem, settings_for
from tests.api.streaming import services_behind, stop_clock

MARA = {"id": "mara", "role": "gm"}
BOB = {"id": "bob", "role": "player", "sides": ["village"]}
END = {"type": "end_encounter", "reveal": "now"}


@pytest.fixture(scope="module")
def served(database: Dsns) -> Iterator[Served]:
    """A service where a battle may have three forks, and a caller a preview a minute."""
    settings = settings_for(
        database, WARLOG_FORKS="3", WARLOG_SEAT_FORKS_PER_DAY="2", WARLOG_PREVIEWS_PER_MINUTE="1"
    )
    with Served(settings) as running:
        yield running


def forked(caller: Caller, encounter: str, at: int = 1, **more: Any) -> dict[str, Any]:
    answer = caller.post(f"{encounter}/forks", {"at": at, **more})
    assert answer.status_code == 201, answer.text
    body: dict[str, Any] = answer.json()
    return body


def address(fork: dict[str, Any]) -> str:
    return f"/v1/encounters/{fork['encounter']}"


def refusal(caller: Caller, encounter: str) -> tuple[int, str, Any]:
    """How a further fork is refused."""
    answer = caller.post(f"{encounter}/forks", {"at": 1})
    told = problem(answer)
    return answer.status_code, told["code"], told["params"]


def test_a_battle_has_so_many_forks_ended_ones_and_those_of_forks_included(caller: Caller) -> None:
    limits = caller.get("/v1/rulesets").json()["limits"]
    assert (limits["forks"], limits["seat_forks"]) == (3, 1)
    encounter, other = caller.started(), caller.started()
    body = {"at": 1, "title": "first"}
    first = caller.post(f"{encounter}/forks", body, idempotency_key="first").json()
    second = forked(caller, address(first))
    third = forked(caller, address(second))
    for full in (encounter, address(first), address(third)):
        assert refusal(caller, full) == (409, "too_many_forks", {"limit": 3})
    again = caller.post(f"{encounter}/forks", body, idempotency_key="first")
    assert (again.status_code, again.json()["encounter"]) == (201, first["encounter"])
    forked(caller, other)
    caller.act(address(third), START)
    caller.act(address(third), END)
    assert refusal(caller, encounter)[1] == "too_many_forks"
    assert delete(caller, address(third)).status_code == 200
    forked(caller, address(second))
    assert refusal(caller, encounter)[1] == "too_many_forks"
    listed = caller.get("/v1/encounters").json()["encounters"]
    assert len(listed) == 6


def test_a_seat_has_its_share_of_them_and_no_more_by_forking_its_fork(caller: Caller) -> None:
    encounter = caller.started()
    with joined(caller, encounter, MARA) as mara:
        fork = forked(mara, encounter)
        assert refusal(mara, encounter) == (409, "too_many_forks", {"limit": 1})
    with Caller(caller.url, fork["token"]) as master:
        assert refusal(master, address(fork)) == (409, "too_many_forks", {"limit": 1})
    forked(caller, address(fork))
    forked(caller, encounter)
    assert refusal(caller, encounter) == (409, "too_many_forks", {"limit": 3})


def test_a_seat_deletes_the_forks_that_it_made_and_makes_so_many_in_a_day(caller: Caller) -> None:
    encounter = caller.started()
    by_key = forked(caller, encounter)
    with joined(caller, encounter, MARA) as mara:
        first = forked(mara, encounter)
        home = address(first)
        assert delete(mara, home).status_code == 403
        with Caller(caller.url, first["token"]) as master, joined(master, home, MARA) as guest:
            assert problem(delete(guest, home))["code"] == "gm_only"
            assert delete(master, address(by_key)).status_code == 404
            assert delete(master, encounter).status_code == 404
            assert delete(master, home).json()["encounter"] == first["encounter"]
            assert delete(master, home).status_code == 401
        second = forked(mara, encounter)
        assert delete(caller, address(second)).status_code == 200
        answer = mara.post(f"{encounter}/forks", {"at": 1})
        assert (answer.status_code, problem(answer)["code"]) == (429, "too_many_forks_today")
        assert 1 <= int(answer.headers["Retry-After"]) <= 86_400
        forked(caller, encounter)


def test_what_is_asked_in_a_seats_fork_counts_on_its_account(
    served: Served, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_clock(monkeypatch, services_behind(served).previews)
    encounter = caller.started()
    preview = {"action": SHOT}
    with joined(caller, encounter, MARA) as mara, joined(caller, encounter, BOB) as bob:
        assert mara.post(f"{encounter}/preview", preview).status_code == 200
        fork = forked(mara, encounter, 2, actions=[{"action": START}])
        # Seats of the battle itself have accounts of their own.
        assert bob.post(f"{encounter}/preview", preview).status_code == 200
    home = address(fork)
    with Caller(caller.url, fork["token"]) as master:
        assert master.post(f"{home}/preview", preview).status_code == 429
        with joined(master, home, BOB) as guest:
            assert guest.post(f"{home}/preview", preview).status_code == 429
    by_key = forked(caller, encounter, 2, actions=[{"action": START}])
    with joined(caller, address(by_key), BOB) as guest:
        assert guest.post(f"{address(by_key)}/preview", preview).status_code == 200
