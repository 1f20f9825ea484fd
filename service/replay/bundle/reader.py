"""Reads bundles strictly: a line that is not exactly as the writer writes it is refused.

How this works. The reader is fed line by line and knows which kind of line may follow which. Each
line is decoded, encoded again and compared, so that no byte of it is without meaning. What a line
claims (hashes, parts, draws) is not judged here: that is the auditor's part. So is a body that
canonical JSON cannot hold; whether another writing would mend it is asked of the reader then.
"""

import re
from typing import Final, Literal

import msgspec
from msgspec import UNSET, Raw, Struct

from service.engine import hashing
from service.engine.log.parts import part_names
from service.errors import Malformed
from service.replay.bundle.format import (
    FORMAT,
    LINES,
    AnyLine,
    BundleBlob,
    BundleEvent,
    BundleHeader,
    BundleSeal,
    encoded,
    fairness_of,
    named_in,
)
from service.replay.bundle.line_form import (
    flaw_of,
    has_form,
    has_half_pair,
    with_last_members,
)
from service.replay.report.differences import UNREADABLE

MAX_LINE_BYTES: Final = 64 << 20
"""No line of a bundle is longer: a map of 256 cells square takes about 4 MiB."""

MOST_VALUES: Final = 4 << 20
"""No line has more of the bytes that stand before a value: each value takes far more memory."""

DEEPEST: Final = 256
"""Levels of a line, the line itself being the first."""

_TEXT: Final = re.compile(rb'"(?:[^"\\]|\\.)*"')
_BRACKETS: Final = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS: Final = bytes(each for each in range(256) if each not in b"[]{}")


class DamagedBundle(Malformed):
    """The bytes are no bundle: `line` counts from 1, `reason` is a stable word.

    `truncated`, `too_long`, `unreadable`, `not_canonical`, `out_of_order`, `unknown_format`,
    `wrong_fairness`, `wrong_viewer`, `wrong_digest`, `repeated_blob`, `wrong_parts`; where only a
    sound file is of use, also what is wrong with its blobs.
    """

    code = "damaged_bundle"

    def __init__(self, line: int, reason: str, **params: object) -> None:
        super().__init__(None, line=line, reason=reason, **params)
        self.line = line
        self.reason = reason


class _Formatted(Struct):
    """A line that names its format; nothing else of it is opened, however much there is."""

    format: Raw


