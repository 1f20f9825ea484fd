"""What becomes of an audit that is a job, as the client is shown it: retries would not help."""

from typing import Final

from service.api.limits.published_limits import ApiLimits
from service.errors import JobFailed, JobTimedOut, Refused, WarlogError

LEAST_MEMORY: Final = 512 << 20
MEMORY_FOR_EACH_BYTE: Final = 8
"""What an audit may take: so much, and so many times the longest bundle."""


def audit_memory(audit_bytes: int) -> int:
    """Address space of an audit, in bytes, where the longest bundle has `audit_bytes`."""
    return LEAST_MEMORY + MEMORY_FOR_EACH_BYTE * audit_bytes


def audit_failure(error: WarlogError, limits: ApiLimits) -> WarlogError:
    """The refusal that a client gets for an error of the job."""
    if isinstance(error, JobTimedOut):
        return too_long(limits)
    if isinstance(error, JobFailed) and error.params.get("why") == "memory":
        return Refused("audit_too_large", limit=audit_memory(limits.audit_bytes))
    return error


def too_long(limits: ApiLimits) -> Refused:
    """The audit took more than `audit_seconds`."""
    return Refused("audit_too_long", seconds=limits.audit_seconds)
