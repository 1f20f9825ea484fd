"""What callers send and are shown about seats, as wire types."""

from typing import Annotated

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from service.encounters.responses import EncounterSummary, EventRecord, MetadataObject, Receipt
from service.encounters.seats.client_tokens import HASH_EXAMPLE, HASH_FORM
from service.encounters.seats.invitation_codes import EXAMPLE
from service.engine.battle.linear import Seat
from service.engine.visibility.audience import SubjectId
from service.engine.vocabulary.values import Metadata, NameText, Role, SideId


class CreateSeatRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new seat, and whether somebody is invited to it at once."""

    seat: Seat
    """The seat to add."""
    invite: bool = True
    """Whether the answer brings an invitation to it."""


class ChangeSeatRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is different from now on; what is absent stays."""

    role: Role | UnsetType = UNSET
    """The new role; absent: as before."""
    sides: Annotated[tuple[SideId, ...], Meta(max_length=16)] | UnsetType = UNSET
    """Ids of all sides that it acts for from now on; absent: as before."""
    combatants: Annotated[tuple[SubjectId, ...], Meta(max_length=500)] | UnsetType = UNSET
    """Ids of all combatants that it acts for from now on, next to those of its sides; absent: as
    before."""
    name: NameText | UnsetType = UNSET
    """The new display name; absent: as before."""
    metadata: Metadata | UnsetType = UNSET


class JoinRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An invitation's code, as it was typed: small letters, spaces and a missing dash will do.

    Who makes the token itself, out of 32 fresh random bytes, sends its hash along, and can ask
    again when the answer was lost.
    """

    code: Annotated[str, Meta(min_length=1, max_length=40, examples=[EXAMPLE])]
    """The code of an invitation; case, spaces and dashes do not matter, and O, I, L are read as
    digits."""
    token_hash: (
        Annotated[str, Meta(pattern=HASH_FORM, max_length=64, examples=[HASH_EXAMPLE])] | UnsetType
    ) = UNSET
    """The SHA-256, as 64 small hexadecimal digits, of the token that the caller made: `ws_` and the
    base64url of 32 random bytes without padding, 46 letters, hashed as they stand in
    `Authorization`. With the same code and hash the request may be repeated for ten minutes.
    Absent: the service makes the token."""

    def __repr__(self) -> str:
        """Only the name: whoever has the code has the seat."""
        return "JoinRequest()"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        """Nothing to tracebacks that print records in colour either."""
        return []


class Invitation(Struct, frozen=True, kw_only=True):
    """How somebody comes to a seat: shown once, good once, until `expires_at`.

    `link` is for a picture to be scanned; what is behind its `#` is never sent to a server.
    """

    code: str
    """The code to exchange for the seat's token, once; shown here and never again."""
    link: str
    """Address of the service's join page with the code behind `#`, which browsers send to no
    server."""
    expires_at: str
    """Until when the code is good (RFC 3339, UTC)."""

    def __repr__(self) -> str:
        """Only the name: whoever has the code has the seat."""
        return "Invitation()"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        """Nothing to tracebacks that print records in colour either."""
        return []


class SeatView(Struct, frozen=True, kw_only=True):
    """A seat as this caller may see it.

    `has_joined`: somebody has its token; `is_present`: somebody follows the battle there at this
    moment. `invited_until` is shown to game masters, while a code is open; `devices` and `metadata`
    to them and to the seat itself.
    """

    id: str
    """Id of the seat, unique in its encounter."""
    role: Role
    """What it may do: `gm` everything, `player` act for its combatants, `observer` read."""
    sides: tuple[str, ...] = ()
    """Ids of the sides all of whose combatants it acts for."""
    combatants: tuple[str, ...] = ()
    """Ids of the combatants it acts for next to those of its sides, as far as this caller may know
    them."""
    name: str | UnsetType = UNSET
    """Display name; absent if it has none."""
    metadata: MetadataObject | UnsetType = UNSET
    has_joined: bool = False
    """Whether somebody holds a token of the seat."""
    devices: int | UnsetType = UNSET
    """On how many devices the seat has a token, 0 to 8; shown to game masters and to the seat
    itself."""
    is_present: bool = False
    """Whether somebody follows the encounter there by a stream at this moment."""
    invited_until: str | UnsetType = UNSET
    """Until when the open invitation is good (RFC 3339, UTC); shown to game masters, absent without
    one."""


