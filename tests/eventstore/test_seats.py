"""Seats in the store: tokens and invitations by their hashes, one exchange per code."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import asyncpg
import msgspec
import pytest

from service.errors import ConflictingRequest, NotFound, Unauthenticated
from service.eventstore.embedded import Dsns
from service.eventstore.seats import (
    DEVICES,
    Exchange,
    Invited,
    NewInvitation,
    SeatHolder,
    SeatStanding,
)
from service.eventstore.store import EventStore
from tests.eventstore.logs import sha, stored_encounter
from tests.eventstore.test_tenants import new_key

ANN = "ann"


@pytest.fixture
async def encounter(store: EventStore, tenant: UUID) -> UUID:
    row = await stored_encounter(store, tenant)
    return row.id


@pytest.fixture
async def admin(database: Dsns) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(database.admin)
    yield connection
    await connection.close()


def invitation(
    encounter: UUID, code: bytes, seat: str = ANN, key: str = "", who: str = "somebody"
) -> NewInvitation:
    return NewInvitation(
        encounter_id=encounter,
        seat=seat,
        role="player",
        principal=who,
        key=key or str(uuid4()),
        code_hash=sha(code),
        minutes=24 * 60,
    )


def exchange(encounter: UUID, code: bytes, token: bytes, seat: str = ANN) -> Exchange:
    return Exchange(
        encounter_id=encounter,
        seat=seat,
        role="player",
        code_hash=sha(code),
        token_hash=sha(token),
    )


async def seated(store: EventStore, encounter: UUID, token: bytes, seat: str = ANN) -> None:
    code = uuid4().bytes
    await store.seats.invite(invitation(encounter, code, seat))
    assert await store.seats.exchange(exchange(encounter, code, token, seat))


async def standing(store: EventStore, encounter: UUID) -> dict[str, SeatStanding]:
    """How the seats stand that are not there from the beginning."""
    found = await store.seats.standing(encounter)
    return {seat: each for seat, each in found.items() if seat != "gm"}


async def test_a_code_is_exchanged_once_for_a_token(
    store: EventStore, tenant: UUID, encounter: UUID
) -> None:
    code, token = uuid4().bytes, uuid4().bytes
    made = await store.seats.invite(invitation(encounter, code))
    assert made.is_new
    assert timedelta(hours=23) < made.expires_at - datetime.now(UTC) < timedelta(hours=25)
    invited = await store.seats.invited_to(sha(code))
    assert invited is not None
    assert (invited.tenant, invited.encounter_id, invited.seat) == (tenant, encounter, ANN)
    before = SeatStanding(devices=0, invited_until=made.expires_at)
    assert await standing(store, encounter) == {ANN: before}
    assert await store.seats.exchange(exchange(encounter, code, token))
    assert await store.seats.holder(sha(token)) == SeatHolder(
        tenant=tenant, encounter_id=encounter, seat=ANN
    )
    after = SeatStanding(devices=1, invited_until=None)
    assert await standing(store, encounter) == {ANN: after}
    assert await store.seats.invited_to(sha(code)) is None
    assert not await store.seats.exchange(exchange(encounter, code, b"again"))
    assert await store.seats.holder(sha(b"again")) is None


async def test_of_many_who_exchange_one_code_at_once_one_has_the_seat(
    store: EventStore, encounter: UUID
) -> None:
    code = uuid4().bytes
    await store.seats.invite(invitation(encounter, code))
    tokens = [uuid4().bytes for _ in range(12)]
    done = await asyncio.gather(
        *(store.seats.exchange(exchange(encounter, code, token)) for token in tokens)
    )
    assert sorted(done) == [False] * 11 + [True]
    holders = [await store.seats.holder(sha(token)) for token in tokens]
    assert [holder is not None for holder in holders] == done


async def test_a_new_invitation_ends_the_one_before(store: EventStore, encounter: UUID) -> None:
    first, second, token = uuid4().bytes, uuid4().bytes, uuid4().bytes
    await seated(store, encounter, token)
    await store.seats.invite(invitation(encounter, first))
    await store.seats.invite(invitation(encounter, second))
    assert await store.seats.invited_to(sha(first)) is None
    assert not await store.seats.exchange(exchange(encounter, first, b"late"))
    assert await store.seats.holder(sha(token)) is not None, "until the new code is exchanged"
    assert await store.seats.exchange(exchange(encounter, second, b"new " + second))
    assert await store.seats.holder(sha(token)) is None


async def test_many_invitations_at_once_leave_one_open(
    store: EventStore, encounter: UUID, admin: asyncpg.Connection
) -> None:
    codes = [uuid4().bytes for _ in range(8)]
    await asyncio.gather(*(store.seats.invite(invitation(encounter, each)) for each in codes))
    found = [await store.seats.invited_to(sha(each)) for each in codes]
    assert len([each for each in found if each is not None]) == 1
    kept = await admin.fetch(
        "SELECT code_hash FROM invitation WHERE encounter_id = $1 AND code_hash IS NOT NULL",
        encounter,
    )
    assert len(kept) == 1, "of what ended not even the hash is kept"


async def test_the_same_request_invites_once(store: EventStore, encounter: UUID) -> None:
    first, other = uuid4().bytes, uuid4().bytes
    made = await store.seats.invite(invitation(encounter, first, key="k"))
    again = await store.seats.invite(invitation(encounter, other, key="k"))
    assert (again.is_new, again.seat, again.expires_at) == (False, ANN, made.expires_at)
    assert await store.seats.invited_to(sha(first)) is not None
    assert await store.seats.invited_to(sha(other)) is None
    elsewhere = await store.seats.invite(invitation(encounter, other, seat="bob", key="k"))
    assert (elsewhere.is_new, elsewhere.seat) == (False, ANN)
    mine = await store.seats.invite(invitation(encounter, other, key="k", who="somebody else"))
    assert mine.is_new


async def test_an_invitation_runs_out(
    store: EventStore, encounter: UUID, admin: asyncpg.Connection
) -> None:
    code = uuid4().bytes
    await store.seats.invite(invitation(encounter, code))
    await admin.execute(
        "UPDATE invitation SET expires_at = now() - interval '1 second' WHERE encounter_id = $1",
        encounter,
    )
    assert await store.seats.invited_to(sha(code)) is None
    assert not await store.seats.exchange(exchange(encounter, code, b"late"))
    found = await standing(store, encounter)
    assert found[ANN].invited_until is None


async def test_a_code_leads_to_its_own_seat_only(store: EventStore, encounter: UUID) -> None:
    code = uuid4().bytes
    await store.seats.invite(invitation(encounter, code))
    assert not await store.seats.exchange(exchange(encounter, code, b"x", seat="gm"))
    assert await store.seats.invited_to(sha(code)) is not None


async def test_a_token_that_is_revoked_or_replaced_is_noticed(
    store: EventStore, encounter: UUID
) -> None:
    old, other = uuid4().bytes, uuid4().bytes
    await seated(store, encounter, old)
    await seated(store, encounter, other, "bob")
    mine, bobs = (encounter, ANN, sha(old)), (encounter, "bob", sha(other))
    nowhere = (uuid4(), ANN, sha(old))
    assert await store.seats.revoked(()) == frozenset()
    assert await store.seats.revoked((mine, bobs, nowhere)) == {nowhere}
    new = uuid4().bytes
    await seated(store, encounter, new)
    assert await store.seats.revoked((mine, bobs)) == {mine}
    assert await store.seats.revoke_token(encounter, "bob")
    assert not await store.seats.revoke_token(encounter, "bob")
    assert await store.seats.holder(sha(other)) is None
    assert await store.seats.revoked((mine, bobs)) == {mine, bobs}
    assert await store.seats.revoked(((encounter, ANN, sha(new)),)) == frozenset()


async def test_a_seat_that_is_removed_takes_nothing_more(
    store: EventStore, encounter: UUID
) -> None:
    token, code = uuid4().bytes, uuid4().bytes
    await seated(store, encounter, token)
    await store.seats.invite(invitation(encounter, code))
    for _ in range(2):
        await store.seats.remove(encounter, ANN)
        assert await store.seats.holder(sha(token)) is None
        assert await store.seats.invited_to(sha(code)) is None
    with pytest.raises(NotFound):
        await store.seats.exchange(exchange(encounter, code, b"x"))
    with pytest.raises(NotFound):
        await store.seats.invite(invitation(encounter, uuid4().bytes))
    await store.seats.remove(encounter, "never invited")
    with pytest.raises(NotFound):
        await store.seats.invite(invitation(encounter, uuid4().bytes, "never invited"))
    assert await standing(store, encounter) == {}


async def test_whoever_removes_and_exchanges_at_once_leaves_no_token_behind(
    store: EventStore, encounter: UUID
) -> None:
    for number in range(6):
        seat, code, token = f"seat{number}", uuid4().bytes, uuid4().bytes
        await store.seats.invite(invitation(encounter, code, seat))
        await asyncio.gather(
            store.seats.exchange(exchange(encounter, code, token, seat)),
            store.seats.remove(encounter, seat),
            return_exceptions=True,
        )
        assert await store.seats.holder(sha(token)) is None
        assert await store.seats.invited_to(sha(code)) is None


async def beside(
    store: EventStore, encounter: UUID, token: bytes, other: bytes, seat: str = ANN
) -> None:
    """Another device comes to a seat, by a code that this one asked for."""
    code = uuid4().bytes
    await store.seats.invite_beside(invitation(encounter, code, seat), sha(token))
    assert await store.seats.exchange(exchange(encounter, code, other, seat))


async def good(store: EventStore, *tokens: bytes) -> list[bool]:
    return [await store.seats.holder(sha(token)) is not None for token in tokens]


async def test_a_seat_is_on_many_devices_until_its_own_token_ends(
    store: EventStore, tenant: UUID, encounter: UUID
) -> None:
    own, second, third = (uuid4().bytes for _ in range(3))
    await seated(store, encounter, own)
    await beside(store, encounter, own, second)
    await beside(store, encounter, second, third)
    for token in (own, second, third):
        holder = SeatHolder(tenant=tenant, encounter_id=encounter, seat=ANN)
        assert await store.seats.holder(sha(token)) == holder
    assert await standing(store, encounter) == {ANN: SeatStanding(devices=3, invited_until=None)}
    everyone = tuple((encounter, ANN, sha(token)) for token in (own, second, third))
    assert await store.seats.revoked(everyone) == frozenset()
    elsewhere = (encounter, "bob", sha(second))
    assert await store.seats.revoked((elsewhere,)) == {elsewhere}
    new = uuid4().bytes
    await seated(store, encounter, new)
    assert await good(store, own, second, third, new) == [False, False, False, True]
    assert await store.seats.revoked(everyone) == set(everyone)
    assert await standing(store, encounter) == {ANN: SeatStanding(devices=1, invited_until=None)}
    await beside(store, encounter, new, b"next to " + new)
    assert await store.seats.revoke_token(encounter, ANN)
    assert await good(store, new, b"next to " + new) == [False, False]


@pytest.mark.parametrize("how", ["release before", "removed", "tenant"])
async def test_whatever_ends_a_seats_token_ends_those_beside_it(
    store: EventStore, tenant: UUID, encounter: UUID, how: str
) -> None:
    own, second, code = (uuid4().bytes for _ in range(3))
    await seated(store, encounter, own)
    await beside(store, encounter, own, second)
    await store.seats.invite_beside(invitation(encounter, code), sha(own))
    if how == "release before":
        # It knows of one token for each seat.
        await store.seats._pool.write(
            "UPDATE seat SET token_hash = $2 WHERE encounter_id = $1 AND id = $3 RETURNING true",
            encounter,
            sha(b"replaced " + own),
            ANN,
        )
        assert not await store.seats.exchange(exchange(encounter, code, b"late " + own))
    elif how == "removed":
        await store.seats.remove(encounter, ANN)
    else:
        await store.retirer.retire(tenant)
    assert await good(store, own, second) == [False, False]


async def test_who_has_no_good_token_makes_no_code_beside_one(
    store: EventStore, encounter: UUID
) -> None:
    own, old = uuid4().bytes, uuid4().bytes
    await seated(store, encounter, old)
    await seated(store, encounter, own)
    await seated(store, encounter, b"bob " + own, "bob")
    for token in (old, b"bob " + own, b"nobody's"):
        with pytest.raises(Unauthenticated):
            await store.seats.invite_beside(invitation(encounter, uuid4().bytes), sha(token))


async def test_codes_for_another_device_and_invitations_stand_side_by_side(
    store: EventStore, encounter: UUID
) -> None:
    own, first, second, invited = (uuid4().bytes for _ in range(4))
    await seated(store, encounter, own)
    made = await store.seats.invite(invitation(encounter, invited))
    await store.seats.invite_beside(invitation(encounter, first), sha(own))
    await store.seats.invite_beside(invitation(encounter, second), sha(own))
    found = [await store.seats.invited_to(sha(code)) for code in (first, second, invited)]
    assert [each is not None for each in found] == [False, True, True]
    expected = SeatStanding(devices=1, invited_until=made.expires_at)
    assert await standing(store, encounter) == {ANN: expected}
    await store.seats.invite(invitation(encounter, uuid4().bytes))
    assert await store.seats.invited_to(sha(second)) is None


async def test_the_same_request_for_another_device_is_answered_once(
    store: EventStore, encounter: UUID
) -> None:
    own, code = uuid4().bytes, uuid4().bytes
    await seated(store, encounter, own)
    made = await store.seats.invite_beside(invitation(encounter, code, key="k"), sha(own))
    again = invitation(encounter, uuid4().bytes, key="k")
    told = await store.seats.invite_beside(again, sha(own))
    assert (told.is_new, told.expires_at) == (False, made.expires_at)


async def test_there_are_so_many_devices_and_no_more(store: EventStore, encounter: UUID) -> None:
    own = uuid4().bytes
    await seated(store, encounter, own)
    for number in range(DEVICES - 1):
        await beside(store, encounter, own, b"%d %b" % (number, own))
    with pytest.raises(ConflictingRequest) as refused:
        await store.seats.invite_beside(invitation(encounter, uuid4().bytes), sha(own))
    assert (refused.value.code, refused.value.params) == ("too_many_devices", {"limit": DEVICES})
    found = await standing(store, encounter)
    assert found[ANN].devices == DEVICES


async def test_an_exchange_is_remembered_for_ten_minutes_where_that_is_wanted(
    store: EventStore, tenant: UUID, encounter: UUID, admin: asyncpg.Connection
) -> None:
    code, token = uuid4().bytes, uuid4().bytes
    await store.seats.invite(invitation(encounter, code))
    wanted = msgspec.structs.replace(exchange(encounter, code, token), may_repeat=True)
    assert await store.seats.exchange(wanted)
    known = Invited(tenant=tenant, encounter_id=encounter, seat=ANN)
    assert await store.seats.exchanged(sha(code), sha(token)) == known
    assert await store.seats.exchanged(sha(code), sha(b"another")) is None
    assert await store.seats.exchanged(sha(b"another"), sha(token)) is None
    assert not await store.seats.exchange(wanted)
    await admin.execute(
        "UPDATE invitation SET used_at = used_at - interval '601 seconds' WHERE encounter_id = $1",
        encounter,
    )
    assert await store.seats.exchanged(sha(code), sha(token)) is None
    unwanted, other = uuid4().bytes, uuid4().bytes
    await store.seats.invite(invitation(encounter, unwanted))
    assert await store.seats.exchange(exchange(encounter, unwanted, other))
    assert await store.seats.exchanged(sha(unwanted), sha(other)) is None


async def test_a_token_is_of_one_seat_and_one_exchange(store: EventStore, encounter: UUID) -> None:
    own, codes = uuid4().bytes, [uuid4().bytes for _ in range(3)]
    await seated(store, encounter, own)
    await seated(store, encounter, b"bob " + own, "bob")
    await store.seats.invite(invitation(encounter, codes[0]))
    await store.seats.invite(invitation(encounter, codes[1], "bob"))
    await store.seats.invite_beside(invitation(encounter, codes[2]), sha(own))
    for code, seat in zip(codes, (ANN, "bob", ANN), strict=True):
        with pytest.raises(ConflictingRequest) as refused:
            await store.seats.exchange(exchange(encounter, code, own, seat))
        assert refused.value.code == "token_taken"
        assert await store.seats.invited_to(sha(code)) is not None, "the code is good still"
    assert await good(store, own, b"bob " + own) == [True, True]


async def test_an_encounter_that_is_deleted_leaves_no_token_and_no_invitation(
    store: EventStore, encounter: UUID, admin: asyncpg.Connection
) -> None:
    token, code = uuid4().bytes, uuid4().bytes
    await seated(store, encounter, token)
    await store.seats.invite(invitation(encounter, code))
    await store.eraser.delete_encounter(encounter)
    assert await store.seats.holder(sha(token)) is None
    assert await store.seats.invited_to(sha(code)) is None
    for table in ("invitation", "seat"):
        count = f"SELECT count(*) FROM {table} WHERE encounter_id = $1"
        assert await admin.fetchval(count, encounter) == 0
    for late in (
        store.seats.invite(invitation(encounter, code)),
        store.seats.exchange(exchange(encounter, code, token)),
        store.seats.remove(encounter, ANN),
    ):
        with pytest.raises(NotFound):
            await late


async def test_the_tokens_of_a_deleted_tenant_are_good_for_nothing(
    store: EventStore, tenant: UUID, encounter: UUID
) -> None:
    token, code = uuid4().bytes, uuid4().bytes
    await seated(store, encounter, token)
    await store.seats.invite(invitation(encounter, code))
    await store.retirer.retire(tenant)
    assert await store.seats.holder(sha(token)) is None
    assert await store.seats.invited_to(sha(code)) is None
    assert await store.seats.revoked(((encounter, ANN, sha(token)),)) != frozenset()


async def test_no_secret_is_in_any_column(
    store: EventStore, encounter: UUID, admin: asyncpg.Connection
) -> None:
    code, token = uuid4().bytes, uuid4().bytes
    await seated(store, encounter, token)
    await store.seats.invite(invitation(encounter, code))
    for table in ("seat", "invitation"):
        for row in await admin.fetch(f"SELECT * FROM {table} WHERE encounter_id = $1", encounter):
            assert not {code, token} & set(row.values())


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM invitation",
        "DELETE FROM seat",
        "UPDATE invitation SET expires_at = expires_at",
        "UPDATE invitation SET seat = seat",
        "UPDATE seat SET id = id",
    ],
)
async def test_the_serving_role_cannot_do_more_to_seats_than_it_needs(
    database: Dsns, statement: str
) -> None:
    connection = await asyncpg.connect(database.app)
    try:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(statement)
    finally:
        await connection.close()


async def test_keys_that_are_revoked_are_noticed_many_at_once(
    store: EventStore, tenant: UUID
) -> None:
    good, gone = new_key(tenant, "good"), new_key(tenant, "gone")
    for key in (good, gone):
        await store.access.create_api_key(key)
    await store.access.revoke_api_key(tenant, gone.id)
    unknown = uuid4()
    assert await store.access.revoked((good.id, gone.id, unknown)) == {gone.id, unknown}
