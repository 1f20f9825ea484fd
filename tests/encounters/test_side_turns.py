"""Where sides and units have the turn: whose move it is, what is timed, and what ends by itself."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec import UNSET

from service.app import compose
from service.encounters.responses import TimerView
from service.encounters.seats.me import battle_of
from service.errors import Forbidden, Refused
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from tests.encounters.own_database import database, own_clocks, store
from tests.encounters.table import SIGNER, SOURCES, Table, new_table
from tests.encounters.timed_battles import (
    DECISION,
    SLACK,
    TURN,
    about,
    change,
    deeds,
    require_clean,
    time_passes,
)
from tests.toy.side_battles import SEATS, SIDES, TROOPERS
from tests.toy.sides import RULESETS

__all__ = ["database", "own_clocks", "store"]

pytestmark = pytest.mark.usefixtures("own_clocks")

GUARDS = {"type": "activate_unit", "unit": "guards"}
GUARDS_DONE = {"type": "end_activation", "unit": "guards"}
SPIES = {"type": "activate_unit", "unit": "spies"}
RED_DONE = {"type": "end_turn", "side": "red"}


@pytest.fixture
async def toys(store: EventStore) -> AsyncIterator[Table]:
    """A service that knows the toy ruleset of sides."""
    who = (await new_table(store)).who
    fresh = Table(compose(store, RULESETS, SIGNER, SOURCES), who)
    yield fresh
    await fresh.encounters.writes.settle()


async def begun(toys: Table) -> UUID:
    """A battle in red's turn, an hour for every turn."""
    return await toys.started(
        {
            "ruleset": "toy-sides",
            "sides": msgspec.to_builtins(SIDES),
            "seats": msgspec.to_builtins(SEATS),
            "setup": {
                "troopers": msgspec.to_builtins(TROOPERS),
                "options": {"turn_seconds": TURN, "decision_seconds": DECISION},
            },
        }
    )


async def moves(toys: Table, encounter: UUID, *seats: str) -> list[tuple[object, ...]]:
    """What each seat is shown of its battle: whether it is its move, and whose turn it is."""
    told: list[tuple[object, ...]] = []
    for name in seats:
        table = toys if name == "gm" else toys.seat(name)
        battle = battle_of(*await table.encounters.reads.load(table.who, encounter))
        told.append((battle.is_my_move, battle.turn, battle.turn_side, battle.turn_unit))
    return told


async def timer(toys: Table, encounter: UUID) -> TimerView | None:
    """The one deadline, None if this caller is shown none."""
    answer = await toys.encounters.reads.timers(toys.who, encounter)
    return answer.timers[0] if answer.timers else None


async def label(toys: Table, encounter: UUID) -> tuple[object, ...]:
    """Whose turn is timed: combatant, side, unit; and seconds left."""
    shown = await timer(toys, encounter)
    assert shown is not None
    assert shown.decision_id is UNSET
    return shown.turn, shown.side, shown.unit, shown.left_seconds


async def test_whose_move_it_is_is_known_of_sides_and_units(toys: Table) -> None:
    encounter = await begun(toys)
    nobody = UNSET
    everyone = ("rita", "ned", "bea", "bob", "olaf", "gm")
    red = [(is_theirs, nobody, "red", nobody) for is_theirs in (True, True, False, False)]
    assert await moves(toys, encounter, *everyone) == [*red, *[(False, nobody, "red", nobody)] * 2]
    await toys.seat("rita").act(encounter, SPIES)
    assert await moves(toys, encounter, *everyone) == [
        (True, nobody, "red", "spies"),
        (False, nobody, "red", "spies"),
        *[(False, nobody, "red", nobody)] * 3,
        (False, nobody, "red", "spies"),
    ]


async def acting(toys: Table, encounter: UUID, seat: str, at: int | None = None) -> list[str]:
    """Those whose turn it is in the scene that a seat sees."""
    table = toys if seat == "gm" else toys.seat(seat)
    answer = (await table.encounters.reads.scene(table.who, encounter, at)).answer
    return [each.id for each in answer.scene.combatants if each.has_turn]


async def test_a_scene_shows_all_who_may_act_in_the_turn_of_their_side_or_unit(
    toys: Table,
) -> None:
    encounter = await begun(toys)
    everyone = ("gm", "rita", "bea", "olaf")
    assert [await acting(toys, encounter, seat) for seat in everyone] == [
        ["r1", "r2", "r3"],
        ["r1", "r2", "r3"],
        ["r1"],
        ["r1"],
    ]
    await toys.act(encounter, GUARDS)
    assert [await acting(toys, encounter, seat) for seat in everyone] == [
        ["r1", "r2"],
        ["r1", "r2"],
        ["r1"],
        ["r1"],
    ]
    await toys.act(encounter, GUARDS_DONE)
    await toys.act(encounter, SPIES)
    assert [await acting(toys, encounter, seat) for seat in everyone] == [["r3"], ["r3"], [], []]
    assert [await acting(toys, encounter, seat, at=3) for seat in everyone] == [
        ["r1", "r2"],
        ["r1", "r2"],
        ["r1"],
        ["r1"],
    ]
    assert await acting(toys, encounter, "gm", at=1) == []


