"""Turns a battle played in memory into what an auditor or a bundle's reader is given."""

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import UNSET
from msgspec.structs import replace

from service.encounters.receipts import Signer
from service.encounters.views import widened
from service.engine import hashing
from service.engine.battle.linear import opened_at
from service.engine.log import canonical
from service.engine.log.event import SealedEvent
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary.values import By
from service.replay.audit.event_auditor import Auditor, Charge
from service.replay.bundle.format import (
    BundleDice,
    BundleHeader,
    BundleReceipt,
    BundleSeal,
    blob_line,
    encoded,
    event_line,
    fairness_of,
)
from service.replay.bundle.writer import viewer_between
from service.replay.log.sealed_event import Evidence, OpenPart
from service.replay.report.report import report_of
from service.replay.report.verdicts import Report
from tests.kit.table import Table, all_parts

SIGNER = Signer.of(Ed25519PrivateKey.from_private_bytes(bytes(32)))


def evidence_in_memory(
    sealed: SealedEvent, viewer: Viewer = GAME_MASTER, sides: tuple[str, ...] = ("red", "blue")
) -> Evidence:
    """What lies before somebody who may read this viewer's parts."""
    visible = [part for part in all_parts(sealed, sides) if viewer.may_know(part.audience)]
    return Evidence(
        hash=sealed.hash,
        body=sealed.body,
        commits=sealed.commits,
        opened={(p.kind, p.audience): OpenPart(p.salt, p.body) for p in visible if p.salt},
        erased=frozenset((p.kind, p.audience) for p in visible if not p.salt),
    )


def evidence_of(table: Table, viewer: Viewer = GAME_MASTER) -> list[Evidence]:
    """The same of a whole log."""
    return [evidence_in_memory(sealed, viewer, table.side_ids) for sealed in table.sealed]


def blobs_of(table: Table) -> dict[str, bytes]:
    """The battle's blobs by digest."""
    return {digest: canonical.encode(blob) for digest, blob in table.blobs.items()}


def rulesets_of(table: Table) -> dict[tuple[str, str], Any]:
    """The one ruleset this battle needs."""
    return {(table.ruleset.slug, table.ruleset.version): table.ruleset}


def audit(
    table: Table,
    evidence: Iterable[Evidence] | None = None,
    *,
    seed: bytes | None = None,
    viewer: Viewer = GAME_MASTER,
    rulesets: dict[tuple[str, str], Any] | None = None,
    reader: By | None = None,
    is_own: bool = False,
) -> Report:
    """Audit a battle, or other evidence of it; the luck of `reader` is shown, if there is one.

    `is_own`: as a log of the service's own database.
    """
    charge = Charge(
        encounter=table.encounter,
        ruleset=table.ruleset.slug,
        version=table.ruleset.version,
        seed=seed,
        viewer_of_seq=lambda seq: viewer,
        reader=reader,
        is_own=is_own,
    )
    known_rulesets = rulesets_of(table) if rulesets is None else rulesets
    auditor = Auditor(known_rulesets, charge, blobs_of(table))
    for each in evidence or evidence_of(table, viewer):
        auditor.judge(each)
    return report_of(auditor, viewer)


def bundle_of(
    table: Table, viewer_of_seq: Callable[[int], Viewer] = lambda seq: GAME_MASTER
) -> list[bytes]:
    """The lines of the battle's bundle, as the service would write them."""
    linear, sides = table.state.linear, tuple(side.id for side in table.state.rule.sides)
    viewer = viewer_between(
        lambda seq: widened(viewer_of_seq(seq), opened_at(linear, seq), sides), len(table.sealed)
    )
    mode = table.state.rule.dice
    header = BundleHeader(
        format=1,
        encounter=table.encounter,
        ruleset=table.ruleset.slug,
        version=table.ruleset.version,
        dice=BundleDice(
            algorithm="hmac_sha256_1",
            mode=mode,
            fairness=fairness_of(mode, is_revealed=linear.seed is not UNSET),
        ),
        commitment=hashing.commitment(table.seed),
        seed=linear.seed,
        viewer=viewer,
    )
    last = table.sealed[-1]
    receipt = SIGNER.sign(table.encounter, last.seq, last.hash)
    seal = BundleSeal(
        seq=last.seq,
        hash=last.hash,
        receipt=BundleReceipt(
            kid=receipt.kid,
            encounter=receipt.encounter,
            seq=receipt.seq,
            hash=receipt.hash,
            sig=receipt.sig,
        ),
        public_key=SIGNER.key.public_key().public_bytes_raw().hex(),
    )
    return [
        encoded(header),
        *(encoded(blob_line(body)) for body in blobs_of(table).values()),
        *(
            encoded(event_line(evidence, viewer.at(sealed.seq), sides))
            for sealed, evidence in zip(table.sealed, evidence_of(table), strict=True)
        ),
        encoded(seal),
    ]


def rehashed(table: Table, seq: int, body: bytes) -> list[Evidence]:
    """The log with one body replaced and everything hashed and linked again, parts kept."""
    log: list[Evidence] = []
    prev = hashing.NO_HASH
    for sealed, evidence in zip(table.sealed, evidence_of(table), strict=True):
        written = body if sealed.seq == seq else sealed.body
        if log:
            at = written.index(b'"prev":"') + 8
            written = written[:at] + prev.encode() + written[at + 64 :]
        prev = hashing.event_hash(written)
        log.append(replace(evidence, body=written, hash=prev))
    return log


def digest(text: str) -> bytes:
    """32 bytes for tests."""
    return sha256(text.encode()).digest()
