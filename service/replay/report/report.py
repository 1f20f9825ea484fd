"""Sums up an audit: counts, the first failure, what can be said of the dice."""

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import UNSET, UnsetType

from service.engine.log import hashing
from service.engine.visibility.scope import Viewer
from service.replay.audit.event_auditor import Auditor
from service.replay.audit.receipt_check import NO_WITNESS, Witness, receipt_problems
from service.replay.report.verdicts import (
    FAULTS,
    RULINGS,
    DiceReport,
    EventVerdict,
    LogProblem,
    Report,
    Ruling,
)

ViewerKind = Literal["gm", "sides", "observer"]


def kind_of(viewer: Viewer) -> ViewerKind:
    """How a report names whose eyes it was made with."""
    if viewer.is_gm:
        return "gm"
    return "sides" if viewer.sides else "observer"


def report_of(
    auditor: Auditor,
    viewer: Viewer,
    problems: Iterable[LogProblem] = (),
    receipt: Literal["genuine", "forged"] | UnsetType = UNSET,
    witness: Witness = NO_WITNESS,
) -> Report:
    """The report over everything the auditor was fed; `problems` are those of the whole.

    `receipt` is what the one in a bundle comes to, `witness` holds those that clients kept.
    """
    charge = auditor.charge
    verdicts = tuple(auditor.verdicts)
    receipts = witness.verdicts(charge.encounter, auditor.hashes, auditor.chain.seq)
    found = (*problems, *receipt_problems(receipts), *_own_problems(auditor))
    bad = [each for each in verdicts if each.verdict in FAULTS or each.verdict == "unavailable"]
    return Report(
        encounter=charge.encounter,
        ruleset=charge.ruleset,
        version=charge.version,
        viewer=kind_of(viewer),
        head=auditor.chain.seq,
        hash=auditor.chain.prev,
        clean=not bad and not found,
        counts=_counts(verdicts),
        first_failure=bad[0] if bad else UNSET,
        problems=found,
        receipt=receipt,
        receipts=receipts or UNSET,
        dice=_dice(auditor, has_faults=bool(bad or found)),
        verdicts=verdicts,
    )


def _counts(verdicts: tuple[EventVerdict, ...]) -> Mapping[Ruling, int]:
    """How often each ruling was given, those that were."""
    given = [each.verdict for each in verdicts]
    return {ruling: given.count(ruling) for ruling in RULINGS if ruling in given}


def _own_problems(auditor: Auditor) -> list[LogProblem]:
    problems = []
    opening = auditor.terms.opening
    known = auditor.charge.seed
    if known is not None and auditor.seed != known and opening is not None:
        problems.append(
            LogProblem(
                code="seed_does_not_fit",
                where="seed",
                stored=hashing.commitment(known),
                expected=opening.commitment,
            )
        )
    is_bundle = auditor.charge.parts_of_seq is not None
    if is_bundle and auditor.charge.seed is None and auditor.terms.seed is not None:
        problems.append(LogProblem(code="seed_missing", where="seed"))
    unsaid = sorted(auditor.erased - auditor.terms.erased)
    if unsaid:
        listed = ", ".join(str(seq) for seq in unsaid)
        problems.append(LogProblem(code="erased_without_event", where="parts", stored=listed))
    return problems


def _dice(auditor: Auditor, *, has_faults: bool) -> DiceReport | UnsetType:
    opening = auditor.terms.opening
    if opening is None:
        return UNSET
    contributions = auditor.terms.contributions
    fairness: Literal["verified", "sealed", "not_verified"] = "not_verified"
    if opening.mode == "sealed" and not has_faults:
        fairness = "sealed" if auditor.charge.seed is None else "verified"
    return DiceReport(
        mode=opening.mode,
        seed=opening.seed,
        fairness=fairness,
        grindable=not contributions or opening.seed == "given",
        last_contributor=contributions[-1][0] if contributions else UNSET,
        draws=auditor.tally.draws,
        statistics=auditor.tally.statistics(),
    )
