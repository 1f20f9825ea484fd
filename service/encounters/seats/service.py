"""Seats for callers: they are given, changed and taken away, and invitations to them exchanged.

How this works. The log says which seats there are, so a seat is changed by an action as any other,
under the caller's own key; its token and its invitation are rows next to the log: the log first,
the rows after. A request that was cut off in between is finished by the same request sent again. A
code or a token is in the answer to the request that made it and in no answer after that.
"""

import contextlib
from collections.abc import Callable, Collection
from typing import Final
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.encounters import access
from service.encounters.cache import LoadedEncounter
from service.encounters.clock_and_ids import Sources, recorded
from service.encounters.group_commit import once_stored
from service.encounters.principal import Principal, system_of
from service.encounters.reads import Reads
from service.encounters.requests import ActionItem, ActRequest, convert, fingerprint
from service.encounters.responses import ActionsAnswer, Replayable
from service.encounters.seats.client_tokens import hash_of_client_token
from service.encounters.seats.invitation_codes import hash_of_code, hashes_of_code, new_code
from service.encounters.seats.messages import (
    ChangeSeatRequest,
    CreateSeatRequest,
    Invitation,
    InvitationAnswer,
    JoinRequest,
    SeatAnswer,
    SeatList,
    SeatView,
)
from service.encounters.views import seat_metadata
from service.encounters.write_path import WritePath
from service.engine.battle.linear import Seat, seat_of
from service.engine.battle.state import scope_of, viewer_of
from service.engine.visibility import projection
from service.engine.vocabulary.values import By
from service.errors import ConflictingRequest, Malformed, NotFound, Refused
from service.eventstore.seats import Exchange, Invited, NewInvitation, SeatStanding

Present = Callable[[UUID], Collection[str]]
"""The seats of an encounter at which somebody follows the battle now."""

TokenRevoked = Callable[[UUID, str], None]
"""Called when tokens of a seat are no longer good, before the caller has an answer."""


class SeatCall(msgspec.Struct, frozen=True, kw_only=True):
    """One request about the seats of an encounter: who, under which key or behind which head.

    `base` is where clients reach the service, for links.
    """

    who: Principal
    encounter: UUID
    key: str | None
    if_match: str | None = None
    base: str = ""


DEVICE_MINUTES: Final = 15
"""For how long a code for another device is good: that device lies on the same table."""
_HOUR_MINUTES: Final = 60


class Joined(msgspec.Struct, frozen=True, kw_only=True):
    """The seat that a code was exchanged for.

    `made_by_caller`: for a token that the caller made. `replayed`: it was exchanged before, by the
    same request.
    """

    encounter: UUID
    seat: Seat
    made_by_caller: bool = False
    replayed: bool = False


