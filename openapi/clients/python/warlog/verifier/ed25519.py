"""Ed25519 signatures, by the library `cryptography`, which nothing else of the client needs."""

from collections.abc import Callable
from typing import Final, TypeAlias

from warlog.problems import WarlogError

SignatureCheck: TypeAlias = Callable[[bytes, bytes, bytes], bool]
"""Whether a public key of 32 bytes, a message and a signature of 64 bytes belong together."""

_PRIME: Final = 2**255 - 19


class MissingLibrary(WarlogError, ImportError):
    """What verifying needs is not installed."""


def signature_check() -> SignatureCheck:
    """The check of signatures. Raises MissingLibrary.

    The library is loaded here, so that it is neither needed nor waited for by whoever verifies
    nothing.
    """
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as error:
        raise MissingLibrary(
            "signatures are checked by `cryptography`, which is not installed:"
            " pip install 'warlog-client[verify]'"
        ) from error

    def is_signed(public_key: bytes, message: bytes, signature: bytes) -> bool:
        if not is_canonical_key(public_key):
            return False
        try:
            Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True

    return is_signed


def is_canonical_key(public_key: bytes) -> bool:
    """Whether a key is the only encoding of its point (RFC 8032), which the library lets pass."""
    whole = int.from_bytes(public_key, "little")
    is_negative, y = whole >> 255, whole & (2**255 - 1)
    return y < _PRIME and not (is_negative and y in (1, _PRIME - 1))
