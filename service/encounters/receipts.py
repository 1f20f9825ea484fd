"""Signed receipts: a proof, for its holder, that the log once ended there.

How this works. A head that is signed alone is signed as it is. A signature takes as long as thirty
hashes, so heads that were committed together are signed together (`format` 2): each is the leaf of
a tree of hashes (RFC 6962) whose root is signed, and its receipt has, as `path`, the hashes that
lead from the leaf to the root. Of the two hashes below a node the smaller one comes first: a path
need not say on which side it passes. Leaves, nodes, roots and heads have labels of their own, so
that none can be taken for another.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import UNSET

from service.encounters.responses import Receipt
from service.engine import hashing
from service.engine.log import canonical

LogEnd = tuple[str, int, str]
"""The end of a log: the encounter, seq, and the event's hash in hex."""

TOGETHER: Final = 2
"""`format` of a receipt whose signature is over a tree of heads."""


@dataclass(frozen=True, slots=True)
class Signer:
    """The service's Ed25519 key; `kid` names it."""

    kid: str
    key: Ed25519PrivateKey

    @classmethod
    def of(cls, key: Ed25519PrivateKey) -> Self:
        """The signer with this key."""
        return cls(kid_of(key.public_key().public_bytes_raw()), key)

    def sign(self, encounter: str, seq: int, head: str) -> Receipt:
        """Sign a head: `head` is its hash in hex."""
        message = hashing.receipt_message(_body(self.kid, encounter, seq, head))
        signature = self.key.sign(message)
        return Receipt(kid=self.kid, encounter=encounter, seq=seq, hash=head, sig=signature.hex())

    def sign_together(self, heads: Sequence[LogEnd]) -> list[Receipt]:
        """Sign heads with one signature; there is at least one."""
        if len(heads) == 1:
            return [self.sign(*heads[0])]
        leaves = [hashing.receipt_leaf(_body(self.kid, *head)) for head in heads]
        root, paths = _tree(leaves)
        signature = self.key.sign(hashing.receipt_root(root)).hex()
        return [
            Receipt(
                kid=self.kid,
                encounter=encounter,
                seq=seq,
                hash=head,
                sig=signature,
                format=TOGETHER,
                path=tuple(path),
            )
            for (encounter, seq, head), path in zip(heads, paths, strict=True)
        ]


def kid_of(public: bytes) -> str:
    """The id of a key, from its public half (32 raw bytes)."""
    return sha256(public).hexdigest()[:16]


def is_genuine(receipt: Receipt, public: bytes) -> bool:
    """Whether the holder of this public key (32 raw bytes) signed the receipt."""
    try:
        signature, message = bytes.fromhex(receipt.sig), _message_of(receipt)
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _message_of(receipt: Receipt) -> bytes:
    """The bytes that a receipt's signature is over. Raises ValueError for a path that is none."""
    body = _body(receipt.kid, receipt.encounter, receipt.seq, receipt.hash)
    if receipt.format is UNSET and receipt.path is UNSET:
        return hashing.receipt_message(body)
    if receipt.format is UNSET or receipt.path is UNSET:
        raise ValueError("a format without a path, or a path without a format")
    node = hashing.receipt_leaf(body)
    for beside in receipt.path:
        node = hashing.receipt_node(node, bytes.fromhex(beside))
    return hashing.receipt_root(node)


def _body(kid: str, encounter: str, seq: int, head: str) -> bytes:
    return canonical.encode({"kid": kid, "encounter": encounter, "seq": seq, "hash": head})


def _tree(leaves: list[bytes]) -> tuple[bytes, list[list[str]]]:
    """The root over the leaves, and of each leaf the hashes next to its way there, in hex.

    A node that has none next to it moves up as it is.
    """
    paths: list[list[str]] = [[] for _ in leaves]
    level, height = leaves, 0
    while len(level) > 1:
        names = [node.hex() for node in level]
        for index, path in enumerate(paths):
            beside = (index >> height) ^ 1
            if beside < len(level):
                path.append(names[beside])
        above = [
            hashing.receipt_node(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)
        ]
        level, height = above + level[2 * len(above) :], height + 1
    return level[0], paths