class SeatService:
    """The seats of all encounters of one process. `hours` is how long an invitation is good.

    `revoked` is called with the encounter and the seat whose tokens are no longer good.

    Every method raises NotFound for another tenant's encounter, and Unauthenticated for the token
    of a seat that was removed.
    """

    def __init__(
        self,
        reads: Reads,
        write_path: WritePath,
        sources: Sources,
        present: Present,
        hours: int,
        revoked: TokenRevoked,
    ) -> None:
        self._reads = reads
        self._write_path = write_path
        self._sources = sources
        self._store = reads.store
        self._present = present
        self._hours = hours
        self._revoked = revoked

    async def list(self, who: Principal, encounter: UUID) -> SeatList:
        """All seats as the caller may see them."""
        battle, by = await self._reads.load(who, encounter)
        seats = await self._views(battle, by, battle.state.linear.seats)
        return SeatList(seats=seats, version=battle.seq)

    async def read(self, who: Principal, encounter: UUID, seat: str) -> SeatView:
        """One seat. Raises NotFound("unknown_seat")."""
        battle, by = await self._reads.load(who, encounter)
        return await self._one(battle, by, _seat(battle, seat))

    async def create(self, call: SeatCall, tree: object) -> Replayable[SeatAnswer]:
        """A new seat, with an invitation to it if one is wanted.

        Raises Malformed, and whatever `WritePath.act` raises for `add_seat`.
        """
        await self._require_gm(call, "create_seat")
        request = convert(tree, CreateSeatRequest)
        seat = request.seat.id
        acted = await self._act(call, "create_seat", seat, tree, {"seat": _plain(request.seat)})
        with once_stored():
            made: Invitation | UnsetType = UNSET
            battle, by = await self._reads.load(call.who, call.encounter)
            created = seat_of(battle.state.linear, seat)
            if request.invite and created is not None:
                # A space is in no key of a caller: these are not those of `invite`.
                made = await self._invite(call, created, f"seat {call.key}")
            return await self._answer(acted, (battle, by), seat, made)

    async def change(self, call: SeatCall, seat: str, tree: object) -> Replayable[SeatAnswer]:
        """A seat with another role, control, name or metadata.

        Raises Malformed, NotFound("unknown_seat"), and whatever `WritePath.act` raises for
        `change_seat`.
        """
        await self._require_gm(call, "change_seat")
        changes = _plain(convert(tree, ChangeSeatRequest))
        if not changes:
            raise Malformed(path="$", allowed="role, sides, combatants, name or metadata")
        acted = await self._act(call, "change_seat", seat, tree, {"seat": seat, **changes})
        with once_stored():
            caller = await self._reads.load(call.who, call.encounter)
            return await self._answer(acted, caller, seat, UNSET)

    async def remove(self, call: SeatCall, seat: str) -> Replayable[ActionsAnswer]:
        """Take a seat away, with its token and its invitation.

        Raises NotFound("unknown_seat"), and whatever `WritePath.act` raises for `remove_seat`.
        """
        await self._require_gm(call, "remove_seat")
        return await self._act(call, "remove_seat", seat, {}, {"seat": seat})

    async def invite(self, call: SeatCall, seat: str) -> Replayable[InvitationAnswer]:
        """A new invitation to a seat, which ends the one before.

        The seat's token stays good until the code is exchanged. Raises
        NotFound("unknown_seat"), ConflictingRequest("idempotency_key_reused").
        """
        battle, _ = await self._require_gm(call, "invite")
        made = await self._invite(call, _seat(battle, seat), str(call.key))
        answer = InvitationAnswer(seat=seat, invitation=made)
        return Replayable(answer=answer, replayed=made is UNSET)

    async def revoke_token(self, call: SeatCall, seat: str) -> SeatView:
        """End the tokens of a seat, which were lost, say; the seat stays.

        Raises NotFound("unknown_seat").
        """
        battle, by = await self._require_gm(call, "revoke_token")
        row = _seat(battle, seat)
        await self._store.seats.revoke_token(call.encounter, seat)
        self._revoked(call.encounter, seat)
        return await self._one(battle, by, row)

    async def add_device(self, call: SeatCall) -> Replayable[InvitationAnswer]:
        """A code for another device of the seat that asks by its own token; both stay good.

        It ends the code before of its kind. Raises ConflictingRequest("idempotency_key_reused") or
        ("too_many_devices").
        """
        battle, by = await self._reads.load(call.who, call.encounter)
        seat = _seat(battle, str(by.seat))
        # A space is in no key of a caller: these are not those of `invite`.
        made = await self._invite(call, seat, f"device {call.key}", call.who.token_hash)
        answer = InvitationAnswer(seat=seat.id, invitation=made)
        return Replayable(answer=answer, replayed=made is UNSET)

    async def join(self, tree: object, token_hash: bytes) -> Joined:
        """Exchange a code, once, for a token of the caller or one of which this is the SHA-256.

        Raises Malformed, ConflictingRequest("token_taken"), and NotFound("unknown_invitation")
        alike for a code that never was, was used, has expired, or leads to a seat that no longer
        exists.
        """
        request = convert(tree, JoinRequest)
        code_hashes = hashes_of_code(request.code)
        own = UNSET if request.token_hash is UNSET else hash_of_client_token(request.token_hash)
        for code_hash in code_hashes:
            with contextlib.suppress(NotFound):
                if own is UNSET:
                    return await self._joined(code_hash, token_hash)
                return await self._joined_once(code_hash, own)
        raise NotFound("unknown_invitation")

    async def mine(self, battle: LoadedEncounter, by: By) -> SeatView:
        """The seat that asks by its own token."""
        return await self._one(battle, by, _seat(battle, str(by.seat)))

    async def _require_gm(self, call: SeatCall, operation: str) -> tuple[LoadedEncounter, By]:
        battle, by = await self._reads.load(call.who, call.encounter)
        access.require_gm(by, operation)
        return battle, by

    async def _joined_once(self, code_hash: bytes, token_hash: bytes) -> Joined:
        """The same for a token of the caller's, however often it is asked for.

        Raises NotFound, ConflictingRequest("token_taken").
        """
        before = await self._store.seats.exchanged(code_hash, token_hash)
        if before is None:
            try:
                return await self._joined(code_hash, token_hash, made_by_caller=True)
            except NotFound:
                # The same request may have come twice at once.
                before = await self._store.seats.exchanged(code_hash, token_hash)
                if before is None:
                    raise
        seat = await self._seat_of(before)
        encounter = before.encounter_id
        return Joined(encounter=encounter, seat=seat, made_by_caller=True, replayed=True)

    async def _joined(
        self, code_hash: bytes, token_hash: bytes, *, made_by_caller: bool = False
    ) -> Joined:
        """The seat that the token speaks for now. Raises NotFound if it is too late."""
        invited = await self._store.seats.invited_to(code_hash)
        if invited is None:
            raise NotFound("unknown_invitation")
        seat = await self._seat_of(invited)
        exchange = Exchange(
            encounter_id=invited.encounter_id,
            seat=seat.id,
            role=seat.role,
            code_hash=code_hash,
            token_hash=token_hash,
            may_repeat=made_by_caller,
        )
        if not await self._store.seats.exchange(exchange):
            raise NotFound("unknown_invitation")
        self._revoked(invited.encounter_id, seat.id)
        return Joined(encounter=invited.encounter_id, seat=seat, made_by_caller=made_by_caller)

    async def _seat_of(self, invited: Invited) -> Seat:
        """The seat as the log has it. Raises NotFound."""
        battle, _ = await self._reads.load(system_of(invited.tenant), invited.encounter_id)
        return _seat(battle, invited.seat)

    async def _act(
        self, call: SeatCall, operation: str, seat: str, tree: object, fields: dict[str, object]
    ) -> Replayable[ActionsAnswer]:
        """Append the action, under a fingerprint of the request that it comes from."""
        action = {"type": _ACTIONS[operation], **fields}
        request = ActRequest(
            items=(ActionItem(action=action),),
            fingerprint=fingerprint([operation, seat, tree]),
        )
        try:
            return await self._write_path.act(
                call.who, call.encounter, request, call.key, call.if_match
            )
        except Malformed as error:
            path = str(error.params["path"]).replace(request.paths[0], "$", 1)
            raise Malformed(**{**error.params, "path": path}) from error
        except Refused as refusal:
            if refusal.code != "unknown_seat":
                raise
            if operation == "remove_seat":
                await self._finish_removal(call, seat)
            raise NotFound("unknown_seat", **refusal.params) from refusal

    async def _finish_removal(self, call: SeatCall, seat: str) -> None:
        """Remove the row of a seat that the log removed, if that was cut off at the time."""
        if seat in await self._store.seats.standing(call.encounter):
            await self._store.seats.remove(call.encounter, seat)
            self._revoked(call.encounter, seat)

    async def _invite(
        self, call: SeatCall, seat: Seat, key: str, beside: bytes | None = None
    ) -> Invitation | UnsetType:
        """An invitation, for one more device where a token of the seat is named (`beside`).

        UNSET when this request made it before. Raises
        ConflictingRequest("idempotency_key_reused") or ("too_many_devices").
        """
        code = new_code(self._sources)
        new = NewInvitation(
            encounter_id=call.encounter,
            seat=seat.id,
            role=seat.role,
            principal=call.who.name,
            key=key,
            code_hash=hash_of_code(code, for_device=beside is not None),
            minutes=self._hours * _HOUR_MINUTES if beside is None else DEVICE_MINUTES,
        )
        seats = self._store.seats
        made = await (seats.invite(new) if beside is None else seats.invite_beside(new, beside))
        if made.seat != seat.id:
            raise ConflictingRequest("idempotency_key_reused", key=call.key)
        if not made.is_new:
            return UNSET
        expires_at = recorded(made.expires_at)
        return Invitation(code=code, link=f"{call.base}/join#{code}", expires_at=expires_at)

    async def _answer(
        self,
        acted: Replayable[ActionsAnswer],
        caller: tuple[LoadedEncounter, By],
        seat: str,
        made: Invitation | UnsetType,
    ) -> Replayable[SeatAnswer]:
        battle, by = caller
        row = seat_of(battle.state.linear, seat)
        answer = acted.answer
        seat_answer = SeatAnswer(
            seat=UNSET if row is None else await self._one(battle, by, row),
            events=answer.events,
            version=answer.version,
            etag=answer.etag,
            receipt=answer.receipt,
            invitation=made,
        )
        return Replayable(answer=seat_answer, replayed=acted.replayed)

    async def _one(self, battle: LoadedEncounter, by: By, seat: Seat) -> SeatView:
        [view] = await self._views(battle, by, (seat,))
        return view

    async def _views(
        self, battle: LoadedEncounter, by: By, seats: tuple[Seat, ...]
    ) -> tuple[SeatView, ...]:
        """Seats as the caller may see them."""
        standing = await self._store.seats.standing(battle.row.id)
        present = self._present(battle.row.id)
        scope = scope_of(battle.state.rule)
        viewer = viewer_of(by, battle.state.rule, battle.state.linear)
        return tuple(
            replace(
                msgspec.convert(
                    projection.view(replace(seat, metadata=UNSET), scope, viewer), SeatView
                ),
                metadata=seat_metadata(seat, by, viewer),
                has_joined=_devices(standing.get(seat.id)) > 0,
                devices=(
                    _devices(standing.get(seat.id))
                    if by.role == "gm" or by.seat == seat.id
                    else UNSET
                ),
                is_present=seat.id in present,
                invited_until=_until(standing.get(seat.id)) if by.role == "gm" else UNSET,
            )
            for seat in seats
        )


_ACTIONS = {
    "create_seat": "add_seat",
    "change_seat": "change_seat",
    "remove_seat": "remove_seat",
}
"""Operation id -> the action it posts."""


def _seat(battle: LoadedEncounter, seat: str) -> Seat:
    """The seat of this id. Raises NotFound("unknown_seat")."""
    named = seat_of(battle.state.linear, seat)
    if named is None:
        raise NotFound("unknown_seat", seat=seat)
    return named


def _devices(standing: SeatStanding | None) -> int:
    """On how many devices somebody has come to the seat."""
    return 0 if standing is None else standing.devices


def _until(standing: SeatStanding | None) -> str | UnsetType:
    """Until when an open invitation is good."""
    if standing is None or standing.invited_until is None:
        return UNSET
    return recorded(standing.invited_until)


def _plain(value: msgspec.Struct) -> dict[str, object]:
    """The fields of a request that were stated, as JSON values."""
    fields: dict[str, object] = msgspec.to_builtins(value)
    return fields
