"""The calls that are about the service or its encounters, each written once for both drivers."""

import secrets
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Literal

from msgspec import Struct
from msgspec.json import Decoder
from msgspec.structs import replace

from warlog.answers import (
    CreatedAnswer,
    EncounterPage,
    InvitationAnswer,
    JoinAnswer,
    KeySet,
    MyKey,
    MySeat,
    RulesetList,
)
from warlog.battle_calls import ME, SEAT_HEADER
from warlog.caller import Caller, new_key, part_of_path, read
from warlog.records import Json
from warlog.steps import Steps


def me(
    caller: Caller,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    by: str | None = None,
) -> Steps[MySeat | MyKey]:
    """Who the token speaks for, whose move it is, and what is asked; of a key `by` a seat."""
    query = {"cursor": cursor, "limit": limit}
    named = {} if by is None else {SEAT_HEADER: by}
    request = caller.request("GET", "/v1/me", query=query, headers=named)
    return read((yield from caller.answered(request)), ME)


def rulesets(caller: Caller) -> Steps[RulesetList]:
    """The rulesets, and the limits of the service."""
    answer = yield from caller.answered(caller.request("GET", "/v1/rulesets"))
    return read(answer, _RULESETS)


def ruleset(caller: Caller, slug: str, *, version: str | None = None) -> Steps[Json]:
    """The rules, terms and options of a ruleset; of the newest version unless one is named."""
    path = f"/v1/rulesets/{part_of_path(slug)}"
    answer = yield from caller.answered(caller.request("GET", path, query={"version": version}))
    return read(answer, _OBJECT)


def ruleset_schema(caller: Caller, slug: str, *, version: str | None = None) -> Steps[Json]:
    """JSON Schema of a ruleset's own types: `schema` has its setup, action, effect and state."""
    path = f"/v1/rulesets/{part_of_path(slug)}/schema"
    answer = yield from caller.answered(caller.request("GET", path, query={"version": version}))
    return read(answer, _OBJECT)


def encounters(
    caller: Caller,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    order: Literal["newest", "oldest"] | None = None,
    status: Literal["setup", "running", "ended"] | None = None,
    ruleset: str | None = None,
    metadata: str | None = None,
) -> Steps[EncounterPage]:
    """A page of the encounters of a key's tenant; `metadata` is `key:text`."""
    query = {
        "cursor": cursor,
        "limit": limit,
        "order": order,
        "status": status,
        "ruleset": ruleset,
        "metadata": metadata,
    }
    answer = yield from caller.answered(caller.request("GET", "/v1/encounters", query=query))
    return read(answer, _PAGES)


def create_encounter(
    caller: Caller, body: Mapping[str, Any], *, key: str | None = None
) -> Steps[CreatedAnswer]:
    """A new encounter. Under the same `key` it is created once."""
    request = caller.request("POST", "/v1/encounters", body=body, key=key or new_key())
    answer = yield from caller.answered(request)
    return read(answer, _CREATED)


def join(caller: Caller, code: str, *, token: str | None = None) -> Steps[JoinAnswer]:
    """Come to a seat by the code of an invitation, which is good once.

    The token is made here, or by the caller with `new_token()` and kept before the call: then a
    join whose answer was lost is sent again with the same code and token, for ten minutes.
    """
    mine = token or new_token()
    body = {"code": code, "token_hash": sha256(mine.encode()).hexdigest()}
    request = replace(caller, token=None).request("POST", "/v1/join", body=body)
    seat = read((yield from caller.answered(request)), _JOINED)
    return JoinAnswer(encounter=seat.encounter, seat=seat.seat, role=seat.role, token=mine)


def add_device(caller: Caller, *, key: str | None = None) -> Steps[InvitationAnswer]:
    """A code by which the seat of this token continues on another device next to this one."""
    request = caller.request("POST", "/v1/me/devices", key=key or new_key())
    return read((yield from caller.answered(request)), _INVITATION)


def new_token() -> str:
    """A token for a seat, of 32 random bytes, to be kept before `join` is called."""
    return "ws_" + secrets.token_urlsafe(32)


def signing_keys(caller: Caller) -> Steps[KeySet]:
    """The keys that the service signs with, and those that it signed with."""
    request = caller.request("GET", "/.well-known/warlog-keys.json")
    return read((yield from caller.answered(request)), _KEYS)


def check_map(caller: Caller, body: Mapping[str, Any]) -> Steps[Json]:
    """How the service reads a map."""
    answer = yield from caller.answered(caller.request("POST", "/v1/maps", body=body))
    return read(answer, _OBJECT)


class _Joined(Struct):
    encounter: str
    seat: str
    role: str


_OBJECT: Decoder[Json] = Decoder(Json)
_RULESETS = Decoder(RulesetList)
_PAGES = Decoder(EncounterPage)
_CREATED = Decoder(CreatedAnswer)
_KEYS = Decoder(KeySet)
_INVITATION = Decoder(InvitationAnswer)
_JOINED = Decoder(_Joined)
