"""What every effect of the ruleset changes of a state with some of everything."""

from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.state import TableOptions
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place, Side
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.attack_effects import AttackResolved, Detail
from service.rulesets.melody_d6.options import Options
from service.rulesets.melody_d6.points import Point
from service.rulesets.melody_d6.sheets import Singer
from service.rulesets.melody_d6.state import BattleState, Combatant, Force, Song, SongShape, Unit
from service.rulesets.melody_d6.terrain import FeatureChange, Footprint
from tests.kit.rig import Reducer
from tests.kit.table import GM

Change = tuple[fx.Effect, dict[str, Any]]
HERE: Final = Place(x=1000, y=1000)


def someone(name: str, side: str = "red", unit: str = "choir", **more: Any) -> Combatant:
    """A warrior of the red choir."""
    sheet = {"health": 2, "health_max": 2, **more}
    return Combatant(id=name, side=side, unit=unit, place=HERE, **sheet)


A: Final = someone(
    "a",
    singer=Singer(rerolls_per_round=2, melodies=("hum",)),
    conditions=("attacked", "fleeting", "stunned", "melody", "hoarse", "masked"),
    masked_this_turn=True,
    moved=True,
    acted=True,
    stunned_anew=True,
    hoarse_until=4,
    rerolls_left=1,
    songs=("s3", "s5"),
)
B: Final = someone("b", conditions=("approaching",), moved=True, rerolls_left=0)
C: Final = someone("c", "blue", "scouts", conditions=("fleeting", "attacked"), moved=True)
CHOIR: Final = Unit(id="choir", side="red", kind="squad", activated=True)
SCOUTS: Final = Unit(id="scouts", side="blue", kind="lone")
RED: Final = Force(side="red", home_edge="west", fp=2, dampenings=1)
BLUE: Final = Force(side="blue", home_edge="east", fp=1, dampenings=2)
DISC: Final = fx.Shape(kind="disc", origin=HERE, radius=1500)
LAID: Final = SongShape(kind="disc", origin=HERE, radius=1500)
SONG: Final = Song(id="s3", melody="hum", combatant="c", shape=LAID, round=1)
OTHER: Final = Song(id="s5", melody="roar", combatant="b", shape=LAID, round=2, dampened_in=2)
CORNERS: Final = tuple(Point(x=x, y=y) for x, y in ((0, 0), (900, 0), (0, 900)))
ROCK: Final = Footprint(kind="rock", vertices=CORNERS)
WALL: Final = Footprint(kind="low_wall", vertices=CORNERS)


def changed(feature: str, terrain: Footprint = ROCK) -> FeatureChange:
    """A feature as it is from now on."""
    return FeatureChange(feature=feature, terrain=terrain)


RULE: Final = BattleState(
    status="running",
    options=Options(),
    dice="sealed",
    sides=(Side(id="red"), Side(id="blue")),
    map="ab" * 32,
    round=2,
    combatants=(A, B, C),
    units=(CHOIR, SCOUTS),
    forces=(RED, BLUE),
    side_order=("red", "blue"),
    turn_side="red",
    turn_unit="choir",
    phase="action",
    mask_declared=True,
    songs=(SONG, OTHER),
    terrain=(changed("m"),),
)


def of(**changes: object) -> dict[str, object]:
    """What changes of the combatant a."""
    return {"combatants": (replace(A, **changes), B, C)}


def held(*left: str) -> Any:
    """The conditions of a but for these."""
    return tuple(each for each in A.conditions if each not in left)


def gained(condition: Any, **more: Any) -> own.ConditionGained:
    """Something holds of a."""
    return own.ConditionGained(combatant="a", condition=condition, **more)


def lost(condition: Any, **more: Any) -> own.ConditionLost:
    """Something holds of a no more."""
    return own.ConditionLost(combatant="a", condition=condition, **more)


def spent(resource: Any, now: int, **whose: Any) -> own.ResourceChanged:
    """Something is spent or regained."""
    return own.ResourceChanged(resource=resource, now=now, **(whose or {"combatant": "a"}))


