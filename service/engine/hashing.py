"""Every hash and key derivation of the log, each under a label of its own.

Labels end in a zero byte, so that no value of one kind can be read as another.
"""

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hashlib import _Hash

NO_HASH: Final = "0" * 64
"""`prev` of event 1."""

BLOCK_BYTES: Final = 64
"""Block of SHA-256, to which HMAC pads its keys."""

_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))

_EVENT: Final = b"warlog/event/1\x00"
_COMMIT: Final = b"warlog/commit/1\x00"
_DICE: Final = b"warlog/dice/1\x00"
_SALT: Final = b"warlog/salt/1\x00"
_SEAL: Final = b"warlog/seal/1\x00"
_RECEIPT: Final = b"warlog/receipt/1\x00"
_RECEIPT_LEAF: Final = b"warlog/receipt-leaf/2\x00"
_RECEIPT_NODE: Final = b"warlog/receipt-node/2\x00"
_RECEIPT_ROOT: Final = b"warlog/receipt-root/2\x00"


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
    return _hmac(seed, _DICE + encounter.encode() + mixed)


def stream_block(key: bytes, seq: int, stream: int, block: int) -> bytes:
    """Block `block` of a stream of event `seq`: 32 bytes, big-endian counters."""
    return _hmac(key, stream_input(seq, stream, block))


def stream_input(seq: int, stream: int, block: int) -> bytes:
    """What names a block, and is authenticated for it: 13 bytes."""
    return seq.to_bytes(8, "big") + stream.to_bytes(1, "big") + block.to_bytes(4, "big")


def facts_salts(
    seal_key: bytes, encounter: str, seq: int, audiences: tuple[bytes, ...]
) -> tuple[bytes, ...]:
    """Salts of facts parts (and of empty text parts) of one event: 16 bytes each that only the
    server can make."""
    inner, outer = _keyed(seal_key)
    begun = inner.copy()
    begun.update(_SALT + f"{encounter}\x00{seq}\x00".encode())
    salts = []
    for audience in audiences:
        message, whole = begun.copy(), outer.copy()
        message.update(audience)
        whole.update(message.digest())
        salts.append(whole.digest()[:16])
    return tuple(salts)


def _hmac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256: 32 bytes."""
    begun, outer = _keyed(key)
    inner, whole = begun.copy(), outer.copy()
    inner.update(message)
    whole.update(inner.digest())
    return whole.digest()


@lru_cache(maxsize=256)
def _keyed(key: bytes) -> "tuple[_Hash, _Hash]":
    """The inner and the outer hash of HMAC-SHA-256 (RFC 2104) once the key is in them: to copy."""
    block = key if len(key) <= BLOCK_BYTES else sha256(key).digest()
    padded = block.ljust(BLOCK_BYTES, b"\x00")
    return sha256(padded.translate(_INNER)), sha256(padded.translate(_OUTER))


def part_commit(salt: bytes, part: bytes) -> bytes:
    """Commitment to a part: 32 bytes over its 16-byte salt and its canonical bytes."""
    return sha256(_SEAL + salt + part).digest()


def part_commits(salts: tuple[bytes, ...], part: bytes) -> bytes:
    """Commitments to parts that all have the same canonical bytes, one after another."""
    return b"".join([sha256(_SEAL + salt + part).digest() for salt in salts])


def sealed(commits: bytes) -> str:
    """`sealed` of a body: 64 hex digits over its commitments, one after another in part order."""
    return sha256(commits).hexdigest()


def receipt_message(body: bytes) -> bytes:
    """What the receipt of one head signs: the label and canonical {kid, encounter, seq, hash}."""
    return _RECEIPT + body


def receipt_leaf(body: bytes) -> bytes:
    """A head among those that are signed together: 32 bytes over the same canonical object."""
    return sha256(_RECEIPT_LEAF + body).digest()


def receipt_node(one: bytes, other: bytes) -> bytes:
    """What stands above two leaves or nodes: 32 bytes, the same whichever is named first."""
    return sha256(_RECEIPT_NODE + (one + other if one < other else other + one)).digest()


def receipt_root(root: bytes) -> bytes:
    """What the receipts of heads that are signed together sign: the label and the root."""
    return _RECEIPT_ROOT + root
