"""How many connections the system lets a process have: as many as the settings speak of."""

import resource
from typing import Final

import structlog

SPARE: Final = 256
"""Files next to the connections of clients: databases, logs, the process's own."""

_log = structlog.get_logger("warlog.serve")


def allow_open_files(connections: int) -> None:
    """Raise the limit of this process as far as it needs and may; say so if that is too little."""
    wanted = connections + SPARE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < wanted:
        _log.warning("the limit of open files is low", allowed=allowed, needed=wanted)
