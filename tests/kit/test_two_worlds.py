"""Two worlds that differ only in secrets are one and the same to whoever does not know them.

Red, blue and an onlooker do the same in both worlds; the green side, whom the game master plays,
does something else in each, and is not seen. Whatever any of the three may read must be equal byte
for byte, until somebody meets a secret: that is an outcome.
"""

from random import Random

import pytest

from service.engine.log.canonical import encode
from tests.kit.random_battles import next_action
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.seat_changes import seat_pairs
from tests.kit.table import Table, seated
from tests.kit.two_worlds import (
    START,
    Action,
    compare,
    compare_choices,
    end_turn,
    meets_a_secret,
    pair,
    quiet,
)
from tests.soak import with_soak

EVENTS = 60
BATTLES = range(10)

pytestmark = pytest.mark.parametrize("rig", RIGS, ids=repr)


@pytest.mark.parametrize("number", with_soak(BATTLES[:1], BATTLES[1:]))
def test_a_battle_among_secrets_looks_the_same(rig: Rig, number: int) -> None:
    worlds = rig.worlds
    one, other = pair(
        rig.ruleset, worlds.world(number, 0), worlds.world(number, 3), rig.worlds.unknowing
    )
    dice = Random(number)
    while len(one.events) < EVENTS and one.turn is not None:
        assert one.turn == other.turn
        by, deeds = next_deeds(rig, one, other, dice)
        events = [one.ask(deeds[0], by), other.ask(deeds[1], by)]
        if any(meets_a_secret(worlds, event) for event in events):
            assert len(one.events) > 2
            return
        compare(one, other, events[0], events[1], rig.worlds.unknowing)
        if by == "gm" and deeds[0]["type"] != "end_turn" and "h" == one.turn == other.turn:
            compare(
                one, other, one.ask(end_turn("h")), other.ask(end_turn("h")), rig.worlds.unknowing
            )
        if dice.random() < 0.2:
            remark(rig, one, other)
        for first, second in seat_pairs("h", ("h", "x0", "x2"), dice):
            compare(one, other, one.ask(first), other.ask(second), rig.worlds.unknowing)


def next_deeds(
    rig: Rig, one: Table, other: Table, dice: Random
) -> tuple[str, tuple[Action, Action]]:
    """Who acts next, and what is done in either world."""
    if rig.worlds.deeds is not None:
        return rig.worlds.deeds(one, other, dice)
    if one.turn == "h" and not one.questions:
        return "gm", (quiet(rig.worlds, one, dice), quiet(rig.worlds, other, dice))
    assert one.turn is not None
    compare_choices(rig.worlds, one, other, one.turn)
    chosen = next_action(one, dice, lambda side: {"red": "ann", "blue": "bob"}[side])
    assert chosen is not None
    return chosen[1], (chosen[0], chosen[0])


def remark(rig: Rig, one: Table, other: Table) -> None:
    """The game master notes something else in each world."""
    notes = ({"type": "note", "gm_text": word} for word in ("the cellar", "up on the roof"))
    compare(one, other, one.ask(next(notes)), other.ask(next(notes)), rig.worlds.unknowing)


@pytest.mark.soak
def test_most_of_these_battles_go_on_for_long(rig: Rig) -> None:
    lengths = []
    if rig.worlds.deeds is not None:
        pytest.skip("what is done next is the rulebook's own, in two worlds at once")
    for number in BATTLES:
        table = seated(rig.ruleset, rig.worlds.world(number, 3))
        table.ask(START)
        dice = Random(number)
        while len(table.events) < EVENTS and table.turn is not None:
            is_hidden = table.turn == "h" and not table.questions
            chosen = None if is_hidden else next_action(table, dice, player_of_side)
            action, by = chosen or (quiet(rig.worlds, table, dice), "gm")
            if meets_a_secret(rig.worlds, table.ask(action, by)):
                break
            if is_hidden and action["type"] != "end_turn" and table.turn == "h":
                table.ask(end_turn("h"))
        lengths.append(len(table.events))
    assert sorted(lengths)[3] >= EVENTS // 2, lengths


def player_of_side(side: str) -> str:
    """Who plays a side."""
    return {"red": "ann", "blue": "bob"}.get(side, "gm")


def test_whatever_is_done_to_somebody_unseen_looks_alike(rig: Rig) -> None:
    hidden = rig.fighter("h", rig.worlds.hidden_side, 9, 9, hidden=True)
    one, other = pair(
        rig.ruleset, rig.worlds.duel(hidden), rig.worlds.duel(hidden), rig.worlds.unknowing
    )
    newcomer = rig.fighter("i", rig.worlds.hidden_side, 2, 2, hidden=True)
    deeds: list[tuple[Action, Action]] = [
        (ruling("hp", "h", value=3), rig.worlds.secret_ground),
        (rig.worlds.secret_ruling, {"type": "add_combatant", "combatant": newcomer}),
        (ruling("hide", "h"), {"type": "remove_combatant", "combatant": "i"}),
    ]
    for first, second in deeds:
        compare(one, other, one.ask(first), other.ask(second), rig.worlds.unknowing)


def ruling(kind: str, combatant: str, **more: object) -> Action:
    """A change by the game master."""
    return {"type": "adjust", "changes": [{"type": kind, "combatant": combatant, **more}]}


def test_hidden_numbers_are_neither_shown_nor_foretold(rig: Rig) -> None:
    one, other = (seated(rig.ruleset, setup) for setup in rig.worlds.plain_and_odd())
    first, second = one.ask(START), other.ask(START)
    for by in ("ann", "eve"):
        assert encode(one.shown(1, by)) == encode(other.shown(1, by))
        assert encode(one.shown(first.seq, by)) == encode(other.shown(second.seq, by))
        assert encode(one.view(by)) == encode(other.view(by))
        assert encode(one.legal("t", by)) == encode(other.legal("t", by))
    assert encode(one.view("bob")) != encode(other.view("bob"))
    assert encode(one.legal("a", "ann")) == encode(other.legal("a", "ann"))
    for action in one.samples("a", 40, "ann"):
        assert encode(one.preview(action, "ann")) == encode(other.preview(action, "ann"))


def test_the_side_itself_and_the_game_master_see_what_others_do_not(rig: Rig) -> None:
    hidden = rig.fighter("h", "blue", 3, 3, hidden=True)
    table = seated(rig.ruleset, rig.worlds.duel(hidden))
    table.ask(START)
    everybody = ("ann", "bob", "eve", "gm")
    ids = {by: [each["id"] for each in table.view(by)["combatants"]] for by in everybody}
    assert ids == {
        "ann": ["a", "t"],
        "bob": ["a", "t", "h"],
        "eve": ["a", "t"],
        "gm": ["a", "t", "h"],
    }


def test_nothing_that_is_listed_names_somebody_unseen(rig: Rig) -> None:
    hidden = rig.fighter("h", rig.worlds.hidden_side, 0, 1, hidden=True)
    table = seated(rig.ruleset, rig.worlds.duel(hidden))
    table.ask(START)
    assert b'"h"' in encode(table.legal("a"))
    assert b'"h"' not in encode(table.legal("a", "ann"))
