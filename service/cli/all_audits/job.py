"""What is asked of worker processes and what they answer: one JSON object to a line.

How this works. The first line in is the job; the worker answers that it is ready. Then each line in
names an encounter, and is answered with what was found, after any number of lines that say how far
it is. What no worker can do anything about, such as a database that is away, ends it.
"""

from collections.abc import Mapping

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from service.eventstore.records import EncounterRow
from service.replay.audit.version_comparisons import stored_comparison
from service.replay.report.brief import LogVerdict, unjudged
from service.replay.report.comparison import VersionComparison

JudgedLine = LogVerdict | VersionComparison
"""What was found of one encounter."""


def failed(row: EncounterRow, against: str | UnsetType, error: str) -> JudgedLine:
    """What is said of an encounter at which the work itself failed."""
    if against is UNSET:
        return replace(unjudged(row, "unavailable"), reason="failed", error=error)
    return replace(stored_comparison(row, against, "unavailable"), reason="failed", error=error)


class AuditJob(Struct, frozen=True, kw_only=True):
    """Where the logs are, and under which other version they are decided, if under one.

    `environment` is what the database's driver reads besides the address: a process of a job has
    nothing of the caller's.
    """

    url: str
    environment: Mapping[str, str] = {}
    against: str | UnsetType = UNSET

    def __repr__(self) -> str:
        """Name nothing: an address holds a password."""
        return "AuditJob()"


class Ready(Struct, frozen=True, tag_field="type", tag="ready"):
    """The worker has reached the database."""


class EventsJudged(Struct, frozen=True, kw_only=True, tag_field="type", tag="progress"):
    """So many more events of the encounter that is being judged."""

    count: int


class DatabaseTrouble(Struct, frozen=True, kw_only=True, tag_field="type", tag="trouble"):
    """The database does not answer, or not as it should: `code` is that of the service's error."""

    code: str
    params: dict[str, object] = {}


WorkerLine = Ready | EventsJudged | DatabaseTrouble | LogVerdict | VersionComparison
"""Everything that a worker says."""
