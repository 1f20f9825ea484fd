"""The calls that are about the seats of an encounter, each written once for both drivers."""

from collections.abc import Mapping
from typing import Any

from msgspec.json import Decoder

from warlog.answers import ActionsAnswer, InvitationAnswer, SeatAnswer, SeatList, SeatView
from warlog.battle_calls import Place, if_match
from warlog.caller import new_key, part_of_path
from warlog.steps import Steps


def seats(place: Place) -> Steps[SeatList]:
    """All seats."""
    return place.answer(place.request("GET", "/seats"), _SEATS)


def read_seat(place: Place, seat: str) -> Steps[SeatView]:
    """One seat."""
    return place.answer(place.request("GET", f"/seats/{part_of_path(seat)}"), _SEAT_VIEW)


def add_seat(
    place: Place, seat: Mapping[str, Any], *, invite: bool = True, key: str | None = None
) -> Steps[SeatAnswer]:
    """A new seat, with an invitation to it unless `invite` is false."""
    body = {"seat": seat, "invite": invite}
    return place.answer(place.request("POST", "/seats", body=body, key=key or new_key()), _SEAT)


def change_seat(
    place: Place,
    seat: str,
    changes: Mapping[str, Any],
    *,
    key: str | None = None,
    expecting: str | None = None,
) -> Steps[SeatAnswer]:
    """Change role, control, name or metadata of a seat; what is not named stays.

    `expecting` is the head (`seq-hash8`) that it is meant for.
    """
    path, key, headers = f"/seats/{part_of_path(seat)}", key or new_key(), if_match(expecting)
    request = place.request("PATCH", path, body=changes, key=key, headers=headers)
    return place.answer(request, _SEAT)


def remove_seat(
    place: Place, seat: str, *, key: str | None = None, expecting: str | None = None
) -> Steps[ActionsAnswer]:
    """Take a seat away for good; on the head `expecting` alone, where it is named."""
    path, key, headers = f"/seats/{part_of_path(seat)}", key or new_key(), if_match(expecting)
    return place.answer(place.request("DELETE", path, key=key, headers=headers), _ACTIONS)


def invite(place: Place, seat: str, *, key: str | None = None) -> Steps[InvitationAnswer]:
    """A new code for a seat; an earlier one that nobody used is void."""
    path = f"/seats/{part_of_path(seat)}/invitation"
    return place.answer(place.request("POST", path, key=key or new_key()), _INVITATION)


def revoke_token(place: Place, seat: str) -> Steps[SeatView]:
    """End the token of a seat; its streams end within seconds."""
    path = f"/seats/{part_of_path(seat)}/token"
    return place.answer(place.request("DELETE", path), _SEAT_VIEW)


_SEATS = Decoder(SeatList)
_SEAT = Decoder(SeatAnswer)
_SEAT_VIEW = Decoder(SeatView)
_INVITATION = Decoder(InvitationAnswer)
_ACTIONS = Decoder(ActionsAnswer)
