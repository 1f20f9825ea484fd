"""The composition root: settings in, a wired application out; the only place that knows all rooms.

application = build(settings)       # settings name a database
uvicorn.run(application, ...)
"""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from typing import Final, NamedTuple
from uuid import uuid4

import structlog
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from litestar import Litestar
from litestar.exceptions import HTTPException
from opentelemetry import trace

from service.api.authentication import KeyRing
from service.api.cors import AllowedOrigins
from service.api.handshakes import Handshakes
from service.api.limits.code_guesses import CodeGuesses
from service.api.limits.concurrency import Concurrency
from service.api.limits.job_places import JobPlaces
from service.api.limits.published_limits import ApiLimits
from service.api.limits.rate import Rate, Rates, tenth
from service.api.limits.streams import StreamPlaces
from service.api.limits.unfinished_bodies import PER_CALLER_SHARE, UnfinishedBodies
from service.api.loop_lag import watched_loop
from service.api.metric_sources import figures_of
from service.api.metrics import Crew, Measures
from service.api.middleware import Middleware
from service.api.problems import Phrasebook
from service.api.public_address import PublicAddress
from service.api.request_span import RequestTracer
from service.api.response import refuse
from service.api.revocations import Revocations
from service.api.routes import CALLS, ROUTES
from service.api.services import SERVICES_KEY, Encounters, Services
from service.api.streaming.audit_failures import audit_memory
from service.api.tickets import Tickets
from service.encounters.cache import IDLE_SECONDS, Cache, caller_of
from service.encounters.clock_and_ids import Sources
from service.encounters.documents import Documents
from service.encounters.forks.service import ForkQuota, ForkService
from service.encounters.held_back import HeldNow, nothing_held
from service.encounters.housekeeping import (
    ERASURES_SECONDS,
    REVEALS_SECONDS,
    finish_erasures,
    housekeeping,
)
from service.encounters.reads import Reads
from service.encounters.receipts import Signer, kid_of
from service.encounters.seats.revocation import revoked
from service.encounters.seats.service import SeatService
from service.encounters.serving import ServingRow
from service.encounters.simulations.processes import SimulationLimits, beginning_seconds
from service.encounters.simulations.service import Simulations
from service.encounters.timers.deadline_reads import DeadlineReads
from service.encounters.timers.service import SWEEP_SECONDS, TimerService
from service.encounters.timers.upcoming_deadlines import UpcomingDeadlines
from service.encounters.write_path import WritePath
from service.encounters.writes import Writes
from service.engine.ruleset.definition import Rulesets
from service.errors import DatabaseAway, PagesNotBuilt, WarlogError
from service.eventstore.processes import SEEN_SECONDS, ServingProcess
from service.eventstore.records import Readiness, SigningKey
from service.eventstore.schema_version import build_number
from service.eventstore.store import EventStore
from service.eventstore.subscriptions import LOOK_SECONDS
from service.eventstore.timeouts import PATIENCE, Patience
from service.fanout.fanout import Fanout, SingleProcess, running
from service.fanout.redis import RedisFanout
from service.jobs.jobs import Jobs
from service.live.hub import Hub
from service.live.log_pages import CACHE_BYTES as STREAM_CACHE_BYTES
from service.live.shared_additions import DocumentSources
from service.live.subscribe import HubSources as HubSources
from service.releases import BUILD, RELEASES, Releases
from service.replay.audit.stored_audits import AuditLimits, StoredAudits
from service.rulesets import RULESETS
from service.settings import Limits, Settings
from service.web.files import web_files
from service.web.routes import PAGES

CACHE_BYTES: Final = 256 << 20
"""The encounters a process keeps in memory may take so much. Service default."""

FORK_QUOTA: Final = ForkQuota()
"""How many forks there may be until they are deleted. Service default."""

START_SECONDS: Final = 30.0
START_PAUSE_SECONDS: Final = 0.5

_log = structlog.get_logger("warlog.app")


def build(
    settings: Settings,
    sources: Sources | None = None,
    crew: Crew | None = None,
    rulesets: Rulesets = RULESETS,
    patience: Patience = PATIENCE,
    releases: Releases = RELEASES,
) -> Middleware:
    """The application; nothing is connected before its lifespan begins.

    `settings.database_url` must be set: the private database's is filled in by `serve`. Without
    `sources` time and chance come from the machine. `crew`: the other processes on its port.
    Battles of other `rulesets` are played as those of the published ones; no document tells of
    them. `patience`: time limits of calls to the database. `releases`: which release brought what,
    and is held back until the operator finishes the upgrade to it.
    """
    kinds = _Kinds(rulesets, releases)
    application = Litestar(
        route_handlers=[*ROUTES, *PAGES],
        lifespan=[_lifespan(settings, sources or system_sources(), crew, kinds, patience)],
        exception_handlers={Exception: refuse, HTTPException: refuse},
        openapi_config=None,
        logging_config=None,
        request_max_body_size=settings.limits.body_bytes,
        debug=False,
    )
    return Middleware(application, RequestTracer() if settings.traces else None)


