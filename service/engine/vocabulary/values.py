"""Small values that actions, effects and states of every ruleset share, with their bounds."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.visibility.audience import DRAWS, EVERYONE, STREAM, TEXT
from service.engine.vocabulary.client_ids import ID_PATTERN, LONGEST_ID
from service.engine.vocabulary.patterns import whole

Coordinate = Annotated[int, Meta(ge=-200_000, le=200_000)]
"""A coordinate in the ruleset's own unit (cells, metres, thousandths of a step)."""

Amount = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
"""A number of a sheet, within what any rulebook needs."""

Facing = Annotated[str, Meta(min_length=1, max_length=12, pattern=whole("[A-Za-z_]+"))]
"""A direction as the catalogue writes it, such as `NE`."""

SideId = Annotated[str, Meta(min_length=1, max_length=20, pattern=whole("[a-z0-9_]+"))]
"""Id of a side; `everyone` and `gm` are reserved."""

SeatId = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID, pattern=ID_PATTERN)]
"""Id of a seat, unique within its encounter."""

DecisionId = Annotated[
    str, Meta(min_length=2, max_length=24, pattern=whole(r"d[0-9]+\.[a-z]?[0-9]+"))
]
"""Id of a decision: `d<seq>.<n>`, with a letter before n where not everyone may know it."""

Word = Annotated[str, Meta(min_length=1, max_length=40, pattern=whole("[a-z0-9_]+"))]
"""A term of a catalogue or of this contract."""

NameText = Annotated[str, Meta(min_length=1, max_length=200)]
"""A display name of up to 200 characters."""

METADATA_BYTES = 4096
"""How long metadata may be, as they were sent."""

Metadata = Annotated[
    str, Meta(min_length=2, max_length=METADATA_BYTES, extra_json_schema={"x-metadata": True})
]
"""Any JSON object as its sender wrote it, kept as one string; no rule reads it."""

LongText = Annotated[str, Meta(min_length=1, max_length=2000)]
"""A note or reason of up to 2,000 characters."""

Digest = Annotated[str, Meta(min_length=64, max_length=64, pattern=whole("[0-9a-f]{64}"))]
"""64 hex digits."""

Seq = Annotated[int, Meta(ge=1, le=2**31 - 1)]
"""A place in the log."""

Role = Literal["gm", "player", "observer"]
Status = Literal["setup", "running", "ended"]
DiceMode = Literal["sealed", "supplied"]
Opened = Literal["none", "sides", "all"]

UndoBar = Literal["not_yours", "dice_or_reveal", "asked_somebody"]
"""Why a player goes back no further: somebody else acted, something became known, or might have
been asked.
"""


class Place(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where something stands, in the ruleset's unit; `elevation` in the ruleset's height unit."""

    x: Annotated[Coordinate, EVERYONE]
    """Cells east of the origin in Crossfire d6 and Tactical d20, metres in Seeker d100."""
    y: Annotated[Coordinate, EVERYONE]
    """Cells south of the origin in Crossfire d6 and Tactical d20, metres in Seeker d100."""
    elevation: Annotated[Annotated[int, Meta(ge=-1000, le=1000)] | UnsetType, EVERYONE] = UNSET
    """Height in feet; absent: that of the ground in Crossfire d6, 0 in Tactical d20. No rule of
    Seeker d100 reads it."""


class Side(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A party of the battle, fixed in event 1."""

    id: Annotated[SideId, EVERYONE]
    """Id of the side; `everyone` and `gm` are reserved."""
    name: Annotated[NameText | UnsetType, TEXT] = UNSET
    """Display name; absent where none was given or it was erased."""


class By(Struct, frozen=True, kw_only=True):
    """Who asked: a key, a seat or the service itself; `via` is the key that acted for a seat."""

    kind: Annotated[Literal["key", "seat", "system"], EVERYONE]
    """`key`: an API key by itself. `seat`: a seat of the encounter. `system`: the service itself.
    """
    id: Annotated[str, EVERYONE]
    """Id of the key or seat; of the service `timer` at a limit of time, `reveal_by` when a battle
    lay still for too long."""
    role: Annotated[Role, EVERYONE]
    """Role it acted in: `gm` for keys and the service, for a seat what it was at that moment."""
    seat: Annotated[str | UnsetType, EVERYONE] = UNSET
    """Seat that acted; absent for a key by itself and the service."""
    via: Annotated[str | UnsetType, EVERYONE] = UNSET
    """API key that acted for the seat; absent where the seat acted with its own token."""


class ForkOf(Struct, frozen=True, kw_only=True):
    """The event of another encounter that this one continues."""

    encounter: Annotated[str, EVERYONE]
    """Id of the encounter continued from."""
    seq: Annotated[Seq, EVERYONE]
    """Its last event that the new encounter builds on."""
    hash: Annotated[Digest, EVERYONE]
    """Hash of that event."""
    status: Annotated[Literal["setup", "running"], EVERYONE]
    """How the battle stood there: one that was `running` goes on where it was with
    `start_encounter`, which draws nothing; one in `setup` begins with it."""


Uncounted = Literal["replaced", "unread", "nobody_affected", "target_down"]
"""Why a face did not count: another took its place, no rule looked at it, there was nobody whom it
could concern, or whomever it concerned was down by then."""


DrawNumber = Annotated[int, Meta(ge=1, le=2**31 - 1)]
"""A draw of a stream, or how many follow one another."""


class DrawRun(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Draws of one stream that follow one another, as a roll names them.

    `number` is that of the first, `count` how many they are (absent: all faces of the roll). With
    `seq` they are draws of that event, which names them itself, maybe this very one; without, this
    event draws them and this is where they are named. `uncounted` says why they did not count.
    """

    stream: Annotated[Annotated[int, Meta(ge=0, le=255)], EVERYONE, STREAM]
    """Dice stream: 0 public, 1 and up the sides in their order, 255 the game master's."""
    number: Annotated[DrawNumber, EVERYONE]
    """First draw of the run, counted from 1 within its stream of its event."""
    count: Annotated[DrawNumber | UnsetType, EVERYONE] = UNSET
    """How many draws; absent: all faces of the roll."""
    seq: Annotated[Seq | UnsetType, EVERYONE] = UNSET
    """Event whose draws they are and which names them, maybe this very one; absent: this event drew
    them, and they are named here."""
    uncounted: Annotated[Uncounted | UnsetType, EVERYONE] = UNSET
    """Why they do not count: `replaced` by others, `unread` by any rule, `nobody_affected` by them,
    `target_down` by then. Absent where they count."""


class Roll(Struct, frozen=True, kw_only=True):
    """Dice of one purpose: all faces in the order of `draws`, the sum of those that counted.

    Nobody knows of a roll who may not know all of its draws.
    """

    sides: Annotated[int, EVERYONE]
    """Sides of each die."""
    faces: Annotated[tuple[int, ...], EVERYONE]
    """Every face in the order of `draws`, 1 to `sides`, uncounted ones included."""
    total: Annotated[int, EVERYONE]
    """Sum of the faces that count, without modifiers."""
    draws: Annotated[tuple[DrawRun, ...], EVERYONE, DRAWS] = ()
    """Which draws of which event they are; a run says why its faces do not count."""
