"""Records that carry more than the event: a patch of the client's document, the event in words.

How this works. A record with what was added is made once for all clients that had the same
document, and are shown the same. What is added is behind what the record says anyway.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from service.encounters.documents import Document
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.catalogue import Language
from service.live.records import Record, Resync, ResyncReason, unplaced

SHARED: Final = 256
SHARED_BYTES: Final = 8 << 20
"""Records with patches that are kept for others who are to be shown the same, and the bytes of the
documents that they keep with them; the last one is kept whatever its size."""

OPENED: Final = frozenset({"encounter_ended", "seed_revealed", "parts_opened"})
"""Effects that may open parts of earlier events: if they say so."""


class _Effect(Struct):
    type: str
    opened: str = "none"


class _Event(Struct):
    effects: tuple[_Effect, ...] = ()


class _Body(Struct):
    """The event of a record, as its reader sees it."""

    event: Raw
    seen: Raw | UnsetType = UNSET


class _Told(Struct):
    """What a record of an event shows of its effects."""

    event: _Event
    seen: _Event | UnsetType = UNSET


_TOLD: Final = msgspec.json.Decoder(_Told)
_BODY: Final = msgspec.json.Decoder(_Body)


class ExtendedRecords:
    """Records of events with what was added, made once for all who are shown the same."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Record, Document, Document, bytes], Record] = OrderedDict()
        self._size = 0
        self._narrations: OrderedDict[tuple[Record, Viewer, Language], bytes] = OrderedDict()

    def record(self, record: Record, before: Document, after: Document, story: bytes) -> Record:
        """The record with the patch between these documents, and with its story in JSON.

        Where both documents are the same no patch is added, and no story where that is empty.
        """
        key = (record, before, after, story)
        kept = self._kept.get(key)
        if kept is None:
            kept = record
            if after is not before:
                kept = extended(kept, b"patch", msgspec.json.encode(after.patch_from(before)))
            if story:
                kept = extended(kept, b"narration", story)
            self._kept[key] = kept
            self._size += len(after.text)
            while len(self._kept) > 1 and (len(self._kept) > SHARED or self._size > SHARED_BYTES):
                (_, _, gone, _), _ = self._kept.popitem(last=False)
                self._size -= len(gone.text)
        return kept

    def narration(
        self, record: Record, viewer: Viewer, language: Language, told: Callable[[], str]
    ) -> bytes:
        """The story of a record in JSON, as `told` shows it to all with this view."""
        key = (record, viewer, language)
        story = self._narrations.get(key)
        if story is None:
            story = self._narrations[key] = msgspec.json.encode(told())
            while len(self._narrations) > SHARED:
                self._narrations.popitem(last=False)
        return story


def extended(record: Record, name: bytes, value: bytes) -> Record:
    """A record with one member more."""
    body = b'%b,"%b":%b}' % (record.body[:-1], name, value)
    return Record(record.kind, record.encounter, record.seq, record.hash8, body)


def told_anew(record: Record, reason: ResyncReason, document: Document) -> Record:
    """The stream continues behind a record, and with the whole document."""
    body = Resync(
        encounter=str(record.encounter),
        reason=reason,
        after=UNSET if record.place is None else record.place,
        document=Raw(document.text),
    )
    return unplaced(record.encounter, body)


def reason_in(record: Record) -> ResyncReason | None:
    """Why events before this one show otherwise than they did, if they do."""
    told = _TOLD.decode(record.body)
    effects = (told.event if told.seen is UNSET else told.seen).effects
    if any(effect.type == "erased" for effect in effects):
        return "erased"
    if any(effect.type in OPENED and effect.opened != "none" for effect in effects):
        return "opened"
    return None


def seen_in(record: Record) -> bytes:
    """The event of a record, as its reader sees it."""
    body = _BODY.decode(record.body)
    return bytes(body.event if body.seen is UNSET else body.seen)
