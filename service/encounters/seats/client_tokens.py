"""Tokens of seats that clients make themselves: the service is sent the hash, never the token.

How this works. A token is `ws_` and the base64url of 32 bytes without padding; what is sent is the
SHA-256 of these 46 letters, so that whoever reads a log of requests has no token. From a hash
nobody can tell how its token was made. What can be shown is whether it is one that anybody would
guess first: a letter repeated, or the bytes of nothing.
"""

import base64
import string
from hashlib import sha256
from typing import Final

from service.errors import Malformed

HASH_FORM: Final = "^[0-9a-f]{64}$"
HASH_EXAMPLE: Final = "efbdf2cb0fae235ee1039d2edc46e217a2dc25ba3f66cadaf965b9ecaa746e60"

_PREFIX: Final = "ws_"
_BYTES: Final = 32
_LETTERS: Final = string.ascii_letters + string.digits + "-_"


def _repeated() -> list[str]:
    """Tokens of one byte or one letter over and over, and of the bytes in their order."""
    bodies = [bytes([each]) * _BYTES for each in range(256)]
    bodies += [bytes(range(_BYTES)), bytes(range(1, _BYTES + 1))]
    texts = [base64.urlsafe_b64encode(body).rstrip(b"=").decode() for body in bodies]
    return texts + [letter * len(texts[0]) for letter in _LETTERS]


_GUESSABLE: Final = frozenset(
    sha256(text.encode()).digest()
    for text in ("", _PREFIX, *(_PREFIX + body for body in _repeated()))
)


def hash_of_client_token(text: str) -> bytes:
    """The hash that a caller sent, of the form `HASH_FORM`.

    Raises Malformed for that of a token that anybody would guess.
    """
    sent = bytes.fromhex(text)
    if sent in _GUESSABLE or len(set(sent)) == 1:
        raise Malformed(path="$.token_hash", why="guessable")
    return sent
