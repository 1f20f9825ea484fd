"""What the audit of an uploaded bundle tells while it is under way; wire types.

How this works. A job can only say lines of some length, so what is longer is said in pieces: each
line begins with a letter for the kind and `+` where more of the same follows, `.` where not.
"""

from collections.abc import Iterator
from typing import Final, Literal

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from service.engine.narration.explanation import Explanation
from service.engine.scene import Scene
from service.engine.vocabulary.catalogue import Language
from service.engine.vocabulary.values import Seq
from service.replay.report.verdicts import EventVerdict, Report
from service.replay.seen.unknown_path import UnknownPath

Inclusion = Literal["verdict", "state", "table", "scene", "narration", "explanation"]
"""What may be asked for beside the report, for each event."""

AuditRecordKind = Literal["progress", "event", "report", "damage", "malformed"]

PIECE_BYTES: Final = 1 << 18

_LETTERS: Final[dict[AuditRecordKind, bytes]] = {
    "progress": b"p",
    "event": b"e",
    "report": b"r",
    "damage": b"d",
    "malformed": b"m",
}
_KINDS: Final[dict[int, AuditRecordKind]] = {letter[0]: kind for kind, letter in _LETTERS.items()}
_MORE: Final = b"+"
_LAST: Final = b"."


class BundleAuditOrder(Struct, frozen=True, kw_only=True):
    """What to audit a bundle for: the first line that the job is fed.

    `keys` are public keys in hex by their ids, one of which counts as trusted; without
    `viewpoints` events are shown as the bundle's own viewer sees them. `language` is that of the
    words; with `luck` the report says how rolls came out against their odds.
    """

    include: tuple[Inclusion, ...] = ()
    viewpoints: tuple[str, ...] = ()
    keys: dict[str, str] = {}
    language: Language = "en"
    luck: bool = False


class AuditProgress(Struct, frozen=True, kw_only=True, tag_field="type", tag="progress"):
    """How far the audit is."""

    events: int
    """Events judged."""
    bytes: int
    """Bytes of the bundle read."""


Unknown = Literal["parts_withheld", "state_unknown", "cannot_be_shown"]


class AuditedView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one viewpoint saw once the event had happened, as the bundle's parts tell it."""

    viewpoint: str
    """Whose view it is: `gm`, a side, or `everyone` for what an observer sees; `viewer` for the
    bundle's own viewer."""
    state: Raw | UnsetType = UNSET
    """State of the encounter as that viewpoint may see it, as `GET /v1/encounters/{encounter}` has
    it; absent where it was not asked for or is unknown."""
    decisions: Raw | UnsetType = UNSET
    """Open decisions that the viewpoint may know of; beside `state`, absent if unknown."""
    table: Raw | UnsetType = UNSET
    """Seats, notes and whatever else no rewind undoes, as `GET /v1/encounters/{encounter}` has it,
    without what it tells one seat alone: its metadata and how far it may rewind. Absent where it
    was not asked for or is unknown."""
    scene: Scene | UnsetType = UNSET
    """Picture of that state in neutral terms; absent where it was not asked for or is unknown."""
    narration: str | UnsetType = UNSET
    """The event in a few sentences, of what the viewpoint sees of it, in the language of
    `Accept-Language`; absent where it was not asked for."""
    explanation: Explanation | UnsetType = UNSET
    """Why the event came out as it did: its rolls with their modifiers, rules and dice, as
    `GET …/events/{seq}?explain=` has it, but for what undid the event later, which the report
    says; absent where it was not asked for."""
    unknown: Unknown | UnsetType = UNSET
    """Why there is no state, table or scene. `parts_withheld`: the bundle lacks parts that they
    hang on. `state_unknown`: the audit lost the state behind an event that differs.
    `cannot_be_shown`: what a forged event made of the state cannot be drawn."""
    unknown_since: Seq | UnsetType = UNSET
    """First event behind which they are not known; absent where they are, or were lost before."""
    unknown_paths: tuple[UnknownPath, ...] = ()
    """What of this view the bundle does not tell, by path; everything else is what the service
    showed. Empty for a bundle of the game master."""


class AuditedEvent(Struct, frozen=True, kw_only=True, tag_field="type", tag="event"):
    """One event that was judged."""

    verdict: EventVerdict
    """The verdict on it, as the report repeats it; what undid the event later only that says."""
    views: tuple[AuditedView, ...] = ()
    """What each viewpoint saw, in the order asked for; empty where only the verdict was asked
    for."""


class AuditConclusion(Struct, frozen=True, kw_only=True, tag_field="type", tag="report"):
    """The last record of an audit that was finished."""

    report: Report
    """The whole report."""


class BundleDamage(Struct, frozen=True, kw_only=True):
    """Why the bytes are no bundle: see `DamagedBundle`."""

    line: int
    reason: str
    params: dict[str, object]


DAMAGES: Final = msgspec.json.Decoder(BundleDamage)
MALFORMED: Final = msgspec.json.Decoder(dict[str, object])
ORDERS: Final = msgspec.json.Decoder(BundleAuditOrder)


def lines_of(kind: AuditRecordKind, body: bytes) -> Iterator[bytes]:
    """A record as the job says it."""
    letter = _LETTERS[kind]
    for at in range(0, len(body), PIECE_BYTES):
        end = at + PIECE_BYTES
        yield letter + (_MORE if end < len(body) else _LAST) + body[at:end]


def piece_in(line: bytes) -> tuple[AuditRecordKind, bool, bytes]:
    """Of a line that the job said: the kind of record, whether this ends it, and its bytes."""
    return _KINDS[line[0]], line[1:2] == _LAST, line[2:]
