"""Encounters in memory that nobody has asked for in a while: compressed, until somebody does.

How this works. One holds what loading it would read: the snapshot at its head, its secret, the
digests of its blobs. It is about a kilobyte and is unpacked in a twentieth of a millisecond, but
only where the log still ends there and no text was erased since; else it is read again.
"""

import zlib
from collections import OrderedDict
from typing import Final
from uuid import UUID

import msgspec
from msgspec import Struct

from service.eventstore.records import EncounterRow, Secret, Snapshot

ENTRY_BYTES: Final = 384
"""The estimate of what one takes besides its packed bytes."""

_ENCODER: Final = msgspec.msgpack.Encoder()


class IdleEncounter(Struct, frozen=True, kw_only=True):
    """What is left of an encounter; `at` is the moment of its last event, `unkept` are the bytes of
    events since its last snapshot.
    """

    snapshot: Snapshot
    hash: str
    at: str
    erasures: int
    secret: Secret
    blobs: tuple[str, ...]
    unkept: int


_DECODER: Final = msgspec.msgpack.Decoder(IdleEncounter)


class IdleEncounters:
    """The idle ones of a process, the coldest first; `size` is the estimate of all, in bytes."""

    def __init__(self) -> None:
        self._packed: OrderedDict[UUID, bytes] = OrderedDict()
        self.size = 0

    def __len__(self) -> int:
        """How many there are."""
        return len(self._packed)

    def __contains__(self, encounter: UUID) -> bool:
        """Whether this one is idle."""
        return encounter in self._packed

    def keep(self, encounter: UUID, idle: IdleEncounter) -> None:
        """Take one in, as the warmest."""
        self.forget(encounter)
        packed = self._packed[encounter] = zlib.compress(_ENCODER.encode(idle))
        self.size += len(packed) + ENTRY_BYTES

    def take(self, row: EncounterRow) -> IdleEncounter | None:
        """Give one out, None if there is none that is where this row does."""
        packed = self.forget(row.id)
        if packed is None:
            return None
        idle = _DECODER.decode(zlib.decompress(packed))
        stands = (idle.snapshot.seq, idle.hash, idle.erasures)
        return idle if stands == (row.head_seq, row.head_hash.hex(), row.erasures) else None

    def forget(self, encounter: UUID) -> bytes | None:
        """Drop one, and what it was."""
        packed = self._packed.pop(encounter, None)
        if packed is not None:
            self.size -= len(packed) + ENTRY_BYTES
        return packed

    def forget_coldest(self) -> None:
        """Drop the one that has been idle for longest."""
        self.forget(next(iter(self._packed)))
