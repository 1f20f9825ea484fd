"""Maps and contents in memory: one object per digest, however many encounters use it."""

from dataclasses import dataclass

import msgspec

DECODED_FACTOR = 1.25
"""Bytes in memory for each byte of an encoded blob: 1.18 was measured, on maps of 30 and 120 kB."""


@dataclass(slots=True)
class _Shared:
    blob: object
    size: int
    holders: int = 0


class SharedBlobs:
    """What the encounters in memory hold; `size` is what all of it takes, in bytes."""

    def __init__(self) -> None:
        self._shared: dict[tuple[object, str], _Shared] = {}
        self.size = 0

    def find(self, kind: object, digest: str) -> object | None:
        """The blob of this type and digest, if an encounter in memory holds it."""
        shared = self._shared.get((kind, digest))
        return None if shared is None else shared.blob

    def hold(self, kind: object, digest: str, blob: object) -> object:
        """Count one more holder; the object that all of them share."""
        shared = self._shared.get((kind, digest))
        if shared is None:
            size = int(DECODED_FACTOR * len(msgspec.json.encode(blob)))
            shared = self._shared[kind, digest] = _Shared(blob, size)
            self.size += size
        shared.holders += 1
        return shared.blob

    def release(self, kind: object, digest: str) -> None:
        """Count one holder less; the last one takes the blob along."""
        shared = self._shared[kind, digest]
        shared.holders -= 1
        if shared.holders == 0:
            del self._shared[kind, digest]
            self.size -= shared.size
