"""For machines that run the service and for people who read about it; no key needed."""

import asyncio
import base64
from typing import Final

from litestar import Response
from litestar.params import FromPath
from msgspec import UNSET

from service.api.call import (
    JSON,
    OPENMETRICS,
    Call,
    CallAnswer,
)
from service.api.discovery import KeySet, Liveness, PublishedKey, ReadinessAnswer
from service.api.docs import (
    SEARCH_INDEXES,
    asset_named,
    docs_page,
    document_named,
    effects_in,
    guide_named,
    index_in,
    list_of_guides,
    page_of_effects,
    page_of_streams,
    problems_page,
)
from service.api.headers import headers_of
from service.api.metrics import METRICS_TYPE, OPENMETRICS_TYPE
from service.api.negotiation import media_type_of
from service.api.openapi import asyncapi as streams
from service.api.openapi.document import document_bytes
from service.api.request import Ask, route, services_behind
from service.api.response import PUBLIC, encoded, language_asked, plain, unless_known
from service.api.services import Services
from service.encounters.clock_and_ids import recorded
from service.engine.vocabulary.catalogue import Language
from service.errors import DatabaseFull, DatabaseReadOnly, DatabaseSlow, NotFound, SchemaMismatch
from service.eventstore.records import Readiness

KNOWN_ALREADY: Final = CallAnswer(status=304, says="You have it.", content={}, headers=("ETag",))

LIVE: Final = Call(
    id="live",
    path="/health/live",
    tag="operations",
    summary="Whether the process answers",
    answers=(CallAnswer(status=200, says="It does.", content={JSON: "Liveness"}),),
)


@route(LIVE)
async def live() -> Response[bytes]:
    """The process answers."""
    return encoded(Liveness(), general=PUBLIC)


READY: Final = Call(
    id="ready",
    path="/health/ready",
    tag="operations",
    summary="Whether the service can do its work: the database answers and is up to date",
    answers=(CallAnswer(status=200, says="It can.", content={JSON: "ReadinessAnswer"}),),
    problems=(503,),
)


@route(READY)
async def ready(request: Ask) -> Response[bytes]:
    """The database answers, commits writes, has room and has a schema that serves this build."""
    services = services_behind(request)
    readiness = await services.ready()
    if readiness.schema is None or not readiness.schema.serves(services.build):
        raise SchemaMismatch(**_versions(readiness, services.build))
    if readiness.is_read_only:
        raise DatabaseReadOnly()
    if readiness.is_barred:
        raise DatabaseReadOnly(subscriptions=list(readiness.subscriptions))
    if readiness.is_full:
        raise DatabaseFull()
    if readiness.uncommitted_seconds:
        raise DatabaseSlow(uncommitted_seconds=readiness.uncommitted_seconds)
    found = {
        "can_mutate_log": readiness.can_mutate_log,
        "fed_by_subscription": bool(readiness.subscriptions),
    }
    answer = ReadinessAnswer(
        revision=readiness.revision or str(readiness.schema.number),
        build=services.build,
        database_version=readiness.server_version,
        warnings=tuple(code for code, is_found in found.items() if is_found),
    )
    return encoded(answer, general=PUBLIC)


def _versions(readiness: Readiness, build: int) -> dict[str, str | int]:
    """What the schema is and which builds it serves, as far as it says so, and what this one is."""
    versions: dict[str, str | int] = {"revision": readiness.revision or "none", "build": build}
    if readiness.schema is not None:
        versions["oldest_build"] = readiness.schema.oldest_build
    return versions


METRICS: Final = Call(
    id="metrics",
    path="/metrics",
    tag="operations",
    summary="Figures for Prometheus",
    answers=(
        CallAnswer(
            status=200,
            says="The figures.",
            content={"text/plain": "Text", OPENMETRICS: "Text"},
        ),
    ),
)


