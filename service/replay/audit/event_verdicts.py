"""Verdicts on events that do not hold, or cannot be judged."""

from msgspec import UNSET

from service.replay.log.sealed_event import SealFault
from service.replay.report.differences import Difference
from service.replay.report.verdicts import EventVerdict


def broken(seq: int, faults: tuple[SealFault, ...], content: Difference | None) -> EventVerdict:
    """The verdict on an event with broken seals; a difference in its content is named first."""
    is_sealed = all(fault.is_sealed for fault in faults)
    where = faults[0].where if content is None or is_sealed else content
    return EventVerdict(
        seq=seq,
        verdict="sealed_mismatch" if is_sealed else "mismatch",
        path=where.path,
        stored=where.stored,
        recomputed=where.recomputed,
        draw=UNSET if content is None else content.draw,
        broken=tuple(dict.fromkeys(fault.broken for fault in faults)),
    )


def differing(seq: int, differs: Difference, *, is_sealed: bool) -> EventVerdict:
    """The verdict on an event that is not what the rules give; `is_sealed`: in a part."""
    return EventVerdict(
        seq=seq,
        verdict="sealed_mismatch" if is_sealed else "mismatch",
        path=differs.path,
        stored=differs.stored,
        recomputed=differs.recomputed,
        draw=differs.draw,
    )


def lost(seq: int, faults: tuple[SealFault, ...], code: str = "state_unknown") -> EventVerdict:
    """The verdict on an event that is not judged: the state before it is not known, or its type."""
    if faults:
        return broken(seq, faults, None)
    return EventVerdict(seq=seq, verdict="unavailable", code=code)
