"""Invitation codes: short enough to be typed, in letters that are not mistaken for one another.

How this works. A code is 50 random bits in Crockford's base 32, written `XXXXX-XXXXX`. Typed
codes may lack the dash or have spaces, be in small letters, and have O for 0 and I or L for 1. Of a
code only its SHA-256 is stored. One for another device is hashed with a separate label: a process
of a release before devices would take it for a code for the seat, and end the first device.
"""

import re
from hashlib import sha256
from typing import Final

from service.encounters.clock_and_ids import Sources

CODE_LENGTH: Final = 10
EXAMPLE: Final = "7K3QF-9TX0M"

_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_BITS: Final = 5
_RANDOM_BYTES: Final = 7
_LABELS: Final = (b"warlog/invitation/1\x00", b"warlog/device/1\x00")
"""What is hashed with a code for a seat, and with one for another device of it."""
_BETWEEN: Final = re.compile(r"[\s\-_.\u00ad\u2010-\u2015\u2212]+")
_MISREAD: Final = str.maketrans("OIL", "011")


def new_code(sources: Sources) -> str:
    """A fresh code."""
    number = int.from_bytes(sources.random(_RANDOM_BYTES), "big")
    letters = "".join(_ALPHABET[number >> _BITS * at & 31] for at in range(CODE_LENGTH))
    half = CODE_LENGTH // 2
    return f"{letters[:half]}-{letters[half:]}"


def hash_of_code(code: str, *, for_device: bool) -> bytes:
    """What is stored of a fresh code, which may be for another device of the seat."""
    return _hash(_LABELS[for_device], _BETWEEN.sub("", code))


def hashes_of_code(text: str) -> tuple[bytes, ...]:
    """Under what a code may be stored, however it was typed; nothing for what can be none."""
    plain = _BETWEEN.sub("", text)
    if not plain.isascii() or len(plain) != CODE_LENGTH:
        return ()
    letters = plain.upper().translate(_MISREAD)
    if not set(letters) <= set(_ALPHABET):
        return ()
    return tuple(_hash(label, letters) for label in _LABELS)


def _hash(label: bytes, letters: str) -> bytes:
    return sha256(label + letters.encode()).digest()
