"""Two worlds that differ only in secrets are shown alike, byte for byte, to whoever knows none.

The battles are those of `tests/kit/test_two_worlds.py`: green is the game master's, unseen,
and does something else in each world; so do hidden ground, remarks, seats that control somebody
unseen, and the clock. Ann, Bob and Eve follow by token, by ticket and by a key that acts for them,
on streams of events and on sockets, and read everything there is to read.
"""

from collections.abc import AsyncIterator
from contextlib import ExitStack
from itertools import cycle
from random import Random
from typing import Final

import pytest

from service.eventstore.embedded import Dsns
from tests.api.surfaces import Told, refused, weighed
from tests.api.worlds import (
    UNKNOWING,
    Tree,
    World,
    limited,
    masked,
    quiet,
    serving,
    shown,
    twin_databases,
)
from tests.kit.rig import Rig, TwoWorlds
from tests.kit.rigs import OF_COMBATANTS
from tests.kit.seat_changes import seat_pairs
from tests.soak import with_soak

pytestmark = pytest.mark.slow

PLAYER_OF: Final = {"red": "ann", "blue": "bob"}
EVENTS: Final = 20
"""So long are battles in the soak."""
FEWER_EVENTS: Final = 12
READ_EVERY: Final = 7


@pytest.fixture(scope="module")
async def databases(server: str) -> AsyncIterator[tuple[Dsns, Dsns]]:
    """Two databases."""
    async with twin_databases(server) as pair:
        yield pair


@pytest.mark.parametrize(
    ("rig", "events"),
    with_soak(
        [pytest.param(OF_COMBATANTS[-1], FEWER_EVENTS)],
        [pytest.param(rig, EVENTS) for rig in OF_COMBATANTS],
    ),
    ids=repr,
)
def test_streams_tell_nothing_of_what_is_hidden(
    databases: tuple[Dsns, Dsns], rig: Rig, events: int
) -> None:
    slug, worlds = rig.ruleset.slug, rig.worlds
    with ExitStack() as stack:
        one, other = (
            World(
                stack.enter_context(serving(dsns, slug)),
                slug,
                limited(worlds.world(worlds.long, variant)),
                unseen,
                name=slug,
            )
            for dsns, variant, unseen in zip(databases, (0, 3), ("h", "k"), strict=True)
        )
        assert one.battle == other.battle
        for world in (one, other):
            stack.callback(world.close)
            world.follow()
        lasted = play(one, other, worlds, events)
        compare_all(one, other)
    for name, tap in one.taps.items():
        compare_streams(name, tap.rest(), other.taps[name].rest(), lasted, events)
    assert lasted >= events // 2, "the battle was over too soon"


def play(one: World, other: World, worlds: TwoWorlds, events: int) -> int:
    """Play until somebody meets a secret; after how many events that both were told of alike."""
    dice = Random(worlds.long)
    both(one, other, {"type": "start_encounter"})
    beside = cycle(SECRETLY)
    while one.head < events:
        turns = [turn_of(world) for world in (one, other)]
        if turns[0] is None or turns[0] != turns[1]:
            break
        before = one.head
        deed = next_deed(one, other, worlds, dice)
        effects = [
            world.act(action, deed[2]) for world, action in zip((one, other), deed[:2], strict=True)
        ]
        if any(meets_a_secret(each, worlds) for each in effects):
            return before
        next(beside)(one, other)
        for first, second in seat_pairs(one.unseen, (other.unseen, "x0", "x2"), dice):
            both(one, other, dict(first), dict(second))
        compare_shortly(one, other)
        if one.head % READ_EVERY == 0:
            compare_all(one, other)
    return one.head


def turn_of(world: World) -> str | None:
    """Whose turn it is; that of somebody unseen is `unseen`."""
    turn: str | None = world.state()["state"].get("turn")
    return "unseen" if turn == world.unseen else turn


def next_deed(one: World, other: World, worlds: TwoWorlds, dice: Random) -> tuple[Tree, Tree, str]:
    """What happens next in either world, and who does it."""
    state = one.state()
    asked = [each["combatant"] for each in state["decisions"] if "combatant" in each]
    turn = [*(each for each in asked if each != one.unseen), state["state"]["turn"]][0]
    if turn == one.unseen:
        return quiet(one, worlds.quiet, dice), quiet(other, worlds.quiet, dice), "gm"
    [side] = [each["side"] for each in state["state"]["combatants"] if each["id"] == turn]
    by = PLAYER_OF[side]
    chosen = dice.choice(one.samples(turn, 6, by))
    assert chosen in other.samples(turn, 6, by)
    return chosen, chosen, by


