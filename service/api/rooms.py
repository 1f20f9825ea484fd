"""What the routes work with: made by `app`, handed to every request through the application."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from litestar import Litestar

from service.api.authentication import KeyRing
from service.api.crowd import Crowd
from service.api.limits import ApiLimits
from service.api.measuring import Measures
from service.api.problems import Phrasebook
from service.api.rates import Rate
from service.encounters.service import Encounters
from service.eventstore.records import PublicKey, Readiness

ROOMS_KEY = "rooms"


@dataclass(frozen=True, slots=True)
class Rooms:
    """The rooms behind the routes, and what the routes keep themselves.

    `stopping` is set when the process ends: whoever waits for news stops waiting. `revision` is
    the schema this build needs.
    """

    encounters: Encounters
    keys: KeyRing
    previews: Rate
    limits: ApiLimits
    phrasebook: Phrasebook
    measures: Measures
    crowd: Crowd
    revision: str
    ready: Callable[[], Awaitable[Readiness]]
    public_keys: Callable[[], Awaitable[tuple[PublicKey, ...]]]
    stopping: asyncio.Event = field(default_factory=asyncio.Event)


def rooms_of(application: Litestar) -> Rooms:
    """The rooms of a running application."""
    rooms: Rooms = application.state[ROOMS_KEY]
    return rooms
