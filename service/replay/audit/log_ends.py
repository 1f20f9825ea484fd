"""Where a log begins and ends otherwise than what stands beside it says."""

from service.replay.audit.event_auditor import Auditor
from service.replay.report.verdicts import LogProblem


def opening_problems(auditor: Auditor, claims: dict[str, str]) -> list[LogProblem]:
    """Where the row or the header differs from event 1."""
    opening = auditor.header.opening
    if opening is None:
        return [LogProblem(code="header_differs", where="event 1")]
    facts = {name: getattr(opening, name) for name in claims}
    if "mode" in facts and not opening.has_mode:
        facts["mode"] = ""
    return [
        header_problem(name, claim, facts[name])
        for name, claim in claims.items()
        if claim != facts[name]
    ]


def head_problems(auditor: Auditor, seq: int, head: str) -> list[LogProblem]:
    """The log must end where its row, or the seal of its bundle, says."""
    chain = auditor.chain
    if (seq, head) == (chain.seq, chain.prev):
        return []
    stored, expected = f"{chain.seq}-{chain.prev}", f"{seq}-{head}"
    return [LogProblem(code="head_differs", where="head", stored=stored, expected=expected)]


def header_problem(where: str, stored: str, expected: str) -> LogProblem:
    """What stands beside the log is not what the log says."""
    return LogProblem(code="header_differs", where=where, stored=stored, expected=expected)


def tail_problems(first: int | None) -> list[LogProblem]:
    """No row may stand behind the head of a log: `first` is the seq of the first one."""
    return [] if first is None else [LogProblem(code="rows_beyond_head", where=f"event {first}")]
