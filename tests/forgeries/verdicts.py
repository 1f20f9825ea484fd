"""What each verifier says of a forged bundle: as it must be, and as it is."""

import json
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from service.cli.reporting import exit_of
from service.encounters.receipts import kid_of
from service.encounters.responses import Receipt
from service.exits import Exit
from service.replay.audit.bundle_audit import audit_bundle
from service.replay.audit.trust import Kept, TrustedKeys
from service.replay.bundle.reader import DamagedBundle
from service.replay.report.verdicts import Report
from service.rulesets import RULESETS

WORDS: Final[Mapping[Exit, str]] = {
    Exit.OK: "clean",
    Exit.UNVERIFIED: "unverified",
    Exit.UNAVAILABLE: "unavailable",
    Exit.WRONG: "wrong",
}
"""The verdict of an audit by the exit code of `warlog audit`."""

DAMAGED: Final = frozenset(
    {"truncated", "unreadable", "not_canonical", "out_of_order", "wrong_fairness", "wrong_viewer"}
    | {"wrong_digest", "repeated_blob", "wrong_parts", "unknown_format"}
)
"""The checks by which the service's audit takes a file for no bundle at all."""


def expected_verdicts(difference: Mapping[str, Any] | None, ruling: str | None) -> dict[str, str]:
    """What each verifier must say where this is the first difference.

    `audit` and `plain` trust the service's key, `stranger` and `upload` trust none.
    """
    check = None if difference is None else difference["check"]
    if check in DAMAGED or ruling == "damaged":
        return {"audit": "damaged", "stranger": "damaged", "upload": "damaged", "plain": "wrong"}
    if check is None:
        found, strangers = ruling or "clean", ruling or "unverified"
        return {"audit": found, "stranger": strangers, "upload": strangers, "plain": found}
    if check == "key_differs":
        strangers = "unverified"
        return {"audit": "wrong", "stranger": strangers, "upload": strangers, "plain": "wrong"}
    plain = "clean" if check == "rules" else "wrong"
    return {"audit": "wrong", "stranger": "wrong", "upload": "wrong", "plain": plain}


def trusted(public_key: str) -> TrustedKeys:
    """This key and no other."""
    public = bytes.fromhex(public_key)
    return TrustedKeys({kid_of(public): public}, is_demanded=True)


def audited(lines: list[bytes], kept: Kept) -> Report | DamagedBundle:
    """What the service's audit says of a bundle."""
    try:
        return audit_bundle(lines, RULESETS, kept=kept)
    except DamagedBundle as damaged:
        return damaged


def word_of(found: Report | DamagedBundle) -> str:
    """The verdict in one word."""
    return "damaged" if isinstance(found, DamagedBundle) else WORDS[exit_of(found)]


def receipt_in(line: bytes) -> Receipt:
    """The receipt of a bundle's last line."""
    return msgspec.convert(json.loads(line)["receipt"], Receipt)
