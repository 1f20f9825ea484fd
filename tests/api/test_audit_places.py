"""Audits of stored battles: one of a caller, some of a tenant, none without a client."""

import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit
from uuid import UUID

import pytest

from service.api.limits.job_places import MOST_OF_TENANT
from service.encounters.principal import SCOPES
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.replay.audit.stored_audits import COMBATANTS
from tests.api.serving import Caller, Served, new_key, problem, settings_for
from tests.api.streaming import services_behind
from tests.api.test_uploads import LINES, Half, wait_until
from tests.encounters.table import creation, fighter
from tests.patience import until


@pytest.fixture(scope="module")
def paired(database: Dsns) -> Iterator[Served]:
    """A service with two places for jobs."""
    with Served(settings_for(database, WARLOG_JOBS="2")) as running:
        yield running


@pytest.fixture
async def callers(paired: Served, store: EventStore, tenant: UUID) -> AsyncIterator[list[Caller]]:
    """As many callers of one tenant as may have an audit, and one more."""
    tokens = [await new_key(store, tenant, SCOPES) for _ in range(MOST_OF_TENANT + 1)]
    with ExitStack() as stack:
        yield [stack.enter_context(Caller(paired.url, token)) for token in tokens]


def crowded() -> dict[str, object]:
    """A battle of so many that its audit is a job."""
    return creation(*[fighter(f"r{n}", "red", n, 0) for n in range(COMBATANTS + 1)])


def left_alone(caller: Caller, path: str) -> socket.socket:
    """A request whose answer nobody has read yet."""
    place = urlsplit(caller.url)
    client = socket.create_connection((str(place.hostname), place.port or 80))
    head = f"GET {path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer {caller.token}\r\n\r\n"
    client.sendall(head.encode())
    return client


async def test_a_caller_has_one_audit_and_ends_it_by_leaving(
    paired: Served, callers: list[Caller]
) -> None:
    one, other, third, *_ = callers
    audit = f"{one.create(crowded())}/audit"
    jobs = services_behind(paired).jobs
    with Half(other, *LINES[:10]), Half(third, *LINES[:10]):
        wait_until(paired, 2)
        # All places are taken: the audit waits for one, and then nobody waits for the audit.
        client = left_alone(one, audit)
        await until(lambda: jobs.waiting == 1)
        for again in (one.get(audit), one.get(f"{audit}?include=luck")):
            told = problem(again)
            assert (told["status"], told["code"]) == (429, "audit_running")
        client.close()
        await until(lambda: jobs.waiting == 0)
    answer = one.get(audit)
    assert (answer.status_code, answer.json()["clean"]) == (200, True)


async def test_a_tenant_has_some_audits_at_a_time(
    paired: Served, callers: list[Caller], stranger: Caller
) -> None:
    *some, last = callers
    mine = last.create()
    with Caller(paired.url, stranger.token) as other, ExitStack() as stack:
        for caller in some:
            stack.enter_context(Half(caller, *LINES[:10]))
        jobs = services_behind(paired).jobs
        await until(lambda: jobs.running + jobs.waiting == MOST_OF_TENANT)
        told = problem(last.get(f"{mine}/audit"))
        assert (told["status"], told["code"]) == (429, "tenant_audits_running")
        assert told["params"] == {"limit": MOST_OF_TENANT, "retry_after": 5}
        assert other.get(f"{other.create()}/audit").status_code == 200
