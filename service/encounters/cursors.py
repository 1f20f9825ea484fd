"""Cursors as clients hold them: a place in a log with its hash, a place in a list."""

import base64
import contextlib
import re
from collections.abc import Collection
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from service.errors import ConflictingRequest, Malformed
from service.eventstore.log_reads import Log
from service.eventstore.records import Cursor

NO_HASH8: Final = "00000000"
"""What represents a hash in the cursor before event 1."""

_VERSION: Final = re.compile(r"(\d{1,10})(?:-([0-9a-f]{8}))?")


def read_version(text: str, path: str) -> tuple[int, str | None]:
    """A seq and, where the client has it, the first 8 digits of its hash.

    Raises Malformed.
    """
    match = _VERSION.fullmatch(text)
    if match is None or int(match[1]) >= 2**31:
        raise Malformed(path=path, allowed="seq or seq-hash8")
    return int(match[1]), match[2]


async def require_on_log(log: Log, encounter: UUID, head: int, version: str, path: str) -> int:
    """The seq of a version that lies on this log, which ends at `head`.

    Raises Malformed; ConflictingRequest("history_diverged") if the version is of another log: the
    database was restored to an older state since it was shown.
    """
    seq, digits = read_version(version, path)
    if seq == 0 or (digits is None and seq <= head):
        return seq
    events = await log.events(encounter, after=seq - 1, until=seq, limit=1)
    if not events or (digits is not None and events[0].hash.hex()[:8] != digits):
        raise ConflictingRequest(
            "history_diverged", encounter=str(encounter), seq=seq, given=version, head=head
        )
    return seq


async def is_event_of(log: Log, encounter: UUID, version: str) -> bool:
    """Whether this log has an event of this seq and this hash, which only its readers know.

    Raises Malformed.
    """
    seq, digits = read_version(version, "Last-Event-ID")
    if seq == 0 or digits is None:
        return False
    events = await log.events(encounter, after=seq - 1, until=seq, limit=1)
    return bool(events) and events[0].hash.hex()[:8] == digits


async def place_on_log(
    log: Log, encounter: UUID, head: int, version: str, path: str
) -> tuple[int, str]:
    """Seq and hash8 of a version that lies on this log: a cursor that is taken back as it is.

    Raises what `require_on_log` raises.
    """
    seq = await require_on_log(log, encounter, head, version, path)
    _, digits = read_version(version, path)
    if seq == 0:
        return 0, NO_HASH8
    if digits is None:
        [stored] = await log.events(encounter, after=seq - 1, until=seq, limit=1)
        digits = stored.hash.hex()[:8]
    return seq, digits


async def require_none_ahead(
    log: Log, encounter: UUID, head: tuple[int, str], versions: Collection[str], path: str
) -> None:
    """None of these versions is ahead of this log, which ends at `head`, seq and hash.

    The version of the end itself is not ahead; a text that is no version is ignored. Raises
    ConflictingRequest("history_diverged").
    """
    if f"{head[0]}-{head[1][:8]}" in versions:
        return
    for version in versions:
        with contextlib.suppress(Malformed):
            seq, digits = read_version(version, path)
            if seq > head[0] or (seq == head[0] and digits != head[1][:8]):
                await require_on_log(log, encounter, head[0], version, path)


def write_cursor(created_at: datetime, encounter: UUID, terms: str) -> str:
    """Behind this encounter of a list; `terms` say which list it is."""
    body = msgspec.json.encode([created_at, encounter, terms])
    return base64.urlsafe_b64encode(body).rstrip(b"=").decode()


def read_cursor(text: str, path: str, terms: str) -> Cursor:
    """The place a cursor represents. Raises Malformed, also for one of another list."""
    try:
        body = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
        created_at, encounter, own = msgspec.json.decode(body, type=tuple[datetime, UUID, str])
    except (ValueError, msgspec.MsgspecError) as error:
        raise Malformed(path=path, allowed="a cursor of an earlier page") from error
    if created_at.tzinfo is None:
        raise Malformed(path=path, allowed="a cursor of an earlier page")
    if own != terms:
        raise Malformed(path=path, allowed="a cursor of this list, in this order, so filtered")
    return Cursor(created_at=created_at, id=encounter)
