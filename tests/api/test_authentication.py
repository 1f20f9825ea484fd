"""Keys are remembered for moments only, and what is wrong with one is not shown."""

import asyncio
from datetime import UTC, datetime
from uuid import UUID

import pytest

from service.api.authentication import REMEMBERED_SECONDS, KeyRing, hash_of, token_of
from service.errors import DatabaseAway, Unauthenticated
from service.eventstore.records import ApiKey
from service.eventstore.seats import SeatHolder

TOKEN = token_of(bytes(32))
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)


class Store:
    """The look-up a key ring is given: an in-memory table that counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.revoked_at: datetime | None = None

    async def look_up(self, digest: bytes) -> ApiKey | None:
        self.asked += 1
        if digest != hash_of(TOKEN):
            return None
        return ApiKey(
            id=UUID(int=1),
            tenant=UUID(int=2),
            name="k",
            scopes=("read",),
            created_at=MOMENT,
            revoked_at=self.revoked_at,
        )


async def nobody(_: bytes) -> SeatHolder | None:
    """No seat has any token."""
    return None


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_a_key_is_looked_up_once_in_a_while_and_its_revocation_noticed() -> None:
    store, clock = Store(), Clock()
    ring = KeyRing(store.look_up, nobody, clock)
    for _ in range(3):
        who = await ring.principal(f"Bearer {TOKEN}", None)
        assert (who.key_id, who.tenant, who.scopes) == (
            UUID(int=1),
            UUID(int=2),
            frozenset({"read"}),
        )
    assert store.asked == 1
    store.revoked_at = MOMENT
    clock.now = REMEMBERED_SECONDS
    with pytest.raises(Unauthenticated):
        await ring.principal(f"Bearer {TOKEN}", None)


async def test_who_needs_a_key_at_the_same_time_shares_one_look_up() -> None:
    store = Store()
    ring = KeyRing(store.look_up, nobody, Clock())
    everybody = [ring.principal(f"Bearer {TOKEN}", None) for _ in range(5)]
    found = await asyncio.gather(*everybody)
    assert {who.key_id for who in found} == {UUID(int=1)}
    assert store.asked == 1


async def test_a_caller_that_hangs_up_leaves_the_look_up_to_the_others() -> None:
    store, let_go = Store(), asyncio.Event()

    async def look_up(digest: bytes) -> ApiKey | None:
        await let_go.wait()
        return await store.look_up(digest)

    ring = KeyRing(look_up, nobody, Clock())
    first = asyncio.create_task(ring.principal(f"Bearer {TOKEN}", None))
    second = asyncio.create_task(ring.principal(f"Bearer {TOKEN}", None))
    await asyncio.sleep(0)
    first.cancel()
    let_go.set()
    assert (await second).key_id == UUID(int=1)
    assert first.cancelled()


async def test_a_look_up_that_failed_is_told_to_all_and_tried_again_by_the_next() -> None:
    store, is_away = Store(), True

    async def look_up(digest: bytes) -> ApiKey | None:
        if is_away:
            raise DatabaseAway()
        return await store.look_up(digest)

    ring = KeyRing(look_up, nobody, Clock())
    both = (ring.principal(f"Bearer {TOKEN}", None) for _ in range(2))
    failed = await asyncio.gather(*both, return_exceptions=True)
    assert [type(each) for each in failed] == [DatabaseAway, DatabaseAway]
    is_away = False
    assert (await ring.principal(f"Bearer {TOKEN}", None)).key_id == UUID(int=1)


async def test_malformed_unknown_and_revoked_keys_are_told_alike() -> None:
    store = Store()
    store.revoked_at = MOMENT
    ring = KeyRing(store.look_up, nobody, Clock())
    refusals = []
    for header in (
        f"Bearer {TOKEN}",
        f"Bearer {token_of(bytes([1]) * 32)}",
        "Bearer x",
        "Basic eA==",
    ):
        with pytest.raises(Unauthenticated) as refusal:
            await ring.principal(header, None)
        refusals.append((refusal.value.code, refusal.value.params))
    assert refusals == [("unauthenticated", {"presented": True})] * 4


async def test_the_scheme_is_read_without_regard_to_case() -> None:
    ring = KeyRing(Store().look_up, nobody, Clock())
    assert (await ring.principal(f"bearer {TOKEN}", "ann")).acting_for == "ann"
