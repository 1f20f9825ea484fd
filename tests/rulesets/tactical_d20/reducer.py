"""What every effect of the ruleset changes of a state with some of everything."""

from typing import Any

from msgspec.structs import replace

from service.engine.battle.state import TableOptions
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place, Side
from service.rulesets.tactical_d20 import effects as own
from service.rulesets.tactical_d20.state import (
    ArmourClass,
    BattleState,
    Combatant,
    ConcealmentOverride,
    CoverOverride,
    Options,
    Score,
)
from service.rulesets.tactical_d20.terrain import GroundBorder, GroundCell, TerrainChange
from service.rulesets.tactical_d20.weapons import DamageDice, Weapon
from tests.kit.rig import Reducer
from tests.kit.table import GM

Change = tuple[fx.Effect, dict[str, Any]]
DICE = DamageDice(sides=6)


def someone(name: str, **more: Any) -> Combatant:
    """A combatant of the red side."""
    place = Place(x=0, y=0)
    return Combatant(id=name, side="red", place=place, health=5, health_max=5, **more)


def cell(x: int, **ground: Any) -> TerrainChange:
    """A cell of the first row, with a wall unless said otherwise."""
    return TerrainChange(cell=GroundCell(x=x, y=0, **(ground or {"wall": True})))


def border(x: int, **ground: Any) -> TerrainChange:
    """The west side of such a cell."""
    return TerrainChange(border=GroundBorder(axis="v", x=x, y=0, **(ground or {"wall": True})))


RIFLE = Weapon(id="rifle", kind="ranged", attack_bonus=1, damage=DICE, range_increment_ft=5)
BLADE = Weapon(id="blade", kind="melee", attack_bonus=1, damage=DICE)
COVERS = (
    CoverOverride(versus="b", grade="none"),
    CoverOverride(versus="c", grade="total"),
)
VEILS = (
    ConcealmentOverride(versus="b", percent=0),
    ConcealmentOverride(versus="c", percent=30),
)
A = someone(
    "a",
    weapons=(RIFLE, BLADE),
    cover_overrides=COVERS,
    concealment_overrides=VEILS,
    standard_left=0,
    reaction_left=0,
)
B, C = someone("b"), someone("c")
RULE = BattleState(
    status="running",
    options=Options(),
    dice="sealed",
    sides=(Side(id="red"),),
    map="ab" * 32,
    round=2,
    order=("a", "b", "c"),
    turn="a",
    combatants=(A, B, C),
    scores=(Score(combatant="a", score=9), Score(combatant="b"), Score(combatant="c", score=-1)),
    terrain=(cell(1), border(5)),
    secrets=(cell(2), cell(3), border(6)),
)
DETAIL = own.Detail(attacker="a", mode="ranged", distance_ft=5)


def of(**changes: object) -> dict[str, object]:
    """What changes of the combatant a."""
    return {"combatants": (replace(A, **changes), B, C)}


def tied(link: Any, other: str, tied_: bool = True, **more: Any) -> own.LinkChanged:
    """A word of the game master about a, or none any more."""
    return own.LinkChanged(link=link, combatant="a", other=other, tied=tied_, **more)


def left(resource: str, now: int) -> fx.ResourceChanged:
    """Something of a that is spent or regained."""
    return fx.ResourceChanged(combatant="a", resource=resource, now=now)


def stat(name: str, now: int) -> fx.StatChanged:
    """A number of a."""
    return fx.StatChanged(combatant="a", stat=name, now=now)


