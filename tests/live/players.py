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
    view = (await asker.request(who, "GET", battle.address, at=at)).json()
    questions = view["decisions"]
    if questions and chance.random() < 0.7:
        action, _ = reply(chance, battle.ruleset, chance.choice(questions))
    elif chance.random() < 0.15:
        action = unseen(chance)
    else:
        action = anything(chance, battle.ruleset, view["seq"], view["state"])
    path = f"{battle.address}/actions"
    answer = await asker.request(who, "POST", path, {"action": action}, at=at)
    tally = done.accepted if answer.status_code == 201 else done.refused
    tally[action["type"]] += 1


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


async def do(asker: ServiceClient, battle: Battle, action: Action) -> Action:
    """Something that the game master does, and that works; the answer."""
    path = f"{battle.address}/actions"
    return await asker.json(battle.gm, "POST", path, {"action": action})


async def remark(asker: ServiceClient, battle: Battle, count: int, letters: int = 20) -> int:
    """So many notes for everybody, each of so many letters of 4 bytes; the last one's seq."""
    notes = [{"action": {"type": "note", "text": LETTER * letters}} for _ in range(NOTES)]
    seq = 0
    for left in range(count, 0, -NOTES):
        tree = {"actions": notes[:left]}
        seq = (await asker.json(battle.gm, "POST", f"{battle.address}/actions", tree))["version"]
    return seq
