"""Tenants, API keys and the service's own keys."""

import asyncio
from uuid import UUID, uuid4

import pytest

from service.errors import NameTaken, Unstorable
from service.eventstore.embedded import Dsns
from service.eventstore.migrate import upgrade
from service.eventstore.records import ApiKey, NewApiKey, PublicKey, SigningKey, Tenant
from service.eventstore.store import EventStore
from tests.eventstore.logs import sha


def new_key(tenant: UUID, name: str) -> NewApiKey:
    return NewApiKey(
        id=uuid4(),
        tenant=tenant,
        name=name,
        secret_hash=sha(uuid4().bytes),
        scopes=("act_as", "dice"),
    )


def pair(kid: str) -> SigningKey:
    return SigningKey(kid=kid, private=b"private of " + kid.encode(), public=kid.encode())


async def test_tenants_have_names_of_their_own(store: EventStore) -> None:
    name = f"tenant {uuid4()}"
    created = await store.access.create_tenant(uuid4(), name)
    assert created == Tenant(
        id=created.id, name=name, created_at=created.created_at, deleted_at=None
    )
    assert await store.access.tenant_named(name) == created
    assert await store.access.tenant_named(name + "?") is None
    assert created in await store.access.tenants()
    with pytest.raises(NameTaken):
        await store.access.create_tenant(uuid4(), name)


async def test_an_api_key_is_found_by_the_hash_of_its_secret_and_ends_when_revoked(
    store: EventStore, tenant: UUID
) -> None:
    first, second = new_key(tenant, "one"), new_key(tenant, "two")
    created = [await store.access.create_api_key(key) for key in (first, second)]
    assert created[0] == ApiKey(
        id=first.id,
        tenant=tenant,
        name="one",
        scopes=("act_as", "dice"),
        created_at=created[0].created_at,
        revoked_at=None,
    )
    assert await store.access.api_keys(tenant) == tuple(created)
    assert await store.access.api_key_by_hash(first.secret_hash) == created[0]
    assert await store.access.api_key_by_hash(sha(b"?")) is None
    assert not await store.access.revoke_api_key(uuid4(), first.id)
    assert await store.access.revoke_api_key(tenant, first.id)
    assert not await store.access.revoke_api_key(tenant, first.id)
    revoked = await store.access.api_key_by_hash(first.secret_hash)
    assert revoked is not None
    assert revoked.revoked_at is not None
    assert await store.access.api_key_by_hash(second.secret_hash) == created[1]


async def test_a_key_needs_a_tenant_that_is_there(store: EventStore) -> None:
    with pytest.raises(Unstorable):
        await store.access.create_api_key(new_key(uuid4(), "stray"))


async def test_processes_that_start_at_once_share_one_signing_key(empty_database: Dsns) -> None:
    await upgrade(empty_database.owner)
    stores = [await EventStore.open(empty_database.owner, pool_size=1) for _ in range(8)]
    assert not await stores[0].access.has_api_keys()
    keys = await asyncio.gather(
        *(each.service_keys.signing_key(pair(f"k{number}")) for number, each in enumerate(stores))
    )
    secrets = await asyncio.gather(
        *(each.service_keys.shared_secret("fan-out", b"%d" % n) for n, each in enumerate(stores))
    )
    assert len(set(secrets)) == 1
    assert keys == [keys[0]] * 8
    assert keys[0] == pair(keys[0].kid)
    assert await stores[0].service_keys.signing_key(pair("late")) == keys[0]
    await stores[1].service_keys.publish("given", b"its public half")
    await stores[2].service_keys.publish("given", b"its public half")
    with pytest.raises(Unstorable):
        await stores[0].service_keys.publish("given", b"another")
    listed = await stores[0].service_keys.public_keys()
    assert listed == tuple(
        PublicKey(kid=kid, public=public, created_at=found.created_at, retired_at=None)
        for found, (kid, public) in zip(
            listed,
            [(keys[0].kid, keys[0].public), ("given", b"its public half")],
            strict=True,
        )
    )
    for each in stores:
        await each.close()


def test_a_signing_key_does_not_show_its_private_half() -> None:
    assert repr(pair("k1")) == "SigningKey(kid='k1')"
    assert pair("k1").__rich_repr__() == [("kid", "k1")]
