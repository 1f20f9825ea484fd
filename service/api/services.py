"""What the routes work with: made by `app`, handed to every request through the application."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from litestar import Litestar

from service.api.authentication import KeyRing
from service.api.cors import Origins
from service.api.handshakes import Handshakes
from service.api.limits.code_guesses import Guesses
from service.api.limits.concurrency import Crowd
from service.api.limits.published_limits import ApiLimits
from service.api.limits.rate import Rate, Rates
from service.api.limits.streams import Places
from service.api.limits.unfinished_bodies import Bodies
from service.api.metrics import Measures
from service.api.problems import Phrasebook
from service.api.public_address import Hosts
from service.api.streaming.tickets import Tickets
from service.encounters.facade import Encounters
from service.encounters.seats.service import Seating
from service.eventstore.records import PublicKey, Readiness

ROOMS_KEY = "rooms"


@dataclass(frozen=True, slots=True)
class Rooms:
    """The rooms behind the routes, and what the routes keep themselves.

    `stopping` is set when the process ends: whoever waits for news stops waiting. `build` is
    the number of this build, `public_url` where clients reach the service if it is not where
    they say.
    """

    encounters: Encounters
    keys: KeyRing
    previews: Rate
    rates: Rates
    origins: Origins
    places: Places
    tickets: Tickets
    seating: Seating
    handshakes: Handshakes
    guesses: Guesses
    hosts: Hosts
    bodies: Bodies
    limits: ApiLimits
    phrasebook: Phrasebook
    measures: Measures
    crowd: Crowd
    build: int
    ready: Callable[[], Awaitable[Readiness]]
    public_keys: Callable[[], Awaitable[tuple[PublicKey, ...]]]
    stopping: asyncio.Event = field(default_factory=asyncio.Event)


def rooms_of(application: Litestar) -> Rooms:
    """The rooms of a running application."""
    rooms: Rooms = application.state[ROOMS_KEY]
    return rooms