async def test_it_is_the_game_master_s_move_where_no_player_has_any(toys: Table) -> None:
    encounter = await begun(toys)
    for seat in ("rita", "ned"):
        await toys.act(encounter, {"type": "remove_seat", "seat": seat})
    assert await moves(toys, encounter, "gm", "bea") == [
        (True, UNSET, "red", UNSET),
        (False, UNSET, "red", UNSET),
    ]


async def test_the_turn_of_a_side_whose_time_is_over_ends_once(
    toys: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await begun(toys)
    other = Table(compose(store, RULESETS, SIGNER, SOURCES), toys.who)
    await time_passes(database, encounter, TURN - SLACK, toys)
    turn, side, unit, left = await label(toys, encounter)
    assert (turn, side, unit) == (UNSET, "red", UNSET)
    assert left in about(SLACK)
    assert await toys.encounters.writes.sweep_timers() == 0
    await time_passes(database, encounter, SLACK + 1, toys, other)
    swept = [await each.encounters.writes.sweep_timers() for each in (toys, other)]
    assert swept == [1, 0]
    assert await deeds(toys, encounter, 2) == [("system", "end_turn")]
    record = await toys.encounters.reads.event(toys.who, encounter, 3)
    event = msgspec.json.decode(record.event)
    assert event["action"] == RED_DONE
    assert event["effects"] == [
        {"type": "turn_ended", "side": "red", "cause": "timeout"},
        {"type": "turn_began", "side": "blue"},
    ]
    assert (await label(toys, encounter))[1:3] == ("blue", UNSET)
    await require_clean(toys, encounter)


async def test_a_unit_has_time_of_its_own_and_its_side_anew_after_it(
    toys: Table, database: Dsns
) -> None:
    encounter = await begun(toys)
    await time_passes(database, encounter, TURN - SLACK, toys)
    await toys.seat("ned").act(encounter, GUARDS)
    turn, side, unit, left = await label(toys, encounter)
    assert (turn, side, unit) == (UNSET, "red", "guards")
    assert left in about(TURN)
    await time_passes(database, encounter, TURN - SLACK, toys)
    await toys.seat("ned").act(encounter, GUARDS_DONE)
    assert (await label(toys, encounter))[3] in about(TURN)
    await toys.seat("ned").act(encounter, GUARDS)
    await time_passes(database, encounter, TURN + 1, toys)
    assert await toys.encounters.writes.sweep_timers() == 1
    assert (await deeds(toys, encounter, 5)) == [("system", "end_activation")]
    turn, side, unit, left = await label(toys, encounter)
    assert (side, unit) == ("red", UNSET)
    assert left in about(TURN)
    await require_clean(toys, encounter)


async def test_the_time_of_a_unit_nobody_else_sees_is_shown_to_its_own_side(toys: Table) -> None:
    encounter = await begun(toys)
    await toys.act(encounter, SPIES)
    shown = {name: await timer(toys.seat(name), encounter) for name in ("rita", "ned", "bea")}
    assert shown["bea"] is None
    for seat in ("rita", "ned"):
        view = shown[seat]
        assert view is not None
        assert (view.side, view.unit) == ("red", "spies")


async def test_the_turn_of_a_side_or_a_unit_is_given_more_time_by_its_name(toys: Table) -> None:
    encounter = await begun(toys)
    await change(toys, encounter, "one", "extend", seconds=1000, side="red")
    assert (await label(toys, encounter))[3] in about(TURN + 1000)
    await toys.act(encounter, GUARDS)
    await change(toys, encounter, "two", "extend", seconds=2000, unit="guards")
    await change(toys, encounter, "three", "extend", seconds=3000, side="red")
    assert (await label(toys, encounter))[3] in about(TURN + 5000)
    for stated in ({"side": "blue"}, {"unit": "spies"}, {"turn": "r1"}, {"decision_id": "d2.1"}):
        with pytest.raises(Refused) as caught:
            await change(toys, encounter, f"no {stated}", "extend", seconds=60, **stated)
        [name] = stated.values()
        assert (caught.value.code, caught.value.params) == (
            "unknown_timer",
            {"timer": name, "allowed": ["guards"]},
        )


# --- a side is asked ------------------------------------------------------------------------------

EVERYBODY = ("rita", "ned", "bea", "bob", "bill", "olaf", "gm")
ASKED = ("bea", "bob", "bill")
"""Who controls blue, or one of blue: the three whose move it is while blue is asked."""


DARE = {"type": "dare", "side": "red"}


def answer(choice: dict[str, str]) -> dict[str, object]:
    """An answer to the dare that is event 3."""
    return {"type": "answer", "decision_id": "d3.1", "choice": choice}


async def questions(toys: Table, encounter: UUID, *seats: str) -> dict[str, tuple[bool, list[str]]]:
    """Whose move it is, and which questions each may answer."""
    told = {}
    for name in seats or EVERYBODY:
        table = toys if name == "gm" else toys.seat(name)
        battle = battle_of(*await table.encounters.reads.load(table.who, encounter))
        asked = [each["id"] for each in msgspec.json.decode(battle.decisions)]
        told[name] = (battle.is_my_move, asked)
    return told


async def test_it_is_the_move_of_everybody_who_controls_any_of_the_side_that_is_asked(
    toys: Table,
) -> None:
    encounter = await begun(toys)
    await toys.seat("ned").act(encounter, DARE)
    waiting = dict.fromkeys(ASKED, (True, ["d3.1"]))
    others = dict.fromkeys(("rita", "ned", "olaf"), (False, list[str]()))
    assert await questions(toys, encounter) == {**waiting, **others, "gm": (False, ["d3.1"])}
    for seat in ASKED:
        await toys.act(encounter, {"type": "remove_seat", "seat": seat})
    left = {"gm": (True, ["d3.1"]), **others}
    assert await questions(toys, encounter, *left) == left


@pytest.mark.parametrize("seat", ASKED)
@pytest.mark.parametrize("kind", ["pass", "stand_up"])
async def test_each_of_them_may_answer_and_then_nobody_is_asked_any_more(
    toys: Table, seat: str, kind: str
) -> None:
    encounter = await begun(toys)
    await toys.seat("ned").act(encounter, DARE)
    own = {"bea": "b3", "bob": "b1", "bill": "b2"}[seat]
    choice = {"type": kind} if kind == "pass" else {"type": kind, "combatant": own}
    await toys.seat(seat).act(encounter, answer(choice))
    state = await toys.state(encounter)
    lifted = "red" if kind == "pass" else "blue"
    assert state["morale"] == [{"side": lifted, "value": 1}]
    assert await questions(toys, encounter) == {
        name: (name in ("rita", "ned"), []) for name in EVERYBODY
    }
    with pytest.raises(Refused) as caught:
        await toys.seat("bea").act(encounter, answer({"type": "pass"}))
    assert caught.value.code == "decision_closed"
    await require_clean(toys, encounter)


@pytest.mark.parametrize("seat", ["rita", "ned"])
async def test_the_side_that_asks_may_not_answer(toys: Table, seat: str) -> None:
    encounter = await begun(toys)
    await toys.seat("ned").act(encounter, DARE)
    with pytest.raises(Forbidden) as caught:
        await toys.seat(seat).act(encounter, answer({"type": "pass"}))
    assert caught.value.code == "not_your_decision"


async def test_the_service_passes_once_for_a_side_that_does_not_answer_and_only_then_ends_the_turn(
    toys: Table, store: EventStore, database: Dsns
) -> None:
    encounter = await begun(toys)
    await time_passes(database, encounter, TURN - SLACK, toys)
    await toys.seat("ned").act(encounter, DARE)
    shown = await timer(toys, encounter)
    assert shown is not None
    assert shown.decision_id == "d3.1"
    assert shown.left_seconds in about(DECISION)
    for name in ("ned", "bill", "olaf"):
        assert await timer(toys.seat(name), encounter) is not None
    other = Table(compose(store, RULESETS, SIGNER, SOURCES), toys.who)
    await time_passes(database, encounter, 2 * SLACK, toys, other)
    assert await toys.encounters.writes.sweep_timers() == 0, "the turn is over, but blue is asked"
    await time_passes(database, encounter, DECISION, toys, other)
    swept = [await each.encounters.writes.sweep_timers() for each in (toys, other)]
    assert swept == [2, 0]
    assert await deeds(toys, encounter, 3) == [("system", "answer"), ("system", "end_turn")]
    record = await toys.encounters.reads.event(toys.who, encounter, 4)
    event = msgspec.json.decode(record.event)
    assert (event["by"]["kind"], event["action"]["decision_id"]) == ("system", "d3.1")
    assert event["effects"] == [
        {"type": "decision_closed", "decision_id": "d3.1", "how": "timeout", "choice": "pass"},
        {
            "type": "resource_changed",
            "side": "red",
            "resource": "morale",
            "now": 1,
        },
    ]
    assert (await label(toys, encounter))[1:3] == ("blue", UNSET)
    await require_clean(toys, encounter)


async def test_actions_of_several_and_changes_of_nobody_go_through_the_service(
    toys: Table,
) -> None:
    encounter = await begun(toys)
    shout = {"type": "shout", "combatants": ["r1", "r2"]}
    with pytest.raises(Forbidden) as caught:
        await toys.seat("ned").act(encounter, shout)
    assert (caught.value.code, caught.value.params) == ("not_your_combatant", {"combatant": "r2"})
    await toys.seat("rita").act(encounter, shout)
    morale: dict[str, Any] = {"type": "morale", "side": "blue", "value": 7}
    await toys.act(encounter, {"type": "adjust", "changes": [morale]})
    state = await toys.seat("bob").state(encounter)
    assert state["morale"] == [{"side": "red", "value": 2}, {"side": "blue", "value": 7}]
    await require_clean(toys, encounter)
