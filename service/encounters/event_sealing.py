"""Events on their way to the store: sealed with fresh salts, and as they will be read back."""

from datetime import datetime

import msgspec

from service.encounters.clock_and_ids import Sources
from service.engine.log.event import SealedEvent, Sealer
from service.eventstore.records import NewEvent, StoredEvent, StoredPart

SALT_BYTES = 16


def sealer_of(seal_key: bytes, sides: int, sources: Sources) -> Sealer:
    """The seal key and a fresh salt for every text part: everyone's, the sides', the GM's."""
    fresh = sources.random(SALT_BYTES * (sides + 2))
    salts = tuple(fresh[at : at + SALT_BYTES] for at in range(0, len(fresh), SALT_BYTES))
    return Sealer(seal_key=seal_key, text_salts=salts)


def new_event(sealed: SealedEvent) -> NewEvent:
    """An event as the store takes it; parts that say nothing are known by their commitment."""
    return NewEvent(
        seq=sealed.seq,
        base=sealed.base,
        hash=bytes.fromhex(sealed.hash),
        body=sealed.body,
        commits=b"".join(sealed.commits),
        parts=tuple(
            StoredPart(audience=part.audience, kind=part.kind, salt=part.salt, body=part.body)
            for part in sealed.parts
            if not part.is_empty
        ),
    )


def stored_event(sealed: SealedEvent, moment: datetime) -> StoredEvent:
    """The same event as it would be read back."""
    fresh = new_event(sealed)
    if len(fresh.parts) > 1:
        fresh = msgspec.structs.replace(fresh, parts=tuple(sorted(fresh.parts, key=_place)))
    return StoredEvent(**msgspec.structs.asdict(fresh), recorded_at=moment)


def _place(part: StoredPart) -> tuple[bool, str]:
    """Where the store puts a part when it is read: texts first, each kind by audience."""
    return part.kind != "text", part.audience
