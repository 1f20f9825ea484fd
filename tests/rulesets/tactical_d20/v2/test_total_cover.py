"""What version 2 has otherwise: guesses at somebody in total cover, and nothing else."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any, get_args

import pytest

from service.engine.vocabulary.values import DiceMode
from service.errors import Refused
from service.rulesets import RULESETS
from service.rulesets.tactical_d20.rules.cover import overruled
from service.rulesets.tactical_d20.rules.words import CoverGrade
from service.rulesets.tactical_d20.v2.rules.total_cover import cover_from_guesses
from tests.kit.random_battles import Action, ask, play
from tests.kit.table import SEED, Table, effects_of, seated, tree_of
from tests.replay.memory_audit import audit
from tests.rulesets.tactical_d20.battles import random_setup
from tests.rulesets.tactical_d20.blows import (
    BLADE,
    GUN,
    answer,
    battle,
    creature,
    declined,
    kinds,
    refusal,
)
from tests.rulesets.tactical_d20.setups import Tree

FIRST, SECOND = (RULESETS["tactical-d20", version] for version in ("1", "2"))
GUESS: Tree = {"type": "attack_cell", "combatant": "a", "weapon": "gun", "cell": {"x": 4, "y": 0}}
TOTAL: Tree = {"cover_overrides": [{"versus": "a", "grade": "total"}]}
UNSEEN: Tree = {"conditions": ["invisible"]}
WORD = {"type": "cover_override", "combatant": "t", "versus": "a", "grade": "total"}
NUMBERS = range(3)


def table_of(*others: Tree, **more: Any) -> Table:
    """Red a's turn, at (0, 0), among these, in version 2."""
    return battle(*others, ruleset=SECOND, **more)


def guess_of(table: Table) -> Any:
    """What the game master learns of the guess in the last event."""
    effects = effects_of(table.events[-1])
    [resolved] = [each for each in effects if each["type"] == "attack_resolved"]
    return resolved["guess"]


@pytest.mark.rule("TD-TOTAL-2")
def test_only_the_word_of_total_cover_keeps_a_guess_from_anybody() -> None:
    source = {"rule": "TD-TOTAL-2", "ac": 8, "reflex": 4}
    assert {each: tree_of(cover_from_guesses(each)) for each in (None, *get_args(CoverGrade))} == {
        **dict.fromkeys((None, "none", "partial", "normal", "improved")),
        "total": {**tree_of(overruled("total")), "sources": [source]},
    }


@pytest.mark.rule("TD-TOTAL-2")
@pytest.mark.parametrize("grade", ["none", "partial", "normal", "improved"])
def test_a_lesser_word_or_one_on_another_attacker_keeps_no_guess_from_anybody(grade: str) -> None:
    words = [{"versus": "a", "grade": grade}, {"versus": "b", "grade": "total"}]
    table = table_of(
        creature("t", 4, cover_overrides=words, **UNSEEN), creature("b", 0, 9, side="red")
    )
    table.ask(GUESS, dice=(19, 99, 3))
    assert (guess_of(table)["target"], guess_of(table)["outcome"]) == ("t", "hit")


AWAY: Tree = {"place": {"x": 4, "y": 9}}
BLURRED: Tree = {"cover_overrides": [], "blur_pct": 100}
WORLDS: Mapping[str, tuple[Tree, Tree]] = {
    "invisible": (UNSEEN, BLURRED),
    "hidden": ({"hidden": True}, AWAY),
    "hidden and large": ({"hidden": True, "size": 3}, AWAY),
    "hidden, of a third side": ({"hidden": True, "side": "green"}, AWAY),
}
"""Who is in the cell, and what of him would make another miss of the guess."""


