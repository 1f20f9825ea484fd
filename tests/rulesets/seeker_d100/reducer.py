"""What every effect of the ruleset changes of a state with some of everything."""

from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.state import TableOptions
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import DrawRun, Place, Roll, Side
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.state import (
    Aim,
    Answering,
    BattleState,
    Combatant,
    Drawn,
    Hold,
    Options,
    Skills,
    StandingRoll,
)
from service.rulesets.seeker_d100.terrain import CoverChange, Ground, Point
from service.rulesets.seeker_d100.weapons import BodyArmour, Weapon
from tests.kit.rig import Reducer
from tests.kit.table import GM

PISTOL = Weapon(id="pistol", skill="ranged", ammo=3)
KNIFE = Weapon(id="knife", skill="melee_weapon")
ANSWERING = Answering(kind="dodge")
STANDING = StandingRoll(kind="resist_counter", natural=30, level=2, item="knife")
A = Combatant(
    id="a",
    side="red",
    place=Place(x=0, y=0),
    health=5,
    health_max=9,
    conditions=("aim", "answering", "unaware", "standing_roll", "next_roll", "movement_test"),
    skills=Skills(dodge=40, unarmed=30),
    body_armour=BodyArmour(value=3, parts=("head",)),
    held_items=("pistol", "torch", "torch"),
    weapons=(PISTOL, KNIFE),
    actions_left=0,
    aim=Aim(round=1),
    answering=ANSWERING,
    standing_roll=STANDING,
    next_roll=5,
    movement_test=-5,
    holding="b",
)
B = Combatant(
    id="b",
    side="blue",
    place=Place(x=1, y=0),
    health=5,
    health_max=5,
    conditions=("unconscious",),
    actions_left=0,
    held_by=Hold(holder="a", natural=40, level=2),
)
C = Combatant(id="c", side="blue", place=Place(x=2, y=0), health=5, health_max=5)


def wall(x: int) -> Ground:
    return Ground(start=Point(x=x, y=0), end=Point(x=x, y=9), armour=5)


def cover(name: str, x: int = 1) -> CoverChange:
    return CoverChange(feature=name, terrain=wall(x))


CARDS = tuple(Drawn(combatant=name, card=card) for name, card in (("a", 50), ("b", 7), ("c", 3)))
RULE = BattleState(
    status="running",
    options=Options(),
    dice="sealed",
    sides=(Side(id="red"), Side(id="blue")),
    map="ab" * 32,
    round=2,
    order=("a", "b", "c"),
    turn="a",
    combatants=(A, B, C),
    cards=CARDS,
    deck=(10, 20, 30),
    terrain=(cover("k"), cover("m")),
    secrets=(cover("k", 2), cover("s"), cover("z")),
)


def of(**changes: object) -> dict[str, object]:
    """What changes of the combatant a."""
    return {"combatants": (replace(A, **changes), B, C)}


def gained(condition: Any, **more: Any) -> own.ConditionGained:
    return own.ConditionGained(combatant="c", condition=condition, **more)


def of_c(condition: Any, **changes: object) -> dict[str, object]:
    """What changes of the combatant c, for whom a condition holds from now on."""
    return {"combatants": (A, B, replace(C, conditions=(condition,), **changes))}


def ended(condition: Any, **changes: object) -> tuple[fx.Effect, dict[str, Any]]:
    left = tuple(each for each in A.conditions if each != condition)
    effect = own.ConditionLost(combatant="a", condition=condition)
    return effect, of(conditions=left, **changes)


def stat(name: str, now: int) -> fx.StatChanged:
    return fx.StatChanged(combatant="a", stat=name, now=now)


def item(name: str, change: str) -> fx.ItemChanged:
    return fx.ItemChanged(combatant="a", item=name, change=change)


def card(face: int, sides: int) -> own.Rolled:
    return own.Rolled(purpose="card", roll=Roll(sides=sides, faces=(face,), total=face, draws=()))


