"""Encounters: create, list, read, and their map."""

from typing import Any, Final
from zlib import crc32

import msgspec
from litestar import Response
from litestar.params import FromPath

from service.api.call import (
    CURSOR,
    ENCOUNTER_PATH,
    JSON,
    LARGEST_SEQ,
    NOTES,
    READING,
    SVG,
    TEXT,
    VIEW,
    WRITING,
    Call,
    CallAnswer,
)
from service.api.created_encounters import created, created_with
from service.api.endpoints.examples import CREATE_ENCOUNTER_EXAMPLES
from service.api.headers import headers_of
from service.api.query_parameters import Query, Text, Whole
from service.api.request import (
    Ask,
    encounter_id,
    media_type_asked,
    principal_of,
    query_of,
    reader_of,
    route,
    services_behind,
    tree_of,
)
from service.api.response import encoded, language_asked, tagged
from service.api.scenes.svg import SECURITY, svg_of
from service.api.scenes.text import text_of
from service.api.scenes.words import words_in
from service.encounters.clock_and_ids import etag
from service.encounters.principal import Principal
from service.encounters.requests import convert
from service.encounters.responses import EncounterView
from service.engine.vocabulary.values import Status
from service.eventstore.encounter_list import Selection

ENCOUNTERS_PER_PAGE: Final = 100
AT: Final = Whole(name="at", says="The state after this event.", least=1, most=LARGEST_SEQ)
ORDER: Final = Text(
    name="order",
    says="By the time of creation: `oldest` first, as without it, or `newest`.",
    pattern="oldest|newest",
    form="oldest | newest",
)
STATUS: Final = Text(
    name="status",
    says="Only encounters that stand so.",
    pattern="setup|running|ended",
    form="setup | running | ended",
)
RULESET: Final = Text(
    name="ruleset",
    says="Only encounters of this ruleset.",
    pattern="[a-z0-9-]{1,40}",
    form="[a-z0-9-]{1,40}",
)
METADATA: Final = Text(
    name="metadata",
    says="`key:text`: only encounters whose metadata have exactly this text under this key, which "
    "stands at the top and has no colon.",
    pattern=r"[^:\x00]{1,200}:[^\x00]{0,1000}",
    form="key:text",
)
ENCOUNTERS_LIMIT: Final = Whole(
    name="limit",
    says="How many at most.",
    least=1,
    most=ENCOUNTERS_PER_PAGE,
    default=20,
)
DIGEST: Final = Text(
    name="digest",
    says="Digest of an earlier map or content; the present map if absent.",
    pattern="[0-9a-f]{64}",
    form="[0-9a-f]{64}",
)

CREATE_ENCOUNTER: Final = Call(
    id="create_encounter",
    method="POST",
    path="/v1/encounters",
    tag="encounters",
    summary="Create an encounter",
    says=(
        "The setup is the ruleset's own. The seed is sealed until the game master reveals it. A"
        " repeated key is answered with the encounter it created: 404 if that is deleted."
    ),
    headers=("key_required",),
    body="CreateRequest",
    examples=CREATE_ENCOUNTER_EXAMPLES,
    answers=(created_with("The encounter and its first event.", "CreatedAnswer"),),
    problems=(*WRITING, 428),
)


@route(CREATE_ENCOUNTER)
async def create_encounter(request: Ask) -> Response[bytes]:
    """A new encounter, once per key."""
    key = headers_of(request.scope).required_idempotency_key()
    tree = await tree_of(request)
    done = await services_behind(request).encounters.writes.create(principal_of(request), tree, key)
    return created(done.answer, {}, replayed=done.replayed)


LIST_ENCOUNTERS: Final = Call(
    id="list_encounters",
    path="/v1/encounters",
    tag="encounters",
    summary="The encounters of the key's tenant, oldest first unless `order` says otherwise",
    says="To a seat by its own token there is one. A cursor is good in the order and under the "
    "filters of the page that gave it.",
    query=(CURSOR, ENCOUNTERS_LIMIT, ORDER, STATUS, RULESET, METADATA),
    answers=(CallAnswer(status=200, says="A page.", content={JSON: "EncounterPage"}),),
    problems=(400, 401, 403, 406, 429, 503),
)


