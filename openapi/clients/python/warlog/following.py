"""Following a battle: where to go on, when to come back, what to believe.

How this works. A stream is opened behind the last event that was heard, and read until it breaks,
ends or falls silent; then it is opened again, sooner or later by how often that failed. Each event
must continue what was heard before, by its seq and by the hash it names; each patch must fit; at
the beginning the service shows the digest of what the client must be holding. What does not fit is
never shown to the caller: the stream is left, and the service asked what is right.
"""

from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.json import Decoder
from msgspec.structs import replace

from warlog.answers import EventPage
from warlog.battle_calls import Language, Place
from warlog.caller import ASK_AGAIN, Query, read
from warlog.json_patch import PatchFailed
from warlog.problems import Problem, UnexpectedAnswer, Unreachable, problem_of, retry_after
from warlog.records import KINDS, Bye, Event, Hello, Json, Record, Resync, Status, StatusWord, Told
from warlog.server_sent_events import EventParser, ServerSentEvent
from warlog.steps import Lost, Pause, Request, Response, Steps, Tell, Telling, open_line, read_piece

T = TypeVar("T")
PAGE = 64
FAULTS = frozenset({500, *ASK_AGAIN})
"""Statuses after which to come back."""


LAST_NOTES = 100
"""How many of the last notes a followed state has; `notes` of a battle reads all."""


class FollowOptions(Struct, frozen=True, kw_only=True):
    """What is to be told: `state` and `scene` are kept by patches, `narrate` shows sentences."""

    state: bool = True
    scene: bool = False
    narrate: Language | None = None