@route(METRICS)
async def metrics(request: Ask) -> Response[bytes]:
    """Figures for Prometheus, of all processes that serve on this port."""
    accept = headers_of(request.scope).value("accept")
    is_open = media_type_of(accept, METRICS.media_types) == OPENMETRICS
    media_type = OPENMETRICS_TYPE if is_open else METRICS_TYPE
    figures = await services_behind(request).measures.text(media_type)
    return plain(figures, media_type, general=PUBLIC)


SIGNING_KEYS: Final = Call(
    id="signing_keys",
    path="/.well-known/warlog-keys.json",
    tag="operations",
    summary="The public keys that receipts are checked with",
    answers=(CallAnswer(status=200, says="The keys.", content={JSON: "KeySet"}),),
    problems=(503,),
)


@route(SIGNING_KEYS)
async def signing_keys(request: Ask) -> Response[bytes]:
    """Every key that ever signed a receipt."""
    keys = tuple(
        PublishedKey(
            kid=key.kid,
            x=base64.urlsafe_b64encode(key.public).rstrip(b"=").decode(),
            created_at=recorded(key.created_at),
            retired_at=UNSET if key.retired_at is None else recorded(key.retired_at),
        )
        for key in await services_behind(request).public_keys()
    )
    return encoded(KeySet(keys=keys), general=PUBLIC)


OPENAPI: Final = Call(
    id="openapi",
    path="/openapi.json",
    tag="operations",
    summary="This document",
    headers=("if_none_match",),
    answers=(
        CallAnswer(
            status=200, says="The document.", content={JSON: "AnyObject"}, headers=("ETag",)
        ),
        KNOWN_ALREADY,
    ),
)


@route(OPENAPI)
async def openapi(request: Ask) -> Response[bytes]:
    """The OpenAPI document."""
    services = services_behind(request)
    rulesets = tuple(services.encounters.reads.rulesets.values())
    document = document_bytes(services.calls, rulesets)
    return unless_known(request, plain(document, JSON, general=PUBLIC))


ASYNCAPI: Final = Call(
    id="asyncapi",
    path="/asyncapi.json",
    tag="operations",
    summary="The AsyncAPI document: what streams tell",
    headers=("if_none_match",),
    answers=(
        CallAnswer(
            status=200, says="The document.", content={JSON: "AnyObject"}, headers=("ETag",)
        ),
        KNOWN_ALREADY,
    ),
)


@route(ASYNCAPI)
async def asyncapi(request: Ask) -> Response[bytes]:
    """The AsyncAPI document."""
    rulesets = tuple(services_behind(request).encounters.reads.rulesets.values())
    document = streams.document_bytes(rulesets)
    return unless_known(request, plain(document, JSON, general=PUBLIC))


DOCS: Final = Call(
    id="docs",
    path="/docs",
    tag="operations",
    summary="This document for people, with a way to try every call",
    headers=("if_none_match",),
    answers=(
        CallAnswer(status=200, says="A page.", content={"text/html": "Text"}, headers=("ETag",)),
        KNOWN_ALREADY,
    ),
)


@route(DOCS)
async def docs(request: Ask) -> Response[bytes]:
    """The page that shows the OpenAPI document."""
    rulesets = services_behind(request).encounters.reads.rulesets
    return unless_known(request, docs_page(rulesets, language_asked(request.scope)))


ROOT: Final = Call(
    id="root",
    path="/",
    tag="operations",
    summary="Leads to the documentation",
    answers=(CallAnswer(status=307, says="The documentation.", content={}, headers=("Location",)),),
)


@route(ROOT)
async def root() -> Response[bytes]:
    """The root leads to the documentation."""
    return _to_docs()


VERSION_ROOT: Final = Call(
    id="version_root",
    path="/v1",
    tag="operations",
    summary="Leads to the documentation",
    answers=(CallAnswer(status=307, says="The documentation.", content={}, headers=("Location",)),),
)


