"""What the routes work with: made by `app`, handed to every request through the application."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from uuid import UUID

from service.api.authentication import KeyRing
from service.api.call import Call
from service.api.cors import AllowedOrigins
from service.api.handshakes import Handshakes
from service.api.limits.code_guesses import CodeGuesses
from service.api.limits.concurrency import Concurrency
from service.api.limits.job_places import JobPlaces
from service.api.limits.published_limits import ApiLimits
from service.api.limits.rate import Rate, Rates
from service.api.limits.streams import StreamPlaces
from service.api.limits.unfinished_bodies import UnfinishedBodies
from service.api.metrics import Measures
from service.api.problems import Phrasebook
from service.api.public_address import PublicAddress
from service.api.tickets import Tickets
from service.encounters.forks.service import ForkService
from service.encounters.principal import Principal
from service.encounters.reads import Reads
from service.encounters.seats.service import SeatService
from service.encounters.simulations.service import Simulations
from service.encounters.timers.service import TimerService
from service.encounters.write_path import WritePath
from service.encounters.writes import Writes
from service.eventstore.records import PublicKey, Readiness
from service.jobs.jobs import Jobs
from service.live.hub import Hub
from service.replay.audit.stored_audits import StoredAudits

SERVICES_KEY = "services"


@dataclass(frozen=True, slots=True)
class Encounters:
    """The encounters of one process.

    What reads, what creates and deletes, what acts, what streams, what keeps time, what takes up.
    """

    reads: Reads
    writes: Writes
    write_path: WritePath
    hub: Hub
    timing: TimerService
    forks: ForkService

    async def wait(
        self, who: Principal, encounter: UUID, after: str | None, seconds: float
    ) -> None:
        """Return when there is an event behind the cursor, or after so many seconds.

        Raises what `Reads.events` raises.
        """
        seq, head = await self.reads.place(who, encounter, after)
        if head <= seq:
            await self.hub.wait(encounter, seq, seconds)


@dataclass(frozen=True, slots=True)
class Services:
    """The rooms behind the routes, and what the routes keep themselves.

    `stopping` is set when the process ends: whoever waits for news stops waiting. `build` is
    the number of this build, `public_url` where clients reach the service if it is not where
    they say.
    """

    calls: tuple[Call, ...]
    encounters: Encounters
    jobs: Jobs
    simulations: Simulations
    keys: KeyRing
    previews: Rate
    notes: Rate
    rates: Rates
    origins: AllowedOrigins
    stream_places: StreamPlaces
    audits: JobPlaces
    stored_audits: StoredAudits
    simulation_places: JobPlaces
    tickets: Tickets
    seats: SeatService
    handshakes: Handshakes
    code_guesses: CodeGuesses
    public_address: PublicAddress
    unfinished_bodies: UnfinishedBodies
    limits: ApiLimits
    phrasebook: Phrasebook
    measures: Measures
    concurrency: Concurrency
    build: int
    ready: Callable[[], Awaitable[Readiness]]
    public_keys: Callable[[], Awaitable[tuple[PublicKey, ...]]]
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
