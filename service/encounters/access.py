"""Who may do what: the one authority over routes; actions are judged in `engine.permission`.

How this works. Each call has a row that says what a key needs for it and which seats may make it,
by their own token or by a key that acts for them. What can be judged before the encounter is known
is judged by `require_scope`, the rest by `require_gm` and, for actions, by the engine. A route
without a row, or an action type without a role, fails the tests. Nothing here shows a stranger
whether an encounter exists: another tenant's, and to a seat any but its own, is not found.
"""

from collections.abc import Callable, Mapping
from typing import Final, Literal
from uuid import UUID

from msgspec import Struct

from service.encounters.principal import Principal, by_of, by_of_view, is_forker
from service.engine.battle.linear import Seat
from service.engine.vocabulary.values import By
from service.errors import Forbidden, NotFound, Unauthenticated


class CallRights(Struct, frozen=True, kw_only=True):
    """The callers that a call is open to.

    `key` is the scope a key needs, where `play` contains `read` by its answers and forks; `open`
    needs no key, and `none` takes no key but seats by their own tokens only. `seat` says which
    seats may: all (`read`), those that play (`play`: the engine judges what they do), game masters
    (`gm`), the one that made the encounter as its fork (`forker`), or none.
    """

    key: Literal["open", "read", "play", "none"]
    seat: Literal["open", "read", "play", "gm", "forker", "none"]


OPEN: Final = CallRights(key="open", seat="open")
READ: Final = CallRights(key="read", seat="read")
PLAY: Final = CallRights(key="play", seat="play")
RUN: Final = CallRights(key="play", seat="gm")
KEYS: Final = CallRights(key="read", seat="none")
KEYS_PLAY: Final = CallRights(key="play", seat="none")
KEYS_AND_FORKER: Final = CallRights(key="play", seat="forker")
OWN: Final = CallRights(key="none", seat="read")

ROUTES: Final[Mapping[str, CallRights]] = {
    "list_rulesets": OPEN,
    "read_ruleset": OPEN,
    "read_ruleset_schema": OPEN,
    "create_encounter": KEYS_PLAY,
    "check_map": KEYS_PLAY,
    "list_encounters": READ,
    "create_fork": RUN,
    "simulate": RUN,
    "read_encounter": READ,
    "read_map": READ,
    "list_notes": READ,
    "read_scene": READ,
    "delete_encounter": KEYS_AND_FORKER,
    "act": PLAY,
    "inspect": READ,
    "preview": READ,
    "list_legal_actions": READ,
    "list_events": READ,
    "read_event": READ,
    "stream": READ,
    "socket": READ,
    "stream_many": KEYS,
    "create_ticket": READ,
    "audit_encounter": READ,
    "audit_with_receipts": READ,
    "export_bundle": READ,
    "audit_bundle": READ,
    "create_seat": RUN,
    "list_seats": READ,
    "read_seat": READ,
    "change_seat": RUN,
    "remove_seat": RUN,
    "invite": RUN,
    "revoke_token": RUN,
    "join": OPEN,
    "add_device": OWN,
    "me": READ,
    "list_timers": READ,
    "change_timers": RUN,
    "live": OPEN,
    "ready": OPEN,
    "metrics": OPEN,
    "docs": OPEN,
    "docs_asset": OPEN,
    "docs_guide": OPEN,
    "docs_guides": OPEN,
    "root": OPEN,
    "version_root": OPEN,
    "openapi": OPEN,
    "asyncapi": OPEN,
    "signing_keys": OPEN,
}
"""Operation id -> the callers it is open to."""


def require_scope(who: Principal, operation: str) -> None:
    """The caller may make this call as far as that can be said without looking at an encounter.

    A key has the scope, and `act_as` where it names a seat; a seat is not kept out altogether.
    Raises Forbidden("scope_missing"), ("own_token_only") or ("gm_only").
    """
    entry = ROUTES[operation]
    if entry.key == "none":
        require_own_token(who)
        return
    if entry.key != "open" and entry.key not in who.scopes:
        raise Forbidden("scope_missing", scope=entry.key)
    if who.acting_for is None:
        return
    if who.key_id is not None and "act_as" not in who.scopes:
        raise Forbidden("scope_missing", scope="act_as")
    if entry.seat == "none" or (entry.seat == "forker" and not is_forker(who)):
        raise Forbidden("gm_only", action=operation)


def require_own_token(who: Principal) -> None:
    """The caller is a seat by its own token. Raises Forbidden("own_token_only")."""
    if not who.has_own_token:
        raise Forbidden("own_token_only")


def require_gm(by: By, operation: str) -> None:
    """The caller is a game master of the encounter, where only they may make this call.

    Raises Forbidden("gm_only").
    """
    if ROUTES[operation].seat == "gm" and by.role != "gm":
        raise Forbidden("gm_only", action=operation)


def require_own(who: Principal, encounter: UUID) -> None:
    """A seat by its own token asks for its encounter, before any other is looked up.

    Raises NotFound.
    """
    if who.encounter is not None and who.encounter != encounter:
        raise not_found(str(encounter))


def reader(who: Principal, seat_named: Callable[[str], Seat | None]) -> By:
    """The caller as the log names it, or the seat whose view a game master reads.

    `seat_named` finds a seat of the encounter. Raises NotFound("unknown_seat"), Unauthenticated for
    the token of a seat that is gone, Forbidden("gm_only") for a view that is not the caller's.
    """
    by = who.by_itself
    if who.acting_for is not None:
        own = seat_named(who.acting_for)
        if own is None:
            raise not_seated(who)
        by = by_of(who, own.role)
    if who.viewing is None:
        return by
    if by.role != "gm":
        raise Forbidden("gm_only", action="view")
    seat = seat_named(who.viewing)
    if seat is None:
        raise NotFound("unknown_seat", seat=who.viewing)
    return by_of_view(seat)


def not_found(encounter: str) -> NotFound:
    """The one answer for an encounter that does not exist and for another tenant's."""
    return NotFound("unknown_encounter", encounter=encounter)


def not_seated(who: Principal) -> NotFound | Unauthenticated:
    """The answer to a seat that is not in the encounter: its own token is good for nothing more."""
    if who.key_id is None:
        return Unauthenticated(presented=True)
    return NotFound("unknown_seat", seat=who.acting_for)
