"""What an audit of all battles has judged so far, kept in a file from which it continues.

How this works. The file has one JSON object to a line: a header, then what was judged, each with
the build that judged it. Lines are only added; of several about one encounter the last counts. What
a crash or a full disk has cut, and whatever else is no such line, is passed over, so that it is
judged again. In memory stands only where the last line of each encounter begins.
"""

import fcntl
import os
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, UnsetType

from service.cli.all_audits.job import JudgedLine
from service.eventstore.records import EncounterRow

FORMAT: Final = b'{"type":"warlog_audits","format":1}\n'
"""The first line."""


class UnusableJournal(Exception):
    """A file that cannot be gone on with; the message says why."""


class JournalEntry(Struct, frozen=True, kw_only=True):
    """What was judged, by which build, and against which version if against one."""

    build: str
    against: str | UnsetType = UNSET
    line: JudgedLine


_ENTRIES: Final = msgspec.json.Decoder(JournalEntry)


class Journal:
    """The file of one kind of audit (`against`: of one version, None: of the own), held open.

    Use as a context. Raises UnusableJournal for a file that is something else, that cannot be
    opened, or that another run holds.
    """

    def __init__(self, path: Path, build: str, against: str | None) -> None:
        self.path = path
        self._build = build
        self._against = UNSET if against is None else against
        self._places: dict[bytes, int] = {}
        self._file: BinaryIO

    def __enter__(self) -> Self:
        """Open it, or begin one that only its owner may read: findings hold what is sealed."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise UnusableJournal(f"{self.path}: {error.strerror}") from error
        self._file = os.fdopen(handle, "r+b")
        try:
            self._hold()
            self._read()
        except OSError as error:
            self._file.close()
            raise UnusableJournal(f"{self.path}: {error.strerror}") from error
        except UnusableJournal:
            self._file.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go of it."""
        self._file.close()

    def __len__(self) -> int:
        """How many encounters it knows something of."""
        return len(self._places)

    def judged(self, row: EncounterRow) -> JudgedLine | None:
        """What is known of this head of an encounter; None if it is to be judged (again)."""
        place = self._places.get(row.id.bytes)
        if place is None:
            return None
        entry = self._entry_at(place)
        if entry is None or (entry.build, entry.against) != (self._build, self._against):
            return None
        line = entry.line
        is_same = (line.ruleset, line.version, line.head, line.hash) == (
            row.ruleset,
            row.version,
            row.head_seq,
            row.head_hash.hex(),
        )
        return line if is_same and line.is_settled else None

    def add(self, line: JudgedLine) -> None:
        """Keep what was judged. Raises OSError if there is no room for it."""
        entry = JournalEntry(build=self._build, against=self._against, line=line)
        place = self._file.seek(0, os.SEEK_END)
        self._file.write(msgspec.json.encode(entry) + b"\n")
        self._file.flush()
        self._places[UUID(line.encounter).bytes] = place

    def remove(self) -> None:
        """Nothing is left to go on with."""
        self.path.unlink(missing_ok=True)

    def _hold(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            why = "another audit keeps its results there; name another file with --resume"
            raise UnusableJournal(f"{self.path}: {why}") from error

    def _read(self) -> None:
        first = self._file.readline(len(FORMAT))
        if not FORMAT.startswith(first):
            why = "is no file of audits; nothing in it was changed"
            raise UnusableJournal(f"{self.path}: {why}")
        if first != FORMAT:
            self._file.seek(0)
            self._file.truncate()
            self._file.write(FORMAT)
            self._file.flush()
            return
        place, is_whole = len(FORMAT), True
        for line in self._file:
            is_whole = line.endswith(b"\n")
            entry = _entry_in(line) if is_whole else None
            if entry is not None:
                self._places[UUID(entry.line.encounter).bytes] = place
            place += len(line)
        if not is_whole:
            self._file.write(b"\n")
            self._file.flush()

    def _entry_at(self, place: int) -> JournalEntry | None:
        self._file.seek(place)
        return _entry_in(self._file.readline())


def _entry_in(line: bytes) -> JournalEntry | None:
    try:
        entry = _ENTRIES.decode(line)
        UUID(entry.line.encounter)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return entry


def default_journal(database: str, against: str | None) -> Path:
    """Where a run without a separate file keeps its results (XDG): a file for each database
    and version; `database` says which one without any password.
    """
    shared = os.environ.get("XDG_STATE_HOME", "")
    folder = Path(shared) if shared.startswith("/") else Path.home() / ".local" / "state"
    name = sha256(f"{database}\n{against or ''}".encode()).hexdigest()[:16]
    return folder / "warlog" / "audits" / f"{name}.ndjson"
