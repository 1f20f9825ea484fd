"""Hashes and the labels that keep one kind from being taken for another."""

import hmac
from hashlib import sha256


def label(words: str) -> bytes:
    """The bytes of a label: ASCII words and one zero byte."""
    return words.encode() + b"\0"


def digest(*parts: bytes) -> bytes:
    """SHA-256 over byte strings, one behind the other."""
    return sha256(b"".join(parts)).digest()


def hex_digest(*parts: bytes) -> str:
    """The same in lower-case hex."""
    return digest(*parts).hex()


def keyed(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256."""
    return hmac.digest(key, message, "sha256")
