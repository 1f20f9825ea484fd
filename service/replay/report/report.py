"""Sums up an audit: counts, the first failure, what can be said of the dice."""

from collections.abc import Callable, Iterable
from typing import Literal

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine import hashing
from service.engine.visibility.scope import Viewer
from service.replay.audit.event_auditor import Auditor
from service.replay.audit.receipt_check import (
    NO_WITNESS,
    Witness,
    kept_head_problems,
    receipt_problems,
)
from service.replay.report.dice_remark import remark_on
from service.replay.report.verdicts import (
    RULINGS,
    DiceReport,
    EventVerdict,
    LogProblem,
    Report,
    SignerRuling,
    ToldAgain,
)

ViewerKind = Literal["gm", "sides", "observer"]


def kind_of(viewer: Viewer) -> ViewerKind:
    """The kind of viewer, as reports name it."""
    if viewer.is_gm:
        return "gm"
    return "sides" if viewer.sides else "observer"


def report_of(
    auditor: Auditor,
    viewer: Viewer,
    problems: Iterable[LogProblem] = (),
    receipt: Literal["genuine", "forged"] | UnsetType = UNSET,
    signer: SignerRuling | UnsetType = UNSET,
    witness: Witness = NO_WITNESS,
) -> Report:
    """The report over all events of the auditor; `problems` are those of the log as a whole.

    `receipt` and `signer` are the rulings on a bundle's own receipt, `witness` has what
    clients kept.
    """
    charge, counted = auditor.charge, auditor.counted
    undone_by = auditor.rewinds.undone_by()
    receipts = witness.verdicts(charge.encounter, auditor.hashes, auditor.chain.seq)
    heads = witness.head_verdicts(auditor.hashes, auditor.chain.seq)
    all_problems = (
        *problems,
        *receipt_problems(receipts),
        *kept_head_problems(heads),
        *_own_problems(auditor),
    )
    failure = counted.first_failure
    has_faults = failure is not None or bool(all_problems)
    return Report(
        encounter=charge.encounter,
        ruleset=charge.ruleset,
        version=charge.version,
        viewer=kind_of(viewer),
        head=auditor.chain.seq,
        hash=auditor.chain.prev,
        clean=not has_faults,
        counts={
            ruling: counted.by_ruling[ruling] for ruling in RULINGS if ruling in counted.by_ruling
        },
        first_failure=UNSET if failure is None else _marked(failure, undone_by),
        problems=all_problems,
        withheld_parts=counted.withheld_parts,
        erased_texts=counted.erased_texts,
        receipt=receipt,
        signer=signer,
        receipts=receipts or UNSET,
        heads=heads or UNSET,
        fork_of=UNSET if auditor.header.opening is None else auditor.header.opening.fork_of,
        overrides=tuple(counted.overrides),
        rewinds=tuple(auditor.rewinds.rewinds),
        dice=UNSET if charge.is_brief else _dice(auditor, undone_by, has_faults=has_faults),
        luck=UNSET if counted.luck is None else counted.luck.report(undone_by),
        warnings=_warnings(auditor),
        verdicts=tuple(_marked(verdict, undone_by) for verdict in counted.verdicts),
    )


def _marked(verdict: EventVerdict, undone_by: Callable[[int], int | None]) -> EventVerdict:
    """The verdict with the rewind that undid its event, if one did."""
    rewind = undone_by(verdict.seq)
    return verdict if rewind is None else replace(verdict, undone_by=rewind)


def _warnings(auditor: Auditor) -> tuple[str, ...]:
    found = {
        "clock_went_back": auditor.chain.has_gone_back,
        "clock_was_ahead": auditor.chain.has_run_ahead,
    }
    return tuple(code for code, is_found in found.items() if is_found)


def _own_problems(auditor: Auditor) -> list[LogProblem]:
    problems = []
    opening = auditor.header.opening
    is_bundle = auditor.charge.parts_of_seq is not None
    seed = auditor.charge.seed
    if seed is None and is_bundle:
        seed = auditor.header.seed
    if seed is not None and auditor.seed != seed and opening is not None:
        problems.append(
            LogProblem(
                code="seed_does_not_fit",
                where="seed",
                stored=hashing.commitment(seed),
                expected=opening.commitment,
            )
        )
    if is_bundle and auditor.charge.seed is None and auditor.header.seed is not None:
        problems.append(LogProblem(code="seed_missing", where="seed"))
    unsaid = sorted(auditor.erased - auditor.header.erased)
    if unsaid:
        listed = ", ".join(str(seq) for seq in unsaid)
        problems.append(LogProblem(code="erased_without_event", where="parts", stored=listed))
    return problems


def _dice(
    auditor: Auditor, undone_by: Callable[[int], int | None], *, has_faults: bool
) -> DiceReport | UnsetType:
    opening = auditor.header.opening
    if opening is None:
        return UNSET
    contributions = auditor.header.contributions
    statistics = auditor.counted.tally.statistics(undone_by)
    fairness: Literal["verified", "sealed", "not_verified"] = "not_verified"
    if opening.mode == "sealed" and not has_faults:
        fairness = "sealed" if auditor.charge.seed is None else "verified"
    return DiceReport(
        mode=opening.mode,
        seed=opening.seed,
        fairness=fairness,
        grindable=not contributions or opening.seed != "os",
        last_contributor=contributions[-1][0] if contributions else UNSET,
        draws=auditor.counted.tally.draws + auditor.taken_up,
        checked=auditor.counted.drawn_again,
        taken_up=auditor.taken_up,
        told_again=tuple(
            ToldAgain(seq=seq, dice=dice) for seq, dice in auditor.unseen_waits.items()
        ),
        statistics=statistics,
        remark=remark_on(statistics) if statistics else UNSET,
    )
