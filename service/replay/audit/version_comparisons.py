"""Comparisons of whole logs, stored or in a bundle, with another version of their ruleset."""

from collections.abc import Callable, Iterable
from contextlib import aclosing

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.encounters.long_work import LongWork
from service.engine.ruleset.definition import Rulesets
from service.eventstore.log_reads import Log
from service.eventstore.records import EncounterRow
from service.replay.audit.version_comparison import ComparedLog, VersionComparer
from service.replay.bundle.format import BundleEvent, BundleHeader, evidence_in
from service.replay.bundle.reader import BundleReader, DamagedBundle
from service.replay.log.log_header import sides_in
from service.replay.log.stored_log import blobs_of, evidence_of, stored_events
from service.replay.report.comparison import ComparisonResult, VersionComparison

Step = Callable[[], None]
"""Is told of each event that was looked at."""


async def compare_log(
    log: Log, row: EncounterRow, rulesets: Rulesets, against: str, *, step: Step = lambda: None
) -> VersionComparison:
    """Decide a stored log again, up to the head of `row`, under this version of its ruleset."""
    encounter = str(row.id)
    ruleset = rulesets.get((row.ruleset, against))
    if ruleset is None:
        return replace(stored_comparison(row, against, "unavailable"), reason="version_unknown")
    secret = await log.secret(row.id)
    comparer = VersionComparer(
        ruleset,
        ComparedLog(
            encounter=encounter,
            seed=None if secret is None else secret.seed,
            blobs=await blobs_of(log, row.id),
            bases={base for _, base in await log.rewinds(row.id)},
            own=rulesets.get((row.ruleset, row.version)),
        ),
    )
    sides: tuple[str, ...] = ()
    seq = 0
    work = LongWork()
    async with aclosing(stored_events(log, row)) as events:
        async for stored in events:
            if stored.seq != seq + 1:
                break
            seq += 1
            sides = sides or sides_in(stored.body)
            comparer.compare(evidence_of(stored, encounter, secret, sides))
            step()
            await work.pause()
    found = comparison_of(
        comparer, stored_comparison(row, against, "same"), is_cut_off=seq != row.head_seq
    )
    if secret is None and found.result == "unavailable":
        return replace(found, reason="secret_missing")
    return found


def stored_comparison(
    row: EncounterRow, against: str, result: ComparisonResult
) -> VersionComparison:
    """A comparison of the log of this row that says nothing but its result."""
    return VersionComparison(
        encounter=str(row.id),
        ruleset=row.ruleset,
        version=row.version,
        against=against,
        head=row.head_seq,
        hash=row.head_hash.hex(),
        result=result,
    )


def compare_bundle(
    lines: Iterable[bytes], rulesets: Rulesets, against: str, *, step: Step = lambda: None
) -> VersionComparison:
    """Decide the log of a bundle again under this version of its ruleset.

    `lines` come with their newlines. Raises DamagedBundle if they cannot be read.
    """
    reader = BundleReader()
    comparer: VersionComparer | None = None
    for line in lines:
        read = reader.feed(line)
        if not isinstance(read, BundleEvent) or reader.header is None:
            continue
        reader.require_form(read)
        ruleset = rulesets.get((reader.header.ruleset, against))
        if ruleset is not None:
            if comparer is None:
                comparer = VersionComparer(ruleset, _log_of(reader.header, reader.blobs, rulesets))
            comparer.compare(evidence_in(read))
        step()
    # A bundle without an event is damaged: behind its header an event is due.
    seal = reader.finish_soundly()
    header = reader.header
    if header is None:
        raise DamagedBundle(reader.line, "truncated")
    found = VersionComparison(
        encounter=header.encounter,
        ruleset=header.ruleset,
        version=header.version,
        against=against,
        head=seal.seq,
        hash=seal.hash,
        result="unavailable",
    )
    if comparer is None:
        return replace(found, reason="version_unknown")
    return comparison_of(comparer, found, is_cut_off=reader.events != seal.seq)


def _log_of(header: BundleHeader, blobs: dict[str, bytes], rulesets: Rulesets) -> ComparedLog:
    return ComparedLog(
        encounter=header.encounter,
        seed=None if header.seed is UNSET else bytes.fromhex(header.seed),
        blobs=blobs,
        own=rulesets.get((header.ruleset, header.version)),
    )


def comparison_of(
    comparer: VersionComparer, log: VersionComparison, *, is_cut_off: bool
) -> VersionComparison:
    """What was found of a log; of one that is not all there, no more than where it differs."""
    reason: str | UnsetType = comparer.obstacle or ("log_cut_off" if is_cut_off else UNSET)
    result: ComparisonResult = "same" if reason is UNSET else "unavailable"
    return replace(
        log,
        result="differs" if comparer.differing else result,
        decided=comparer.decided,
        differing=comparer.differing,
        undecided=comparer.undecided,
        first=comparer.first or UNSET,
        first_draw=comparer.first_draw or UNSET,
        draws=comparer.draws,
        effects=dict(comparer.effects),
        rules=dict(comparer.rules),
        refusals=dict(comparer.refusals),
        reason=reason,
    )
