"""The driver that awaits: `AsyncWarlog` and `AsyncBattle`. It decides nothing, either."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from datetime import datetime
from functools import update_wrapper
from types import TracebackType
from typing import Concatenate, Generic, ParamSpec, Self, TypeVar, cast

import httpx

from warlog import audit_calls, battle_calls, following, seat_calls, service_calls
from warlog.battle_calls import Place
from warlog.caller import Caller, Patience
from warlog.http import built, lost, response_of
from warlog.kept_battle import KeptBattle
from warlog.steps import Ask, Lost, Open, Pause, Read, Reply, Request, Step, Steps, Tell, Telling

C = TypeVar("C")
T = TypeVar("T")
P = ParamSpec("P")


class AsyncLine:
    """Carries steps out; at most one answer is open at a time."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http
        self._answer: httpx.Response | None = None
        self._pieces: AsyncIterator[bytes] | None = None

    async def reply(self, step: Step) -> Reply:
        """What comes of a step."""
        match step:
            case Ask(request):
                return await self._sent(request)
            case Open(request, silence_seconds):
                return await self._opened(request, silence_seconds)
            case Read():
                return await self._piece()
            case Pause(seconds):
                await asyncio.sleep(seconds)
                return None
            case Tell():
                return None

    async def close(self) -> None:
        """Leave what is open."""
        if self._answer is not None:
            await self._answer.aclose()
            self._answer = None

    async def _sent(self, request: Request) -> Reply:
        try:
            return response_of(
                await self._http.send(built(self._http, request, request.answer_seconds))
            )
        except httpx.RequestError as error:
            return lost(error)

    async def _opened(self, request: Request, silence_seconds: float) -> Reply:
        await self.close()
        try:
            sent = built(self._http, request, silence_seconds)
            self._answer = answer = await self._http.send(sent, stream=True)
            if answer.is_error:
                await answer.aread()
        except httpx.RequestError as error:
            return lost(error)
        self._pieces = answer.aiter_bytes()
        return response_of(answer)

    async def _piece(self) -> bytes | Lost:
        if self._pieces is None:
            return b""
        try:
            async for piece in self._pieces:
                return piece
            return b""
        except httpx.RequestError as error:
            return lost(error)


class Awaiting(Generic[C]):
    """Calls about something; each is awaited."""

    def __init__(self, http: httpx.AsyncClient, core: C) -> None:
        self._http = http
        self._core = core

    async def run(self, steps: Steps[T]) -> T:
        """What steps lead to."""
        line, reply = AsyncLine(self._http), None
        try:
            while True:
                reply = await line.reply(steps.send(reply))
        except StopIteration as stop:
            return cast(T, stop.value)
        finally:
            await line.close()

    async def told(self, telling: Telling[T]) -> AsyncGenerator[T, None]:
        """What steps tell, one after the other."""
        line, reply = AsyncLine(self._http), None
        try:
            while True:
                step = telling.steps.send(reply)
                reply = await line.reply(step)
                if isinstance(step, Tell):
                    yield cast(T, step.what)
        except StopIteration:
            return
        finally:
            telling.steps.close()
            await line.close()


def method(
    make: Callable[Concatenate[C, P], Steps[T]],
) -> Callable[Concatenate[Awaiting[C], P], Coroutine[None, None, T]]:
    """A call as a coroutine."""

    async def call(self: Awaiting[C], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.run(make(self._core, *args, **kwargs))

    update_wrapper(call, make)
    return call


def iterator(
    make: Callable[Concatenate[C, P], Telling[T]],
) -> Callable[Concatenate[Awaiting[C], P], AsyncGenerator[T, None]]:
    """What is shown as a method that gives an async iterator."""

    def call(self: Awaiting[C], /, *args: P.args, **kwargs: P.kwargs) -> AsyncGenerator[T, None]:
        return self.told(make(self._core, *args, **kwargs))

    update_wrapper(call, make)
    return call


class AsyncBattle(KeptBattle, Awaiting[Place]):
    """One encounter. What is followed of it is held here: `state`, `table`, `decisions`, …"""

    def __init__(
        self,
        http: httpx.AsyncClient,
        caller: Caller,
        encounter: str,
        seat: str | None = None,
        view: str | None = None,
    ) -> None:
        KeptBattle.__init__(self)
        place = Place(caller=caller, encounter=encounter, kept=self, seat=seat, view=view)
        Awaiting.__init__(self, http, place)

    @property
    def encounter(self) -> str:
        """Id of the encounter."""
        return self._core.encounter

    def server_now(self) -> datetime:
        """The service's time, as far as answers and events tell it: what deadlines go by."""
        return self._core.caller.clock.now()

    read = method(battle_calls.read_state)
    read_scene = method(battle_calls.read_scene)
    read_map = method(battle_calls.read_map)
    svg = method(battle_calls.svg)
    sketch = method(battle_calls.sketch)
    act = method(battle_calls.act)
    answer = method(battle_calls.answer)
    mine = method(battle_calls.mine)
    asked = method(battle_calls.asked)
    preview = method(battle_calls.preview)
    legal_actions = method(battle_calls.legal_actions)
    inspect = method(battle_calls.inspect)
    rewind = method(battle_calls.rewind)
    events = method(battle_calls.events)
    event = method(battle_calls.event)
    seats = method(seat_calls.seats)
    read_seat = method(seat_calls.read_seat)
    add_seat = method(seat_calls.add_seat)
    change_seat = method(seat_calls.change_seat)
    remove_seat = method(seat_calls.remove_seat)
    invite = method(seat_calls.invite)
    revoke_token = method(seat_calls.revoke_token)
    timers = method(battle_calls.timers)
    change_timers = method(battle_calls.change_timers)
    fork = method(battle_calls.fork)
    simulate = method(battle_calls.simulate)
    audit = method(audit_calls.audit)
    verify = method(audit_calls.verify)
    delete = method(battle_calls.delete)
    log = iterator(battle_calls.log)
    bundle = iterator(audit_calls.bundle)
    follow = iterator(following.follow)


class AsyncWarlog(Awaiting[Caller]):
    """A service. `token` is an API key (`wk_…`) or that of a seat (`ws_…`).

    `http` is used instead of a separate client, for proxies and certificates; who made it closes
    it. Belongs to the event loop that it is used in.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        language: str = "en",
        patience: Patience | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._is_own = http is None
        core = Caller(url=url, token=token, language=language, patience=patience or Patience())
        super().__init__(http or httpx.AsyncClient(), core)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up."""
        if self._is_own:
            await self._http.aclose()

    def battle(
        self,
        encounter: str,
        *,
        seat: str | None = None,
        view: str | None = None,
        token: str | None = None,
    ) -> AsyncBattle:
        """An encounter, for the token of this client or another.

        A key may act for a `seat`; a game master may read what a seat may see (`view`).
        """
        return AsyncBattle(self._http, self._core.holding(token), encounter, seat, view)

    def server_now(self) -> datetime:
        """The service's time, as far as answers tell it."""
        return self._core.clock.now()

    me = method(service_calls.me)
    rulesets = method(service_calls.rulesets)
    ruleset = method(service_calls.ruleset)
    ruleset_schema = method(service_calls.ruleset_schema)
    encounters = method(service_calls.encounters)
    create_encounter = method(service_calls.create_encounter)
    join = method(service_calls.join)
    add_device = method(service_calls.add_device)
    signing_keys = method(service_calls.signing_keys)
    check_map = method(service_calls.check_map)
    audit_bundle = method(audit_calls.audit_bundle)
    audit_records = iterator(audit_calls.audit_records)
