"""Writes bundles from the stored log."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from service.encounters.principal import Principal
from service.encounters.reads import Reads
from service.encounters.receipts import Signer
from service.encounters.views import widened
from service.engine.battle.linear import opened_at
from service.engine.visibility.scope import Viewer
from service.errors import LogDamaged, NotFound
from service.eventstore.log_reads import Log
from service.eventstore.records import EncounterRow, Secret
from service.replay.bundle.format import (
    FORMAT,
    BundleDice,
    BundleGrant,
    BundleHeader,
    BundleReceipt,
    BundleSeal,
    BundleViewer,
    blob_line,
    encoded,
    event_line,
    fairness_of,
    named_in,
)
from service.replay.log.log_header import LogHeader, Opening
from service.replay.log.stored_log import (
    PAGE,
    ViewerOfSeq,
    blobs_of,
    evidence_of,
    row_of,
    stored_events,
)


@dataclass(frozen=True, slots=True)
class Export:
    """What is written: the encounter as it stood at `row`, for whom, and what was revealed."""

    row: EncounterRow
    secret: Secret
    opening: Opening
    seed: bytes | None
    viewer: BundleViewer

    @property
    def encounter(self) -> str:
        """The encounter's id as the log writes it."""
        return str(self.row.id)


async def bundle_stored(reads: Reads, who: Principal, encounter: UUID) -> AsyncIterator[bytes]:
    """The lines of the bundle that this caller may have.

    Raises NotFound before the first line, never between lines.
    """
    stored = await reads.stored(who, encounter)
    row = row_of(stored)
    log = reads.store.log
    terms = await terms_of(log, row)
    viewer = viewer_between(stored.viewer_of_seq, row.head_seq)
    export = export_of(row, stored.battle.secret, terms, viewer)
    return bundle_lines(log, export, reads.signer)


async def terms_of(log: Log, row: EncounterRow) -> LogHeader:
    """What the log says of itself in public, up to the head of `row`."""
    terms = LogHeader()
    seq = 0
    while seq < row.head_seq:
        page = await log.events(row.id, after=seq, until=row.head_seq, limit=500)
        if not page:
            break
        for stored in page:
            tree = msgspec.json.decode(stored.body)
            if isinstance(tree, dict):
                terms.collect(tree, stored.seq)
        seq = page[-1].seq
    return terms


def export_of(
    row: EncounterRow, secret: Secret | None, terms: LogHeader, viewer: BundleViewer
) -> Export:
    """What is to be written. Raises LogDamaged for a log without a beginning or its secret."""
    if terms.opening is None or secret is None:
        gone = "no_secret" if secret is None else "no_beginning"
        raise LogDamaged(encounter=str(row.id), found=gone)
    return Export(row=row, secret=secret, opening=terms.opening, seed=terms.seed, viewer=viewer)


def viewer_between(viewer_of_seq: ViewerOfSeq, head: int) -> BundleViewer:
    """Whose parts the events 1 to `head` are exported with.

    The GM's only if that holds for all of them: what was opened before a battle was taken up
    again goes out with the parts of all sides.
    """
    if all(viewer_of_seq(seq).is_gm for seq in range(1, head + 1)):
        return BundleViewer(kind="gm")
    grants: list[BundleGrant] = []
    held: tuple[str, ...] = ()
    for seq in range(1, head + 1):
        sides = viewer_of_seq(seq).sides
        if sides != held:
            grants.append(BundleGrant(since=seq, sides=sides))
            held = sides
    return BundleViewer(kind="sides" if grants else "observer", grants=tuple(grants))


def viewer_named(name: str, terms: LogHeader) -> BundleViewer:
    """The viewer that `gm`, `observer` or `side:<id>` names, with what was opened since.

    Raises NotFound("unknown_viewer").
    """
    sides = terms.sides
    viewers = {"gm": Viewer(is_gm=True), "observer": Viewer()}
    viewers |= {f"side:{side}": Viewer(sides=(side,)) for side in sides}
    if name not in viewers:
        raise NotFound("unknown_viewer", viewer=name, allowed=list(viewers))
    return viewer_between(
        lambda seq: widened(viewers[name], opened_at(terms.linear, seq), sides), terms.head
    )


async def bundle_lines(log: Log, export: Export, signer: Signer) -> AsyncIterator[bytes]:
    """The lines of a bundle, each with its newline."""
    for line in _beginning(export, await _blobs_named(log, export.row)):
        yield line
    sides = export.opening.sides
    seq = 0
    async for stored in stored_events(log, export.row):
        evidence = evidence_of(stored, export.encounter, export.secret, sides)
        seq = stored.seq
        yield encoded(event_line(evidence, export.viewer.at(seq), sides))
        # A reader that has gone away would otherwise keep this loop, and the process, for itself.
        await asyncio.sleep(0)
    head = export.row.head_hash.hex()
    receipt = signer.sign(export.encounter, export.row.head_seq, head)
    yield encoded(
        BundleSeal(
            seq=export.row.head_seq,
            hash=head,
            receipt=BundleReceipt(
                kid=receipt.kid,
                encounter=receipt.encounter,
                seq=receipt.seq,
                hash=receipt.hash,
                sig=receipt.sig,
            ),
            public_key=signer.key.public_key().public_bytes_raw().hex(),
        )
    )


async def _blobs_named(log: Log, row: EncounterRow) -> list[bytes]:
    """The blobs that the log names: one whose action was never stored may lie beside it."""
    blobs = await blobs_of(log, row.id)
    unnamed, seq = set(blobs), 0
    while unnamed and seq < row.head_seq:
        page = await log.events(row.id, after=seq, until=row.head_seq, limit=PAGE)
        if not page:
            break
        for stored in page:
            unnamed -= set(named_in(stored.body, unnamed))
        seq = page[-1].seq
    return [blobs[digest] for digest in sorted(blobs) if digest not in unnamed]


def _beginning(export: Export, blobs: Iterable[bytes]) -> list[bytes]:
    opening = export.opening
    seed: str | UnsetType = UNSET if export.seed is None else export.seed.hex()
    header = BundleHeader(
        format=FORMAT,
        encounter=export.encounter,
        ruleset=opening.ruleset,
        version=opening.version,
        dice=BundleDice(
            algorithm="hmac_sha256_1",
            mode=opening.mode,
            fairness=fairness_of(opening.mode, is_revealed=seed is not UNSET),
        ),
        commitment=opening.commitment,
        seed=seed,
        viewer=export.viewer,
    )
    return [encoded(header), *(encoded(blob_line(body)) for body in blobs)]
