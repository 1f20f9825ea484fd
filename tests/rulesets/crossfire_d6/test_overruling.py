"""CF-POS-1 and CF-POS-6: the game master's word on a position, in whole battles."""

from typing import Any

import pytest

from service.rulesets.crossfire_d6.state import Override
from tests.kit.given_when_then import Given, Refusal
from tests.rulesets.crossfire_d6.duels import at, do, drawn, duel, shoot
from tests.rulesets.crossfire_d6.examples import Tree

BACK: Tree = {"type": "ranged_attack", "combatant": "t", "weapon": "gun", "target": "a"}
ARMED: Tree = {"weapons": [{"id": "gun"}], **at(4, 0)}
ONES = {"open": 4, "in_cover": 2}


def word(combatant: str, versus: str, position: str | None = None) -> Tree:
    change = {"type": "position", "combatant": combatant, "versus": versus}
    stated = change if position is None else {**change, "position": position}
    return {"type": "adjust", "changes": [stated]}


def position_of(battle: Given, action: Tree) -> str:
    """The position that the preview of a shot shows, or why there is none."""
    told = battle.foretold(action)
    return told.code if isinstance(told, Refusal) else str(told["facts"]["position"])


def both(battle: Given) -> tuple[str, str]:
    """T against A in A's turn, and A against T in T's."""
    first = position_of(battle, shoot())
    battle.when(do("end_turn"))
    second = position_of(battle, BACK)
    battle.when(do("end_turn", "t"))
    return first, second


CLOSED = "line_of_sight_blocked"


@pytest.mark.rule("CF-POS-1")
@pytest.mark.rule("CF-POS-6")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([word("t", "a", "in_cover")], ("in_cover", "open")),
        ([word("t", "a", "blocked")], (CLOSED, CLOSED)),
        ([word("a", "t", "blocked")], (CLOSED, CLOSED)),
        ([word("t", "a", "blocked"), word("t", "a")], ("open", "open")),
        ([word("t", "a", "blocked"), word("a", "t", "in_cover")], ("open", "in_cover")),
        ([word("t", "a", "in_cover"), word("a", "t", "blocked")], (CLOSED, CLOSED)),
        ([word("t", "a", "in_cover"), word("a", "t", "open")], ("in_cover", "open")),
        ([word("t", "a", "blocked"), word("a", "t", "blocked")], (CLOSED, CLOSED)),
    ],
)
def test_the_last_word_counts_and_the_line_is_the_same_both_ways(
    words: list[Tree], expected: tuple[str, str]
) -> None:
    battle = duel(t=ARMED)
    for said in words:
        assert isinstance(battle.when(said).outcome, list)
    assert both(battle) == expected


@pytest.mark.rule("CF-POS-6")
@pytest.mark.parametrize(
    ("said", "expected"),
    [("open", ("open", "open")), ("in_cover", ("in_cover", "open")), (None, (CLOSED, CLOSED))],
)
def test_a_word_opens_a_wall_both_ways(said: str | None, expected: tuple[str, str]) -> None:
    battle = duel(t=ARMED, map=drawn("..#..", "..#..", "..#.."))
    if said is not None:
        battle.when(word("t", "a", said))
    assert both(battle) == expected


@pytest.mark.rule("CF-POS-6")
def test_a_word_that_is_taken_back_by_another_is_said_to_be() -> None:
    battle = duel(t=ARMED)
    battle.when(word("t", "a", "blocked"))
    outcome = battle.when(word("a", "t", "open")).outcome
    assert outcome == [
        {"type": "adjusted", "secret": False},
        {
            "type": "link_changed",
            "rule": "CF-POS-6",
            "link": "position_override",
            "combatant": "t",
            "other": "a",
            "tied": False,
        },
        {
            "type": "link_changed",
            "link": "position_override",
            "combatant": "a",
            "other": "t",
            "tied": True,
            "value": "open",
        },
    ]
    a, t = battle.table.state.rule.combatants
    assert (a.overrides, t.overrides) == ((Override(versus="t", position="open"),), ())


@pytest.mark.rule("CF-POS-6")
def test_a_battle_in_progress_that_contradicts_itself_has_no_line() -> None:
    a: Tree = {"overrides": [{"versus": "t", "position": "blocked"}]}
    t: Tree = {**ARMED, "overrides": [{"versus": "a", "position": "open"}]}
    assert both(duel(a, t)) == (CLOSED, CLOSED)


@pytest.mark.rule("CF-COVER-2")
@pytest.mark.parametrize(
    ("said", "posture", "ground"),
    [
        (None, "in_cover", [{"kind": "cell", "x": 3, "y": 0}]),
        ("in_cover", "in_cover", [{"kind": "cell", "x": 3, "y": 0}]),
        ("in_cover", "blocked", None),
        ("in_cover", "open", None),
    ],
)
def test_cover_that_the_game_master_gives_names_no_ground(
    said: str | None, posture: str, ground: list[Tree] | None
) -> None:
    battle = duel(t=ARMED | {"posture": posture}, map=drawn("...c."))
    if said is not None:
        battle.when(word("t", "a", said))
    named = {} if ground is None else {"ground": ground}
    assert battle.foretold(shoot())["facts"]["breakdown"] == [
        {"rule": "CF-COVER-2", "amount": -2, **named}
    ]


@pytest.mark.rule("CF-XFIRE-4")
@pytest.mark.parametrize(
    ("said", "dice"), [(None, 1), ("in_cover", 1), ("blocked", 0), ("open", 1)]
)
def test_a_shooter_whose_line_the_game_master_closed_takes_no_part(
    said: str | None, dice: int
) -> None:
    other = {"side": "red", "weapons": [{"id": "gun"}], **at(8, 0)}
    battle = duel(t=at(4, 0), other=other)
    if said is not None:
        battle.when(word("t", "other", said))
    rows: list[Any] = battle.foretold(shoot())["facts"]["breakdown"]
    assert sum(row["amount"] for row in rows if row["rule"] == "CF-XFIRE-2") == dice
