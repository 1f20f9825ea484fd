"""The cover table of one attacker, as the game master and players may ask for it."""

from typing import Final

import msgspec
import pytest
from msgspec.structs import replace

from service.engine.battle.linear import Linear
from service.engine.battle.state import State
from service.engine.battle.terms import NO_TERMS
from service.engine.kit.perception import perceive
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.engine.vocabulary.breakdown import GroundPart, Modifier
from service.engine.vocabulary.values import Place, Side
from service.errors import Refused
from service.rulesets.tactical_d20.inspections import CoverQuery, CoverRow, CoverTable, cover
from service.rulesets.tactical_d20.rules.reports import (
    ConcealmentReport,
    CoverReport,
    CoverSource,
    Vertex,
)
from service.rulesets.tactical_d20.state import (
    ArmourClass,
    BattleState,
    Combatant,
    ConcealmentOverride,
    CoverOverride,
    Options,
)
from service.rulesets.tactical_d20.terrain import GroundBorder, GroundCell, TerrainChange
from service.rulesets.tactical_d20.weapons import DamageDice, Weapon
from tests.kit.pieces import pieces_and_answer, whole

RED: Final = Viewer(sides=("red",))
BLUE: Final = Viewer(sides=("blue",))
SHOWN: Final = Options()
SECRETIVE: Final = Options(enemy_numbers="hidden")
SWORD: Final = Weapon(
    id="sword", kind="melee", attack_bonus=0, damage=DamageDice(count=0, sides=6, bonus=1)
)


def creature(name: str, x: int, y: int, side: str = "red") -> Combatant:
    return Combatant(
        id=name, side=side, place=Place(x=x, y=y), health=10, health_max=10, weapons=(SWORD,)
    )


def ground(*parts: GroundCell | GroundBorder) -> tuple[TerrainChange, ...]:
    return tuple(
        TerrainChange(cell=part) if isinstance(part, GroundCell) else TerrainChange(border=part)
        for part in parts
    )


def battle(
    *combatants: Combatant,
    terrain: tuple[TerrainChange, ...] = (),
    secrets: tuple[TerrainChange, ...] = (),
    options: Options = SHOWN,
) -> BattleState:
    return BattleState(
        status="running",
        options=options,
        dice="sealed",
        sides=(Side(id="red"), Side(id="blue")),
        combatants=combatants,
        terrain=terrain,
        secrets=secrets,
    )


def table(rule: BattleState, viewer: Viewer = GAME_MASTER, **query: str) -> CoverTable:
    asked = msgspec.convert({"attacker": "a", **query}, CoverQuery)
    return whole(
        cover(perceive(State(rule=rule, linear=Linear(), terms=NO_TERMS), viewer), asked, viewer)
    )


def row(rule: BattleState, viewer: Viewer = GAME_MASTER, **query: str) -> CoverRow:
    """The row of the one target."""
    (only,) = table(rule, viewer, **query).targets
    return only


A: Final = creature("a", 0, 0)
T: Final = creature("t", 4, 0, "blue")
FREE: Final = CoverReport(grade="none", ac=0, reflex=0, can_hide=False, corner=Vertex(x=0, y=0))
CLEAR: Final = ConcealmentReport(percent=0, corner=Vertex(x=0, y=0))


def test_on_free_ground_nothing_is_in_the_way() -> None:
    assert table(battle(A, T)) == CoverTable(
        attacker="a",
        mode="ranged",
        targets=(
            CoverRow(
                target="t",
                distance_ft=20,
                line_of_effect=True,
                line_of_sight="yes",
                cover=FREE,
                concealment=CLEAR,
            ),
        ),
    )


def test_everybody_else_is_a_target_in_the_order_of_entry_but_the_dead() -> None:
    dead = replace(creature("d", 9, 9, "blue"), conditions=("dead",))
    friend, down = creature("f", 3, 3), replace(creature("u", 1, 5), conditions=("unconscious",))
    targets = table(battle(T, friend, A, dead, down)).targets
    assert [each.target for each in targets] == ["t", "f", "u"]


def test_the_table_comes_row_by_row() -> None:
    state = State(rule=battle(A, T, creature("f", 3, 3)), linear=Linear(), terms=NO_TERMS)
    pieces, answer = pieces_and_answer(cover(state, CoverQuery(attacker="a"), GAME_MASTER))
    assert (pieces, len(answer.targets)) == (2, 2)


def test_walls_in_the_way_are_total_cover_and_are_named() -> None:
    walls = ground(*(GroundCell(x=2, y=y, wall=True, transparent=True) for y in (-1, 0, 1)))
    assert row(battle(A, T, terrain=walls)) == CoverRow(
        target="t",
        distance_ft=20,
        line_of_effect=False,
        line_of_sight="yes",
        cover=CoverReport(
            grade="total",
            ac=8,
            reflex=4,
            can_hide=True,
            sources=(
                CoverSource(
                    rule="TD-TOTAL-1",
                    ac=8,
                    reflex=4,
                    ground=(
                        GroundPart(kind="cell", x=2, y=-1),
                        GroundPart(kind="cell", x=2, y=0),
                    ),
                ),
            ),
        ),
        concealment=CLEAR,
    )


def test_creatures_in_the_way_count_for_shots_alone() -> None:
    rule = battle(A, T, creature("s", 2, 0))
    shot, strike = (table(rule, mode=mode).targets[0].cover.ac for mode in ("ranged", "melee"))
    assert (shot, strike) == (4, 0)


