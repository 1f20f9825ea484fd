"""What every effect of the ruleset changes of a state with some of everything."""

from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.state import TableOptions
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place, Side
from service.rulesets.crossfire_d6 import effects as own
from service.rulesets.crossfire_d6.state import (
    BattleState,
    Combatant,
    Hiding,
    Options,
    Override,
    RememberedStreak,
    Score,
    Weapon,
)
from service.rulesets.crossfire_d6.terrain import Cell, GroundBorder, GroundCell, TerrainChange
from tests.kit.rig import Reducer
from tests.kit.table import GM


def someone(name: str, **more: Any) -> Combatant:
    return Combatant(
        id=name,
        side="red",
        place=Place(x=0, y=0),
        health=5,
        health_max=5,
        melee_defence=5,
        ranged_defence=5,
        **more,
    )


def cell(x: int, kind: Any = "solid") -> TerrainChange:
    return TerrainChange(cell=GroundCell(x=x, y=0, kind=kind))


def border(x: int, kind: Any = "solid") -> TerrainChange:
    return TerrainChange(border=GroundBorder(axis="v", x=x, y=0, kind=kind))


RIFLE = Weapon(id="rifle", kind="ranged", attack_dice=1, damage_dice=1, range_increment_ft=5)
BLADE = Weapon(id="blade", kind="melee", attack_dice=1, damage_dice=1)
A = someone(
    "a",
    weapons=(RIFLE, BLADE),
    actions_left=2,
    pin_count=3,
    pin_origin=Cell(x=1, y=1),
    hidden_from=(Hiding(combatant="b", offset=1), Hiding(combatant="c", offset=2)),
    overrides=(
        Override(versus="b", position="open"),
        Override(versus="c", position="blocked"),
    ),
    shot_at=("b", "c"),
)
B, C = someone("b"), someone("c", shot_at=("a",))
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
    scores=(Score(combatant="a", score=9), Score(combatant="b"), Score(combatant="c", score=1)),
    terrain=(cell(1), border(5)),
    secrets=(cell(2), cell(3), border(6)),
)
DETAIL = own.Detail(attacker="a", mode="ranged", distance_ft=5, attacked_from="front")


def of(**changes: object) -> dict[str, object]:
    """What changes of the combatant a."""
    return {"combatants": (replace(A, **changes), B, C)}


def tied(link: Any, other: str, tied_: bool = True, **more: Any) -> own.LinkChanged:
    return own.LinkChanged(link=link, combatant="a", other=other, tied=tied_, **more)


def stat(name: str, now: int, **more: Any) -> fx.StatChanged:
    return fx.StatChanged(combatant="a", stat=name, now=now, **more)


def shot(target: Any, mode: Any = "ranged") -> own.AttackResolved:
    return own.AttackResolved(target=target, outcome="miss", detail=replace(DETAIL, mode=mode))


