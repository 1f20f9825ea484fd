"""What every effect of the ruleset changes of a state with some of everything."""

from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.state import TableOptions
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place, Side
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.attack_effects import AttackResolved, Detail
from service.rulesets.squad_d100.state import (
    BattleState,
    Cache,
    Combatant,
    Options,
    Suppression,
    VigilanceTest,
)
from service.rulesets.squad_d100.terrain import ChangedCell, ChangedRow, TerrainChange
from service.rulesets.squad_d100.weapons import Grenade, Weapon
from tests.kit.rig import Reducer
from tests.kit.table import GM

Change = tuple[fx.Effect, dict[str, Any]]
HERE: Final = Place(x=0, y=0)


def someone(name: str, **more: Any) -> Combatant:
    """A mercenary of the red side."""
    sheet = {"health": 5, "health_max": 5, **more}
    return Combatant(id=name, side="red", kind="mercenary", place=HERE, **sheet)


def cell(x: int, terrain: Any = "wall", **more: Any) -> TerrainChange:
    """A cell of the first row."""
    return TerrainChange(x=x, y=0, terrain=terrain, **more)


def row(*changed: TerrainChange) -> ChangedRow:
    """The first row with these cells changed, as the state keeps it."""
    cells = (ChangedCell(x=each.x, terrain=each.terrain, open=each.open) for each in changed)
    return ChangedRow(y=0, cells=tuple(cells))


def weapon(name: str, **more: Any) -> Weapon:
    """A weapon of nine rounds."""
    stated = {"kind": "other", "ap_class": 1, "damage": 2, "magazine": 9, "rounds": 9}
    return Weapon(id=name, **{**stated, **more})


def grenade(name: str, count: int = 1) -> Grenade:
    """Grenades."""
    return Grenade(id=name, damage=1, ap_class=1, radius=1, count=count)


GUNS: Final = (weapon("rifle"), weapon("pistol", rounds=3))
BOMBS: Final = (grenade("bomb", 2), grenade("flask"))
PINNED: Final = (Suppression(by="b", due=True), Suppression(by="c"))
A: Final = someone(
    "a",
    weapons=GUNS,
    grenades=BOMBS,
    suppressions=PINNED,
    mp_left=7,
    phase="shooting",
    sprinted=True,
    shooting_used=True,
    sits_out=True,
)
B: Final = someone("b", sprinted=True, phase="shooting", shooting_used=True, mp_left=3)
C: Final = someone("c")
TESTS: Final = (
    VigilanceTest(watcher="b", mover="a"),
    VigilanceTest(watcher="a", mover="b"),
    VigilanceTest(watcher="c", mover="a"),
)
CACHES: Final = (Cache(x=3, y=0, weapons=GUNS[:1]), Cache(x=4, y=0, grenades=BOMBS))
RULE: Final = BattleState(
    status="running",
    options=Options(),
    dice="sealed",
    sides=(Side(id="red"),),
    map="ab" * 32,
    round=2,
    order=("a", "b", "c"),
    turn="a",
    combatants=(A, B, C),
    terrain=(row(cell(1), cell(5, "door", open=True)),),
    tests=TESTS,
    caches=CACHES,
    map_units=("b", "c"),
)


def of(**changes: object) -> dict[str, object]:
    """What changes of the combatant a."""
    return {"combatants": (replace(A, **changes), B, C)}


def left(resource: Any, now: int, **more: Any) -> own.ResourceChanged:
    """Something of a that is spent or regained."""
    return own.ResourceChanged(combatant="a", resource=resource, now=now, **more)