@route(VERSION_ROOT)
async def version_root() -> Response[bytes]:
    """So does the address that all calls begin with."""
    return _to_docs()


def _to_docs() -> Response[bytes]:
    """Relative: the service may be reached behind a path."""
    return plain(b"", "text/plain", status=307, extra={"Location": "docs"}, general=PUBLIC)


DOCS_ASSET: Final = Call(
    id="docs_asset",
    path="/docs/{asset:str}",
    tag="operations",
    summary=(
        "What the page needs; guides with examples at `/docs/guides`, the streams at"
        " `/docs/streams`, the effects of events at `/docs/effects`, the problems at"
        " `/docs/problems`, what stays hidden at `/docs/hidden`, audits at `/docs/audits`, their"
        " specification with test vectors at `/docs/specification`"
    ),
    headers=("if_none_match",),
    answers=(
        CallAnswer(status=200, says="A file.", content={"text/html": "Text"}, headers=("ETag",)),
        KNOWN_ALREADY,
    ),
    problems=(404,),
)


@route(DOCS_ASSET)
async def docs_asset(request: Ask, asset: FromPath[str]) -> Response[bytes]:
    """What the page needs, the list of problems, and pages to read."""
    language = language_asked(request.scope)
    answer = await _docs_asset(services_behind(request), asset, language)
    if answer is None:
        raise NotFound()
    return unless_known(request, answer)


DOCS_GUIDES: Final = Call(
    id="docs_guides",
    path="/docs/guides",
    tag="operations",
    summary="The list of guides",
    headers=("if_none_match",),
    answers=(
        CallAnswer(status=200, says="A page.", content={"text/html": "Text"}, headers=("ETag",)),
        KNOWN_ALREADY,
    ),
    problems=(503,),
)


@route(DOCS_GUIDES)
async def docs_guides(request: Ask) -> Response[bytes]:
    """All guides; their addresses begin with this one."""
    return unless_known(request, list_of_guides(language_asked(request.scope)))


DOCS_GUIDE: Final = Call(
    id="docs_guide",
    path="/docs/guides/{guide:str}",
    tag="operations",
    summary="One guide of those at `/docs/guides`: requests and their answers, step by step",
    headers=("if_none_match",),
    answers=(
        CallAnswer(status=200, says="A page.", content={"text/html": "Text"}, headers=("ETag",)),
        KNOWN_ALREADY,
    ),
    problems=(404, 503),
)


@route(DOCS_GUIDE)
async def docs_guide(request: Ask, guide: FromPath[str]) -> Response[bytes]:
    """A guide in the reader's language."""
    answer = guide_named(guide, language_asked(request.scope))
    if answer is None:
        raise NotFound()
    return unless_known(request, answer)


async def _docs_asset(services: Services, asset: str, language: Language) -> Response[bytes] | None:
    rulesets = services.encounters.reads.rulesets
    if asset == "problems":
        return problems_page(language, services.phrasebook)
    if asset == "effects":
        effects = await asyncio.to_thread(_effects, services, language)
        return page_of_effects(effects, language)
    if asset == "streams":
        return page_of_streams(streams.document_bytes(tuple(rulesets.values())), language)
    if asset in SEARCH_INDEXES:
        return await asyncio.to_thread(_search_index, services, SEARCH_INDEXES[asset])
    page = asset_named(asset, language)
    return page or await asyncio.to_thread(document_named, asset, services.calls, rulesets)


def _search_index(services: Services, language: Language) -> Response[bytes]:
    told = streams.document_bytes(tuple(services.encounters.reads.rulesets.values()))
    effects = _effects(services, language)
    return index_in(language, services.phrasebook, services.calls, told, effects)


def _effects(services: Services, language: Language) -> bytes:
    """The page of effects; the first time, the whole document is made for it."""
    rulesets = services.encounters.reads.rulesets
    document = document_bytes(services.calls, tuple(rulesets.values()))
    return effects_in(language, document, rulesets)