BRIEF: Final = Options(mask_near=9)
FRESH: Final = {"masked_this_turn": False, "moved": False, "acted": False}
LIFE: list[Change] = [
    (own.OptionsSet(options=BRIEF), {"options": BRIEF}),
    (
        own.OptionsSet(options=BRIEF, map="cd" * 32),
        {"options": BRIEF, "map": "cd" * 32, "terrain": ()},
    ),
    (
        fx.OrderSet(entries=(fx.OrderEntry(side="blue", score=7), fx.OrderEntry(side="red"))),
        {"side_order": ("blue", "red")},
    ),
    (
        fx.RoundBegan(round=3),
        {
            "round": 3,
            "combatants": (replace(A, rerolls_left=UNSET), replace(B, rerolls_left=UNSET), C),
            "forces": (replace(RED, dampenings=0), replace(BLUE, dampenings=0)),
        },
    ),
    (
        fx.TurnBegan(side="red"),
        {
            "turn_unit": UNSET,
            "units": (replace(CHOIR, activated=False), SCOUTS),
            "combatants": (
                replace(A, conditions=held("attacked", "fleeting"), **FRESH),
                replace(B, conditions=(), **FRESH),
                C,
            ),
        },
    ),
    (
        fx.TurnBegan(side="blue"),
        {
            "turn_side": "blue",
            "turn_unit": UNSET,
            "combatants": (A, B, replace(C, conditions=(), **FRESH)),
        },
    ),
    (fx.TurnEnded(side="red"), {"turn_side": UNSET, "turn_unit": UNSET}),
    (
        own.ActivationBegan(side="blue", unit="scouts"),
        {
            "turn_unit": "scouts",
            "phase": "movement",
            "mask_declared": False,
            "units": (CHOIR, replace(SCOUTS, activated=True)),
        },
    ),
    (own.UnitSpent(unit="scouts"), {"units": (CHOIR, replace(SCOUTS, activated=True))}),
    (own.MaskDeclared(combatants=("a",)), {}),
    (
        own.ActivationEnded(side="red", unit="choir"),
        {
            "turn_unit": UNSET,
            "combatants": (
                replace(A, conditions=held("fleeting"), stunned_anew=False),
                replace(B, conditions=()),
                C,
            ),
        },
    ),
    (own.PhaseChanged(phase="movement", unit="choir"), {"phase": "movement"}),
    (
        fx.CombatantRemoved(combatant="c"),
        {"combatants": (A, B), "units": (CHOIR,)},
    ),
    (fx.CombatantRemoved(combatant="b"), {"combatants": (A, C)}),
    (
        AttackResolved(target="c", outcome="miss", detail=Detail(attacker="a", mode="shot")),
        {},
    ),
    (
        own.TerrainChanged(cause="gm", changes=(changed("m", WALL), changed("a"))),
        {"terrain": (changed("a"), changed("m", WALL))},
    ),
]
TABLE: list[Change] = [
    (
        own.ForceSet(side="blue", home_edge="north", fp=5),
        {"forces": (RED, Force(side="blue", home_edge="north", fp=5))},
    ),
    (
        own.UnitFormed(unit=Unit(id="late", side="red", kind="lone")),
        {"units": (CHOIR, SCOUTS, Unit(id="late", side="red", kind="lone"))},
    ),
    (spent("fp", 0, side="blue"), {"forces": (RED, replace(BLUE, fp=0))}),
    (spent("dampening", 3, side="red"), {"forces": (replace(RED, dampenings=3), BLUE)}),
    (
        own.MarkerPlaced(
            marker="s9",
            kind="melody",
            shape=DISC,
            combatant="a",
            melody="hum",
            target="b",
            round=2,
            monstrous=True,
        ),
        {
            "songs": (
                SONG,
                OTHER,
                Song(
                    id="s9",
                    melody="hum",
                    combatant="a",
                    target="b",
                    shape=LAID,
                    round=2,
                    monstrous=True,
                ),
            )
        },
    ),
    (own.MarkerRemoved(marker="s3", combatant="c", cause="stopped"), {"songs": (OTHER,)}),
    (
        own.SongDampening(marker="s3", combatant="c", round=2),
        {"songs": (replace(SONG, dampened_in=2), OTHER)},
    ),
]
SHEETS: list[Change] = [
    (spent("movement", 1), of(moved=False)),
    (spent("action", 1), of(acted=False)),
    (spent("rerolls", 0), of(rerolls_left=0)),
    *(
        (fx.StatChanged(combatant="a", stat=stat, now=9), of(**{stat: 9}))
        for stat in (
            *("mobility", "move", "accuracy", "melee", "toughness", "armour"),
            *("courage", "sight", "health_max"),
        )
    ),
    (gained("dazed"), of(conditions=(*A.conditions, "dazed"))),
    (gained("stunned"), of(stunned_anew=False)),
    (gained("stunned", until="next_activation"), {}),
    (gained("hoarse", amount=7), of(hoarse_until=7)),
    (gained("melody", item="s9"), of(songs=("s3", "s5", "s9"))),
    (gained("melody", item="s3"), {}),
    (lost("masked", cause="voluntary"), of(conditions=held("masked"))),
    (lost("stunned"), of(conditions=held("stunned"), stunned_anew=False)),
    (lost("hoarse"), of(conditions=held("hoarse"), hoarse_until=0)),
    (lost("melody", item="s3"), of(songs=("s5",))),
]
UNKNOWN: list[tuple[fx.Effect, str]] = [
    (fx.StatChanged(combatant="a", stat="luck", now=1), "stat luck"),
    (fx.StatChanged(combatant="d", stat="melee", now=1), "no combatant d"),
    (spent("fp", 1), "resource fp of a warrior"),
    (spent("rerolls", 1, side="red"), "resource rerolls of a side"),
    (fx.ItemChanged(combatant="a", item="rifle", change="lost"), "ItemChanged"),
]
CREATED: Final = own.EncounterCreated(
    ruleset="melody-d6",
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
BLANK: Final = BattleState(
    options=BRIEF, dice="supplied", sides=RULE.sides, map="cd" * 32, content="ef" * 32
)

REDUCER: Final = Reducer(
    rule=RULE,
    changes=(*LIFE, *TABLE, *SHEETS),
    unknown=tuple(UNKNOWN),
    created=((CREATED, BLANK),),
    unfit=fx.EncounterCreated(
        ruleset="melody-d6",
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
