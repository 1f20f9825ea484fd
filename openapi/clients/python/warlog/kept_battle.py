"""What a client holds of a battle that it follows, always as it was shown last."""

from hashlib import sha256
from typing import Any

import msgspec

from warlog.json_patch import patched
from warlog.records import (
    Decision,
    Event,
    Heartbeat,
    Hello,
    Json,
    Presence,
    Receipt,
    Record,
    Resync,
    Status,
    StatusWord,
    Timer,
    Timers,
    UndoBar,
)


class KeptBattle:
    """A battle as far as its stream shown it.

    Nothing in here is ever changed in place: whoever keeps a `state` has that of its moment.
    """

    def __init__(self) -> None:
        self._document: Json | None = None
        self._cursor: str | None = None
        self._hello: Hello | None = None
        self._status: StatusWord = "offline"
        self._presence: frozenset[str] = frozenset()
        self._timers: tuple[Timer, ...] = ()
        self._decisions: tuple[Decision, ...] = ()
        self._receipt: Receipt | None = None

    @property
    def document(self) -> Json | None:
        """`{state, table, decisions}`, with `scene` if that is followed; None before it is
        shown.
        """
        return self._document

    @property
    def state(self) -> Json | None:
        """What a rewind restores: the battle, as `read_state` shows it."""
        return self._member("state")

    @property
    def table(self) -> Json | None:
        """What a rewind never touches: seats, notes, the seed once it is out."""
        return self._member("table")

    @property
    def undo_to(self) -> int | None:
        """The earliest event that the own seat may rewind to; None: it may take nothing back."""
        to: int | None = (self.table or {}).get("undo_to")
        return to

    @property
    def undo_bar(self) -> UndoBar | None:
        """Why it goes back no further."""
        bar: UndoBar | None = (self.table or {}).get("undo_bar")
        return bar

    @property
    def scene(self) -> Json | None:
        """The scene in neutral terms, where it is followed."""
        return self._member("scene")

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The questions that are open, as far as the caller sees them."""
        return self._decisions

    @property
    def cursor(self) -> str | None:
        """Behind which event the client stands, `seq-hash8`; what `follow(after=…)` takes."""
        return self._cursor

    @property
    def seq(self) -> int:
        """The last event that the client was shown of, 0 before any."""
        return 0 if self._cursor is None else int(self._cursor.partition("-")[0])

    @property
    def role(self) -> str | None:
        """What the caller may do here: `gm`, `player` or `observer`."""
        return None if self._hello is None else self._hello.role

    @property
    def my_seat(self) -> str | None:
        """The seat that the caller reads for; None for a key by itself."""
        return None if self._hello is None else self._hello.seat

    @property
    def receipt(self) -> Receipt | None:
        """The last signature over a head that the stream told: keep it."""
        return self._receipt

    @property
    def presence(self) -> frozenset[str]:
        """The seats at which somebody follows the battle."""
        return self._presence

    @property
    def deadlines(self) -> tuple[Timer, ...]:
        """The deadlines that the caller may know of."""
        return self._timers

    @property
    def status(self) -> StatusWord:
        """How current all this is."""
        return self._status

    @property
    def digest(self) -> str | None:
        """SHA-256 of the document in canonical JSON without metadata, as `hello` shows it."""
        return None if self._document is None else digest(self._document)

    def stand(self, cursor: str | None, document: Json | None) -> None:
        """Stand behind an event, with the document behind it if that is known."""
        self._cursor = cursor
        self._hold(document)

    def take(self, record: Record, cursor: str | None) -> None:
        """Hold what a record shows; `cursor` is its id, None where it has none.

        Raises PatchFailed: then nothing is changed.
        """
        match record:
            case Hello():
                self._greeted(record)
            case Event():
                self._hold(patched(self._document, record.patch or ()))
            case Resync():
                if record.document is not None or record.after is None:
                    self._hold(record.document)
                self._cursor = record.after
            case Heartbeat():
                self._receipt = record.receipt
            case Presence():
                others = self._presence - {record.seat}
                self._presence = others | ({record.seat} if record.present else set())
            case Timers():
                self._timers = record.timers
            case Status():
                self._status = record.status
            case _:
                pass
        if cursor is not None:
            self._cursor = cursor

    def _greeted(self, hello: Hello) -> None:
        self._hello = hello
        self._receipt = hello.receipt
        self._presence = frozenset(hello.presence)
        self._timers = hello.timers
        self._decisions = hello.decisions
        if hello.document is not None:
            self._hold(hello.document)

    def _hold(self, document: Json | None) -> None:
        before = None if self._document is None else self._document.get("decisions")
        self._document = document
        if document is not None and document.get("decisions") is not before:
            asked = document.get("decisions", [])
            self._decisions = msgspec.convert(asked, tuple[Decision, ...])

    def _member(self, name: str) -> Json | None:
        return None if self._document is None else self._document.get(name)


def digest(document: Json) -> str:
    """SHA-256 of a document in canonical JSON (RFC 8785) without members named `metadata`."""
    return sha256(_CANONICAL.encode(_bare(document))).hexdigest()


def _bare(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {name: _bare(each) for name, each in tree.items() if name != "metadata"}
    return [_bare(each) for each in tree] if isinstance(tree, list) else tree


_CANONICAL = msgspec.json.Encoder(order="sorted")