def test_hidden_ground_is_the_game_masters_and_gives_no_cover() -> None:
    """Line of effect is judged on what the caller knows; cover on what everyone knows."""
    secrets = ground(*(GroundBorder(axis="v", x=2, y=y, wall=True) for y in range(-6, 7)))
    rule = battle(A, T, secrets=secrets)
    assert row(rule, RED) == row(battle(A, T), RED)
    assert not row(rule).line_of_effect


def test_a_hidden_creature_is_no_target_and_gives_no_cover_to_others() -> None:
    lurker = replace(creature("s", 2, 0, "blue"), hidden=True)
    assert table(battle(A, T, lurker), RED) == table(battle(A, T), RED)
    own = table(battle(A, T, lurker), BLUE).targets
    assert [each.target for each in own] == ["t", "s"]
    assert own[0].cover == FREE


def test_the_hidden_attacker_of_another_side_is_unknown() -> None:
    with pytest.raises(Refused) as refused:
        table(battle(replace(A, hidden=True), T), BLUE)
    assert refused.value.code == "unknown_combatant"


def test_the_game_masters_word_stands_in_the_table_of_those_who_may_know_it() -> None:
    marked = replace(
        T,
        cover_overrides=(CoverOverride(versus="a", grade="improved"),),
        concealment_overrides=(ConcealmentOverride(versus="a", percent=35),),
    )
    known = row(battle(A, marked, options=SECRETIVE), BLUE)
    assert (known.cover.grade, known.concealment.percent, known.unknown) == ("improved", 35, ())
    assert row(battle(A, marked, options=SECRETIVE), RED) == CoverRow(
        target="t",
        distance_ft=20,
        line_of_effect=True,
        line_of_sight="yes",
        cover=FREE,
        concealment=CLEAR,
        unknown=("cover_override", "concealment_override", "blur"),
    )


@pytest.mark.parametrize(
    ("light", "sight", "unknown"),
    [("dim", "yes", ("senses",)), ("dark", "unknown", ("senses",)), (None, "yes", ())],
)
def test_unknown_senses_of_the_attacker_matter_where_it_is_not_bright(
    light: str | None, sight: str, unknown: tuple[str, ...]
) -> None:
    cell = {"x": 4, "y": 0} if light is None else {"x": 4, "y": 0, "light": light}
    lit = ground(msgspec.convert(cell, GroundCell))
    asked = row(battle(A, T, terrain=lit, options=SECRETIVE), BLUE)
    assert (asked.line_of_sight, asked.unknown) == (sight, unknown)


def test_known_senses_see_in_the_dark() -> None:
    dark = ground(GroundCell(x=4, y=0, light="dark"))
    eyes = replace(A, senses=("darkvision",))
    assert [row(battle(each, T, terrain=dark)).line_of_sight for each in (A, eyes)] == ["no", "yes"]


def test_dim_light_conceals_and_is_named() -> None:
    dim = ground(GroundCell(x=4, y=0, light="dim"))
    part = GroundPart(kind="cell", x=4, y=0)
    assert row(battle(A, T, terrain=dim)).concealment == ConcealmentReport(
        percent=20,
        sources=(Modifier(rule="TD-CONC-8", amount=20, ground=(part,)),),
        corner=Vertex(x=0, y=0),
    )


def test_flanking_is_told_for_strikes_with_the_partner() -> None:
    target, partner = creature("t", 1, 0, "blue"), creature("p", 2, 0)
    rows = {each.target: each for each in table(battle(A, target, partner), mode="melee").targets}
    assert (rows["t"].flanked, rows["t"].partner) == ("yes", "p")
    assert (rows["p"].flanked, rows["p"].partner) == ("no", msgspec.UNSET)


def test_flanking_is_unknown_where_the_reach_of_a_partner_is() -> None:
    target, partner = creature("t", 1, 0, "blue"), creature("p", 2, 0)
    hidden = battle(A, target, partner, options=SECRETIVE)
    (seen, _) = table(hidden, BLUE, mode="melee").targets
    assert (seen.flanked, seen.partner, seen.unknown) == ("unknown", msgspec.UNSET, ("reach",))
    apart = replace(partner, place=Place(x=2, y=1))
    (seen, _) = table(battle(A, target, apart, options=SECRETIVE), BLUE, mode="melee").targets
    assert (seen.flanked, seen.unknown) == ("no", ())


def test_two_worlds_that_differ_in_what_is_hidden_have_the_same_table() -> None:
    """Senses, reach, overrides, blur and ground of the other side that the viewer may not know."""
    terrain = ground(GroundCell(x=4, y=0, light="dark"), GroundCell(x=1, y=0, light="dim"))
    plain = battle(A, T, creature("p", 1, 1), terrain=terrain, options=SECRETIVE)
    other = battle(
        replace(
            A,
            senses=("darkvision",),
            reach_ft=30,
            ac=ArmourClass(eac=20, kac=22),
            cover_overrides=(CoverOverride(versus="t", grade="total"),),
        ),
        T,
        replace(
            creature("p", 1, 1),
            blur_pct=50,
            concealment_overrides=(ConcealmentOverride(versus="a", percent=90),),
        ),
        terrain=terrain,
        secrets=ground(GroundCell(x=2, y=0, wall=True), GroundCell(x=3, y=0, concealment_pct=50)),
        options=SECRETIVE,
    )
    for attacker in ("a", "t", "p"):
        for mode in ("ranged", "melee"):
            told = [
                msgspec.json.encode(table(each, BLUE, attacker=attacker, mode=mode))
                for each in (plain, other)
            ]
            assert told[0] == told[1]


@pytest.mark.parametrize(
    "query", [{"attacker": ""}, {"attacker": "a", "mode": "thrown"}, {"target": "t"}]
)
def test_anything_else_is_no_such_question(query: dict[str, str]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(query, CoverQuery)