@route(LIST_ENCOUNTERS)
async def list_encounters(request: Ask) -> Response[bytes]:
    """A page of the tenant's encounters."""
    query = query_of(request)
    cursor = query.text_or_none(CURSOR)
    limit = query.whole(ENCOUNTERS_LIMIT)
    encounters = services_behind(request).encounters
    who = principal_of(request)
    return encoded(await encounters.reads.list(who, selection_in(query), cursor, limit))


_StatusAsked: Any = Status | None


def selection_in(query: Query) -> Selection:
    """Which encounters are asked for, in which order."""
    metadata = query.text_or_none(METADATA)
    key, _, text = (metadata or "").partition(":")
    return Selection(
        newest_first=query.text_or_none(ORDER) == "newest",
        status=convert(query.text_or_none(STATUS), _StatusAsked),
        ruleset=query.text_or_none(RULESET),
        metadata=None if metadata is None else (key, text),
    )


READ_ENCOUNTER: Final = Call(
    id="read_encounter",
    path=ENCOUNTER_PATH,
    tag="encounters",
    summary="The state as the caller may see it",
    says="What the caller may not know is absent. `at` goes back to any event.",
    query=(AT, NOTES, VIEW),
    headers=("seat", "if_none_match"),
    answers=(
        CallAnswer(
            status=200, says="The state.", content={JSON: "EncounterView"}, headers=("ETag",)
        ),
        CallAnswer(status=304, says="It has not changed.", content={}, headers=("ETag",)),
    ),
    problems=(*READING, 409),
)