class BundleReader:
    """Feed it every line with its newline, then `finish`. Raises DamagedBundle."""

    def __init__(self) -> None:
        self.line = 0
        self.header: BundleHeader | None = None
        self.blobs: dict[str, bytes] = {}
        self.events = 0
        self.seal: BundleSeal | None = None
        self._unnamed: set[str] = set()
        self._named: list[str] = []

    def feed(self, line: bytes) -> AnyLine:
        """The next line."""
        self.line += 1
        if len(line) > MAX_LINE_BYTES:
            raise self._damaged("too_long", limit=MAX_LINE_BYTES)
        if not line.endswith(b"\n"):
            raise self._damaged("truncated")
        if is_crowded(line):
            raise self._damaged("too_long", limit=MOST_VALUES)
        read = self._decoded(line)
        try:
            self._take(read)
        except DamagedBundle:
            # A field of another form goes before what the line says.
            self._require_form_in(read)
            raise
        return read

    def finish(self) -> BundleSeal:
        """There is no further line."""
        self.line += 1
        if self.seal is None:
            raise self._damaged("truncated")
        return self.seal

    @property
    def blob_fault(self) -> Literal["unnamed_blob", "blob_order"] | None:
        """What is wrong with the blobs, once there is no further line."""
        if self._unnamed:
            return "unnamed_blob"
        # Bundles of the service list them by digest; others as their log first names them.
        is_in_order = list(self.blobs) in (sorted(self.blobs), self._named)
        return None if is_in_order else "blob_order"

    def finish_soundly(self) -> BundleSeal:
        """There is no further line, and nothing is wrong with the blobs."""
        seal = self.finish()
        if self.blob_fault is not None:
            raise self._damaged(self.blob_fault)
        return seal

    def _decoded(self, line: bytes) -> AnyLine:
        try:
            return self._decoded_as_written(line)
        except DamagedBundle as damaged:
            latest = with_last_members(line) if damaged.reason == "unreadable" else None
            if latest is None:
                raise
            return self._decoded_as_written(latest)

    def _decoded_as_written(self, line: bytes) -> AnyLine:
        try:
            # The decoder does not look into what it leaves raw.
            str(line, "utf-8")
            read = LINES.decode(line)
        except UNREADABLE as error:
            if self.line == 1 and b'"format"' in line:
                self._require_format(line)
            raise self._damaged("unreadable", why=str(error)) from error
        if nests_too_deeply(line):
            raise self._damaged("unreadable", why=f"nested deeper than {DEEPEST}")
        if has_half_pair(line):
            raise self._damaged("unreadable", why="half of a surrogate pair")
        flaw = flaw_of(read) if isinstance(read, BundleBlob) else None
        if flaw == "canonical":
            raise self._damaged("unreadable", why="a body that canonical JSON cannot hold")
        if flaw == "not_canonical" or encoded(read) != line:
            self._require_form_in(read)
            self._require_flaw(read)
        return read

    def _require_flaw(self, read: AnyLine) -> None:
        """Raises DamagedBundle where another writing would mend the line."""
        if not isinstance(read, BundleEvent) or flaw_of(read) != "canonical":
            raise self._damaged("not_canonical")

    def _require_form_in(self, read: AnyLine) -> None:
        if isinstance(read, BundleEvent):
            self.require_form(read)

    def require_form(self, event: BundleEvent) -> None:
        """What an event just read keeps as bytes has its form; an event that the rules give has.

        Raises DamagedBundle.
        """
        if has_form(event):
            return
        latest = with_last_members(encoded(event))
        if latest is None:
            raise self._damaged("unreadable", why="a field of another form")
        self._decoded_as_written(latest)

    def require_unmendable(self, event: BundleEvent) -> None:
        """An event just read, which is not canonical, would not be so in another writing.

        Raises DamagedBundle.
        """
        self._require_flaw(event)

    def _require_format(self, line: bytes) -> None:
        try:
            found = bytes(msgspec.json.decode(line, type=_Formatted).format)
        except UNREADABLE:
            return
        if found != b"%d" % FORMAT:
            told = found[:20].decode(errors="replace")
            raise self._damaged("unknown_format", found=told, known=FORMAT)

    def _take(self, read: AnyLine) -> None:
        match read:
            case BundleHeader():
                self._take_header(read)
            case BundleBlob():
                self._take_blob(read)
            case BundleEvent():
                self._take_event(read)
            case BundleSeal():
                self._in_order(self.events > 0 and self.seal is None)
                self.seal = read

    def _take_header(self, header: BundleHeader) -> None:
        self._in_order(self.line == 1)
        expected = fairness_of(header.dice.mode, is_revealed=header.seed is not UNSET)
        if header.dice.fairness != expected:
            raise self._damaged("wrong_fairness", expected=expected)
        viewer = header.viewer
        since = [grant.since for grant in viewer.grants]
        if since != sorted(set(since)) or bool(since) != (viewer.kind == "sides"):
            raise self._damaged("wrong_viewer")
        self.header = header

    def _take_blob(self, blob: BundleBlob) -> None:
        self._in_order(self.header is not None and self.events == 0 and self.seal is None)
        body = bytes(blob.body)
        if hashing.blob_digest(body) != blob.digest:
            raise self._damaged("wrong_digest", digest=blob.digest)
        if blob.digest in self.blobs:
            raise self._damaged("repeated_blob", digest=blob.digest)
        self.blobs[blob.digest] = body
        self._unnamed.add(blob.digest)

    def _take_event(self, event: BundleEvent) -> None:
        self._in_order(self.header is not None and self.seal is None)
        names = {(part.kind, part.audience) for part in event.parts}
        halves = any((part.salt is UNSET) != (part.body is UNSET) for part in event.parts)
        facts_gone = any(part.body is UNSET and part.kind == "facts" for part in event.parts)
        if len(names) != len(event.parts) or halves or facts_gone:
            raise self._damaged("wrong_parts")
        if self._unnamed:
            named = named_in(bytes(event.event), self._unnamed)
            self._unnamed -= set(named)
            self._named += named
        self.events += 1

    def require_order(self, event: BundleEvent, sides: tuple[str, ...]) -> None:
        """The parts of an event just read stand in their fixed order. Raises DamagedBundle."""
        order = {name: place for place, name in enumerate(part_names(sides))}
        places = [
            order[name] for part in event.parts if (name := (part.kind, part.audience)) in order
        ]
        if places != sorted(places):
            raise self._damaged("wrong_parts")

    def _in_order(self, is_in_order: bool) -> None:
        if not is_in_order:
            raise self._damaged("out_of_order")

    def _damaged(self, reason: str, **params: object) -> DamagedBundle:
        return DamagedBundle(self.line, reason, **params)


def is_crowded(line: bytes) -> bool:
    """Whether a line may hold more values than it may."""
    return len(line) > MOST_VALUES and sum(map(line.count, (b"[", b"{", b","))) > MOST_VALUES


def nests_too_deeply(line: bytes) -> bool:
    """Whether a line that is JSON has more levels than it may."""
    if line.count(b"[") + line.count(b"{") <= DEEPEST:
        return False
    left = _TEXT.sub(b"", line).translate(_BRACKETS, _NO_BRACKETS)
    for _ in range(DEEPEST):
        if not left:
            return False
        # Each time the innermost brackets go.
        left = left.replace(b"[]", b"")
    return bool(left)
