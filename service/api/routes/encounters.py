"""Encounters: create, list, read, and their map."""

from typing import Any
from zlib import crc32

import msgspec
from litestar import Response
from litestar.params import FromPath

from service.api import calls, headers
from service.api.query_parameters import Query
from service.api.request import (
    Ask,
    encounter_id,
    media_type_asked,
    principal_of,
    query_of,
    services_behind,
    tree_of,
)
from service.api.response import REPLAYED, encoded, language_asked, tagged
from service.api.routes.serving import serving
from service.api.scenes.svg import SECURITY, svg_of
from service.api.scenes.text import text_of
from service.api.scenes.words import words_in
from service.encounters.loaded import etag
from service.encounters.principal import Principal
from service.encounters.requests import convert
from service.encounters.responses import EncounterView
from service.engine.vocabulary.values import Status
from service.eventstore.encounter_list import Selection


@serving(calls.CREATE_ENCOUNTER)
async def create_encounter(request: Ask) -> Response[bytes]:
    """A new encounter, once per key."""
    key = headers.required_idempotency_key(request.scope["headers"])
    tree = await tree_of(request)
    done = await services_behind(request).encounters.writes.create(principal_of(request), tree, key)
    view = done.answer.view
    extra = {
        "Location": f"/v1/encounters/{done.answer.encounter}",
        "ETag": f'"{etag(view.seq, view.hash)}"',
    }
    if done.replayed:
        extra |= REPLAYED
    return encoded(done.answer, status=201, extra=extra)


@serving(calls.LIST_ENCOUNTERS)
async def list_encounters(request: Ask) -> Response[bytes]:
    """A page of the tenant's encounters."""
    query = query_of(request)
    cursor = query.text_or_none(calls.CURSOR)
    limit = query.whole(calls.ENCOUNTERS_LIMIT)
    encounters = services_behind(request).encounters
    who = principal_of(request)
    return encoded(await encounters.reads.list(who, selection_in(query), cursor, limit))


_StatusAsked: Any = Status | None


def selection_in(query: Query) -> Selection:
    """Which encounters are asked for, in which order."""
    metadata = query.text_or_none(calls.METADATA)
    key, _, text = (metadata or "").partition(":")
    return Selection(
        newest_first=query.text_or_none(calls.ORDER) == "newest",
        status=convert(query.text_or_none(calls.STATUS), _StatusAsked),
        ruleset=query.text_or_none(calls.RULESET),
        metadata=None if metadata is None else (key, text),
    )


@serving(calls.READ_ENCOUNTER)
async def read_encounter(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """The state, or 304."""
    who = principal_of(request)
    at = query_of(request).whole_or_none(calls.AT)
    known = headers.versions_known(request.scope["headers"])
    view = await services_behind(request).encounters.reads.view(
        who, encounter_id(encounter), at, known
    )
    return tagged(request, tag_of(view, who), view)


@serving(calls.READ_MAP)
async def read_map(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """The bytes the map's digest was taken of, or 304."""
    digest = query_of(request).text_or_none(calls.DIGEST)
    encounters = services_behind(request).encounters
    named, body = await encounters.reads.board(
        principal_of(request), encounter_id(encounter), digest
    )
    return tagged(request, named, body)


@serving(calls.READ_SCENE)
async def read_scene(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """The picture in the form that is asked for, or 304."""
    who, at = principal_of(request), query_of(request).whole_or_none(calls.AT)
    reads = services_behind(request).encounters.reads
    answer, view, catalogue = await reads.scene(who, encounter_id(encounter), at)
    media_type, language = media_type_asked(request), language_asked(request.scope)
    tag = f"{tag_of(view, who)};scene={media_type};{language}"
    word = words_in(language, catalogue)
    match media_type:
        case calls.SVG:
            body = svg_of(answer.scene, answer.seq, word)
            return tagged(
                request, tag, body, {"Content-Security-Policy": SECURITY}, media_type=media_type
            )
        case calls.TEXT:
            body = text_of(answer.scene, answer.seq, word).encode()
            return tagged(request, tag, body, media_type=media_type)
        case _:
            return tagged(request, tag, answer)


@serving(calls.DELETE_ENCOUNTER)
async def delete_encounter(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """What is left of it."""
    encounters = services_behind(request).encounters
    return encoded(await encounters.writes.delete(principal_of(request), encounter_id(encounter)))


def tag_of(view: EncounterView, who: Principal) -> str:
    """The tag of a state: its version; another representation says after a `;` which.

    A seat sees less than the key by itself, an earlier state also tells the present head, and
    deadlines move without an event.
    """
    variants = [f"head={view.head}"] if view.seq != view.head else []
    if who.acting_for is not None:
        variants.append(f"seat={who.acting_for}")
    if view.timers:
        variants.append(f"timers={crc32(msgspec.json.encode(view.timers)):08x}")
    return ";".join([etag(view.seq, view.hash), *variants])
