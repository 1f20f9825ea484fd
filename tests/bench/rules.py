"""The rules alone, in one process and without a database, for every ruleset.

Decide, evolve, encode and hash of the most common action in a battle of 8, and of the heaviest
in one of 20 on a map; preview and legal actions of the battle of 20, asked for whoever has the
turn. The battles go on meanwhile: no state is decided on twice. Of melody-d6 also a song whose
template lies over 200 combatants.
"""

import itertools
import time
from collections.abc import Iterator
from typing import Any

import msgspec
from _battles import BATTLES, Battle, Tree
from _choir import crowded_song
from _deciding import begun, decided
from _measuring import Table, arguments, percentile

from service.engine.ruleset.definition import Ruleset
from service.engine.vocabulary.actions import Action
from service.rulesets import RULESETS, latest
from tests.kit.table import GM
from tests.kit.table import Table as InMemory

ROUND_ACTIONS = 400
CROWDED = 200
CROWDED_SONGS = 20
START: Tree = {"type": "start_encounter"}


def per_second(battle: InMemory, actions: Iterator[Tree], kind: str, count: int) -> float:
    """Actions of one kind a second, decided once on each of so many states."""
    taken, done = 0.0, 0
    while done < count:
        tree = next(actions)
        action: Action = msgspec.convert(tree, battle.ruleset.action)
        if tree["type"] == kind:
            began = time.perf_counter()
            decided(battle, action)
            taken += time.perf_counter() - began
            done += 1
        battle.act(action)
    return count / taken


def asked(battle: InMemory, stated: Battle) -> tuple[list[float], list[float]]:
    """Seconds of every preview and of every list of legal actions in one round of turns."""
    previews, legals = [], []
    questions = iter(stated.previews)
    turn = ""
    for tree in stated.crowd_cycle:
        if tree.get("combatant", turn) != turn:
            turn = tree["combatant"]
            question: Action = msgspec.convert(next(questions), battle.ruleset.action)
            began = time.perf_counter()
            msgspec.json.encode(battle.ruleset.preview(battle.state, question, GM))
            middle = time.perf_counter()
            legal = battle.legal(turn)
            msgspec.json.encode(legal)
            previews.append(middle - began)
            legals.append(time.perf_counter() - middle)
        battle.act(msgspec.convert(tree, battle.ruleset.action))
    return previews, legals


def add_rates(table: Table, slug: str, ruleset: Ruleset[Any], rounds: int) -> None:
    """Actions a second through the rules."""
    stated = BATTLES[slug]
    for name, creation, cycle, kind in (
        ("most common", stated.creation, stated.cycle, stated.common),
        ("heaviest, 20 combatants", stated.crowd, stated.crowd_cycle, stated.heavy),
    ):
        battle = begun(ruleset, creation)
        actions = itertools.cycle(cycle)
        per_second(battle, actions, kind, ROUND_ACTIONS)
        rates = [per_second(battle, actions, kind, ROUND_ACTIONS) for _ in range(rounds)]
        table.add(f"{slug}: decide to hash, {kind} ({name})", rates, "actions/s")


def add_questions(table: Table, slug: str, ruleset: Ruleset[Any], rounds: int) -> None:
    """What it takes to look before one acts."""
    battle = begun(ruleset, BATTLES[slug].crowd)
    answers = [asked(battle, BATTLES[slug]) for _ in range(rounds)]
    for index, name in enumerate(("preview", "legal actions")):
        for share, label in ((0.5, "median"), (0.99, "p99")):
            figures = [1000 * percentile(each[index], share) for each in answers]
            table.add(f"{slug}: {name}, 20 combatants, {label}", figures, "ms")


def add_crowded_song(table: Table, rounds: int) -> None:
    """What a template costs with everybody under it."""
    ruleset = latest("melody-d6")
    if ruleset is None:
        table.missing("melody-d6", "not registered")
        return
    creation, cycle = crowded_song(CROWDED)
    battle, actions = begun(ruleset, creation), itertools.cycle(cycle)
    per_second(battle, actions, "sing", CROWDED_SONGS)
    rates = [per_second(battle, actions, "sing", CROWDED_SONGS) for _ in range(rounds)]
    table.add(f"melody-d6: decide to hash, sing (a cone over {CROWDED})", rates, "actions/s")


def main() -> None:
    """Measure and print."""
    given = arguments(__doc__)
    with Table(given.rows) as table:
        for slug in dict.fromkeys(slug for slug, _ in RULESETS):
            ruleset = latest(slug)
            if ruleset is None or slug not in BATTLES:
                table.missing(slug, "no battle in _battles.py")
                continue
            add_rates(table, slug, ruleset, given.rounds)
            add_questions(table, slug, ruleset, given.rounds)
        add_crowded_song(table, given.rounds)


if __name__ == "__main__":
    main()
