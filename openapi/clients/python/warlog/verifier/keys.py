"""Keys that are trusted, as the service publishes them."""

import base64
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from warlog.verifier.digests import hex_digest

Keys: TypeAlias = str | Mapping[str, Any] | Struct | Sequence["Keys"]
"""64 hex digits, a JSON Web Key, the published set, or several of them."""

_HEX: Final = re.compile("[0-9a-f]{64}")
_BASE64URL: Final = re.compile("[A-Za-z0-9_-]{43}")


def key_id(public_key: str) -> str:
    """The id of a public key of 64 hex digits: 16 hex digits."""
    return hex_digest(bytes.fromhex(public_key))[:16]


def public_keys_of(value: Any) -> list[str]:
    """The public keys, each as 64 hex digits.

    Raises ValueError for anything else, also for a key under an id that is not its own.
    """
    if isinstance(value, Struct):
        value = msgspec.to_builtins(value)
    if isinstance(value, str):
        if _HEX.fullmatch(value) is None:
            raise ValueError("a public key has 64 hex digits")
        return [value]
    if isinstance(value, list | tuple):
        return [key for each in value for key in public_keys_of(each)]
    if not isinstance(value, Mapping):
        raise ValueError("no key set: `keys` with JSON Web Keys is expected")
    if isinstance(value.get("keys"), list | tuple):
        return public_keys_of(value["keys"])
    return [_public_key(value)]


def _public_key(jwk: Mapping[str, Any]) -> str:
    x = jwk.get("x")
    if (jwk.get("kty"), jwk.get("crv")) != ("OKP", "Ed25519") or not isinstance(x, str):
        raise ValueError(
            'no key of this service: `kty` "OKP", `crv` "Ed25519" and `x` are expected'
        )
    content = base64.urlsafe_b64decode(f"{x}=") if _BASE64URL.fullmatch(x) else b""
    if base64.urlsafe_b64encode(content).rstrip(b"=") != x.encode():
        raise ValueError("`x` of a key has 32 bytes in base64url")
    key = content.hex()
    if jwk.get("kid", key_id(key)) != key_id(key):
        raise ValueError(f"the key called {jwk['kid']!r} has the id {key_id(key)}")
    return key
