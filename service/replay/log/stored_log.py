"""Stored events as evidence: empty parts have no row and are made again from the seal key."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Final
from uuid import UUID

from msgspec.structs import replace

from service.encounters.reads import StoredLog
from service.engine.log import parts
from service.engine.log.event import derived_salts
from service.engine.log.parts import PartName
from service.engine.visibility.scope import Viewer
from service.eventstore.log_reads import Log
from service.eventstore.reading_ahead import pages_of
from service.eventstore.records import EncounterRow, Secret, StoredEvent
from service.replay.log.sealed_event import Evidence, OpenPart

PAGE: Final = 200

ViewerOfSeq = Callable[[int], Viewer]
"""Whose parts may be read of the event of a seq."""


def row_of(stored: StoredLog) -> EncounterRow:
    """The encounter's row at the head that the caller was shown; the log may go on meanwhile."""
    live = stored.battle
    return replace(live.row, head_seq=live.seq, head_hash=bytes.fromhex(live.hash))


async def stored_events(log: Log, row: EncounterRow) -> AsyncGenerator[StoredEvent, None]:
    """The log up to the head of `row`, with all parts."""

    async def page_behind(seq: int) -> tuple[StoredEvent, ...]:
        return await log.events(row.id, after=seq, until=row.head_seq, limit=PAGE, audiences=None)

    pages = pages_of(page_behind, 0, row.head_seq)
    async with aclosing(pages):
        async for page in pages:
            for stored in page:
                yield stored


async def blobs_of(log: Log, encounter: UUID) -> dict[str, bytes]:
    """The blobs of an encounter by digest (hex)."""
    return {blob.digest.hex(): blob.body for blob in await log.blobs(encounter)}


def evidence_of(
    stored: StoredEvent, encounter: str, secret: Secret | None, sides: tuple[str, ...]
) -> Evidence:
    """A stored event with every part there is.

    A part without a row is empty; its salt is derived again. If its row was removed instead, it
    does not fit its commitment.
    """
    opened: dict[PartName, OpenPart] = {}
    if secret is not None:
        salts = derived_salts(secret.seal_key, encounter, stored.seq, sides)
        for name, salt in zip(parts.part_names(sides), salts, strict=True):
            opened[name] = OpenPart(salt, parts.EMPTY_PART)
    erased = set()
    for part in stored.parts:
        name = (part.kind, part.audience)
        opened.pop(name, None)
        if part.body is None:
            erased.add(name)
        else:
            opened[name] = OpenPart(part.salt, part.body)
    return Evidence(
        hash=stored.hash.hex(),
        body=stored.body,
        commits=stored.commits,
        opened=opened,
        erased=frozenset(erased),
        base=stored.base,
        recorded_at=stored.recorded_at,
    )