def meets_a_secret(effects: list[Tree], worlds: TwoWorlds) -> bool:
    if any(each["type"] == "felled" and each.get("combatant") in ("h", "k") for each in effects):
        return True
    found = {each.get(word) for each in effects for word in ("cause", "outcome")}
    return not found.isdisjoint(worlds.met)


# --- what the game master does in addition: in each world something else, seen by nobody
# ---------------


def remark(one: World, other: World) -> None:
    both(one, other, note("the cellar"), note("up on the roof, in the dark"))


def wound(one: World, other: World) -> None:
    for world, value in ((one, 5), (other, 6)):
        change = {"type": "hp", "combatant": world.unseen, "value": value}
        world.act({"type": "adjust", "changes": [change], "reason": f"{value} of them"})


def pause(one: World, other: World) -> None:
    for world in (one, other):
        world.time({"do": "pause"})
        world.time({"do": "resume"})


def extend(one: World, other: World) -> None:
    """More time for whoever's turn it is; in one world alone for somebody who is not seen."""
    is_unseen = turn_of(one) == "unseen" == turn_of(other)
    for world in (other,) if is_unseen else (one, other):
        world.time({"do": "extend", "seconds": 10})


def reseat(one: World, other: World) -> None:
    """A follower becomes another, and is what it was again."""
    both(one, other, {"type": "change_seat", "seat": "eve", "role": "player", "sides": ["red"]})
    both(one, other, {"type": "change_seat", "seat": "eve", "role": "observer", "sides": []})


SECRETLY: Final = (remark, extend, reseat, wound, pause)


def note(text: str) -> Tree:
    return {"type": "note", "gm_text": text}


def both(one: World, other: World, first: Tree, second: Tree | None = None) -> None:
    one.act(first)
    other.act(first if second is None else second)


# --- comparing ------------------------------------------------------------------------------------


def compare_shortly(one: World, other: World) -> None:
    """What is asked most often."""
    for seat in UNKNOWING:
        for path in ("/v1/me", f"{one.battle}/timers", f"{one.battle}/seats"):
            answers = [shown(each.wire.ask("GET", path, each.by[seat])) for each in (one, other)]
            assert answers[0] == answers[1], (seat, path)


def compare_all(one: World, other: World) -> None:
    """Everything that those who do not know can read now, be shown of it, or be refused."""
    people = [each["id"] for each in one.state()["state"]["combatants"] if not each.get("hidden")]
    for seat in UNKNOWING:
        compare(seat, one.told(seat), other.told(seat))
        found = [
            weighed(each.wire, each.by[seat], each.battle, people[:3]) for each in (one, other)
        ]
        compare(seat, *found)
        found = [refused(each.wire, each.by[seat], each.battle, PROBES) for each in (one, other)]
        compare(seat, *found)


PROBES: Final[tuple[Tree, ...]] = (
    {"type": "end_turn", "combatant": "h"},
    {"type": "end_turn", "combatant": "k"},
    {"type": "end_turn", "combatant": "x1"},
    {"type": "adjust", "changes": [{"type": "reveal", "combatant": "h"}]},
    {"type": "change_seat", "seat": "eve", "combatants": ["h"]},
    {"type": "assign_control", "seat": "eve", "combatants": ["x0"]},
    {"type": "answer", "decision_id": "d9.c1", "choice": {"type": "pass"}},
    {"type": "answer", "decision_id": "d9.g1", "choice": {"type": "pass"}},
)


def compare(seat: str, first: Told, second: Told) -> None:
    assert first.keys() == second.keys()
    for what, answer in first.items():
        assert shown(answer) == shown(second[what]), (seat, what)


def compare_streams(
    name: str, first: list[bytes], second: list[bytes], until: int, events: int
) -> None:
    """Record by record, but for heartbeats, which come when they come."""
    told = [
        [masked(each) for each in records if b"heartbeat" not in each]
        for records in (first, second)
    ]
    if until < events:
        told = [up_to(records, until) for records in told]
    for one, other in zip(*told, strict=False):
        assert one == other, name
    assert len(told[0]) == len(told[1]), name
    kinds = {b"hello", b"event", b"timers"}
    assert all(any(kind in record for record in told[0]) for kind in kinds), name


def up_to(records: list[bytes], seq: int) -> list[bytes]:
    """Up to an event."""
    behind = f'"seq":{seq + 1},"hash"'.encode()
    found = next((at for at, each in enumerate(records) if behind in each), len(records))
    return records[:found]