@route(READ_ENCOUNTER)
async def read_encounter(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """The state, or 304."""
    who = reader_of(request)
    query = query_of(request)
    at, notes = query.whole_or_none(AT), query.whole_or_none(NOTES)
    versions = headers_of(request.scope).known_versions()
    view = await services_behind(request).encounters.reads.view(
        who, encounter_id(encounter), at, versions, notes
    )
    return tagged(request, tag_of(view, who, notes), view)


NOTES_AFTER: Final = Whole(
    name="after",
    says="Notes of events behind this one: `next` of the page before.",
    least=0,
    most=LARGEST_SEQ,
    default=0,
)
NOTES_LIMIT: Final = Whole(
    name="limit", says="The most notes of a page.", least=1, most=500, default=100
)

LIST_NOTES: Final = Call(
    id="list_notes",
    path=f"{ENCOUNTER_PATH}/notes",
    tag="encounters",
    summary="The notes of an encounter, oldest first",
    says=(
        "A page of `table.notes` of the state, as the caller may read them. With `notes=N` states"
        " and streams have the last N alone; here are the others."
    ),
    query=(NOTES_AFTER, NOTES_LIMIT, VIEW),
    headers=("seat",),
    answers=(CallAnswer(status=200, says="A page.", content={JSON: "NotePage"}),),
    problems=READING,
)


@route(LIST_NOTES)
async def list_notes(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """A page of notes."""
    query = query_of(request)
    reads = services_behind(request).encounters.reads
    return encoded(
        await reads.notes(
            reader_of(request),
            encounter_id(encounter),
            query.whole(NOTES_AFTER),
            query.whole(NOTES_LIMIT),
        )
    )


READ_MAP: Final = Call(
    id="read_map",
    path=f"{ENCOUNTER_PATH}/map",
    tag="encounters",
    summary="The map of an encounter as it was created",
    says="It never changes; what did change stands in the state.",
    query=(DIGEST,),
    headers=("seat", "if_none_match"),
    answers=(
        CallAnswer(status=200, says="The map.", content={JSON: "Board"}, headers=("ETag",)),
        CallAnswer(status=304, says="You have it.", content={}, headers=("ETag",)),
    ),
    problems=READING,
)


@route(READ_MAP)
async def read_map(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """The bytes the map's digest was taken of, or 304."""
    digest = query_of(request).text_or_none(DIGEST)
    encounters = services_behind(request).encounters
    named, body = await encounters.reads.board(
        principal_of(request), encounter_id(encounter), digest
    )
    return tagged(request, named, body)


READ_SCENE: Final = Call(
    id="read_scene",
    path=f"{ENCOUNTER_PATH}/scene",
    tag="encounters",
    summary="A picture of the battle as the caller may see it: as data, as SVG, in characters",
    says=(
        "The same for every ruleset: ground, combatants, areas and lines of the last event, in"
        " integers of its unit. It shows nothing that the state, the map and that event do not"
        " tell the caller. `Accept` chooses the form; where a rulebook has one of its own for a"
        " battle as text, that is the one in characters. `at` goes back to any event."
    ),
    query=(AT, VIEW),
    headers=("seat", "if_none_match"),
    answers=(
        CallAnswer(
            status=200,
            says="The picture.",
            content={JSON: "SceneAnswer", SVG: "Picture", TEXT: "Picture"},
            headers=("ETag",),
        ),
        CallAnswer(status=304, says="It has not changed.", content={}, headers=("ETag",)),
    ),
    problems=READING,
)


@route(READ_SCENE)
async def read_scene(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """The picture in the form that is asked for, or 304."""
    who, at = reader_of(request), query_of(request).whole_or_none(AT)
    reads = services_behind(request).encounters.reads
    answer, view, catalogue, printed = await reads.scene(who, encounter_id(encounter), at)
    media_type, language = media_type_asked(request), language_asked(request.scope)
    tag = f"{tag_of(view, who)};scene={media_type};{language}"
    word = words_in(language, catalogue)
    if media_type == SVG:
        picture = svg_of(answer.scene, answer.seq, word)
        policy = {"Content-Security-Policy": SECURITY}
        return tagged(request, tag, picture, policy, media_type=SVG)
    if media_type == TEXT:
        text = text_of(answer.scene, answer.seq, word) if printed is None else printed()
        return tagged(request, tag, text.encode(), media_type=TEXT)
    return tagged(request, tag, answer)


DELETE_ENCOUNTER: Final = Call(
    id="delete_encounter",
    method="DELETE",
    path=ENCOUNTER_PATH,
    tag="encounters",
    summary="Delete an encounter for good, but for its id and its last hash",
    says=(
        "Its log, parts, snapshots and seed are gone. Deleting it again gives the same answer. For"
        " keys, and for the seat that forked: with the token that it has in its fork it deletes"
        " that fork, once, since the token goes with it."
    ),
    answers=(CallAnswer(status=200, says="What is left of it.", content={JSON: "TombstoneView"}),),
    problems=READING,
)


@route(DELETE_ENCOUNTER)
async def delete_encounter(request: Ask, encounter: FromPath[str]) -> Response[bytes]:
    """What is left of it."""
    encounters = services_behind(request).encounters
    return encoded(await encounters.writes.delete(principal_of(request), encounter_id(encounter)))


def tag_of(view: EncounterView, who: Principal, notes: int | None = None) -> str:
    """The tag of a state: its version; another representation says after a `;` which.

    A seat sees less than the key by itself, `notes` cuts the table, an earlier state also has the
    present head, and deadlines move without an event.
    """
    variants = [f"head={view.head}"] if view.seq != view.head else []
    if who.reads_for is not None:
        variants.append(f"seat={who.reads_for}")
    if notes is not None:
        variants.append(f"notes={notes}")
    if view.timers:
        variants.append(f"timers={crc32(msgspec.json.encode(view.timers)):08x}")
    return ";".join([etag(view.seq, view.hash), *variants])
