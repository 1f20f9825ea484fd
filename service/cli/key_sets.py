"""Public keys as services publish them (JWK sets, RFC 7517 and 8037), and those that were pinned.

A key is pinned once, when there is reason to believe that it is the service's, and bundles are held
against it for ever after. Services keep the keys that they signed with before, and so do pins: a
set that is pinned again only adds to what is there.
"""

import base64
import binascii
import os
from pathlib import Path
from time import monotonic
from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from service.encounters.receipts import kid_of
from service.errors import WarlogError

MOST_BYTES: Final = 1 << 20
"""No set of keys is larger."""

SECONDS: Final = 10.0
"""How long a service may take to answer."""

KEY_BYTES: Final = 32


class UnreadableKeys(WarlogError):
    """What was named holds no keys: `where` is its name, `why` a sentence."""

    code = "unreadable_keys"

    def __init__(self, where: str, why: str) -> None:
        super().__init__(None, where=where, why=why)
        self.where = where
        self.why = why


class _Jwk(Struct, frozen=True, kw_only=True):
    """An Ed25519 key of a set; what else a set says of it is left unread."""

    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: str
    kid: str | UnsetType = UNSET


class _Published(Struct, frozen=True, kw_only=True):
    keys: Annotated[tuple[_Jwk, ...], Meta(min_length=1)]


class PinnedKey(Struct, frozen=True, kw_only=True):
    """A key that the reader trusts; `source` is where it was taken from."""

    kid: str
    x: str
    source: str
    kty: Literal["OKP"] = "OKP"
    crv: Literal["Ed25519"] = "Ed25519"


class PinnedKeys(Struct, frozen=True, kw_only=True):
    """The file of pinned keys, which is a set of keys itself."""

    keys: tuple[PinnedKey, ...] = ()

    @property
    def by_id(self) -> dict[str, bytes]:
        """The keys, 32 raw bytes each, by their ids."""
        return {key.kid: _raw(key.x) for key in self.keys}


def keys_at(source: str) -> dict[str, bytes]:
    """The keys of a URL or a file by their ids, 32 raw bytes each. Raises UnreadableKeys."""
    is_url = source.startswith(("https://", "http://"))
    return keys_in(_fetched(source) if is_url else _read(Path(source)), source)


def keys_in(text: bytes, source: str) -> dict[str, bytes]:
    """The keys of a set. Raises UnreadableKeys for anything else, and for an id of another key."""
    try:
        published = msgspec.json.decode(text, type=_Published)
        keys = {kid_of(raw): raw for raw in (_raw(key.x) for key in published.keys)}
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
        raise UnreadableKeys(source, f"no set of Ed25519 keys ({error})") from error
    for key in published.keys:
        if key.kid is not UNSET and key.kid != kid_of(_raw(key.x)):
            raise UnreadableKeys(source, f"{key.kid!r} is not the id of its key")
    return keys


def pins_path() -> Path:
    """Where pinned keys are kept, in the user's configuration directory (XDG)."""
    shared = os.environ.get("XDG_CONFIG_HOME", "")
    folder = Path(shared) if shared.startswith("/") else Path.home() / ".config"
    return folder / "warlog" / "trusted-keys.json"


def pinned() -> PinnedKeys:
    """The keys that were pinned, none if that was never done. Raises UnreadableKeys."""
    path = pins_path()
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return PinnedKeys()
    except OSError as error:
        raise UnreadableKeys(str(path), str(error.strerror)) from error
    try:
        pins = msgspec.json.decode(text, type=PinnedKeys)
        matches = all(kid_of(raw) == kid for kid, raw in pins.by_id.items())
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
        raise UnreadableKeys(str(path), f"no pinned keys ({error})") from error
    if not matches:
        raise UnreadableKeys(str(path), "an id in it is not that of its key")
    return pins


def pin(keys: dict[str, bytes], source: str) -> tuple[PinnedKey, ...]:
    """Trust these from now on; those that were not pinned before. Raises UnreadableKeys."""
    before = pinned()
    known = before.by_id
    added = tuple(
        PinnedKey(kid=kid, x=_text(raw), source=source)
        for kid, raw in keys.items()
        if kid not in known
    )
    _keep(PinnedKeys(keys=before.keys + added))
    return added


def unpin(kid: str) -> bool:
    """Trust this key no longer; whether it was pinned. Raises UnreadableKeys."""
    before = pinned().keys
    left = tuple(key for key in before if key.kid != kid)
    _keep(PinnedKeys(keys=left))
    return len(left) < len(before)


def _keep(pins: PinnedKeys) -> None:
    path = pins_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    # A reader finds the old file or the new one, whatever happens in between.
    fresh = path.with_suffix(f".{os.getpid()}.new")
    fresh.write_bytes(msgspec.json.encode(pins))
    fresh.replace(path)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UnreadableKeys(str(path), str(error.strerror)) from error
    return _bounded(text, str(path))


def _fetched(url: str) -> bytes:
    # Most audits fetch nothing, and the client takes long to import.
    import httpx

    try:
        with httpx.stream("GET", url, timeout=SECONDS) as answer:
            answer.raise_for_status()
            text, end = b"", monotonic() + SECONDS
            for chunk in answer.iter_bytes():
                text += chunk
                if len(text) > MOST_BYTES:
                    break
                if monotonic() > end:
                    raise UnreadableKeys(url, f"it takes longer than {SECONDS:g} seconds")
    except httpx.HTTPStatusError as error:
        raise UnreadableKeys(url, f"it answered {error.response.status_code}") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise UnreadableKeys(url, f"it cannot be reached ({error})") from error
    return _bounded(text, url)


def _bounded(text: bytes, source: str) -> bytes:
    if len(text) > MOST_BYTES:
        raise UnreadableKeys(source, f"it is larger than {MOST_BYTES} bytes")
    return text


def _raw(x: str) -> bytes:
    """32 bytes from base64url without padding. Raises ValueError."""
    try:
        raw = base64.urlsafe_b64decode(x + "=" * (-len(x) % 4))
    except binascii.Error:
        raw = b""
    # Other characters than those of the alphabet are skipped, which writing it again shows.
    if len(raw) != KEY_BYTES or _text(raw) != x:
        raise ValueError(f"{x[:50]!r} is not a key of {KEY_BYTES} bytes in base64url")
    return raw


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
