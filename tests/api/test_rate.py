"""How often a caller may ask: bursts, the rate behind them, who counts with whom."""

import secrets
from collections.abc import Iterator
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.api.limits import rate as rates
from service.api.limits.rate import Rate, Rates, tenth
from service.encounters.principal import SCOPES, Principal, seat_principal
from service.errors import TooMany
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.api.serving import SHOT, Caller, Served, new_key, problem, settings_for
from tests.api.streaming import services_behind, stop_clock

HASH = bytes(32)


class Clock:
    """Seconds that pass when they are asked to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def accepted(rate: Rate, account: str, times: int) -> int:
    """How many of so many requests are let through now."""
    count = 0
    for _ in range(times):
        try:
            rate.count(account)
        except TooMany:
            continue
        count += 1
    return count


def test_a_burst_is_allowed_then_the_rate_holds() -> None:
    clock = Clock()
    rate = Rate(per_minute=60, burst=3, clock=clock)
    assert [rate.take("one").remaining for _ in range(3)] == [2, 1, 0]
    with pytest.raises(TooMany) as refusal:
        rate.take("one")
    assert refusal.value.params == {"limit": 60, "retry_after": 1}
    assert rate.take("other").remaining == 2
    clock.now += 1.0
    assert rate.take("one").remaining == 0


@given(
    per_minute=st.integers(1, 1_000_000_000),
    burst=st.integers(1, 50),
    asks=st.lists(st.tuples(st.floats(0, 120), st.integers(1, 60)), min_size=1, max_size=20),
)
def test_never_more_than_the_burst_and_what_the_time_allows(
    per_minute: int, burst: int, asks: list[tuple[float, int]]
) -> None:
    clock = Clock()
    rate = Rate(per_minute=per_minute, burst=burst, clock=clock)
    let_through, began = 0, clock.now
    for pause, times in asks:
        clock.now += pause
        let_through += accepted(rate, "one", times)
        allowed = min(burst, per_minute) + (clock.now - began) * per_minute / 60
        assert let_through <= allowed + 1


@given(
    per_minute=st.integers(1, 100_000),
    burst=st.integers(1, 50),
    pauses=st.lists(st.floats(0, 3), max_size=60),
)
def test_whoever_waits_as_long_as_it_says_is_let_through(
    per_minute: int, burst: int, pauses: list[float]
) -> None:
    clock = Clock()
    rate = Rate(per_minute=per_minute, burst=burst, clock=clock)
    for pause in [*pauses, 0.0, 0.0]:
        clock.now += pause
        try:
            rate.count("one")
        except TooMany as refusal:
            wait = refusal.params["retry_after"]
            assert isinstance(wait, int)
            assert 1 <= wait <= 61
            clock.now += wait
            rate.count("one")


@given(st.lists(st.floats(0, 2), max_size=40))
def test_what_is_said_to_remain_is_let_through_at_once(pauses: list[float]) -> None:
    clock = Clock()
    rate = Rate(per_minute=60, burst=5, clock=clock)
    for pause in pauses:
        clock.now += pause
        accepted(rate, "one", 1)
    if accepted(rate, "one", 1):
        clock.now += 1.0
        remaining = rate.take("one").remaining
        assert accepted(rate, "one", 10) == remaining


def test_ever_new_accounts_take_no_more_room_and_busy_ones_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rates, "MOST_BUCKETS", 100)
    clock = Clock()
    rate = Rate(per_minute=60, burst=10, clock=clock)
    assert accepted(rate, "busy", 20) == 10
    for number in range(1_000):
        rate.count(str(number))
        assert len(rate._buckets) <= 100
    assert accepted(rate, "busy", 1) == 0


def test_a_tenth_of_a_minute_may_come_at_once_and_always_one() -> None:
    assert [tenth(number) for number in (1, 9, 10, 1_200, 120_000)] == [1, 1, 1, 120, 12_000]


def test_a_seat_by_its_own_token_counts_by_itself_and_less() -> None:
    clock = Clock()
    both = Rates(
        keys=Rate(per_minute=60, burst=4, clock=clock),
        seats=Rate(per_minute=60, burst=2, clock=clock),
    )
    tenant, encounter = UUID(int=1), UUID(int=2)
    key = Principal(key_id=UUID(int=3), tenant=tenant, scopes=frozenset(SCOPES))
    acting = Principal(
        key_id=UUID(int=3), tenant=tenant, scopes=frozenset(SCOPES), acting_for="ann"
    )
    for who, times in (
        (key, 2),
        (acting, 2),
        (seat_principal(tenant, encounter, "ann", HASH), 2),
        (seat_principal(tenant, encounter, "bob", HASH), 2),
        (seat_principal(tenant, UUID(int=4), "ann", HASH), 2),
        # A fork that its Cid made counts on the account that Cid has anyway.
        (seat_principal(tenant, encounter, "cid", HASH), 1),
        (seat_principal(tenant, UUID(int=5), "gm", HASH, f"{encounter}/cid"), 1),
    ):
        for _ in range(times):
            both.count(who)
    for who in (
        key,
        acting,
        seat_principal(tenant, encounter, "ann", HASH),
        seat_principal(tenant, encounter, "cid", HASH),
    ):
        with pytest.raises(TooMany):
            both.count(who)


@pytest.fixture(scope="module")
def sparing(database: Dsns) -> Iterator[Served]:
    """A service that answers six requests of a key at once, and one a second."""
    settings = settings_for(
        database, WARLOG_REQUESTS_PER_MINUTE="60", WARLOG_SEAT_REQUESTS_PER_MINUTE="1200"
    )
    with Served(settings) as running:
        yield running


async def test_a_key_that_asks_too_often_is_told_when_to_come_back(
    sparing: Served,
    store: EventStore,
    tenant: UUID,
    caller: Caller,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    encounter = caller.create()
    token = await new_key(store, tenant, SCOPES)
    clock = Clock()
    monkeypatch.setattr(services_behind(sparing).rates._keys, "_clock", clock)
    with Caller(sparing.url, token) as hasty:
        assert [hasty.get("/v1/encounters").status_code for _ in range(6)] == [200] * 6
        refused = [
            hasty.post(f"{encounter}/actions", {"action": SHOT}),
            hasty.get(encounter, warlog_seat="nobody", accept_language="ru"),
            hasty.get(f"{encounter}/events?wait=5"),
            hasty.get("/v1/encounters?limit=x"),
        ]
        for answer in refused:
            told = problem(answer)
            assert (told["code"], answer.headers["Retry-After"]) == ("too_many_requests", "1")
            assert told["params"] == {"limit": 60, "retry_after": 1}
        clock.now += 1.0
        assert [hasty.get("/v1/encounters").status_code for _ in range(2)] == [200, 429]
        assert hasty.get("/v1/rulesets").status_code == 200
        limits = hasty.get("/v1/rulesets").json()["limits"]
    assert (limits["requests_per_minute"], limits["request_burst"]) == (60, 6)
    assert (limits["seat_requests_per_minute"], limits["seat_request_burst"]) == (1200, 120)
    with Caller(sparing.url, caller.token) as another:
        assert another.get(encounter).status_code == 200
    assert caller.head(encounter)[1] == 1


def test_whoever_has_no_key_uses_up_nobodys_share(sparing: Served, caller: Caller) -> None:
    with Caller(sparing.url, f"wk_{secrets.token_urlsafe(32)}") as nobody:
        assert {nobody.get("/v1/encounters").status_code for _ in range(20)} == {401}
    with Caller(sparing.url, caller.token) as one:
        assert one.get("/v1/encounters").status_code == 200


@pytest.mark.parametrize(
    ("trusted", "statuses"),
    [("127.0.0.0/8", [404, 429, 404, 404]), ("192.0.2.1", [404, 429, 429, 429])],
    ids=["trusted", "not trusted"],
)
def test_behind_a_load_balancer_that_is_trusted_clients_count_by_themselves(
    database: Dsns, trusted: str, statuses: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_for(database, WARLOG_TRUSTED_PROXIES=trusted, WARLOG_JOINS_PER_MINUTE="1")
    with Served(settings) as served, Caller(served.url, None) as anybody:
        stop_clock(monkeypatch, services_behind(served).code_guesses._senders)
        found = [
            anybody.post("/v1/join", {"code": "AAAAA-AAAAA"}, x_forwarded_for=client).status_code
            for client in ("203.0.113.1", "203.0.113.1", "203.0.113.2", "198.51.100.1, 203.0.113.3")
        ]
        limits = anybody.get("/v1/rulesets").json()["limits"]
    assert found == statuses
    assert limits["joins_per_minute"] == 1
