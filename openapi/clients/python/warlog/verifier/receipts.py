"""Receipts, and what a client kept of a log."""

import re
from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from warlog.verifier.canonical_json import NotCanonical, canonical_bytes
from warlog.verifier.digests import digest, label
from warlog.verifier.ed25519 import SignatureCheck
from warlog.verifier.json_reader import parsed
from warlog.verifier.keys import key_id
from warlog.verifier.line_forms import Json, as_receipt

KeptVerdict: TypeAlias = Literal[
    "held", "differs", "beyond_head", "of_another_encounter", "forged", "of_unknown_key"
]

_ALONE: Final = label("warlog/receipt/1")
_LEAF: Final = label("warlog/receipt-leaf/2")
_NODE: Final = label("warlog/receipt-node/2")
_ROOT: Final = label("warlog/receipt-root/2")
_NOTED: Final = re.compile("([1-9][0-9]{0,9})-([0-9a-f]{64})")
_DEEPEST: Final = 3
"""So many objects an answer may have around its receipt."""


class Head(Struct, frozen=True, kw_only=True):
    """The end of a log: its last event and that one's hash."""

    seq: int
    hash: str


class LogEnd(Struct, frozen=True, kw_only=True):
    """What receipts are held against: `hash` is the log's at the seq of the receipt."""

    encounter: str
    last: int
    hash: str | None
    keys: Sequence[str]


def signed_bytes(receipt: Json) -> bytes:
    """The bytes that a receipt's signature is over. Raises NotCanonical."""
    head = canonical_bytes({name: receipt[name] for name in ("encounter", "hash", "kid", "seq")})
    if "path" not in receipt:
        return _ALONE + head
    node = digest(_LEAF, head)
    for each in map(bytes.fromhex, receipt["path"]):
        node = digest(_NODE, min(node, each), max(node, each))
    return _ROOT + node


def is_signed(check: SignatureCheck, receipt: Json, public_key: str) -> bool:
    """Whether a public key of 64 hex digits signed a receipt."""
    try:
        message = signed_bytes(receipt)
    except NotCanonical:
        return False
    return check(bytes.fromhex(public_key), message, bytes.fromhex(receipt["sig"]))


def kept_receipts(text: str) -> list[Json]:
    """The receipts in a text that a client kept.

    It is a JSON array or one JSON object to a line: receipts themselves, or answers and records
    with one. Raises ValueError that names the entry.
    """
    if text.lstrip().startswith("["):
        values = _as_json(text, "the file")
    else:
        lines = re.split(r"\r?\n", text)
        values = [
            _as_json(line, f"line {number}") for number, line in enumerate(lines, 1) if line.strip()
        ]
    return [_require_receipt(value, number) for number, value in enumerate(values, 1)]


def _as_json(text: str, place: str) -> Any:
    try:
        return parsed(text)
    except ValueError:
        raise ValueError(f"{place} is no JSON") from None


def _require_receipt(value: Any, number: int) -> Json:
    receipt = _receipt_within(value, _DEEPEST)
    if receipt is None:
        raise ValueError(f"entry {number} has no receipt")
    return receipt


def _receipt_within(value: Any, depth: int) -> Json | None:
    own = as_receipt(value)
    if own is not None or depth == 0 or not isinstance(value, dict):
        return own
    inner = (_receipt_within(value.get(name), depth - 1) for name in ("receipt", "data"))
    return next((each for each in inner if each is not None), None)


def noted_head(text: str) -> Head:
    """A head as it was noted, `SEQ-HASH`. Raises ValueError."""
    found = _NOTED.fullmatch(text)
    if found is None:
        raise ValueError("a head is SEQ-HASH: 40-… with 64 hex digits")
    return Head(seq=int(found[1]), hash=found[2])


def head_verdict(seq: int, kept_hash: str, last: int, log_hash: str | None) -> KeptVerdict:
    """What a kept head shows of a log that ends with `last` and has `log_hash` at that seq."""
    if seq > last:
        return "beyond_head"
    return "held" if kept_hash == log_hash else "differs"


def receipt_verdict(check: SignatureCheck, receipt: Json, log: LogEnd) -> KeptVerdict:
    """What a kept receipt shows of a log."""
    key = next((each for each in log.keys if key_id(each) == receipt["kid"]), None)
    if key is None:
        return "of_unknown_key"
    if not is_signed(check, receipt, key):
        return "forged"
    if receipt["encounter"] != log.encounter:
        return "of_another_encounter"
    return head_verdict(receipt["seq"], receipt["hash"], log.last, log.hash)