def system_sources() -> Sources:
    """The clock and the operating system's random bytes."""
    return Sources(now=partial(datetime.now, UTC), random=secrets.token_bytes)


class _Kinds(NamedTuple):
    """The rulesets of a service, and the release that each version came with."""

    rulesets: Rulesets
    releases: Releases


def _lifespan(
    settings: Settings,
    sources: Sources,
    crew: Crew | None,
    kinds: _Kinds,
    patience: Patience,
) -> Callable[[Litestar], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(application: Litestar) -> AsyncIterator[None]:
        _warn_without_pages()
        async with (
            _services(settings, sources, crew, kinds, patience) as services,
            _tracing(is_on=settings.traces),
        ):
            application.state[SERVICES_KEY] = services
            yield

    return lifespan


def _warn_without_pages() -> None:
    """Logs that the pages are not built; the API works without them."""
    try:
        web_files()
    except PagesNotBuilt:
        _log.warning("the pages are not built: run make pages")


@asynccontextmanager
async def _tracing(*, is_on: bool) -> AsyncIterator[None]:
    """Export spans as OpenTelemetry's settings say, those left at the end for two seconds."""
    if not is_on:
        yield
        return
    # The exporter takes longer to import than the rest of the service takes to start.
    traces = import_module("service.api.telemetry").Traces()
    trace.set_tracer_provider(traces.provider)
    try:
        yield
    finally:
        await asyncio.to_thread(traces.shut_down)


@asynccontextmanager
async def _services(
    settings: Settings,
    sources: Sources,
    crew: Crew | None,
    kinds: _Kinds,
    patience: Patience,
) -> AsyncIterator[Services]:
    if settings.database_url is None:
        raise ValueError("no database is named")
    store = await EventStore.open(
        settings.database_url,
        eraser_url=settings.erase_url,
        pool_size=settings.pool_size,
        patience=patience,
    )
    jobs, rulesets = Jobs(settings.jobs), kinds.rulesets
    serving = serving_process(store, rulesets, kinds.releases)
    try:
        signer = await signer_of(store, settings.signing_key)
        fanout = await fanout_of(settings, store, sources)
        tickets = await _tickets(store, sources)
        if settings.refuse_on_subscription:
            # Before anything writes by itself, and after the keys of all processes are there.
            await store.bar_if_subscribed()
        await serving.begin()
        battles = compose(
            store,
            rulesets,
            signer,
            sources,
            settings.cache_bytes,
            fanout,
            settings.stream_cache_bytes,
            _fork_quota(settings.limits),
            serving.held,
        )
        limits = limits_of(settings)
        keys = KeyRing(store.access.api_key_by_hash, store.seats.holder, time.monotonic)
        revocations = Revocations(keys, fanout, battles.hub.receive)
        battles.writes.on_deletion(revocations.announce)
        battles.write_path.on_seat_removed(revocations.announce)
        measures = Measures(figures=figures_of(battles, fanout, store.databases), crew=crew)
        parts = _Parts(
            settings=settings,
            limits=limits,
            sources=sources,
            rulesets=rulesets,
            store=store,
            serving=serving,
            jobs=jobs,
            battles=battles,
            keys=keys,
            tickets=tickets,
            revocations=revocations,
            measures=measures,
        )
        async with _background(parts, fanout):
            yield _offered(parts)
        await battles.writes.settle()
    finally:
        await jobs.drain()
        await serving.end()
        await store.close()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Parts:
    """What the services of one process are made of."""

    settings: Settings
    limits: ApiLimits
    sources: Sources
    rulesets: Rulesets
    store: EventStore
    serving: ServingRow
    jobs: Jobs
    battles: Encounters
    keys: KeyRing
    tickets: Tickets
    revocations: Revocations
    measures: Measures


@asynccontextmanager
async def _background(parts: _Parts, fanout: Fanout) -> AsyncIterator[None]:
    """All that runs next to the requests, for as long as the service serves."""
    store, battles = parts.store, parts.battles
    async with (
        watched_loop(parts.measures.lag.observe),
        housekeeping(partial(finish_erasures, store), ERASURES_SECONDS, _housekeeping_failed),
        housekeeping(battles.writes.reveal_overdue, REVEALS_SECONDS, _housekeeping_failed),
        housekeeping(battles.writes.rest, IDLE_SECONDS, _housekeeping_failed),
        housekeeping(battles.writes.sweep_timers, SWEEP_SECONDS, _housekeeping_failed),
        housekeeping(parts.serving.renew, SEEN_SECONDS, _housekeeping_failed),
        _barring(store, is_on=parts.settings.refuse_on_subscription),
        running(fanout, parts.revocations.receive),
        battles.hub.running(_housekeeping_failed),
    ):
        yield


def _offered(parts: _Parts) -> Services:
    """What the calls of the HTTP interface work with."""
    settings, limits = parts.settings, parts.limits
    store, battles = parts.store, parts.battles
    return Services(
        calls=CALLS,
        encounters=battles,
        jobs=parts.jobs,
        simulations=_simulations(parts),
        keys=parts.keys,
        previews=_preview_rate(limits),
        notes=_note_rate(limits),
        rates=_rates(limits),
        origins=AllowedOrigins(store.origins.listed, time.monotonic),
        stream_places=StreamPlaces(
            at_once=limits.streams_at_once, per_caller=limits.streams_per_caller
        ),
        audits=JobPlaces("audit_running", "tenant_audits_running"),
        stored_audits=_stored_audits(parts),
        simulation_places=JobPlaces("simulation_running", "tenant_simulations_running"),
        tickets=parts.tickets,
        handshakes=Handshakes(
            parts.keys, parts.tickets, time.monotonic, per_minute=limits.handshakes_per_minute
        ),
        seats=SeatService(
            battles.reads,
            battles.write_path,
            parts.sources,
            battles.hub.present,
            settings.invitation_hours,
            parts.revocations.announce,
        ),
        code_guesses=CodeGuesses(time.monotonic, per_sender=limits.joins_per_minute),
        public_address=PublicAddress(settings.public_url, settings.hosts),
        unfinished_bodies=UnfinishedBodies(
            at_once=limits.unfinished_bytes, per_caller=limits.unfinished_bytes_per_caller
        ),
        limits=limits,
        phrasebook=Phrasebook({key: each.catalogue for key, each in parts.rulesets.items()}),
        measures=parts.measures,
        concurrency=Concurrency(settings.limits.requests_at_once),
        build=build_number(),
        ready=partial(_readiness, parts),
        public_keys=store.service_keys.public_keys,
    )


async def _readiness(parts: _Parts) -> Readiness:
    """The state of the database. Raises BuildTooOld where this process may not serve."""
    parts.serving.require_allowed()
    return await parts.store.ready()


def _simulations(parts: _Parts) -> Simulations:
    limits = parts.limits
    return Simulations(
        parts.battles.forks,
        parts.jobs,
        parts.sources,
        SimulationLimits(
            most=limits.simulations,
            seconds=limits.simulation_seconds,
            beginning_seconds=beginning_seconds(limits.simulation_seconds),
            processes=parts.settings.simulation_processes,
        ),
    )


def _stored_audits(parts: _Parts) -> StoredAudits:
    limits = AuditLimits(
        seconds=parts.limits.audit_seconds, memory_bytes=audit_memory(parts.limits.audit_bytes)
    )
    return StoredAudits(parts.battles.reads, parts.jobs, limits)


def _barring(store: EventStore, *, is_on: bool) -> AbstractAsyncContextManager[None]:
    """Refuse writes whenever logical replication writes into the store, if that is wanted."""
    if not is_on:
        return nullcontext()
    return housekeeping(store.bar_if_subscribed, LOOK_SECONDS, _housekeeping_failed)


def compose(
    store: EventStore,
    rulesets: Rulesets,
    signer: Signer,
    sources: Sources,
    cache_bytes: int = CACHE_BYTES,
    fanout: Fanout | None = None,
    stream_cache_bytes: int = STREAM_CACHE_BYTES,
    fork_quota: ForkQuota = FORK_QUOTA,
    held: HeldNow = nothing_held,
) -> Encounters:
    """The encounters of one process, each part made after those it works with."""
    cache = Cache(store, rulesets, cache_bytes)
    deadlines = DeadlineReads(store)
    documents = Documents(store.log, cache.loader)
    hub = Hub(
        store,
        signer,
        HubSources(
            asking=caller_of,
            current=cache.current,
            revoked=partial(revoked, store),
            documents=DocumentSources(documents, caller_of, cache.recent, cache.current),
            timers=deadlines.as_json,
            is_busy=lambda: write_path.under_way > 0,
        ),
        fanout,
        stream_cache_bytes,
    )
    upcoming = UpcomingDeadlines(
        store, cache, deadlines.start_events, hub.followed, hub.announce_timers
    )
    write_path = WritePath(store, cache, signer, sources, hub.announce, upcoming, held)
    timing = TimerService(store, cache, deadlines, upcoming, write_path.act_on)
    reads = Reads(store, rulesets, signer, cache, deadlines, documents, held)
    writes = Writes(reads, sources, cache, write_path, timing, hub.announce_deletion)
    forks = ForkService(reads, write_path, sources, fork_quota)
    return Encounters(
        reads=reads, writes=writes, write_path=write_path, hub=hub, timing=timing, forks=forks
    )


def serving_process(store: EventStore, rulesets: Rulesets, releases: Releases) -> ServingRow:
    """This process among those that serve one database."""
    known = tuple(f"{slug} {version}" for slug, version in rulesets)
    process = ServingProcess(id=uuid4(), build=BUILD, rulesets=known)
    return ServingRow(store.processes, process, releases)


async def _tickets(store: EventStore, sources: Sources) -> Tickets:
    """Tickets under the key of all processes."""
    secret = await store.service_keys.shared_secret("tickets", sources.random(32))
    return Tickets(secret, sources.now)


async def fanout_of(settings: Settings, store: EventStore, sources: Sources) -> Fanout:
    """The way stored events reach the other processes: over Redis where one is named."""
    if settings.redis_url is None:
        return SingleProcess()
    key = await store.service_keys.shared_secret("fanout", sources.random(32))
    return RedisFanout(settings.redis_url, key)


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
        requests_per_minute=limits.requests_per_minute,
        request_burst=tenth(limits.requests_per_minute),
        seat_requests_per_minute=limits.seat_requests_per_minute,
        seat_request_burst=tenth(limits.seat_requests_per_minute),
        streams_at_once=limits.streams_at_once,
        streams_per_caller=limits.streams_per_caller,
        joins_per_minute=limits.joins_per_minute,
        handshakes_per_minute=limits.handshakes_per_minute,
        unfinished_bytes=max(limits.unfinished_bytes, limits.body_bytes),
        forks=limits.forks,
        seat_forks=tenth(limits.forks),
        seat_forks_per_day=limits.seat_forks_per_day,
        notes_per_minute=limits.notes_per_minute,
        simulations=limits.simulations,
        simulation_seconds=limits.simulation_seconds,
        unfinished_bytes_per_caller=max(
            limits.unfinished_bytes // PER_CALLER_SHARE, limits.body_bytes
        ),
        audit_bytes=limits.audit_bytes,
        audit_seconds=limits.audit_seconds,
    )


