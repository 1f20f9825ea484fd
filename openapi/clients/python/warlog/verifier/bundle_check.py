"""A bundle line by line: form, order and canonical bytes, then what each line says."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from msgspec import Struct

from warlog.verifier.canonical_json import flaw_of, is_readable, line_of, written
from warlog.verifier.details import Detail, said
from warlog.verifier.digests import hex_digest
from warlog.verifier.event_checks import check_event
from warlog.verifier.findings import Difference
from warlog.verifier.json_reader import GREATEST
from warlog.verifier.line_forms import Json, as_line, require_frame
from warlog.verifier.lines import LONGEST_LINE, RawLine, is_crowded
from warlog.verifier.log_state import LogState
from warlog.verifier.parts import part_name


class Found(Struct, frozen=True, kw_only=True):
    """A difference and where it is, before it is reported in a language."""

    code: str
    detail: Detail
    line: int | None = None
    seq: int | None = None
    path: str | None = None
    where: str | None = None


class BundleCheck:
    """What was read of a bundle so far; says what it finds to `report`."""

    def __init__(self, report: Callable[[Found], None]) -> None:
        self._report = report
        self.lines = 0
        self.bytes = 0
        self.log: LogState | None = None
        #: Lines of blobs by digest.
        self.blobs: dict[str, int] = {}
        self.seal: Json | None = None
        #: Whether a line ended the reading.
        self.is_broken = False

    def take(self, raw: RawLine) -> bool:
        """Judge a line. False where nothing behind it can be judged any more."""
        self.lines += 1
        length = LONGEST_LINE + 1 if raw.content is None else len(raw.content)
        self.bytes += length + raw.is_ended
        try:
            self._judge(raw)
        except Difference as error:
            self._find(error)
            self.is_broken = True
        return not self.is_broken

    def end(self) -> None:
        """The end of the source: a file that has no seal was cut off."""
        if not self.is_broken and self.seal is None:
            self.lines += 1
            self._find(Difference("truncated", said("the file ends without a seal")))
            self.is_broken = True

    def _find(self, error: Difference, seq: int | None = None) -> None:
        found = Found(
            code=error.code, detail=error.detail, line=self.lines, seq=seq, path=error.path
        )
        self._report(found)

    def _judge(self, raw: RawLine) -> None:
        if raw.content is None:
            raise Difference("too_long", said("a line of more than 64 MiB"))
        if not raw.is_ended:
            raise Difference("truncated", said("the file ends within this line"))
        if is_crowded(raw.content):
            raise Difference("too_long", said("a line of more than 4,194,304 values"))
        value, flaw = line_of(raw.content, as_line, is_first=self.lines == 1)
        is_event = isinstance(value, dict) and value.get("type") == "event"
        if flaw is not None and not (is_event and is_readable(value)):
            raise Difference("unreadable", said("canonical JSON has not {}", flaw.reason))
        of_body = None if flaw is None else flaw_of(value.get("event", ""))
        if of_body is not None:
            require_frame(value)
            detail = said("canonical JSON has not {}", of_body.reason)
            self._find(Difference("canonical", detail, "$"), _seq_of(value["event"]))
        has_flaws = {"is_flawed": of_body is not None, "has_odd_parts": flaw is not None}
        self._follow(as_line(value), **has_flaws)

    def _follow(self, line: Json, *, is_flawed: bool, has_odd_parts: bool) -> None:
        """Take a line of the right form; `is_flawed`: a finding about it stands already."""
        log, kind = self.log, line["type"]
        if kind == "bundle" and log is None:
            _require_consistent(line)
            self.log = LogState(line)
            return
        if log is not None and self.seal is None:
            if kind == "blob" and log.events == 0:
                self._take_blob(line)
                return
            if kind == "event":
                self._take_event(log, line, is_flawed=is_flawed, has_odd_parts=has_odd_parts)
                return
            if kind == "seal" and log.events:
                self.seal = line
                return
        detail = said('a line of type "{}" cannot follow here', kind)
        raise Difference("out_of_order", detail)

    def _take_blob(self, blob: Json) -> None:
        digest = hex_digest(written(blob["body"]))
        if digest != blob["digest"]:
            detail = said("{} instead of {}", blob["digest"], digest)
            raise Difference("wrong_digest", detail)
        if digest in self.blobs:
            raise Difference("repeated_blob", said("a blob stands twice"))
        self.blobs[digest] = self.lines

    def _take_event(
        self, log: LogState, line: Json, *, is_flawed: bool, has_odd_parts: bool
    ) -> None:
        if log.events == 0:
            log.open(line)
        _require_parts(line, log)
        is_read = not is_flawed
        try:
            if not is_flawed:
                check_event(log, line, has_odd_parts=has_odd_parts)
        except Difference as error:
            self._find(error, line["event"]["seq"])
            is_read = error.code in ("rules", "invariants")
        if not is_read:
            log.sightings = None
        log.note(line, self.lines)


def _seq_of(event: Any) -> int | None:
    seq = event.get("seq") if isinstance(event, dict) else None
    return seq if type(seq) is int and abs(seq) <= GREATEST else None


def _require_consistent(header: Json) -> None:
    """A header that does not contradict itself."""
    dice, viewer = header["dice"], header["viewer"]
    sealed = "verifiable" if "seed" in header else "sealed"
    fairness = "not_verified" if dice["mode"] == "supplied" else sealed
    if dice["fairness"] != fairness:
        detail = said('"{}" instead of "{}"', dice["fairness"], fairness)
        raise Difference("wrong_fairness", detail)
    grants = viewer["grants"]
    if (viewer["kind"] == "sides") != bool(grants):
        detail = said("viewers of sides have grants, and nobody else")
        raise Difference("wrong_viewer", detail)
    since = [each["since"] for each in grants]
    if any(later <= earlier for earlier, later in pairwise(since)):
        raise Difference("wrong_viewer", said("`since` of the grants does not go up"))


def _require_parts(line: Json, log: LogState) -> None:
    """Parts in the order of the commitments, none twice, and none by half."""
    places = {name: at for at, name in enumerate(log.names)}
    before = -1
    seen = set()
    for part in line["parts"]:
        name = part_name(part)
        if ("salt" in part) != ("body" in part):
            detail = said("half of {}: salt and body are both there or both gone", name)
            raise Difference("wrong_parts", detail)
        if "body" not in part and part["kind"] != "text":
            detail = said("{} has no body: only a text can be erased", name)
            raise Difference("wrong_parts", detail)
        if name in seen:
            raise Difference("wrong_parts", said("{} stands twice", name))
        seen.add(name)
        place = places.get(name, before)
        if place < before:
            raise Difference("wrong_parts", said("{} stands too late", name))
        before = place
