"""The half of the state that never rewinds: seats and control, notes, seed, openings, floors."""

from typing import Annotated, Final

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.visibility.audience import (
    EVERYONE,
    GM,
    GM_TEXT,
    TEXT,
    SubjectId,
)
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary.values import (
    Digest,
    ForkOf,
    LongText,
    Metadata,
    NameText,
    Opened,
    Role,
    SeatId,
    SideId,
    UndoBar,
)

WIDER: Final[tuple[Opened, ...]] = ("none", "sides", "all")
"""How wide parts are opened, in order."""


WHOLE_NOTES: Final = 64
"""The last notes, whose text is kept in the state; that of earlier ones is read from the log."""


class Seat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A participant: a player acts for the combatants named and for all of the sides named.

    `knows` are the sides whose secrets it shares: its own and those of its combatants. It is
    computed, whatever came in, and the GM's: it would tell of combatants that nobody sees.
    `metadata` stand in the GM's text alone; the seat itself is told its own by the view.
    """

    id: Annotated[SeatId, EVERYONE]
    """Id of the seat; given once in an encounter, even if the seat is removed."""
    role: Annotated[Role, EVERYONE]
    """`gm` may do everything, `player` acts for what it controls, `observer` looks on."""
    sides: Annotated[Annotated[tuple[SideId, ...], Meta(max_length=16)], EVERYONE] = ()
    """Sides all of whose combatants it controls, present and future."""
    combatants: Annotated[Annotated[tuple[SubjectId, ...], Meta(max_length=500)], EVERYONE] = ()
    """Combatants that it controls by name."""
    knows: Annotated[Annotated[tuple[SideId, ...], Meta(max_length=16)], GM] = ()
    """Sides whose secrets it shares, computed from what it controls; whatever is sent is ignored.
    """
    name: Annotated[NameText | UnsetType, TEXT] = UNSET
    """Display name; absent where none was given or it was erased."""
    metadata: Annotated[Metadata | UnsetType, GM_TEXT] = UNSET
    """JSON object of the table's own, as a string, for the game master and the seat itself. Absent
    where none was given or it was erased."""


class Grant(Struct, frozen=True, kw_only=True):
    """From event `since` on a seat shares the secrets of these sides, until its next grant.

    `role` is absent for a player; a seat that was removed is granted an observer's rights.
    """

    seat: Annotated[SeatId, GM]
    """Seat whose rights are stated."""
    since: Annotated[int, GM]
    """First event that they are for."""
    sides: Annotated[tuple[SideId, ...], GM]
    """Sides whose secrets the seat shares from then on."""
    role: Annotated[Role | UnsetType, GM] = UNSET
    """Role from then on; absent for a player."""


class Contribution(Struct, frozen=True, kw_only=True):
    """Entropy one seat mixed into the dice before the start: 32 bytes in hex."""

    seat: Annotated[str, EVERYONE]
    """Seat that contributed; the id of the API key where a key did by itself."""
    value: Annotated[Digest, EVERYONE]
    """Its 32 bytes in hex."""


class Note(Struct, frozen=True, kw_only=True):
    """A remark in the log; `gm_text` is for the GM alone."""

    seq: Annotated[int, EVERYONE]
    """Event that left the remark."""
    text: Annotated[LongText | UnsetType, TEXT] = UNSET
    """Remark for everyone; absent where none was left or it was erased."""
    gm_text: Annotated[LongText | UnsetType, GM_TEXT] = UNSET
    """Remark for the game master alone; absent where none was left or it was erased."""


class PastOpening(Struct, frozen=True, kw_only=True):
    """Parts of the events before `before` are open, later ones not: the battle was taken up again.

    `opened` says to whom.
    """

    before: Annotated[int, EVERYONE]
    """First seq that is not open by this: the rewind that took the battle up again."""
    opened: Annotated[Opened, EVERYONE]
    """To whom earlier parts are open: `sides` to every seat those of all sides, `all` those of the
    game master too."""


class UndoFloor(Struct, frozen=True, kw_only=True):
    """The earliest seq a player's seat may rewind to, and why none before it."""

    seat: Annotated[SeatId, GM]
    """Player's seat."""
    floor: Annotated[int, GM]
    """Earliest seq that it may rewind to."""
    reason: Annotated[UndoBar, GM] = "not_yours"
    """What bars: `not_yours` somebody else's event, `dice_or_reveal` a draw or something made
    known, `asked_somebody` a question to others."""


