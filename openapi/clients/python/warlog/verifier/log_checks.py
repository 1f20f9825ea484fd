"""What is judged once all of the log is read: header, seed, blobs, head, receipt, erased texts."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from warlog.verifier.details import Detail, said
from warlog.verifier.dice import commitment_to
from warlog.verifier.ed25519 import SignatureCheck
from warlog.verifier.findings import shown
from warlog.verifier.keys import key_id
from warlog.verifier.line_forms import Json
from warlog.verifier.log_state import LogState, is_digest
from warlog.verifier.receipts import is_signed

Report: TypeAlias = Callable[[str, str, Detail], None]
"""Takes a finding: its word, where in the log it is, and what is there."""


def check_header(log: LogState, report: Report) -> None:
    """The header against event 1."""
    header, creation = log.header, log.creation
    if creation is None:
        detail = said("the first event does not create the encounter")
        report("header_differs", "event 1", detail)
        return
    claims = {
        "ruleset": (header["ruleset"], creation.ruleset),
        "version": (header["version"], creation.version),
        "algorithm": (header["dice"]["algorithm"], creation.algorithm),
        "mode": (header["dice"]["mode"], creation.mode),
        "commitment": (header["commitment"], creation.commitment),
    }
    for where, (value, due) in claims.items():
        if value != due:
            report("header_differs", where, said("{} instead of {}", shown(value), shown(due)))
    named = [side for grant in header["viewer"]["grants"] for side in grant["sides"]]
    unknown = next((side for side in named if side not in log.sides), None)
    if unknown is not None:
        report("header_differs", "viewer", said("no side is called {}", shown(unknown)))


def check_seed(log: LogState, report: Report) -> None:
    """The header's seed against event 1's commitment and the seed that the log reveals."""
    seed, revealed = log.header.get("seed"), log.revealed
    candidate = revealed if seed is None else seed
    if log.creation is not None and is_digest(candidate):
        commitment = commitment_to(str(candidate))
        if commitment != log.creation.commitment:
            report("seed_does_not_fit", "seed", said("its commitment is {}", commitment))
    if seed is not None and seed != revealed:
        why = "the log reveals none" if revealed is None else "the log reveals another"
        report("header_differs", "seed", said("there is a seed, and {}", said(why)))
    if seed is None and revealed is not None:
        detail = said("the log reveals a seed, and the header has none")
        report("seed_missing", "seed", detail)


def check_blobs(log: LogState, blobs: Mapping[str, int], report: Report) -> None:
    """Blobs, as lines by digest, against the digests that events name.

    Each digest that is named is that of a blob, no blob is there for nothing, and they stand in
    the order of their digests or in that in which they are first named.
    """
    for digest, line in blobs.items():
        if digest not in log.named_digests:
            report("unnamed_blob", "blobs", said("no event names the blob of line {}", line))
    for digest in log.named_digests:
        if digest not in blobs:
            report("missing_blob", "blobs", said("no blob has the digest {}", digest))
    held = [digest for digest in blobs if digest in log.named_digests]
    named = [digest for digest in log.named_digests if digest in blobs]
    if held not in (named, sorted(named)):
        detail = said("blobs stand neither by their digests nor as they are named")
        report("blob_order", "blobs", detail)


def check_seal(
    log: LogState,
    seal: Json,
    trusted: Sequence[str] | None,
    check: SignatureCheck,
    report: Report,
) -> None:
    """The seal against the last event, and its receipt against its key.

    `trusted` are public keys; None where none were named.
    """
    if (seal["seq"], seal["hash"]) != (log.seq, log.hash):
        detail = said("the log ends with event {}, {}", log.seq, log.hash)
        report("head_differs", "head", detail)
    receipt, key = seal["receipt"], seal["public_key"]
    head = (log.header["encounter"], seal["seq"], seal["hash"])
    is_of_head = (receipt["encounter"], receipt["seq"], receipt["hash"]) == head
    if not is_of_head or not is_signed(check, receipt, key):
        detail = said("the key of the seal did not sign this head of this encounter")
        report("receipt_forged", "seal", detail)
    if receipt["kid"] != key_id(key):
        report("key_id_differs", "seal", said("the id of the key is {}", key_id(key)))
    if trusted is not None and key not in trusted:
        report("key_differs", "seal", said("it is none of the keys that are trusted"))


def check_erased(log: LogState, report: Report) -> None:
    """Texts are erased only where an event says so."""
    for seq, line in log.erased_texts.items():
        if seq not in log.erased_seqs:
            detail = said("event {} in line {} lacks a text", seq, line)
            report("erased_without_event", "parts", detail)
