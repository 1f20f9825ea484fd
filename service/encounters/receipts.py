"""Signed receipts: a proof, for its holder, that the log once ended there."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from service.encounters.responses import Receipt
from service.engine.log import canonical, hashing

FEW_HEADS: Final = 2
"""So many are signed at once: a signature takes 25 us, the way to a thread and back 40 us."""


@dataclass(frozen=True, slots=True)
class Signer:
    """The service's Ed25519 key; `kid` names it."""

    kid: str
    key: Ed25519PrivateKey

    async def receipt(self, encounter: str, seq: int, head: str) -> Receipt:
        """Sign a head, off the event loop."""
        return await asyncio.to_thread(self.sign, encounter, seq, head)

    async def receipts(self, heads: Sequence[tuple[str, int, str]]) -> list[Receipt]:
        """Sign the heads of a batch, (encounter, seq, hash) each; many off the event loop."""
        if len(heads) <= FEW_HEADS:
            return [self.sign(*head) for head in heads]
        return await asyncio.to_thread(lambda: [self.sign(*head) for head in heads])

    def sign(self, encounter: str, seq: int, head: str) -> Receipt:
        """Sign a head: `head` is its hash in hex."""
        signature = self.key.sign(message_of(self.kid, encounter, seq, head))
        return Receipt(kid=self.kid, encounter=encounter, seq=seq, hash=head, sig=signature.hex())


def kid_of(public: bytes) -> str:
    """The id of a key, from its public half (32 raw bytes)."""
    return sha256(public).hexdigest()[:16]


def message_of(kid: str, encounter: str, seq: int, head: str) -> bytes:
    """The bytes a receipt signs."""
    body = {"kid": kid, "encounter": encounter, "seq": seq, "hash": head}
    return hashing.receipt_message(canonical.encode(body))


def is_genuine(receipt: Receipt, public: bytes) -> bool:
    """Whether the holder of this public key (32 raw bytes) signed the receipt."""
    message = message_of(receipt.kid, receipt.encounter, receipt.seq, receipt.hash)
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(bytes.fromhex(receipt.sig), message)
    except (InvalidSignature, ValueError):
        return False
    return True