class Linear(Struct, frozen=True, kw_only=True):
    """The half that never rewinds.

    `opened` says whose parts of all events are open to whom, `openings` what was open before the
    battle was taken up again: what happens since is as secret as ever.
    """

    title: Annotated[NameText | UnsetType, TEXT] = UNSET
    """Title of the encounter; absent where none was given or it was erased."""
    metadata: Annotated[Metadata | UnsetType, TEXT] = UNSET
    """JSON object of the table's own, as a string; absent where none was given or it was erased."""
    seats: Annotated[tuple[Seat, ...], EVERYONE] = ()
    """Seats in the order in which they were added."""
    grants: Annotated[tuple[Grant, ...], GM] = ()
    """What each seat was entitled to see, since when; in the order of the log."""
    next_number: Annotated[int, GM] = 1
    """Number that the next combatant is given."""
    contributions: Annotated[tuple[Contribution, ...], EVERYONE] = ()
    """What was mixed into the dice, in the order of the log."""
    seed: Annotated[Digest | UnsetType, EVERYONE] = UNSET
    """The 32 bytes of the seed in hex; absent until it is revealed."""
    opened: Annotated[Opened, EVERYONE] = "none"
    """To whom hidden parts of all events are open: `none` to nobody new, `sides` to every seat
    those of all sides, `all` those of the game master too."""
    openings: Annotated[tuple[PastOpening, ...], EVERYONE] = ()
    """What was open before a rewind took an ended battle up again, and stays open."""
    # All but the last WHOLE_NOTES are without text: a table leaves thousands of them.
    notes: Annotated[tuple[Note, ...], EVERYONE] = ()
    """Remarks in the order of the log."""
    floors: Annotated[tuple[UndoFloor, ...], GM] = ()
    """How far each player's seat may rewind."""
    undo_to: Annotated[int | UnsetType, GM] = UNSET
    """Earliest seq that the asking player's own seat may rewind to, as of this event. Absent where
    it may take nothing back, and for everybody else. No state keeps it; the view tells it."""
    undo_bar: Annotated[UndoBar | UnsetType, GM] = UNSET
    """Why the asking seat goes back no further than `undo_to`, or, without that, not at all:
    `not_yours` somebody else acted, `dice_or_reveal` a die fell or something became known,
    `asked_somebody` others were or might have been asked. Absent before the start, once the seed
    is revealed, and for everybody but a player. No state keeps it; the view tells it."""
    fork_of: Annotated[ForkOf | UnsetType, EVERYONE] = UNSET
    """Event of another encounter that this one continues; absent for a new battle."""


def seat_of(linear: Linear, seat: str) -> Seat | None:
    """The seat of that id, if there is one."""
    for present in linear.seats:
        if present.id == seat:
            return present
    return None


def viewer_at(linear: Linear, seat: str, seq: int) -> Viewer:
    """What a seat was entitled to see when event `seq` was made, whatever it is now.

    A GM's seat everything, a player's the secrets of its sides, an observer's and one that was
    not there nothing but what everyone sees.
    """
    held = next((g for g in reversed(linear.grants) if g.seat == seat and g.since <= seq), None)
    if held is None or held.role == "observer":
        return Viewer()
    return GAME_MASTER if held.role == "gm" else Viewer(sides=held.sides)


def opened_at(linear: Linear, seq: int) -> Opened:
    """To whom the parts of event `seq` have been opened."""
    levels = [linear.opened, *(past.opened for past in linear.openings if seq < past.before)]
    return max(levels, key=WIDER.index)
