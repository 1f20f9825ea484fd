"""Callers whose key or token is no longer good, looked up many at once."""

from collections.abc import Collection
from uuid import UUID

from service.encounters.principal import Principal
from service.eventstore.store import EventStore


async def revoked(store: EventStore, everyone: Collection[Principal]) -> frozenset[Principal]:
    """Those of these callers whose key or token is no longer good.

    A seat that the log removed is not looked for here: a follower of the log knows it first.
    """
    keys = {who.key_id for who in everyone if who.key_id is not None}
    tokens = {token for who in everyone if (token := _token_of(who)) is not None}
    ended = await store.access.revoked(tuple(keys)) if keys else frozenset()
    gone = await store.seats.revoked(tuple(tokens)) if tokens else frozenset()
    return frozenset(who for who in everyone if who.key_id in ended or _token_of(who) in gone)


def _token_of(who: Principal) -> tuple[UUID, str, bytes] | None:
    """A seat's own token as the store knows it."""
    if who.encounter is None or who.acting_for is None or who.token_hash is None:
        return None
    return who.encounter, who.acting_for, who.token_hash