def shown_miss(dice: DiceMode, *there: Tree) -> list[object]:
    """All that Ann, who guesses, and Eve, who looks on, are shown before, of and after a guess."""
    hidden = {"enemy_numbers": "hidden"}
    table = table_of(creature("z", 20, 20), *there, dice=dice, options=hidden)
    first = len(table.events) + 1
    before: list[object] = [table.preview(GUESS, "ann"), list(table.legal("a", "ann"))]
    table.ask(GUESS, "ann")
    for by, face in (("ann", 20), ("gm", 100)) if dice == "supplied" else ():
        [(decision, _)] = table.questions
        roll = {"type": "answer", "decision_id": decision, "choice": {"type": "roll"}}
        table.ask(roll, by, (face,))
    shown = [
        table.shown(seq, who)
        for seq in range(first, len(table.events) + 1)
        for who in ("ann", "eve")
    ]
    return [*before, *shown]


@pytest.mark.rule("TD-TOTAL-2")
@pytest.mark.parametrize("dice", ["sealed", "supplied"])
@pytest.mark.parametrize("world", WORLDS)
def test_whoever_guesses_cannot_tell_total_cover_from_another_miss(
    world: str, dice: DiceMode
) -> None:
    stated, otherwise = WORLDS[world]
    there = {**creature("t", 4), **TOTAL, **stated}
    assert shown_miss(dice, there) == shown_miss(dice, {**there, **otherwise})


@pytest.mark.rule("TD-TOTAL-2")
def test_a_miss_draws_what_a_guess_at_an_empty_cell_draws() -> None:
    for face, d100 in ((1, ()), (2, (70,)), (20, (100,))):
        draws = []
        for y in (0, 9):
            table = table_of(creature("t", 4, y, **UNSEEN, **TOTAL))
            event = table.ask(GUESS, dice=(face, *d100))
            assert kinds(effects_of(event)) == ["resource_changed", "attack_resolved"]
            draws.append(event.draws)
        assert draws[0] == draws[1]


@pytest.mark.rule("TD-TOTAL-2")
def test_nobody_in_total_cover_shields_another_in_the_cell() -> None:
    dead = {"conditions": ["dead", "invisible"], "health": -30}
    table = table_of(
        {**creature("t", 4, **TOTAL), **dead},
        creature("u", 4, side="red", **UNSEEN),
        creature("v", 9),
    )
    up = {"type": "hp", "combatant": "t", "value": 30}
    table.ask({"type": "adjust", "changes": [up]})
    table.ask(GUESS, dice=(19, 99, 3))
    assert (guess_of(table)["target"], guess_of(table)["outcome"]) == ("u", "hit")
    again = {"type": "resource", "combatant": "a", "resource": "standard", "value": 1}
    both = [{**WORD, "combatant": "u"}, again]
    table.ask({"type": "adjust", "changes": both})
    assert odds(table) == {"miss": 100_000}
    table.ask(GUESS, dice=(19, 99))
    assert (guess_of(table)["target"], guess_of(table)["outcome"]) == ("t", "miss")


def odds(table: Table, by: str = "gm") -> Mapping[str, int]:
    """The chances of the guess in thousandths of a per cent."""
    told: Any = tree_of(table.preview(GUESS, by))
    return {each["outcome"]: each["percent_milli"] for each in told["odds"]}


@pytest.mark.rule("TD-TOTAL-2")
def test_the_game_master_is_told_before_that_it_will_miss_and_a_player_nothing() -> None:
    table = table_of(creature("t", 4, **UNSEEN, **TOTAL))
    assert odds(table) == {"miss": 100_000}
    told: Any = tree_of(table.preview(GUESS, "ann"))
    assert (told["legal"], told["odds"], told["unknown"]) == (True, [], ["target"])


def by_answer(table: Table) -> None:
    """The word is given, then the one who is asked passes."""
    table.ask({"type": "adjust", "changes": [WORD]})
    table.ask(declined(table, "e"), dice=(19, 99))


def by_ruling(table: Table) -> None:
    """The word is given, and takes away the reaction of the one who is asked."""
    spent = {"type": "resource", "combatant": "e", "resource": "reaction", "value": 0}
    table.ask({"type": "adjust", "changes": [WORD, spent]}, dice=(19, 99))


def by_force(table: Table) -> None:
    """The word is given, then the game master passes for the one who is asked."""
    table.ask({"type": "adjust", "changes": [WORD]})
    decision = answer(table, "e", {})["decision_id"]
    table.ask({"type": "force_pass", "decision_id": decision}, dice=(19, 99))