def _fork_quota(limits: Limits) -> ForkQuota:
    return ForkQuota(
        most=limits.forks,
        most_of_seat=tenth(limits.forks),
        most_a_day=limits.seat_forks_per_day,
    )


def _preview_rate(limits: ApiLimits) -> Rate:
    return Rate(
        per_minute=limits.previews_per_minute, burst=limits.preview_burst, clock=time.monotonic
    )


def _note_rate(limits: ApiLimits) -> Rate:
    return Rate(
        per_minute=limits.notes_per_minute, burst=limits.notes_per_minute, clock=time.monotonic
    )


def _rates(limits: ApiLimits) -> Rates:
    return Rates(
        keys=Rate(
            per_minute=limits.requests_per_minute, burst=limits.request_burst, clock=time.monotonic
        ),
        seats=Rate(
            per_minute=limits.seat_requests_per_minute,
            burst=limits.seat_request_burst,
            clock=time.monotonic,
        ),
    )


async def signer_of(store: EventStore, private: bytes | None) -> Signer:
    """The signer of receipts: with the key of the settings, else with the one the database keeps.

    Waits for a database that is not up yet. Raises DatabaseAway when that takes too long.
    """
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            return await _signer(store, private)
        except DatabaseAway:
            if time.monotonic() > deadline:
                raise
            _log.warning("waiting for the database")
            await asyncio.sleep(START_PAUSE_SECONDS)


async def _signer(store: EventStore, stated: bytes | None) -> Signer:
    candidate = _signing_key(stated or secrets.token_bytes(32))
    if stated is None:
        candidate = await store.service_keys.signing_key(candidate)
    else:
        await store.service_keys.publish(candidate.kid, candidate.public)
    private = Ed25519PrivateKey.from_private_bytes(candidate.private)
    return Signer(kid=candidate.kid, key=private)


def _signing_key(private: bytes) -> SigningKey:
    public = Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()
    return SigningKey(kid=kid_of(public), private=private, public=public)
