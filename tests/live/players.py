"""Those who play: anything, at any process, as anybody, until it is enough."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, Final

import msgspec

from tests.encounters.random_actions import anything, reply
from tests.live.arena import BLUE_LURKER, GM_WORD, RED_LURKER, Battle, ServiceClient
from tests.live.subscribers import Person
from warlog import ActionsAnswer, Problem

Action = dict[str, Any]

LETTER: Final = "\N{GAME DIE}"
NOTES: Final = 32
"""Actions of one list."""


class Play:
    """What came of what was tried, by type of action."""

    def __init__(self) -> None:
        self.enough = asyncio.Event()
        self.accepted: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()


async def play(
    asker: ServiceClient, battle: Battle, number: int, done: Play, think_seconds: float = 0.02
) -> None:
    """One writer of several."""
    chance = Random(number)
    players = (battle.gm, battle.gm, *battle.people, *battle.guests)
    while not done.enough.is_set():
        await act_somehow(asker, battle, chance.choice(players), chance, done)
        await asyncio.sleep(chance.uniform(0, 2 * think_seconds))


async def act_somehow(
    asker: ServiceClient, battle: Battle, who: Person, chance: Random, done: Play
) -> None:
    """One attempt of somebody."""
    at = chance.randrange(len(asker.urls))
    table = asker.table(who, battle.address, at)
    view = await table.read()
    if view.decisions and chance.random() < 0.7:
        asked = msgspec.to_builtins(chance.choice(view.decisions))
        action, _ = reply(chance, battle.ruleset, asked)
    elif chance.random() < 0.15:
        action = unseen(chance)
    else:
        action = anything(chance, battle.ruleset, view.seq, view.state)
    try:
        await table.act(action)
    except Problem as problem:
        if problem.status >= 500:
            raise
        done.refused[action["type"]] += 1
    else:
        done.accepted[action["type"]] += 1


def unseen(chance: Random) -> Action:
    """What only the game master does, and few hear of."""
    lurker = chance.choice([RED_LURKER, BLUE_LURKER])
    wound = {"type": "hp", "combatant": lurker, "value": chance.randint(1, 40)}
    return chance.choice(
        [
            {"type": "note", "gm_text": f"{GM_WORD} again"},
            {"type": "adjust", "changes": [wound]},
            {"type": "end_turn", "combatant": lurker},
        ]
    )


def erased_in(raws: Sequence[bytes]) -> set[int]:
    """The events whose text was erased, of what the log says."""
    seqs: set[int] = set()
    for raw in raws:
        for effect in msgspec.json.decode(raw)["effects"]:
            if effect["type"] == "erased":
                seqs |= set(effect["seqs"])
    return seqs


async def do(asker: ServiceClient, battle: Battle, action: Action) -> ActionsAnswer:
    """Something that the game master does, and that works; the answer."""
    return await asker.table(battle.gm, battle.address).act(action)


async def remark(asker: ServiceClient, battle: Battle, count: int, letters: int = 20) -> int:
    """So many notes for everybody, each of so many letters of 4 bytes; the last one's seq."""
    notes = [{"type": "note", "text": LETTER * letters} for _ in range(NOTES)]
    table, seq = asker.table(battle.gm, battle.address), 0
    for left in range(count, 0, -NOTES):
        seq = (await table.act(notes[:left])).version
    return seq
