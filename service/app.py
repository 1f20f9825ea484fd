"""The composition root: settings in, a wired application out; the only place that knows all rooms.

application = build(settings)       # settings name a database
uvicorn.run(application, ...)
"""

import asyncio
import json
import logging
import re
import secrets
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from litestar import Litestar
from litestar.exceptions import HTTPException
from structlog.typing import EventDict, Processor, WrappedLogger

from service.api.answering import refuse
from service.api.authentication import KeyRing
from service.api.crowd import Crowd
from service.api.edge import Edge
from service.api.limits import ApiLimits
from service.api.measuring import Measures
from service.api.problems import Phrasebook
from service.api.rates import Rate
from service.api.rooms import ROOMS_KEY, Rooms
from service.api.routes import encounters, events, operations, play, proofs, rulesets
from service.encounters.housekeeping import (
    ERASURES_SECONDS,
    REVEALS_SECONDS,
    finish_erasures,
    housekeeping,
)
from service.encounters.receipts import Signer
from service.encounters.service import Encounters
from service.encounters.sources import Sources
from service.errors import DatabaseAway, WarlogError
from service.eventstore.migrate import newest_revision
from service.eventstore.records import SigningKey
from service.eventstore.store import EventStore
from service.rulesets import RULESETS
from service.settings import Settings

START_SECONDS: Final = 30.0
START_PAUSE_SECONDS: Final = 0.5

_KEYS: Final = re.compile(r"wk_[A-Za-z0-9_-]{43}")
_PASSWORDS: Final = re.compile(r"(?<=://)([^/\s:@]+):[^/\s@]+@")
_JSON: Final = json.JSONEncoder(default=repr)
_log = structlog.get_logger("warlog.app")

ROUTES: Final = (
    rulesets.list_rulesets,
    rulesets.read_ruleset,
    rulesets.read_ruleset_schema,
    encounters.create_encounter,
    encounters.list_encounters,
    encounters.read_encounter,
    encounters.read_map,
    encounters.delete_encounter,
    play.act,
    play.preview,
    play.list_legal_actions,
    events.list_events,
    events.read_event,
    proofs.audit_encounter,
    proofs.export_bundle,
    operations.live,
    operations.ready,
    operations.metrics,
    operations.signing_keys,
    operations.openapi,
    operations.docs,
    operations.docs_asset,
)


def build(settings: Settings, given: Sources | None = None) -> Edge:
    """The application; nothing is connected before its lifespan begins.

    `settings.database_url` must be set: who serves the private database fills it in. Time and
    chance come from the machine unless they are given.
    """
    application = Litestar(
        route_handlers=list(ROUTES),
        lifespan=[_lifespan(settings, given or sources())],
        exception_handlers={Exception: refuse, HTTPException: refuse},
        openapi_config=None,
        logging_config=None,
        request_max_body_size=settings.limits.body_bytes,
        debug=False,
    )
    return Edge(application)


def sources() -> Sources:
    """The clock and the operating system's random bytes."""
    return Sources(now=lambda: datetime.now(UTC), random=secrets.token_bytes)


def configure_logging(level: str) -> None:
    """Everything logged in this process becomes one JSON object per line on standard error.

    What the service itself says is written without the detour over the standard library's logging,
    and costs next to nothing below the level.
    """
    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        without_secrets,
    ]
    structlog.configure(
        processors=[*shared, as_json],
        logger_factory=NamedLogger,
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                as_json,
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)


class NamedLogger(structlog.WriteLogger):
    """Writes to standard error and knows its name."""

    def __init__(self, name: str) -> None:
        super().__init__(sys.stderr)
        self.name = name


def as_json(_: WrappedLogger, __: str, event: EventDict) -> str:
    """The line as it is written: plain ASCII, whatever is in it."""
    return _JSON.encode(event)


def without_secrets(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """A last net: keys and passwords of addresses are masked wherever they turn up."""
    return {
        name: _masked(value) if isinstance(value, str) else value for name, value in event.items()
    }


def _masked(text: str) -> str:
    if "wk_" in text:
        text = _KEYS.sub("wk_***", text)
    return _PASSWORDS.sub(r"\1:***@", text) if "://" in text else text


def _lifespan(
    settings: Settings, given: Sources
) -> Callable[[Litestar], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(application: Litestar) -> AsyncIterator[None]:
        async with _rooms(settings, given) as rooms:
            application.state[ROOMS_KEY] = rooms
            yield

    return lifespan


@asynccontextmanager
async def _rooms(settings: Settings, given: Sources) -> AsyncIterator[Rooms]:
    if settings.database_url is None:
        raise ValueError("no database is named")
    store = await EventStore.open(
        settings.database_url, eraser_url=settings.erase_url, pool_size=settings.pool_size
    )
    try:
        signer = await signer_of(store, settings.signing_key)
        battles = Encounters(store, RULESETS, signer, given, settings.cache_bytes)
        async with (
            housekeeping(lambda: finish_erasures(store), ERASURES_SECONDS, _housekeeping_failed),
            housekeeping(battles.reveal_overdue, REVEALS_SECONDS, _housekeeping_failed),
        ):
            yield Rooms(
                encounters=battles,
                keys=KeyRing(store.access.api_key_by_hash, time.monotonic),
                previews=_preview_rate(settings),
                limits=limits_of(settings),
                phrasebook=Phrasebook(ruleset.catalogue for ruleset in RULESETS.values()),
                measures=Measures(),
                crowd=Crowd(settings.limits.requests_at_once),
                revision=newest_revision(),
                ready=store.ready,
                public_keys=store.service_keys.public_keys,
            )
        await battles.settle()
    finally:
        await store.close()


def _housekeeping_failed(error: Exception) -> None:
    if isinstance(error, WarlogError):
        _log.warning("housekeeping failed", code=error.code)
    else:
        _log.error("housekeeping failed", exc_info=error)


def limits_of(settings: Settings) -> ApiLimits:
    """The part of the limits that the HTTP interface keeps."""
    limits = settings.limits
    return ApiLimits(
        body_bytes=limits.body_bytes,
        json_depth=limits.json_depth,
        actions_per_list=limits.actions_per_list,
        events_per_page=limits.events_per_page,
        wait_seconds=limits.wait_seconds,
        previews_per_minute=limits.previews_per_minute,
        request_seconds=limits.request_seconds,
        requests_at_once=limits.requests_at_once,
    )


def _preview_rate(settings: Settings) -> Rate:
    limits = limits_of(settings)
    return Rate(
        per_minute=limits.previews_per_minute, burst=limits.preview_burst, clock=time.monotonic
    )


async def signer_of(store: EventStore, given: bytes | None) -> Signer:
    """Who signs receipts: the key of the settings, else the one the database keeps.

    Waits for a database that is not up yet. Raises DatabaseAway when that takes too long.
    """
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            return await _signer(store, given)
        except DatabaseAway:
            if time.monotonic() > deadline:
                raise
            _log.warning("waiting for the database")
            await asyncio.sleep(START_PAUSE_SECONDS)


async def _signer(store: EventStore, given: bytes | None) -> Signer:
    candidate = _signing_key(given or secrets.token_bytes(32))
    if given is None:
        candidate = await store.service_keys.signing_key(candidate)
    else:
        await store.service_keys.publish(candidate.kid, candidate.public)
    private = Ed25519PrivateKey.from_private_bytes(candidate.private)
    return Signer(kid=candidate.kid, key=private)


def _signing_key(private: bytes) -> SigningKey:
    public = Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()
    return SigningKey(kid=sha256(public).hexdigest()[:16], private=private, public=public)
