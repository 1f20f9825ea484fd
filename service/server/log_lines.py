"""What this process logs: one JSON object per line on standard error, without secrets."""

import json
import logging
import re
import sys
from typing import Final

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

_KEYS: Final = re.compile(r"(w[kst]_)[A-Za-z0-9_-]{43,}")
_PASSWORDS: Final = re.compile(r"(?<=://)([^/\s:@]*):[^/\s@]+@")
_JSON: Final = json.JSONEncoder(default=repr)


def configure_logging(level: str) -> None:
    """Everything logged in this process becomes one JSON object per line on standard error.

    What the service itself says is written without the detour over the standard library's logging,
    and costs next to nothing below the level.
    """
    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, as_json],
        logger_factory=NamedLogger,
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                as_json,
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)


class NamedLogger(structlog.WriteLogger):
    """Writes to standard error and knows its name."""

    def __init__(self, name: str) -> None:
        super().__init__(sys.stderr)
        self.name = name


def as_json(_: WrappedLogger, __: str, event: EventDict) -> str:
    """The line as it is written: plain ASCII, whatever is in it, and without secrets."""
    return without_secrets(_JSON.encode(event))


def without_secrets(line: str) -> str:
    """A last net: keys and passwords of addresses are masked wherever they turn up in a line.

    White space follows whatever parts two values, so that no mask reaches from one to another.
    """
    if "wk_" in line or "ws_" in line or "wt_" in line:
        line = _KEYS.sub(r"\1***", line)
    return _PASSWORDS.sub(r"\1:***@", line) if "://" in line else line
