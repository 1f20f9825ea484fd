"""The calls that are about one encounter, each written once for both drivers."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.json import Decoder

from warlog.answers import (
    ActionsAnswer,
    EncounterView,
    EventPage,
    ForkAnswer,
    InspectionAnswer,
    MyBattle,
    MyKey,
    MySeat,
    PreviewAnswer,
    SimulationAnswer,
    TimersAnswer,
    TombstoneView,
)
from warlog.caller import LONG_SECONDS, Caller, Query, new_key, part_of_path, read
from warlog.kept_battle import KeptBattle
from warlog.legal_actions import LegalTree, legal_tree
from warlog.records import Decision, Event, Json
from warlog.steps import ANSWER_SECONDS, Request, Steps, Tell, Telling

T = TypeVar("T")
Action: TypeAlias = Mapping[str, Any]
"""An action as JSON, with its `type`."""

Language: TypeAlias = Literal["en", "ru"]
SEAT_HEADER = "Warlog-Seat"


class Place(Struct, frozen=True, kw_only=True):
    """An encounter as somebody sees it, and what is held of it.

    With `seat` a key reads and acts for that seat; with `view` a game master reads what that seat
    may see, and acts as the game master.
    """

    caller: Caller
    encounter: str
    kept: KeptBattle
    seat: str | None = None
    view: str | None = None

    def request(
        self,
        method: str,
        path: str = "",
        *,
        query: Query | None = None,
        body: object = None,
        key: str | None = None,
        accept: str = "application/json",
        headers: Mapping[str, str] | None = None,
        seat: str | None = None,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> Request:
        """A request about this encounter, by `seat` where one is named."""
        who = seat or self.seat
        named = {} if who is None else {SEAT_HEADER: who}
        return self.caller.request(
            method,
            f"/v1/encounters/{part_of_path(self.encounter)}{path}",
            query=query,
            body=body,
            key=key,
            accept=accept,
            headers={**named, **(headers or {})},
            answer_seconds=answer_seconds,
        )

    def reading(
        self,
        path: str,
        query: Query,
        accept: str = "application/json",
        answer_seconds: float = ANSWER_SECONDS,
    ) -> Request:
        """A request that reads, through the eyes of `view` where one is named."""
        return self.request(
            "GET",
            path,
            query={**query, "view": self.view},
            accept=accept,
            answer_seconds=answer_seconds,
        )

    def answer(self, request: Request, decoder: Decoder[T]) -> Steps[T]:
        """The body of the answer to a request."""
        return read((yield from self.caller.answered(request)), decoder)


def if_match(expecting: str | None) -> dict[str, str]:
    """The header that names the head a request is meant for, `seq-hash8`; none for None."""
    return {} if expecting is None else {"If-Match": f'"{expecting}"'}


def read_state(place: Place, *, at: int | None = None) -> Steps[EncounterView]:
    """The encounter now, or after event `at`."""
    return place.answer(place.reading("", {"at": at}), _VIEW)


def read_scene(place: Place, *, at: int | None = None) -> Steps[Json]:
    """The `scene` in neutral terms, now or after event `at`, and the event that it is of."""
    return place.answer(place.reading("/scene", {"at": at}), _OBJECT)


def svg(place: Place, *, at: int | None = None) -> Steps[str]:
    """The scene as a picture."""
    return _text(place, place.reading("/scene", {"at": at}, "image/svg+xml"))


def sketch(place: Place, *, at: int | None = None) -> Steps[str]:
    """The scene drawn in characters."""
    return _text(place, place.reading("/scene", {"at": at}, "text/plain"))


def read_map(place: Place, *, digest: str | None = None) -> Steps[Json]:
    """The map as the battle began with it, or an earlier one by the digest that an event names."""
    return place.answer(place.request("GET", "/map", query={"digest": digest}), _OBJECT)


def act(
    place: Place,
    action: Action | Sequence[Action],
    *,
    key: str | None = None,
    dice: Sequence[int] | None = None,
    expecting: str | None = None,
    ruleset: str | None = None,
    by: str | None = None,
) -> Steps[ActionsAnswer]:
    """Act, or apply a list of up to 32 actions in order.

    Sent again under the same key it is applied once; without `key` one is made for this call.
    `dice` are faces that the table rolled for a single action. `expecting` is the head
    (`seq-hash8`) that it is meant for: Problem 412 on any other; so is `ruleset`, which a battle of
    another one refuses. `by` is the seat that a key acts for here.
    """
    body: Json = {} if ruleset is None else {"ruleset": ruleset}
    if isinstance(action, Mapping):
        body["action"] = action
    else:
        body["actions"] = [{"action": each} for each in action]
    if dice is not None:
        body["dice"] = list(dice)
    headers = if_match(expecting)
    request = place.request(
        "POST", "/actions", body=body, key=key or new_key(), headers=headers, seat=by
    )
    return place.answer(request, _ACTIONS)


def answer(
    place: Place,
    decision: str,
    choice: Action | str,
    *,
    dice: Sequence[int] | None = None,
    key: str | None = None,
    by: str | None = None,
) -> Steps[ActionsAnswer]:
    """Answer a decision by its id, with an option (`"pass"`) or a choice `{"type": …}`.

    `dice` are the faces that the table rolled, for a decision that asks for a `roll`.
    """
    chosen = {"type": choice} if isinstance(choice, str) else dict(choice)
    action = {"type": "answer", "decision_id": decision, "choice": chosen}
    return act(place, action, key=key, dice=dice, by=by)


def mine(place: Place) -> Steps[MyBattle | None]:
    """Status of the battle for the caller: whose move it is, and what it is to answer.

    None where it does not run, for a key that has it among others.
    """
    named = {} if place.seat is None else {SEAT_HEADER: place.seat}
    cursor: str | None = None
    while True:
        query = {"cursor": cursor}
        request = place.caller.request("GET", "/v1/me", query=query, headers=named)
        me = yield from place.answer(request, ME)
        if isinstance(me, MySeat):
            return me.battle
        for battle in me.battles:
            if battle.encounter.encounter == place.encounter:
                return battle
        if me.next is None:
            return None
        cursor = me.next


def asked(place: Place) -> Steps[tuple[Decision, ...]]:
    """What the caller is to answer."""
    battle = yield from mine(place)
    return () if battle is None else battle.decisions


def preview(
    place: Place,
    action: Action,
    *,
    answers: Sequence[Json] | None = None,
    by: str | None = None,
) -> Steps[PreviewAnswer]:
    """What an action would do; nothing is drawn.

    `answers` are what those are taken to answer whom it would ask; others decline.
    """
    body: Json = {"action": action}
    if answers is not None:
        body["answers"] = answers
    request = place.request("POST", "/preview", body=body, seat=by)
    return place.answer(request, _PREVIEW)


def legal_actions(
    place: Place,
    *,
    combatant: str | None = None,
    unit: str | None = None,
    side: str | None = None,
    sample: int | None = None,
    by: str | None = None,
) -> Steps[LegalTree]:
    """What may be done now: by all that the caller acts for, or by the one that is named."""
    query = {"combatant": combatant, "unit": unit, "side": side, "sample": sample}
    request = place.request("GET", "/legal-actions", query=query, seat=by)
    return legal_tree((yield from place.answer(request, _OBJECT)))


def inspect(
    place: Place, /, name: str, *, by: str | None = None, **query: str | int
) -> Steps[InspectionAnswer]:
    """The answer to a question about the table that is no action, such as `cover`."""
    path = f"/inspections/{part_of_path(name)}"
    return place.answer(place.request("GET", path, query=query, seat=by), _INSPECTION)


def rewind(place: Place, to: int, *, key: str | None = None) -> Steps[ActionsAnswer]:
    """Go on from event `to`."""
    return act(place, {"type": "rewind", "to": to}, key=key)


def events(
    place: Place,
    *,
    after: int | str = 0,
    limit: int | None = None,
    wait: int | None = None,
    state: bool = False,
    scene: bool = False,
    narrate: Language | None = None,
) -> Steps[EventPage]:
    """A page of the log behind a seq or cursor; `wait` are seconds to wait for the next event.

    With `state` or `scene` each event has the patch of that; `patched` applies it. With any of
    these or `narrate` a page holds 64 events at most.
    """
    query = {
        "after": after,
        "limit": limit,
        "wait": wait,
        "state": "patch" if state else None,
        "scene": "patch" if scene else None,
        "narrate": narrate,
    }
    seconds = ANSWER_SECONDS + (wait or 0)
    return place.answer(place.reading("/events", query, answer_seconds=seconds), _PAGE)


def event(place: Place, seq: int, *, explain: Language | None = None) -> Steps[Event]:
    """One event; with `explain` also why it came out as it did."""
    return place.answer(place.reading(f"/events/{seq}", {"explain": explain}), _EVENT)


def timers(place: Place) -> Steps[TimersAnswer]:
    """All deadlines."""
    return place.answer(place.request("GET", "/timers"), _TIMERS)


def change_timers(
    place: Place, change: Mapping[str, Any], *, key: str | None = None
) -> Steps[TimersAnswer]:
    """Pause, resume or extend: `{"do": "pause"}`, `{"do": "resume"}`, `{"do": "extend", …}`."""
    request = place.request("POST", "/timers", body=change, key=key or new_key())
    return place.answer(request, _TIMERS)


def fork(
    place: Place,
    at: int,
    *,
    actions: Sequence[Action] | None = None,
    options: Mapping[str, Any] | None = None,
    key: str | None = None,
) -> Steps[ForkAnswer]:
    """Take the battle up after event `at` in a separate encounter.

    `options` are further members of the request: `title`, `seats`, `dice`, `seed`, …
    """
    body: Json = {"at": at, **(options or {})}
    if actions is not None:
        body["actions"] = [{"action": each} for each in actions]
    request = place.request("POST", "/forks", body=body, key=key or new_key())
    return place.answer(request, _FORK)


def simulate(
    place: Place, at: int, n: int, *, options: Mapping[str, Any] | None = None
) -> Steps[SimulationAnswer]:
    """Play the battle from event `at` to its end `n` times, and count; nothing is stored.

    `options` are further members of the request: `policies`, `actions`, `max_rounds`, `seed`. May
    take as long as the limits of `rulesets()` say.
    """
    body = {"at": at, "n": n, **(options or {})}
    request = place.request("POST", "/forks/simulations", body=body, answer_seconds=LONG_SECONDS)
    return place.answer(request, _SIMULATION)


def delete(place: Place) -> Steps[TombstoneView]:
    """Delete the encounter for good."""
    return place.answer(place.request("DELETE"), _TOMBSTONE)


def log(place: Place, *, after: int | str = 0, narrate: Language | None = None) -> Telling[Event]:
    """All events behind a seq or cursor up to the log's present end, page by page."""
    return Telling(_log(place, after, narrate))


def _text(place: Place, request: Request) -> Steps[str]:
    return (yield from place.caller.answered(request)).body.decode()


def _log(place: Place, after: int | str, narrate: Language | None) -> Steps[None]:
    while True:
        page = yield from events(place, after=after, narrate=narrate)
        for each in page.events:
            yield Tell(each)
        if not page.events or page.events[-1].seq >= page.head:
            return
        after = page.next


ME: Decoder[MySeat | MyKey] = Decoder(MySeat | MyKey)
_VIEW = Decoder(EncounterView)
_OBJECT: Decoder[Json] = Decoder(Json)
_ACTIONS = Decoder(ActionsAnswer)
_PREVIEW = Decoder(PreviewAnswer)
_INSPECTION = Decoder(InspectionAnswer)
_PAGE = Decoder(EventPage)
_EVENT = Decoder(Event)
_TIMERS = Decoder(TimersAnswer)
_FORK = Decoder(ForkAnswer)
_SIMULATION = Decoder(SimulationAnswer)
_TOMBSTONE = Decoder(TombstoneView)
