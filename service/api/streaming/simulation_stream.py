"""The answer to a simulation: how far it is and what came of it, as long as somebody waits for it.

How this works. The battles are played by a job, which is informed meanwhile that the client is
gone: then it is ended. Nothing goes out before the job has said something, so that what it refuses
is answered with an ordinary problem; later a problem is the last event.
"""

from contextlib import aclosing
from typing import Final, cast

import msgspec
from litestar.types import Receive, Scope, Send
from litestar.types.asgi_types import HTTPScope

from service.api.call import EVENT_STREAM, JSON
from service.api.headers import Pair
from service.api.response import refused
from service.api.services import Services
from service.api.streaming.attended import attended, left
from service.encounters.principal import Principal
from service.encounters.simulations.messages import SimulationAnswer, SimulationProgress
from service.encounters.simulations.service import PlannedSimulation
from service.errors import WarlogError

_HEAD: Final[tuple[Pair, ...]] = (
    (b"cache-control", b"no-store, no-transform"),
    (b"vary", b"Authorization, Accept, Accept-Language, Warlog-Seat, Origin"),
    # Proxies are not to gather what is shown.
    (b"x-accel-buffering", b"no"),
)


class SimulationStream:
    """The answer to one simulation: an ASGI application."""

    def __init__(
        self, services: Services, who: Principal, planned: PlannedSimulation, media_type: str
    ) -> None:
        self._services = services
        self._who = who
        self._planned = planned
        self._media_type = media_type
        self._has_begun = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve it to its end.

        Raises TooMany, Refused, Forbidden, Malformed, Unavailable before anything went out; later
        ones are shown in the last event.
        """
        request = cast(HTTPScope, scope)
        place = self._services.simulation_places.place(self._who)
        with place, self._services.concurrency.aside():
            await attended(self._tell(request, send), left(receive))

    async def _tell(self, scope: HTTPScope, send: Send) -> None:
        try:
            async with aclosing(self._services.simulations.played(self._planned)) as told:
                async for each in told:
                    await self._pass_on(each, send)
        except WarlogError as error:
            if not self._has_begun:
                raise
            await self._event("problem", refused(scope, error, self._services).body, send)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _pass_on(self, told: SimulationProgress | SimulationAnswer, send: Send) -> None:
        is_last = isinstance(told, SimulationAnswer)
        body = msgspec.json.encode(told)
        if self._media_type == EVENT_STREAM:
            await self._event("result" if is_last else "progress", body, send)
        elif is_last:
            await self._begin(JSON, send)
            await send({"type": "http.response.body", "body": body, "more_body": True})

    async def _event(self, name: str, body: bytes, send: Send) -> None:
        await self._begin(EVENT_STREAM, send)
        event = b"event: %b\ndata: %b\n\n" % (name.encode(), body)
        await send({"type": "http.response.body", "body": event, "more_body": True})

    async def _begin(self, media_type: str, send: Send) -> None:
        if not self._has_begun:
            self._has_begun = True
            head = [*_HEAD, (b"content-type", media_type.encode())]
            await send({"type": "http.response.start", "status": 200, "headers": head})