BRIEF = Options(actions_per_turn=3)
EFFECTS: list[tuple[fx.Effect, dict[str, Any]]] = [
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
    (
        fx.RoundBegan(round=3),
        {"round": 3, "combatants": (replace(A, shot_at=()), B, replace(C, shot_at=()))},
    ),
    (
        fx.CombatantRemoved(combatant="b"),
        {
            "combatants": (
                replace(
                    A,
                    hidden_from=A.hidden_from[1:],
                    overrides=A.overrides[1:],
                    shot_at=("c",),
                ),
                C,
            ),
            "order": ("a", "c"),
            "scores": (RULE.scores[0], RULE.scores[2]),
        },
    ),
    (shot("d"), of(shot_at=("b", "c", "d"))),
    (shot("b"), {}),
    (shot(UNSET), {}),
    (shot("d", "melee"), {}),
    (
        own.TerrainChanged(changes=(cell(3, "cover"), border(6, "free"), cell(0))),
        {"terrain": (cell(0), cell(1), cell(3, "cover"), border(5), border(6, "free"))}
        | {"secrets": (cell(2),)},
    ),
    (
        own.TerrainChanged(changes=(cell(1, "cover"), cell(2, "free")), secret=True),
        {"secrets": (cell(1, "cover"), cell(2, "free"), cell(3), border(6))},
    ),
    (own.Faced(combatant="a", facing="SW"), of(facing="SW")),
    (
        tied("hidden_from", "b", amount=4),
        of(hidden_from=(A.hidden_from[1], Hiding(combatant="b", offset=4))),
    ),
    (tied("hidden_from", "b", False, amount=4), of(hidden_from=A.hidden_from[1:])),
    (tied("hidden_from", "b"), of(hidden_from=A.hidden_from[1:])),
    (
        tied("position_override", "b", value="in_cover"),
        of(overrides=(A.overrides[1], Override(versus="b", position="in_cover"))),
    ),
    (
        tied("position_override", "b", value="open"),
        of(overrides=(A.overrides[1], Override(versus="b", position="open"))),
    ),
    (
        tied("position_override", "b", value="blocked"),
        of(overrides=(A.overrides[1], Override(versus="b", position="blocked"))),
    ),
    (tied("position_override", "b", False, value="open"), of(overrides=A.overrides[1:])),
    (tied("position_override", "b"), of(overrides=A.overrides[1:])),
    (tied("shot_at", "d"), of(shot_at=("b", "c", "d"))),
    (tied("shot_at", "c"), {}),
    (
        stat("suppression", 5, place=Place(x=7, y=8)),
        of(pin_count=5, pin_origin=Cell(x=7, y=8)),
    ),
    (stat("suppression", 0), of(pin_count=0, pin_origin=UNSET)),
    (
        stat("remembered_suppression", 4, place=Place(x=7, y=8)),
        of(previous_streak=RememberedStreak(origin=Cell(x=7, y=8), count=4)),
    ),
    (stat("remembered_suppression", 0), of(previous_streak=UNSET)),
    (stat("live_suppression", 9), {}),
    (stat("soak", 9), of(soak=9)),
    (stat("health_max", 9), of(health_max=9)),
    (fx.ResourceChanged(combatant="a", resource="actions", now=1), of(actions_left=1)),
    (
        fx.ItemChanged(combatant="a", item="rifle", change="stowed"),
        of(weapons=(replace(RIFLE, ready=False), BLADE)),
    ),
    (fx.ItemChanged(combatant="a", item="rifle", change="readied"), {}),
    (own.PostureChanged(combatant="a", posture="in_cover"), of(posture="in_cover")),
]
UNKNOWN: list[tuple[fx.Effect, str]] = [
    (fx.ResourceChanged(combatant="a", resource="ammo", now=1), "resource ammo"),
    (fx.ResourceChanged(side="red", resource="actions", now=1), "ResourceChanged of nobody"),
    (fx.ItemChanged(combatant="a", item="rifle", change="lost"), "item lost"),
    (fx.StatChanged(combatant="d", stat="soak", now=1), "no combatant d"),
    (fx.PhaseChanged(phase="x"), "PhaseChanged"),
]
CREATED = fx.EncounterCreated(
    ruleset="crossfire-d6",
    version="1",
    dice=fx.DiceTerms(mode="supplied"),
    commitment="ab" * 32,
    seed="os",
    options=BRIEF,
    sides=RULE.sides,
    map="cd" * 32,
    creator=GM,
    reveal_by_days=1,
)
BLANK = BattleState(options=BRIEF, dice="supplied", sides=RULE.sides, map="cd" * 32)
FIRST = [(CREATED, BLANK)]

REDUCER = Reducer(
    rule=RULE,
    changes=tuple(EFFECTS),
    unknown=tuple(UNKNOWN),
    created=tuple(FIRST),
    unfit=replace(CREATED, options=TableOptions()),
)
