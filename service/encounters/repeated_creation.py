"""An encounter is created once for each key of a caller, and told again to whoever asks again."""

from collections.abc import Awaitable, Callable
from typing import TypeVar
from uuid import UUID

from service.encounters.group_commit import once_stored
from service.encounters.responses import Replayable
from service.errors import ConflictingRequest
from service.eventstore.records import Created, Creation, NewEncounter
from service.eventstore.store import EventStore

A = TypeVar("A")


async def created_once(
    store: EventStore,
    creation: Creation,
    draft: Callable[[], Awaitable[NewEncounter]],
    answer: Callable[[UUID, bool], Awaitable[Replayable[A]]],
) -> Replayable[A]:
    """Create what `draft` makes, unless the key has created something; `answer` tells of either.

    It is given the id of the encounter, and whether that was there before. Raises
    ConflictingRequest("idempotency_key_reused"), and what `draft`, the store and `answer` raise.
    """
    earlier = await store.log.created(creation.principal, creation.key)
    if earlier is None:
        drafted = await draft()
        outcome = await store.writer.create(drafted)
        if isinstance(outcome, Created):
            with once_stored():
                return await answer(drafted.id, False)
        earlier = outcome
    if earlier.fingerprint not in (b"", creation.fingerprint):
        raise ConflictingRequest("idempotency_key_reused", key=creation.key)
    return await answer(earlier.encounter_id, True)