BRIEF: Final = Options(door_cost=9)
DETAIL: Final = Detail(attacker="a", mode="aimed", distance=5)
LIFE: list[Change] = [
    (own.OptionsSet(options=BRIEF), {"options": BRIEF}),
    (
        own.OptionsSet(options=BRIEF, map="cd" * 32),
        {"options": BRIEF, "map": "cd" * 32, "terrain": (), "caches": (), "map_units": ()},
    ),
    (
        own.MapStocked(units=("a",), caches=CACHES[1:]),
        {"map_units": ("a",), "caches": CACHES[1:]},
    ),
    (own.GlyphsFolded(folds=()), {}),
    (
        fx.OrderSet(entries=(fx.OrderEntry(combatant="b", score=7), fx.OrderEntry(combatant="a"))),
        {"order": ("b", "a")},
    ),
    (
        fx.RoundBegan(round=3),
        {"round": 3, **of(sits_out=False)},
    ),
    (
        fx.TurnBegan(combatant="b"),
        {
            "turn": "b",
            "tests": (),
            "combatants": (
                A,
                replace(B, phase="movement", sprinted=False, shooting_used=False),
                C,
            ),
        },
    ),
    (fx.TurnEnded(combatant="a"), {"turn": UNSET, "tests": (), **of(mp_left=UNSET)}),
    (
        fx.CombatantRemoved(combatant="b"),
        {
            "combatants": (replace(A, suppressions=(Suppression(due=True), PINNED[1])), C),
            "order": ("a", "c"),
            "tests": TESTS[2:],
            "map_units": ("c",),
        },
    ),
    (AttackResolved(target="b", outcome="miss", detail=DETAIL), {}),
    (
        own.VigilanceTested(check="vigilance", combatant="c", versus="b", outcome="failure"),
        {"tests": (*TESTS, VigilanceTest(watcher="c", mover="b"))},
    ),
    (own.VigilanceNoShot(combatant="b", target="a", why="no_line"), {}),
    (
        own.TerrainChanged(changes=(cell(5, "door"), cell(0, "fire"))),
        {"terrain": (row(cell(0, "fire"), cell(1), cell(5, "door")),)},
    ),
]
SHEETS: list[Change] = [
    (own.PhaseChanged(phase="movement", combatant="a"), of(phase="movement")),
    (left("mp", 2), of(mp_left=2)),
    (left("shooting", 1), of(shooting_used=False)),
    (left("sprint", 1), of(sprinted=False)),
    (left("rounds", 1, item="pistol"), of(weapons=(GUNS[0], weapon("pistol", rounds=1)))),
    (left("grenades", 5, item="flask"), of(grenades=(BOMBS[0], grenade("flask", 5)))),
    *(
        (fx.StatChanged(combatant="a", stat=stat, now=9), of(**{stat: 9}))
        for stat in (
            *("strength", "agility", "accuracy", "endurance", "armour_class", "melee_ap"),
            *("health_max", "heavy_wounds", "light_wounds"),
        )
    ),
    (
        own.Suppressed(combatant="a", by="b"),
        of(suppressions=(PINNED[1], Suppression(by="b"))),
    ),
    (
        own.SuppressionDue(combatant="a"),
        of(suppressions=(PINNED[0], Suppression(by="c", due=True))),
    ),
    (own.SuppressionEnded(combatant="a"), of(suppressions=PINNED[1:])),
    (own.SuppressionEnded(combatant="a", all=True), of(suppressions=())),
    (
        own.ItemsTaken(
            combatant="a", place=Place(x=3, y=0), weapons=(weapon("rifle_2"),), grenades=BOMBS[:0]
        ),
        {**of(weapons=(*GUNS, weapon("rifle_2"))), "caches": CACHES[1:]},
    ),
]
UNKNOWN: list[tuple[fx.Effect, str]] = [
    (fx.StatChanged(combatant="a", stat="luck", now=1), "stat luck"),
    (fx.StatChanged(combatant="d", stat="strength", now=1), "no combatant d"),
    (fx.ItemChanged(combatant="a", item="rifle", change="lost"), "ItemChanged"),
]
CREATED: Final = own.EncounterCreated(
    ruleset="squad-d100",
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
BLANK: Final = BattleState(options=BRIEF, dice="supplied", sides=RULE.sides, map="cd" * 32)

REDUCER: Final = Reducer(
    rule=RULE,
    changes=(*LIFE, *SHEETS),
    unknown=tuple(UNKNOWN),
    created=((CREATED, BLANK),),
    unfit=fx.EncounterCreated(
        ruleset="squad-d100",
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
