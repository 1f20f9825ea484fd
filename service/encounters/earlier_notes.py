"""The notes whose text the state leaves to the log, read for a view.

How this works. The state says which events left them, and one read brings the text parts of these
events that are for the viewer, as they were sealed. Nothing else of the events is opened. What was
read is kept for a while: notes are only added, and whoever follows a battle asks for them behind
every event. Where text is erased all of them are read again.
"""

from collections import OrderedDict
from typing import Any, Final
from uuid import UUID

from msgspec import Raw, Struct

from service.engine.battle.linear import WHOLE_NOTES, Linear, Note
from service.engine.log import canonical, parts
from service.engine.visibility.audience import EVERYONE_WORD, GM_WORD
from service.engine.visibility.scope import Viewer
from service.eventstore.log_reads import Log

KEPT_BYTES: Final = 8 << 20
"""Notes that are kept, in bytes of their JSON."""


class _Key(Struct, frozen=True):
    """Whose notes: the log and how often text of it was erased, and for whom."""

    encounter: UUID
    erasures: int
    is_gm: bool


class EarlierNotes:
    """The earlier notes of the encounters of one process."""

    def __init__(self, log: Log, most_bytes: int = KEPT_BYTES) -> None:
        self._log = log
        self._most_bytes = most_bytes
        self._kept: OrderedDict[_Key, tuple[Raw, ...]] = OrderedDict()
        self._size = 0

    async def texts(
        self,
        encounter: UUID,
        erasures: int,
        linear: Linear,
        viewer: Viewer,
        last: int | None = None,
    ) -> tuple[Raw, ...]:
        """All notes but the last WHOLE_NOTES, in JSON, with what text there is for this viewer.

        None are read where at most the `last` WHOLE_NOTES are wanted.
        Raises DatabaseAway, DatabaseSlow.
        """
        earlier = linear.notes[:-WHOLE_NOTES]
        if not earlier or (last is not None and last <= WHOLE_NOTES):
            return ()
        key = _Key(encounter, erasures, viewer.is_gm)
        kept = self._kept.get(key, ())
        if len(kept) < len(earlier):
            read = await self._read(encounter, [note.seq for note in earlier[len(kept) :]], viewer)
            kept = (*kept, *read)
            self._keep(key, kept)
        return kept[: len(earlier)]

    async def _read(self, encounter: UUID, seqs: list[int], viewer: Viewer) -> tuple[Raw, ...]:
        audiences = (EVERYONE_WORD, GM_WORD) if viewer.is_gm else (EVERYONE_WORD,)
        texts: dict[int, dict[str, Any]] = {seq: {} for seq in seqs}
        for seq, body in await self._log.texts(encounter, seqs, audiences):
            for path, text in parts.PARTS.decode(body).entries:
                # The action has it too.
                if path[0] == "effects":
                    texts[seq][str(path[-1])] = text
        return tuple([Raw(canonical.encode(Note(seq=seq, **texts[seq]))) for seq in seqs])

    def _keep(self, key: _Key, notes: tuple[Raw, ...]) -> None:
        self._drop(_Key(key.encounter, key.erasures - 1, key.is_gm))
        self._drop(key)
        self._kept[key] = notes
        self._size += _size(notes)
        while self._size > self._most_bytes and len(self._kept) > 1:
            self._drop(next(iter(self._kept)))

    def _drop(self, key: _Key) -> None:
        self._size -= _size(self._kept.pop(key, ()))


def _size(notes: tuple[Raw, ...]) -> int:
    return sum([len(bytes(note)) for note in notes])