BRIEF = Options(cell_m=2)
RUN = DrawRun(stream=0, number=3)
FRESH = replace(
    A,
    actions_left=1,
    answering=UNSET,
    standing_roll=UNSET,
    conditions=("aim", "unaware", "next_roll", "movement_test"),
)
EFFECTS: list[tuple[fx.Effect, dict[str, Any]]] = [
    (gained("aim", facts={"round": 7}), of_c("aim", aim=Aim(round=7))),
    (gained("answering", value="dodge"), of_c("answering", answering=ANSWERING)),
    (
        gained("answering", value="resist_block", item="knife"),
        of_c("answering", answering=Answering(kind="resist_block", item="knife")),
    ),
    (
        gained(
            "standing_roll",
            value="resist_counter",
            item="knife",
            facts={"natural": 30, "level": 2},
            draw=RUN,
        ),
        of_c("standing_roll", standing_roll=replace(STANDING, draw=RUN)),
    ),
    (gained("next_roll", amount=-5), of_c("next_roll", next_roll=-5)),
    (gained("movement_test", amount=0), of_c("movement_test", movement_test=0)),
    (gained("unaware"), of_c("unaware")),
    ended("aim", aim=UNSET),
    ended("answering", answering=UNSET),
    ended("standing_roll", standing_roll=UNSET),
    ended("next_roll", next_roll=UNSET),
    ended("movement_test", movement_test=UNSET),
    ended("unaware"),
    (stat("strength", 7), of(strength=7)),
    (stat("dexterity", 7), of(dexterity=7)),
    (stat("free_hands", 1), of(free_hands=1)),
    (stat("health_max", 7), of(health_max=7)),
    (stat("helmet", 1), of(helmet=True)),
    (stat("helmet", 0), {}),
    (stat("body_armour", 7), of(body_armour=BodyArmour(value=7, parts=("head",)))),
    (
        fx.StatChanged(combatant="c", stat="body_armour", now=7),
        {"combatants": (A, B, replace(C, body_armour=BodyArmour(value=7)))},
    ),
    (stat("dodge", 7), of(skills=Skills(dodge=7, unarmed=30))),
    (fx.ResourceChanged(combatant="a", resource="action", now=1), of(actions_left=1)),
    (
        own.ResourceChanged(combatant="a", resource="ammo", item="pistol", now=2),
        of(weapons=(replace(PISTOL, ammo=2), KNIFE)),
    ),
    (
        item("pistol", "lost"),
        of(held_items=("torch", "torch"), weapons=(replace(PISTOL, dropped=True), KNIFE)),
    ),
    (item("knife", "gained"), of(held_items=(*A.held_items, "knife"))),
    (item("knife", "lost"), of(weapons=(PISTOL, replace(KNIFE, dropped=True)))),
    (item("torch", "lost"), of(held_items=("pistol", "torch"))),
    (item("rope", "gained"), of(held_items=(*A.held_items, "rope"))),
    (item("rope", "lost"), {}),
    (
        own.LinkChanged(
            link="hold",
            combatant="c",
            other="b",
            tied=True,
            facts={"natural": 12, "level": 3},
        ),
        {
            "combatants": (
                A,
                replace(B, holding="c"),
                replace(C, held_by=Hold(holder="b", natural=12, level=3)),
            )
        },
    ),
    (
        own.LinkChanged(link="hold", combatant="b", other="a", tied=False),
        {"combatants": (replace(A, holding=UNSET), replace(B, held_by=UNSET), C)},
    ),
    (own.OptionsSet(options=BRIEF), {"options": BRIEF}),
    (
        own.OptionsSet(options=BRIEF, map="cd" * 32),
        {"options": BRIEF, "map": "cd" * 32, "terrain": (), "secrets": ()},
    ),
    (
        own.OrderSet(
            entries=(
                own.OrderEntry(combatant="b", facts={"card": 9}),
                own.OrderEntry(facts={"card": 1}),
                own.OrderEntry(combatant="a"),
            )
        ),
        {"order": ("b", "a"), "cards": (Drawn(combatant="b", card=9),)},
    ),
    (fx.RoundBegan(round=3), {"round": 3} | {"combatants": (FRESH, replace(B, actions_left=1), C)}),
    (card(1, 3), {"deck": (20, 30)}),
    (card(3, 3), {"deck": (20, 10)}),
    (card(1, 52), {"deck": tuple(range(1, 52))}),
    (
        fx.CombatantRemoved(combatant="a"),
        {
            "combatants": (replace(B, held_by=UNSET), C),
            "order": ("b", "c"),
            "cards": CARDS[1:],
        },
    ),
    (
        fx.CombatantRemoved(combatant="b"),
        {
            "combatants": (replace(A, holding=UNSET), C),
            "order": ("a", "c"),
            "cards": (CARDS[0], CARDS[2]),
        },
    ),
    (
        fx.CombatantRemoved(combatant="c"),
        {"combatants": (A, B), "order": ("a", "b"), "cards": CARDS[:2]},
    ),
    (
        own.TerrainChanged(changes=(cover("z", 3), cover("a"), cover("m", 9))),
        {
            "terrain": (cover("a"), cover("k"), cover("m", 9), cover("z", 3)),
            "secrets": RULE.secrets[:2],
        },
    ),
    (
        own.TerrainChanged(changes=(cover("m", 4), cover("s", 4)), secret=True),
        {"secrets": (cover("k", 2), cover("m", 4), cover("s", 4), cover("z"))},
    ),
    (own.Rolled(purpose="attack", roll=Roll(sides=52, faces=(1,), total=1, draws=())), {}),
]
UNKNOWN: list[tuple[fx.Effect, str]] = [
    (gained("answering"), "answering UNSET"),
    (gained("answering", value="run"), "answering run"),
    (fx.ResourceChanged(combatant="a", resource="fate", now=1), "resource fate"),
    (fx.ResourceChanged(side="red", resource="action", now=1), "ResourceChanged of nobody"),
    (fx.StatChanged(combatant="d", stat="dodge", now=1), "no combatant d"),
    (fx.PhaseChanged(phase="x"), "PhaseChanged"),
]
CREATED = own.EncounterCreated(
    ruleset="seeker-d100",
    version="1",
    dice=fx.DiceTerms(mode="supplied"),
    commitment="ab" * 32,
    seed="os",
    options=BRIEF,
    sides=RULE.sides,
    map="cd" * 32,
    content="ef" * 32,
    creator=GM,
    reveal_by_days=1,
)
BLANK = BattleState(
    options=BRIEF, dice="supplied", sides=RULE.sides, map="cd" * 32, content="ef" * 32
)
DEALT = replace(CREATED, setup=own.Prepared(deck=(5, 6)))
FIRST = [(CREATED, BLANK), (DEALT, replace(BLANK, deck=(5, 6)))]

REDUCER = Reducer(
    rule=RULE,
    changes=tuple(EFFECTS),
    unknown=tuple(UNKNOWN),
    created=tuple(FIRST),
    unfit=replace(CREATED, options=TableOptions()),
)
