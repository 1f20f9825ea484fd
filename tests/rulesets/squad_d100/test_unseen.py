"""What is hidden: contact, duties, watchers, victims and suppressors whom others do not know of."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from service.engine.log.canonical import encode
from tests.kit.table import Table, effects_of
from tests.kit.two_worlds import START, UNKNOWING, compare
from tests.rulesets.squad_d100.setups import Tree, bomb, fighter, in_progress, rifle, seated

WATCH: Final[Tree] = {"conditions": ["watch"]}
UNSEEN: Final[Tree] = {"hidden": True}
ROWS: Final = ["............"] * 8
SURE: Final[Tree] = {"accuracy": 1000, "weapons": [rifle(magazine=60)]}


def battle(
    *people: Tree, rows: list[str] | None = None, options: Tree | None = None, **more: Any
) -> Table:
    """A battle under way; the turns go round in this order."""
    setup = {
        "map": {"text": "\n".join(rows or ROWS)},
        "combatants": list(people),
        "battle": in_progress(*(each["id"] for each in people)),
        "options": options or {},
    }
    table = seated(setup, **more)
    table.ask(START)
    return table


def walk(combatant: str, *cells: tuple[int, int]) -> Tree:
    """A walk."""
    path = [{"x": x, "y": y} for x, y in cells]
    return {"type": "move", "combatant": combatant, "path": path}


def do(kind: str, combatant: str, **more: object) -> Tree:
    """An action."""
    return {"type": kind, "combatant": combatant, **more}


def shot(combatant: str, target: str) -> Tree:
    """An aimed shot."""
    return do("aimed_shot", combatant, weapon="rifle", target=target)


def kinds(table: Table, by: str = "gm") -> list[str]:
    """The types of the effects of the last event, as somebody sees them."""
    seen: Any = table.shown(len(table.events), by)
    return [each["type"] for each in seen["effects"]]


def knows(table: Table, by: str) -> list[str]:
    """Of whom somebody knows."""
    return [each["id"] for each in table.view(by)["combatants"]]


def cell_of(table: Table, combatant: str) -> tuple[int, int]:
    """Where somebody is."""
    place = table.combatant(combatant).place
    return place.x, place.y


# --- contact --------------------------------------------------------------------------------------


@pytest.mark.rule("SQ-MOVE-5")
def test_a_step_into_somebody_unknown_is_neither_made_nor_paid_and_reveals_him() -> None:
    table = battle(
        fighter("a", "red", 0, 0), fighter("t", "blue", 9, 7), fighter("h", "blue", 2, 0, **UNSEEN)
    )
    assert knows(table, "ann") == ["a", "t"]
    table.ask(walk("a", (1, 0), (2, 0), (3, 0)), "ann")
    assert cell_of(table, "a") == (1, 0)
    assert table.combatant("a").mp_left == 26
    assert knows(table, "ann") == ["a", "t", "h"]
    [moved] = [each for each in effects_of(table.events[-1]) if each["type"] == "moved"]
    assert (moved["complete"], moved["cause"], moved["cost"]) == (False, "contact", 4)


@pytest.mark.rule("SQ-MOVE-5")
def test_the_first_step_into_somebody_unknown_costs_nothing() -> None:
    table = battle(fighter("a", "red", 0, 0), fighter("h", "blue", 1, 0, **UNSEEN))
    table.ask(walk("a", (1, 0)), "ann")
    assert (cell_of(table, "a"), table.combatant("a").mp_left) == ((0, 0), 30)
    assert knows(table, "ann") == ["a", "h"]


@pytest.mark.rule("SQ-DOOR-1")
def test_a_door_closed_on_somebody_unknown_stays_open_and_is_paid() -> None:
    rows = [".D.........."]
    table = battle(
        fighter("a", "red", 0, 0),
        fighter("h", "blue", 1, 0, **UNSEEN),
        rows=rows,
        options={"doors_open": True},
    )
    before = table.view()["terrain"]
    table.ask(do("toggle_door", "a", cell={"x": 1, "y": 0}), "ann")
    assert table.view()["terrain"] == before
    assert table.combatant("a").mp_left == 26
    assert knows(table, "ann") == ["a", "h"]


@pytest.mark.rule("SQ-SUP-5")
def test_cover_that_somebody_unknown_holds_is_cover_to_go_to() -> None:
    rows = ["....x......x", "............"]
    table = battle(
        fighter("s", "red", 0, 0, weapons=[rifle()], accuracy=0),
        fighter("t", "blue", 2, 0, agility=20, health_max=1000),
        fighter("h", "red", 4, 0, **UNSEEN),
        rows=rows,
    )
    table.ask(do("suppress", "s", weapon="rifle", target="t"), "ann")
    table.ask(do("end_turn", "s"), "ann")
    table.ask(walk("t", (3, 0)), "bob")
    table.ask(walk("t", (4, 0)), "bob")
    assert cell_of(table, "t") == (3, 0)
    assert "h" in knows(table, "bob")
    # From now on the other cover is the nearest; what is left only brings him nearer to it.
    table.ask(walk("t", (4, 1)), "bob")
    assert cell_of(table, "t") == (4, 1)


# --- the watch ------------------------------------------------------------------------------------


@pytest.mark.rule("SQ-VIG-2")
def test_nobody_tests_for_a_mover_whom_he_does_not_know() -> None:
    table = battle(
        fighter("h", "blue", 6, 0, **UNSEEN),
        fighter("a", "red", 0, 0, **WATCH),
        fighter("t", "blue", 9, 7),
    )
    table.ask(walk("h", (5, 0)), "bob")
    assert [each for each in kinds(table) if each == "check_resolved"] == []


@pytest.mark.rule("SQ-VIG-2")
@pytest.mark.parametrize("accuracy", [0, 1000])
def test_a_hidden_watcher_tests_in_secret(accuracy: int) -> None:
    """Without arms he does not shoot; what the others see is the same as without him."""
    sheet = {**UNSEEN, **WATCH, "weapons": [], "accuracy": accuracy}
    there, far = (
        battle(
            fighter("a", "red", 0, 0),
            fighter("t", "blue", 9, 7),
            fighter("h", "blue", x, y, **sheet),
            rows=["......█....."] * 8,
        )
        for x, y in ((4, 0), (8, 0))
    )
    step = walk("a", (1, 0), (2, 1), (3, 1))
    first, second = there.ask(step, "ann"), far.ask(step, "ann")
    assert "check_resolved" in kinds(there, "bob")
    assert "check_resolved" not in kinds(far)
    for by in ("ann", "eve"):
        assert encode(there.shown(first.seq, by)) == encode(far.shown(second.seq, by))
        assert encode(there.view(by)) == encode(far.view(by))


@pytest.mark.rule("SQ-VIG-4")
def test_a_hidden_watcher_who_shoots_becomes_known_before_his_first_die() -> None:
    table = battle(
        fighter("a", "red", 0, 0, health_max=2000),
        fighter("h", "blue", 5, 0, **UNSEEN, **WATCH, **SURE),
    )
    table.ask(walk("a", (1, 0)), "ann")
    seen = kinds(table, "ann")
    if "attack_resolved" in seen:
        assert seen.index("revealed") < seen.index("attack_resolved")
        assert knows(table, "ann") == ["a", "h"]
    else:
        pytest.fail("a watcher of accuracy 1000 did not shoot")


@pytest.mark.rule("SQ-VIG-4")
def test_a_reaction_that_does_not_reveal_tells_only_whom_it_hit_and_how_it_ended() -> None:
    table = battle(
        fighter("a", "red", 0, 0, health_max=2000),
        fighter("h", "blue", 5, 0, **UNSEEN, **WATCH, **SURE),
        options={"attack_reveals": False},
    )
    table.ask(walk("a", (1, 0)), "ann")
    assert knows(table, "ann") == ["a"]
    for by in ("ann", "eve"):
        text = encode(table.shown(len(table.events), by))
        assert b'"h"' not in text
        assert b"rifle" not in text
    assert "attack_resolved" in kinds(table, "ann")


# --- shots ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "deed",
    [
        shot("h", "a"),
        do("suppress", "h", weapon="rifle", target="a"),
        do("throw_grenade", "h", grenade="bomb", cell={"x": 1, "y": 0}),
        do("melee_attack", "h", target="t"),
    ],
    ids=lambda action: str(action["type"]),
)
@pytest.mark.parametrize("reveals", [True, False])
def test_whoever_attacks_becomes_known_if_the_table_says_so(deed: Tree, reveals: bool) -> None:
    table = battle(
        fighter("h", "green", 5, 0, **UNSEEN, weapons=[rifle()], grenades=[bomb()]),
        fighter("a", "red", 0, 0, health_max=2000),
        fighter("t", "blue", 6, 0, health_max=2000),
        options={"attack_reveals": reveals},
    )
    table.ask(deed)
    for by in UNKNOWING:
        assert ("h" in knows(table, by)) is reveals
        if reveals:
            seen = kinds(table, by)
            assert seen.index("revealed") < seen.index("attack_resolved")
        else:
            assert b'"h"' not in encode(table.shown(len(table.events), by))
            assert b'"h"' not in encode(table.view(by))


@pytest.mark.rule("SQ-SUP-4")
def test_a_shot_at_an_unknown_suppressors_arc_is_wasted_and_not_refused() -> None:
    table = battle(
        fighter("h", "green", 0, 0, **UNSEEN, weapons=[rifle()], accuracy=0),
        fighter("a", "red", 5, 0, health_max=1000),
        fighter("t", "blue", 1, 0, health_max=1000),
        options={"attack_reveals": False},
    )
    table.ask(do("suppress", "h", weapon="rifle", target="a"))
    table.ask(do("end_turn", "h"))
    event = table.ask(shot("a", "t"), "ann")
    [attack] = [each for each in effects_of(event) if each["type"] == "attack_resolved"]
    assert (attack["outcome"], event.draws) == ("wasted", ())
    assert table.combatant("a").weapons[0].rounds == 59
    assert "h" not in knows(table, "ann")


@pytest.mark.rule("SQ-SUP-5")
def test_the_duty_of_an_unknown_suppressor_is_known() -> None:
    table = battle(
        fighter("h", "green", 0, 0, **UNSEEN, weapons=[rifle()], accuracy=0),
        fighter("a", "red", 5, 0, health_max=1000),
        rows=["........x..."],
        options={"attack_reveals": False},
    )
    table.ask(do("suppress", "h", weapon="rifle", target="a"))
    table.ask(do("end_turn", "h"))
    with pytest.raises(Exception, match="must_seek_cover"):
        table.ask(do("kneel", "a"), "ann")


# --- victims --------------------------------------------------------------------------------------


def with_hidden_at(x: int, y: int, deed: Tree, rows: list[str] | None = None) -> Table:
    """A does this; somebody hidden is in that cell."""
    bombs = [bomb(damage={"count": 2, "sides": 6})]
    table = battle(
        fighter("a", "red", 0, 0, grenades=bombs, accuracy=1000, weapons=[rifle()]),
        fighter("t", "blue", 5, 0, health_max=1000),
        fighter("h", "green", x, y, **UNSEEN, health_max=1000),
        rows=rows,
    )
    table.ask(deed, "ann")
    return table


@pytest.mark.rule("SQ-GREN-4")
@pytest.mark.rule("SQ-EXP-1")
@pytest.mark.rule("SQ-EXP-2")
@pytest.mark.parametrize(
    ("deed", "glyph"),
    [
        (do("throw_grenade", "a", grenade="bomb", cell={"x": 5, "y": 1}), "."),
        (do("aimed_shot", "a", weapon="rifle", cell={"x": 6, "y": 2}), "E"),
        (do("aimed_shot", "a", weapon="rifle", cell={"x": 6, "y": 2}), "F"),
    ],
    ids=["grenade", "cargo", "fuel"],
)
def test_a_hidden_victim_suffers_unseen_by_others(deed: Tree, glyph: str) -> None:
    rows = ["............", "............", f"......{glyph}.....", "............"]
    near, far = (with_hidden_at(*cell, deed, rows) for cell in ((5, 2), (11, 3)))
    assert near.combatant("h").heavy_wounds + near.combatant("h").light_wounds > 0
    assert far.combatant("h").heavy_wounds + far.combatant("h").light_wounds == 0
    for by in UNKNOWING:
        seen = [encode(table.shown(len(table.events), by)) for table in (near, far)]
        assert seen[0] == seen[1]
        assert encode(near.view(by)) == encode(far.view(by))


@pytest.mark.rule("SQ-FIRE-1")
def test_somebody_hidden_walks_through_fire_unseen() -> None:
    rows = [".....~~.....", "............"]
    one, other = (
        battle(
            fighter("h", "green", 4, 0, **UNSEEN),
            fighter("a", "red", 0, 1),
            fighter("t", "blue", 11, 1),
            rows=rows,
        )
        for _ in range(2)
    )
    first = one.ask(walk("h", (5, 0), (6, 0)))
    second = other.ask(walk("h", (4, 1), (3, 0)))
    assert one.combatant("h").light_wounds == 2
    compare(one, other, first, second)


# --- units of a pasted map ------------------------------------------------------------------------


def pasted(*secret: Mapping[str, Any], text: str) -> Table:
    """A battle made of a text alone."""
    roster = [
        {"glyph": "G", "side": "red", "weapons": [rifle()]},
        {"glyph": "\u0410", "side": "blue"},
        *secret,
    ]
    return seated({"map": {"text": text, "roster": roster}})


LONE: Final = "G..........\u0410\n............\n"


@pytest.mark.rule("SQ-MAP-5")
def test_hidden_units_of_a_text_leave_no_trace_in_ids_or_creation_or_picture() -> None:
    hidden = {"x": 5, "y": 1, "hidden": True, "side": "green"}
    there = pasted(hidden, text="G..........\u0410\n.....R......\n")
    elsewhere = pasted({**hidden, "x": 3}, text="G..........\u0410\n...S........\n")
    for by in UNKNOWING:
        assert encode(there.shown(1, by)) == encode(elsewhere.shown(1, by))
        assert encode(there.view(by)) == encode(elsewhere.view(by))
    assert knows(there, "ann") == ["mercenary_0_0", "alien_11_0"]
    assert knows(there, "gm") == ["mercenary_0_0", "alien_11_0", "robot_5_1"]


@pytest.mark.rule("SQ-MAP-2")
def test_the_body_of_another_import_is_the_game_masters() -> None:
    tables = [pasted(text=LONE) for _ in range(2)]
    for table, row in zip(tables, ("...R........", "......S....."), strict=True):
        x = row.index("R" if "R" in row else "S")
        secret = {"x": x, "y": 1, "hidden": True, "side": "green", "id": "h"}
        text = f"\u0410..........G\n{row}\n"
        glyphs = [{"glyph": "G", "side": "red"}, {"glyph": "\u0410", "side": "blue"}]
        table.ask({"type": "configure", "map": {"text": text, "roster": [*glyphs, secret]}})
    one, other = tables
    for by in UNKNOWING:
        assert encode(one.shown(2, by)) == encode(other.shown(2, by))
        assert encode(one.view(by)) == encode(other.view(by))
        assert b"roster" not in encode(one.shown(2, by))


@pytest.mark.rule("SQ-MAP-2")
def test_folds_of_hidden_units_are_their_sides() -> None:
    hidden = {"x": 5, "y": 1, "hidden": True, "side": "green"}
    there = pasted(hidden, text="G..........\u0410\n.....A......\n")
    elsewhere = pasted({**hidden, "x": 3}, text="G..........\u0410\n...\u0410........\n")
    for by in UNKNOWING:
        assert encode(there.shown(1, by)) == encode(elsewhere.shown(1, by))
