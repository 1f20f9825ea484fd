"""The driver that blocks: `Warlog` and `Battle`. It carries steps out and decides nothing."""

import time
from collections.abc import Callable, Generator, Iterator
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


class Line:
    """Carries steps out; at most one answer is open at a time."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http
        self._answer: httpx.Response | None = None
        self._pieces: Iterator[bytes] | None = None

    def reply(self, step: Step) -> Reply:
        """What comes of a step."""
        match step:
            case Ask(request):
                return self._sent(request)
            case Open(request, silence_seconds):
                return self._opened(request, silence_seconds)
            case Read():
                return self._piece()
            case Pause(seconds):
                time.sleep(seconds)
                return None
            case Tell():
                return None

    def close(self) -> None:
        """Leave what is open."""
        if self._answer is not None:
            self._answer.close()
            self._answer = None

    def _sent(self, request: Request) -> Reply:
        try:
            return response_of(self._http.send(built(self._http, request, request.answer_seconds)))
        except httpx.RequestError as error:
            return lost(error)

    def _opened(self, request: Request, silence_seconds: float) -> Reply:
        self.close()
        try:
            sent = built(self._http, request, silence_seconds)
            self._answer = answer = self._http.send(sent, stream=True)
            if answer.is_error:
                answer.read()
        except httpx.RequestError as error:
            return lost(error)
        self._pieces = answer.iter_bytes()
        return response_of(answer)

    def _piece(self) -> bytes | Lost:
        if self._pieces is None:
            return b""
        try:
            return next(self._pieces, b"")
        except httpx.RequestError as error:
            return lost(error)


class Blocking(Generic[C]):
    """Calls about something; each blocks until it is answered."""

    def __init__(self, http: httpx.Client, core: C) -> None:
        self._http = http
        self._core = core

    def run(self, steps: Steps[T]) -> T:
        """What steps lead to."""
        line, reply = Line(self._http), None
        try:
            while True:
                reply = line.reply(steps.send(reply))
        except StopIteration as stop:
            return cast(T, stop.value)
        finally:
            line.close()

    def told(self, telling: Telling[T]) -> Generator[T, None, None]:
        """What steps tell, one after the other."""
        line, reply = Line(self._http), None
        try:
            while True:
                step = telling.steps.send(reply)
                reply = line.reply(step)
                if isinstance(step, Tell):
                    yield cast(T, step.what)
        except StopIteration:
            return
        finally:
            telling.steps.close()
            line.close()


def method(
    make: Callable[Concatenate[C, P], Steps[T]],
) -> Callable[Concatenate[Blocking[C], P], T]:
    """A call as a method that blocks."""

    def call(self: Blocking[C], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.run(make(self._core, *args, **kwargs))

    update_wrapper(call, make)
    return call


def iterator(
    make: Callable[Concatenate[C, P], Telling[T]],
) -> Callable[Concatenate[Blocking[C], P], Generator[T, None, None]]:
    """What is shown as a method that gives an iterator."""

    def call(self: Blocking[C], /, *args: P.args, **kwargs: P.kwargs) -> Generator[T, None, None]:
        return self.told(make(self._core, *args, **kwargs))

    update_wrapper(call, make)
    return call


class Battle(KeptBattle, Blocking[Place]):
    """One encounter. What is followed of it is held here: `state`, `table`, `decisions`, …"""

    def __init__(
        self,
        http: httpx.Client,
        caller: Caller,
        encounter: str,
        seat: str | None = None,
        view: str | None = None,
    ) -> None:
        KeptBattle.__init__(self)
        place = Place(caller=caller, encounter=encounter, kept=self, seat=seat, view=view)
        Blocking.__init__(self, http, place)

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


class Warlog(Blocking[Caller]):
    """A service. `token` is an API key (`wk_…`) or that of a seat (`ws_…`).

    `http` is used instead of a separate client, for proxies and certificates; who made it closes
    it. Safe to be used by several threads at once, but for what one `Battle` holds.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        language: str = "en",
        patience: Patience | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        self._is_own = http is None
        core = Caller(url=url, token=token, language=language, patience=patience or Patience())
        super().__init__(http or httpx.Client(), core)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        if self._is_own:
            self._http.close()

    def battle(
        self,
        encounter: str,
        *,
        seat: str | None = None,
        view: str | None = None,
        token: str | None = None,
    ) -> Battle:
        """An encounter, for the token of this client or another.

        A key may act for a `seat`; a game master may read what a seat may see (`view`).
        """
        return Battle(self._http, self._core.holding(token), encounter, seat, view)

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