@pytest.mark.rule("TD-TOTAL-2")
@pytest.mark.parametrize("go_on", [by_answer, by_ruling, by_force])
def test_a_guess_that_waited_is_made_by_the_word_as_it_is_then(
    go_on: Callable[[Table], None],
) -> None:
    table = table_of(creature("t", 4, **UNSEEN), creature("e", 1, weapons=[BLADE]))
    table.ask(GUESS)
    go_on(table)
    assert (guess_of(table)["target"], guess_of(table)["outcome"]) == ("t", "miss")


def test_whom_one_sees_in_total_cover_is_neither_attacked_nor_guessed_at() -> None:
    table = table_of(creature("t", 4, **TOTAL))
    shot = {"type": "attack", "combatant": "a", "weapon": "gun", "target": "t"}
    assert (refusal(table, shot), refusal(table, GUESS)) == ("total_cover", "target_is_visible")


@pytest.mark.rule("TD-COVER-8")
def test_an_area_reaches_whom_the_word_covers_from_attacks() -> None:
    """No attack on anybody, it asks for a line from its origin alone; the word counts for saves."""
    bomb = {"id": "bomb", "radius_ft": 5, "dc": 15, "damage": {"count": 1, "sides": 6}}
    table = table_of(creature("t", 4, **UNSEEN, **TOTAL), attacker={"areas": [bomb]})
    throw = {"type": "area_attack", "combatant": "a", "area": "bomb", "origin": {"x": 4, "y": 0}}
    area = effects_of(table.ask(throw, dice=(10, 6)))[1]
    [victim] = area["victims"]
    assert (victim["target"], victim["result"], victim["cover"]["grade"]) == ("t", 14, "total")


# --- nothing else ---------------------------------------------------------------------------------


def covered_setup(number: int) -> Tree:
    """A random battle in which every other one is invisible, and many in total cover by ruling."""
    setup, dice = random_setup(number), Random(number)
    names = [each["id"] for each in setup["combatants"]]
    for each in setup["combatants"]:
        each["weapons"] = [GUN, *each["weapons"]]
        each["conditions"] = dice.choice([[], ["invisible"]])
        each["cover_overrides"] = [
            {"versus": name, "grade": dice.choice(["total", "normal"])}
            for name in names
            if name != each["id"] and dice.random() < 0.5
        ]
    order = [{"combatant": name} for name in names]
    return {**setup, "battle": {"round": 1, "order": order, "turn": names[0]}}


def guessing(number: int) -> Callable[[Table, Action, str], None]:
    """Takes what is sampled; every other time whoever has the turn guesses where somebody is."""
    dice = Random(number)

    def act(table: Table, action: Action, by: str) -> None:
        rule = table.state.rule
        if table.turn is not None and not rule.pending and dice.random() < 0.5:
            there = dice.choice([each for each in rule.combatants if each.id != table.turn]).place
            cell = {"x": there.x, "y": there.y}
            with suppress(Refused):
                ask(table, {**GUESS, "combatant": table.turn, "cell": cell})
                return
        ask(table, action, by)

    return act


def is_covered_guess(effect: Mapping[str, Any]) -> bool:
    """Whether this shows, in version 1, of a guess at somebody in total cover."""
    return bool(effect.get("guess", {}).get("cover", {}).get("grade") == "total")


def test_version_1_decided_by_version_2_differs_in_guesses_at_total_cover_alone() -> None:
    """A battle is still audited clean by its own version; some would go otherwise."""
    later = {("tactical-d20", "1"): replace(SECOND, version="1", create=FIRST.create)}
    differing = 0
    for number in NUMBERS:
        table = seated(FIRST, covered_setup(number))
        play(table, number, 80, deed=guessing(number))
        assert audit(table, seed=SEED).clean
        report = audit(table, seed=SEED, rulesets=later)
        changed = [each.seq for each in report.verdicts if each.verdict != "match"]
        covered = [e.seq for e in table.events if any(map(is_covered_guess, effects_of(e)))]
        assert changed == covered
        differing += len(changed)
    assert differing
