"""Bundles as somebody with every key of the service makes them: changed, and sound again after.

`KEY` is the private key of the published vectors.
"""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

VECTORS: Final = Path(__file__).parents[2] / "service" / "api" / "docs" / "vectors"
KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC_KEY: Final = KEY.public_key().public_bytes_raw().hex()
KEY_ID: Final = hashlib.sha256(bytes.fromhex(PUBLIC_KEY)).hexdigest()[:16]

Line = dict[str, Any]


def canonical(value: object) -> bytes:
    """Canonical JSON of a value that is known to have one."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def digest(*parts: bytes) -> str:
    """SHA-256 over parts, in hex."""
    return hashlib.sha256(b"".join(parts)).hexdigest()


def names(sides: list[str]) -> list[str]:
    """All parts of an event, in the order of its commitments."""
    texts = [f"text/{each}" for each in ["everyone", *sides, "gm"]]
    return [*texts, *(f"facts/{each}" for each in [*sides, "gm"])]


def sealed(encounter: str, seq: int, last: str) -> Line:
    """The seal over a head."""
    head = {"encounter": encounter, "hash": last, "kid": KEY_ID, "seq": seq}
    signature = KEY.sign(b"warlog/receipt/1\0" + canonical(head)).hex()
    receipt = {**head, "sig": signature}
    return {
        "type": "seal",
        "seq": seq,
        "hash": last,
        "receipt": receipt,
        "public_key": PUBLIC_KEY,
    }


def chained(line: Line, prev: str) -> str:
    """Let an event follow another, and give back its hash."""
    line["event"]["prev"] = prev
    line["event"]["sealed"] = digest(*map(bytes.fromhex, line["commits"]))
    line["hash"] = digest(b"warlog/event/1\0", canonical(line["event"]))
    return str(line["hash"])


def committed(line: Line, part: Line, sides: list[str]) -> None:
    """Let the commitment of an event be that of a part."""
    salted = b"warlog/seal/1\0" + bytes.fromhex(part["salt"])
    at = names(sides).index(f"{part['kind']}/{part['audience']}")
    line["commits"][at] = digest(salted, canonical(part["body"]))


def rechained(bundle: str, change: Callable[[list[Line]], object]) -> bytes:
    """A published bundle after a change, with commitments, chain and seal made again."""
    lines = [json.loads(line) for line in (VECTORS / bundle).read_bytes().splitlines()]
    change(lines)
    prev = "0" * 64
    log = [line for line in lines if line["type"] == "event"]
    for line in log:
        for part in line["parts"]:
            if "body" in part:
                committed(line, part, ["red", "blue"])
        prev = chained(line, prev)
    lines[-1] = sealed(lines[0]["encounter"], log[-1]["event"]["seq"], prev)
    return b"".join(canonical(line) + b"\n" for line in lines)
