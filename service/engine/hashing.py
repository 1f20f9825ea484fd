"""Every hash and key derivation of the log, each under a label of its own.

Labels end in a zero byte, so that no value of one kind can be read as another.
"""

import hmac
from hashlib import sha256
from typing import Final

NO_HASH: Final = "0" * 64
"""`prev` of event 1."""

_EVENT: Final = b"warlog/event/1\x00"
_COMMIT: Final = b"warlog/commit/1\x00"
_DICE: Final = b"warlog/dice/1\x00"
_SALT: Final = b"warlog/salt/1\x00"
_SEAL: Final = b"warlog/seal/1\x00"
_RECEIPT: Final = b"warlog/receipt/1\x00"


def event_hash(body: bytes) -> str:
    """Hash of an event: 64 hex digits over its canonical bytes."""
    return sha256(_EVENT + body).hexdigest()


def blob_digest(body: bytes) -> str:
    """Name of a map or content blob: 64 hex digits of its bytes."""
    return sha256(body).hexdigest()


def commitment(seed: bytes) -> str:
    """What event 1 says of the sealed seed: 64 hex digits."""
    return sha256(_COMMIT + seed).hexdigest()


def entropy(contributions: tuple[bytes, ...]) -> bytes:
    """One value from the seats' 32-byte contributions, in log order; empty without any."""
    return sha256(b"".join(contributions)).digest() if contributions else b""


def dice_key(seed: bytes, encounter: str, mixed: bytes) -> bytes:
    """Key of all streams of an encounter: 32 bytes. `mixed` is `entropy` of the contributions."""
    return hmac.digest(seed, _DICE + encounter.encode() + mixed, "sha256")


def stream_block(key: bytes, seq: int, stream: int, block: int) -> bytes:
    """Block `block` of a stream of event `seq`: 32 bytes, big-endian counters."""
    counters = seq.to_bytes(8, "big") + stream.to_bytes(1, "big") + block.to_bytes(4, "big")
    return hmac.digest(key, counters, "sha256")


def facts_salt(seal_key: bytes, encounter: str, seq: int, audience: str) -> bytes:
    """Salt of a facts part (and of an empty text part): 16 bytes only the server can make."""
    message = f"{encounter}\x00{seq}\x00{audience}".encode()
    return hmac.digest(seal_key, _SALT + message, "sha256")[:16]


def part_commit(salt: bytes, part: bytes) -> bytes:
    """Commitment to a part: 32 bytes over its 16-byte salt and its canonical bytes."""
    return sha256(_SEAL + salt + part).digest()


def sealed(commits: tuple[bytes, ...]) -> str:
    """`sealed` of a body: 64 hex digits over the list of commitments, in part order."""
    return sha256(b"".join(commits)).hexdigest()


def receipt_message(body: bytes) -> bytes:
    """What a receipt signs: the label and canonical {kid, encounter, seq, hash}."""
    return _RECEIPT + body
