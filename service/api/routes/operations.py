"""For machines that run the service and for people who read about it; no key needed."""

import base64

from litestar import Response
from litestar.params import FromPath
from msgspec import UNSET

from service.api import calls
from service.api.discovery import KeySet, Liveness, PublishedKey, ReadinessAnswer
from service.api.docs import asset_named, docs_page, problems_page
from service.api.headers import header
from service.api.metrics import METRICS_TYPE, OPENMETRICS_TYPE
from service.api.negotiation import media_type_of
from service.api.openapi import asyncapi as streams
from service.api.openapi.document import document_bytes
from service.api.request import Ask, services_behind
from service.api.response import PUBLIC, encoded, language_asked, plain
from service.api.routes.serving import serving
from service.encounters.clock_and_ids import recorded
from service.errors import DatabaseFull, DatabaseReadOnly, DatabaseSlow, NotFound, SchemaMismatch
from service.eventstore.records import Readiness


@serving(calls.LIVE)
async def live() -> Response[bytes]:
    """The process answers."""
    return encoded(Liveness(), general=PUBLIC)


@serving(calls.READY)
async def ready(request: Ask) -> Response[bytes]:
    """The database answers, commits writes, has room and has a schema that serves this build."""
    services = services_behind(request)
    found = await services.ready()
    if found.schema is None or not found.schema.serves(services.build):
        raise SchemaMismatch(**_versions(found, services.build))
    if found.is_read_only:
        raise DatabaseReadOnly()
    if found.is_full:
        raise DatabaseFull()
    if found.uncommitted_seconds:
        raise DatabaseSlow(uncommitted_seconds=found.uncommitted_seconds)
    warnings = ("can_mutate_log",) if found.can_mutate_log else ()
    answer = ReadinessAnswer(
        revision=found.revision or str(found.schema.number),
        build=services.build,
        database_version=found.server_version,
        warnings=warnings,
    )
    return encoded(answer, general=PUBLIC)


def _versions(found: Readiness, build: int) -> dict[str, str | int]:
    """What the schema is and which builds it serves, as far as it says so, and what this one is."""
    versions: dict[str, str | int] = {"revision": found.revision or "none", "build": build}
    if found.schema is not None:
        versions["oldest_build"] = found.schema.oldest_build
    return versions


@serving(calls.METRICS)
async def metrics(request: Ask) -> Response[bytes]:
    """Figures for Prometheus, of all processes that serve on this port."""
    accept = header(request.scope["headers"], "accept")
    asked = media_type_of(accept, calls.METRICS.media_types)
    media_type = OPENMETRICS_TYPE if asked == calls.OPENMETRICS else METRICS_TYPE
    figures = await services_behind(request).measures.text(media_type)
    return plain(figures, media_type, general=PUBLIC)


@serving(calls.SIGNING_KEYS)
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


@serving(calls.OPENAPI)
async def openapi(request: Ask) -> Response[bytes]:
    """The OpenAPI document."""
    rulesets = services_behind(request).encounters.reads.rulesets
    return plain(document_bytes(tuple(rulesets.values())), calls.JSON, general=PUBLIC)


@serving(calls.ASYNCAPI)
async def asyncapi(request: Ask) -> Response[bytes]:
    """The AsyncAPI document."""
    rulesets = tuple(services_behind(request).encounters.reads.rulesets.values())
    return plain(streams.document_bytes(rulesets), calls.JSON, general=PUBLIC)


@serving(calls.DOCS)
async def docs() -> Response[bytes]:
    """The page that shows the OpenAPI document."""
    return docs_page()


@serving(calls.ROOT)
async def root() -> Response[bytes]:
    """Whoever comes without knowing where to is led to the documentation."""
    return _to_docs()


@serving(calls.VERSION_ROOT)
async def version_root() -> Response[bytes]:
    """The same for the address that all calls begin with."""
    return _to_docs()


def _to_docs() -> Response[bytes]:
    """Relative: the service may be reached behind a path."""
    return plain(b"", "text/plain", status=307, extra={"Location": "docs"}, general=PUBLIC)


@serving(calls.DOCS_ASSET)
async def docs_asset(request: Ask, asset: FromPath[str]) -> Response[bytes]:
    """What the page needs, the list of problems, and pages to read."""
    language = language_asked(request.scope)
    if asset == "problems":
        return problems_page(language, services_behind(request).phrasebook)
    found = asset_named(asset, language)
    if found is None:
        raise NotFound()
    return found
