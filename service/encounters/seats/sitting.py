"""What callers send and are told about seats, as wire types."""

from typing import Annotated

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from service.encounters.answers import EncounterSummary, EventRecord, MetadataObject, Receipt
from service.encounters.seats.codes import EXAMPLE
from service.engine.audience import SubjectId
from service.engine.state import Seat
from service.engine.vocabulary import Metadata, NameText, Role, SideId


class CreateSeatRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new seat, and whether somebody is invited to it at once."""

    seat: Seat
    invite: bool = True


class ChangeSeatRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is different from now on; what is absent stays."""

    role: Role | UnsetType = UNSET
    sides: Annotated[tuple[SideId, ...], Meta(max_length=16)] | UnsetType = UNSET
    combatants: Annotated[tuple[SubjectId, ...], Meta(max_length=500)] | UnsetType = UNSET
    name: NameText | UnsetType = UNSET
    metadata: Metadata | UnsetType = UNSET


class JoinRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An invitation's code, as it was typed: small letters, spaces and a missing dash will do."""

    code: Annotated[str, Meta(min_length=1, max_length=40, examples=[EXAMPLE])]

    def __repr__(self) -> str:
        """Only the name: whoever has the code has the seat."""
        return "JoinRequest()"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        """Nothing to tracebacks that print records in colour either."""
        return []


class Invitation(Struct, frozen=True, kw_only=True):
    """How somebody comes to a seat: shown once, good once, until `expires_at`.

    `link` is for a picture to be scanned; what stands behind its `#` is never sent to a server.
    """

    code: str
    link: str
    expires_at: str

    def __repr__(self) -> str:
        """Only the name: whoever has the code has the seat."""
        return "Invitation()"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        """Nothing to tracebacks that print records in colour either."""
        return []


class SeatView(Struct, frozen=True, kw_only=True):
    """A seat as this caller may see it.

    `has_joined`: somebody has its token; `is_present`: somebody follows the battle there at this
    moment. `invited_until` is told to game masters, while a code is open; `metadata` to them and
    to the seat itself.
    """

    id: str
    role: Role
    sides: tuple[str, ...] = ()
    combatants: tuple[str, ...] = ()
    name: str | UnsetType = UNSET
    metadata: MetadataObject | UnsetType = UNSET
    has_joined: bool = False
    is_present: bool = False
    invited_until: str | UnsetType = UNSET


class SeatList(Struct, frozen=True, kw_only=True):
    """All seats of an encounter, in the order they were given or last changed."""

    seats: tuple[SeatView, ...]
    version: int


class SeatAnswer(Struct, frozen=True, kw_only=True):
    """A seat that was created or changed, and the event that says so.

    `seat` is as it is now, absent if it was removed since. `invitation` is shown once: a repeated
    request is answered without it.
    """

    seat: SeatView | UnsetType = UNSET
    events: tuple[EventRecord, ...]
    version: int
    etag: str
    receipt: Receipt
    invitation: Invitation | UnsetType = UNSET


class InvitationAnswer(Struct, frozen=True, kw_only=True):
    """A new invitation to a seat; `invitation` is absent where the request was answered before."""

    seat: str
    invitation: Invitation | UnsetType = UNSET


class JoinAnswer(Struct, frozen=True, kw_only=True):
    """The seat somebody came to, and the token that speaks for it: shown once."""

    token: str
    encounter: str
    seat: str
    role: Role

    def __repr__(self) -> str:
        """Only the name: whoever has the token has the seat."""
        return "JoinAnswer()"

    def __rich_repr__(self) -> list[tuple[str, object]]:
        """Nothing to tracebacks that print records in colour either."""
        return []


class MyBattle(Struct, frozen=True, kw_only=True):
    """How an encounter stands for the caller.

    `turn` is the combatant whose turn it is, if the caller may know. `is_my_move`: the battle waits
    for the caller, to act or to answer; for a game master only if no player could do it.
    `decisions` are the open ones that the caller may answer.
    """

    ruleset: str
    encounter: EncounterSummary
    is_my_move: bool
    decisions: Raw
    turn: str | UnsetType = UNSET


class MySeat(Struct, frozen=True, kw_only=True, tag_field="kind", tag="seat"):
    """Whoever asks by the token of a seat: that seat, and how its encounter stands."""

    seat: SeatView
    battle: MyBattle


class MyKey(Struct, frozen=True, kw_only=True, tag_field="kind", tag="key"):
    """Whoever asks by a key: a page of the tenant's running encounters, oldest first."""

    key: str
    scopes: tuple[str, ...]
    battles: tuple[MyBattle, ...]
    next: str | UnsetType = UNSET


Me = MySeat | MyKey