BRIEF = Options(unseen_pct=40)
LIFE: list[Change] = [
    (own.OptionsSet(options=BRIEF), {"options": BRIEF}),
    (
        own.OptionsSet(options=BRIEF, map="cd" * 32),
        {"options": BRIEF, "map": "cd" * 32, "terrain": (), "secrets": ()},
    ),
    (
        own.OrderSet(
            entries=(
                fx.OrderEntry(combatant="b", score=7),
                fx.OrderEntry(side="red"),
                fx.OrderEntry(combatant="a"),
            )
        ),
        {"order": ("b", "a"), "scores": (Score(combatant="b", score=7), Score(combatant="a"))},
    ),
    (fx.TurnBegan(combatant="b"), {"turn": "b"}),
    (
        fx.CombatantRemoved(combatant="b"),
        {
            "combatants": (
                replace(A, cover_overrides=COVERS[1:], concealment_overrides=VEILS[1:]),
                C,
            ),
            "order": ("a", "c"),
            "scores": (RULE.scores[0], RULE.scores[2]),
        },
    ),
    (own.AttackResolved(target="b", outcome="miss", detail=DETAIL), {}),
    (own.GravitySet(gravity="zero"), {"gravity": "zero"}),
]
GROUND: list[Change] = [
    (
        own.TerrainChanged(changes=(cell(3, cover="normal"), border(6, opaque=True), cell(0))),
        {
            "terrain": (
                cell(0),
                cell(1),
                cell(3, cover="normal"),
                border(5),
                border(6, opaque=True),
            ),
            "secrets": (cell(2),),
        },
    ),
    (
        own.TerrainChanged(changes=(cell(1, light="dim"), cell(2, opaque=True)), secret=True),
        {"secrets": (cell(1, light="dim"), cell(2, opaque=True), cell(3), border(6))},
    ),
]
SHEETS: list[Change] = [
    (left("standard", 1), of(standard_left=1)),
    (left("move", 0), of(move_left=0)),
    (left("swift", 0), of(swift_left=0)),
    (left("reaction", 1), of(reaction_left=1)),
    (stat("eac", 20), of(ac=ArmourClass(eac=20))),
    (stat("kac", 21), of(ac=ArmourClass(kac=21))),
    (stat("reach_ft", 15), of(reach_ft=15)),
    (stat("health_max", 9), of(health_max=9)),
    (
        fx.ItemChanged(combatant="a", item="rifle", change="stowed"),
        of(weapons=(replace(RIFLE, ready=False), BLADE)),
    ),
    (fx.ItemChanged(combatant="a", item="rifle", change="readied"), {}),
]
LINKS: list[Change] = [
    (
        tied("cover_override", "b", value="improved"),
        of(cover_overrides=(COVERS[1], CoverOverride(versus="b", grade="improved"))),
    ),
    (tied("cover_override", "b", False), of(cover_overrides=COVERS[1:])),
    (
        tied("concealment_override", "b", amount=70),
        of(concealment_overrides=(VEILS[1], ConcealmentOverride(versus="b", percent=70))),
    ),
    (tied("concealment_override", "b", False), of(concealment_overrides=VEILS[1:])),
]
UNKNOWN: list[tuple[fx.Effect, str]] = [
    (fx.ResourceChanged(combatant="a", resource="ammo", now=1), "resource ammo"),
    (fx.ResourceChanged(side="red", resource="move", now=1), "ResourceChanged of nobody"),
    (fx.ItemChanged(combatant="a", item="rifle", change="lost"), "item lost"),
    (fx.StatChanged(combatant="d", stat="reflex", now=1), "no combatant d"),
    (fx.PhaseChanged(phase="x"), "PhaseChanged"),
]
CREATED = own.EncounterCreated(
    ruleset="tactical-d20",
    version="1",
    dice=fx.DiceTerms(mode="supplied"),
    commitment="ab" * 32,
    seed="os",
    options=BRIEF,
    gravity="zero",
    sides=RULE.sides,
    map="cd" * 32,
    creator=GM,
    reveal_by_days=1,
)
BLANK = BattleState(options=BRIEF, gravity="zero", dice="supplied", sides=RULE.sides, map="cd" * 32)
FIRST = [(CREATED, BLANK)]

REDUCER = Reducer(
    rule=RULE,
    changes=(*LIFE, *GROUND, *SHEETS, *LINKS),
    unknown=tuple(UNKNOWN),
    created=tuple(FIRST),
    unfit=fx.EncounterCreated(
        ruleset="tactical-d20",
        version="1",
        dice=fx.DiceTerms(mode="supplied"),
        commitment="ab" * 32,
        seed="os",
        options=TableOptions(),
        sides=RULE.sides,
        creator=GM,
        reveal_by_days=1,
    ),
)
