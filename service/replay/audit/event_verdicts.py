"""Verdicts on events that do not hold, or cannot be judged."""

from msgspec import UNSET

from service.replay.log.sealed_event import SealFault
from service.replay.report.differences import Difference
from service.replay.report.verdicts import EventVerdict


def broken(
    seq: int,
    faults: tuple[SealFault, ...],
    content: Difference | None,
    *,
    ruled: Difference | None = None,
    is_of_bundle: bool = False,
) -> EventVerdict:
    """The verdict on an event with broken seals; a difference in its content is named first.

    In a bundle the first word has its place, and content is named only where the hash is not that
    of the body. `ruled` is what no log has there, which goes before commitments and the parts of
    the viewer.
    """
    is_sealed = all(fault.is_sealed for fault in faults)
    where, is_rewritten = faults[0].where, faults[0].broken == "hash"
    if is_of_bundle and faults[0].broken in ("commitment", "entitlement"):
        where, is_sealed = ruled or where, is_sealed and ruled is None
    elif content is not None and not is_sealed and (not is_of_bundle or is_rewritten):
        where = content
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