class SeatList(Struct, frozen=True, kw_only=True):
    """All seats of an encounter, in the order they were given or last changed."""

    seats: tuple[SeatView, ...]
    """All seats, in the order they were given or last changed."""
    version: int
    """Seq of the log's last event."""


class SeatAnswer(Struct, frozen=True, kw_only=True):
    """A seat that was created or changed, and the event that says so.

    `seat` is as it is now, absent if it was removed since. `invitation` is shown once: a repeated
    request is answered without it.
    """

    seat: SeatView | UnsetType = UNSET
    """The seat as it is now; absent if it was removed since."""
    events: tuple[EventRecord, ...]
    """The event that gave or changed the seat."""
    version: int
    """Seq of that event."""
    etag: str
    """The version behind it, `seq-hash8`: in quotes what `If-Match` takes."""
    receipt: Receipt
    """The service's signature over the head."""
    invitation: Invitation | UnsetType = UNSET
    """How somebody comes to the seat; absent if none was asked for and in a repeated answer."""


class InvitationAnswer(Struct, frozen=True, kw_only=True):
    """A new invitation to a seat; `invitation` is absent where the request was answered before."""

    seat: str
    """Id of the seat."""
    invitation: Invitation | UnsetType = UNSET
    """The new invitation; absent in a repeated answer, as it is shown once."""


class JoinAnswer(Struct, frozen=True, kw_only=True):
    """The seat somebody came to, and the token that speaks for it: shown once."""

    token: str | UnsetType = UNSET
    """The bearer token of the seat, `ws_...`; shown here and never again. Absent where the caller
    made it. Those before are void, unless the seat made the code for another device of its own."""
    encounter: str
    """Id of the encounter."""
    seat: str
    """Id of the seat that the token speaks for."""
    role: Role
    """What the seat may do there."""

    def __repr__(self) -> str:
        """Only the name: whoever has the token has the seat."""
        return "JoinAnswer()"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        """Nothing to tracebacks that print records in colour either."""
        return []


class MyBattle(Struct, frozen=True, kw_only=True):
    """Status of an encounter for the caller.

    `turn` is the combatant whose turn it is, `turn_side` the side or `turn_unit` the unit that has
    it together, if the caller may know. `is_my_move`: the battle waits
    for the caller, to act or to answer; for a game master only if no player could do it.
    `decisions` are the open ones that the caller may answer.
    """

    ruleset: str
    """Slug of the encounter's ruleset."""
    encounter: EncounterSummary
    """The encounter, as a list shows it."""
    is_my_move: bool
    """Whether it waits for the caller, to act or to answer; for a game master only if no player
    could."""
    decisions: Raw
    """Open decisions that the caller may answer now."""
    turn: str | UnsetType = UNSET
    """Id of the combatant whose turn it is; absent if it is no combatant's or the caller may not
    know."""
    turn_side: str | UnsetType = UNSET
    """Side whose turn it is; absent if combatants have it one by one."""
    turn_unit: str | UnsetType = UNSET
    """Unit whose turn it is; absent if it is no unit's or the caller may not know."""


class MySeat(Struct, frozen=True, kw_only=True, tag_field="kind", tag="seat"):
    """Whoever asks by the token of a seat: that seat, and Status of its encounter."""

    seat: SeatView
    """The seat whose token was shown."""
    battle: MyBattle
    """Status of its encounter."""


class MyKey(Struct, frozen=True, kw_only=True, tag_field="kind", tag="key"):
    """Whoever asks by a key: a page of the tenant's running encounters, oldest first."""

    key: str
    """Id of the key."""
    scopes: tuple[str, ...]
    """What the key may do: any of `read`, `play`, `act_as`, `dice`. `play` contains `read`: its
    answers and forks show everything."""
    battles: tuple[MyBattle, ...]
    """Running encounters of the tenant, the oldest first."""
    next: str | UnsetType = UNSET
    """What to send as `cursor` for the next page; absent on the last one."""


Me = MySeat | MyKey