class Following:
    """One client that follows one battle."""

    def __init__(self, place: Place, options: FollowOptions) -> None:
        self._place = place
        self._kept = place.kept
        self._options = options
        self._failures = 0
        self._end = 0
        self._notes: int | None = LAST_NOTES
        self._is_over = False
        self._is_broken = False

    def steps(self) -> Steps[None]:
        """Everything, until the service says that it is over, or the caller no longer follows.

        Raises Problem for what no patience mends: a token that is not good, a battle that is gone.
        """
        try:
            yield from self._follow()
        finally:
            self._kept.take(Status(status="offline"), None)

    def _follow(self) -> Steps[None]:
        silence_seconds = self._place.caller.patience.silence_seconds
        while not self._is_over:
            caller = self._place.caller
            asked = caller.clock.own()
            reply = yield from open_line(self._request(), silence_seconds)
            caller.hear(reply, asked)
            if isinstance(reply, Response) and reply.status == 200:
                why = yield from self._listen()
            else:
                why = yield from self._refused(reply)
            if not self._is_over:
                yield from self._tell(Status(status="offline", why=why))
                yield Pause(self._pause_seconds(reply))

    def _request(self) -> Request:
        cursor = self._kept.cursor
        query = {
            "state": "patch" if self._options.state else None,
            "scene": "patch" if self._options.scene else None,
            "notes": self._notes if self._options.state else None,
            "narrate": self._options.narrate,
            "after": cursor,
        }
        return self._place.reading("/stream", query, "text/event-stream")

    def _pause_seconds(self, reply: Response | Lost) -> float:
        caller = self._place.caller
        wanted = None if isinstance(reply, Lost) else retry_after(reply)
        pause = caller.patience.pause_seconds(self._failures, caller.chance)
        self._failures += 1
        return max(wanted or 0.0, pause)

    def _refused(self, reply: Response | Lost) -> Steps[str]:
        """Why there is no stream. Raises Problem if there will be none."""
        if isinstance(reply, Lost):
            return reply.why
        problem = problem_of(reply)
        if problem.code == "history_diverged" and self._kept.cursor is not None:
            yield from self._tell(Resync(reason="history_diverged"))
        elif self._notes is not None and problem.params.get("path") == "query.notes":
            # A process of a release that always has all of them.
            self._notes = None
        elif reply.status not in FAULTS:
            raise problem
        return str(problem)

    def _listen(self) -> Steps[str]:
        """Read a stream; why it is over."""
        parser = EventParser()
        self._is_broken = False
        while True:
            piece = yield from read_piece()
            if isinstance(piece, Lost):
                return piece.why
            if not piece:
                return "the stream ended"
            for event in parser.events(piece):
                yield from self._take(event)
                if self._is_over or self._is_broken:
                    return "what came did not continue what was there"

    def _take(self, told: ServerSentEvent) -> Steps[None]:
        if told.name not in KINDS:
            return
        record, cursor = _read(told), told.id
        if isinstance(record, Hello):
            self._end = record.seq
            if self._is_ahead(cursor):
                # A resync follows; the client stays where it is until what is missing was shown.
                cursor = None
            else:
                yield from self._check_document(record, cursor)
        elif isinstance(record, Event):
            self._is_broken = not self._continues(record)
            self._place.caller.clock.hear_event(record.recorded_at)
        elif isinstance(record, Resync) and record.reason == "too_far_behind":
            yield from self._tell_missed(record.after)
        if not self._is_broken:
            yield from self._tell(record, cursor)
            if not isinstance(record, Hello):
                self._failures = 0
        self._is_over = isinstance(record, Bye) and not _is_passing(record)
        if not (self._is_broken or self._is_over):
            yield from self._tell_how_current(record)

    def _is_ahead(self, cursor: str | None) -> bool:
        """Whether a stream begins further on than it was asked for: there were too many events."""
        held = self._kept.cursor
        return cursor is not None and held is not None and _seq(cursor) > _seq(held)

    def _tell_missed(self, end: str | None) -> Steps[None]:
        """The events that a stream left out, up to `end`, page by page and without patches."""
        while end is not None and self._kept.cursor is not None and not self._is_broken:
            missing = _seq(end) - _seq(self._kept.cursor)
            if missing <= 0:
                return
            query: Query = {
                "after": self._kept.cursor,
                "limit": min(PAGE, missing),
                "narrate": self._options.narrate,
            }
            try:
                page = yield from self._once("/events", query, _PAGE)
            except (Problem, Unreachable):
                self._is_broken = True
                return
            self._is_broken = not page.events
            for event in page.events:
                self._is_broken = self._is_broken or not self._continues(event)
                if not self._is_broken:
                    yield from self._tell(event, event.cursor)

    def _continues(self, event: Event) -> bool:
        seq, _, head = (self._kept.cursor or "0").partition("-")
        return event.seq == int(seq) + 1 and (
            int(seq) == 0 or str(event.event["prev"]).startswith(head)
        )

    def _tell(self, record: Record, cursor: str | None = None) -> Steps[None]:
        try:
            self._kept.take(record, cursor)
        except PatchFailed:
            self._kept.stand(self._kept.cursor, None)
            self._is_broken = True
            return
        yield Tell(record)

    def _tell_how_current(self, record: Told) -> Steps[None]:
        if isinstance(record, Bye) or (isinstance(record, Resync) and record.after is None):
            return
        status: StatusWord = "live" if self._kept.seq >= self._end else "catching_up"
        if status != self._kept.status:
            yield from self._tell(Status(status=status))

    def _check_document(self, hello: Hello, cursor: str | None) -> Steps[None]:
        """See that what is held is what the service thinks is held; else ask for it."""
        if hello.document_sha256 is None or cursor is None:
            return
        if cursor.startswith("0-"):
            self._kept.stand(cursor, {})
        if self._kept.digest == hello.document_sha256:
            return
        try:
            document = yield from self._document_at(_seq(cursor))
        except Unreachable:
            self._is_broken = True
            return
        except Problem as problem:
            if problem.status in FAULTS:
                self._is_broken = True
                return
            document = None
        self._kept.stand(cursor, document)
        if self._kept.digest != hello.document_sha256:
            # Rights changed meanwhile, perhaps: begin again, with the whole document.
            self._kept.stand(None, None)
            self._is_broken = True

    def _document_at(self, seq: int) -> Steps[Json]:
        view = yield from self._once("", {"at": seq, "notes": self._notes}, _OBJECT)
        document = {name: view[name] for name in ("decisions", "state", "table")}
        if self._options.scene:
            scene = yield from self._once("/scene", {"at": seq}, _OBJECT)
            document["scene"] = scene["scene"]
        return document

    def _once(self, path: str, query: Query, decoder: Decoder[T]) -> Steps[T]:
        """What is read next to the stream, asked for once: the stream has the patience for both."""
        place, caller = self._place, self._place.caller
        seconds = caller.patience.silence_seconds
        hasty = replace(caller, patience=replace(caller.patience, tries=1))
        request = place.reading(path, query, answer_seconds=seconds)
        return read((yield from hasty.answered(request)), decoder)


def follow(
    place: Place,
    *,
    state: bool = True,
    scene: bool = False,
    narrate: Language | None = None,
    after: int | str | None = None,
) -> Telling[Record]:
    """Follow the battle; each record is shown once what it changes is held.

    Continues behind `after` (0: from the beginning), else behind what was followed before, else
    from now on. `scene` keeps the scene, too; `narrate` shows each event in words. The state has
    the last `LAST_NOTES` notes. Comes back by itself whenever it is cut off. Of more than 64
    events that were missed `state` is that behind the last, once they were shown and a Resync says
    so. Raises Problem where that is no use.
    """
    if after is not None and str(after) != place.kept.cursor:
        place.kept.stand(str(after), None)
    options = FollowOptions(state=state or scene, scene=scene, narrate=narrate)
    return Telling(Following(place, options).steps())


def _read(told: ServerSentEvent) -> Told:
    try:
        return _TOLD.decode(told.body)
    except msgspec.DecodeError as error:
        raise UnexpectedAnswer(f"a record that cannot be read: {error}") from error


def _is_passing(bye: Bye) -> bool:
    """Whether the stream may be opened again after it ended so."""
    return bye.reason not in ("revoked", "deleted") if bye.retry is None else bye.retry


def _seq(cursor: str) -> int:
    return int(cursor.partition("-")[0])


_PAGE: Decoder[EventPage] = Decoder(EventPage)
_OBJECT: Decoder[Json] = Decoder(Json)
_TOLD: Decoder[Told] = Decoder(Told)
