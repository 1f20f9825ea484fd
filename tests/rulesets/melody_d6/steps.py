"""A few warriors on a table, put there without a creation, and what a step of the rules does.

For the steps that several actions share: `Skirmish(...).after(step, dice)` are the effects of a
step, all faces used; `told` says them in short.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict

from service.engine.battle.fold import EffectBuilder
from service.engine.battle.linear import Linear
from service.engine.battle.state import State
from service.engine.dice.dice import SuppliedDice
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By, Place, Side
from service.rulesets.melody_d6 import RULESET
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Shoot
from service.rulesets.melody_d6.attack_effects import AttackResolved
from service.rulesets.melody_d6.content import Blob
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.evolve import evolve
from service.rulesets.melody_d6.maps import Features
from service.rulesets.melody_d6.options import Options
from service.rulesets.melody_d6.points import Point
from service.rulesets.melody_d6.sample import SAMPLE
from service.rulesets.melody_d6.state import (
    BattleState,
    Combatant,
    Edge,
    Force,
    Song,
    SongShape,
    Unit,
)
from service.rulesets.melody_d6.terrain import Feature, FeatureKind

SEQ: Final = 7
CONTENT: Final = "content"
GM: Final = By(kind="key", id="k1", role="gm")

Told = tuple[object, ...]
"""An effect in short: its tag, and what matters of it."""


def warrior(name: str, x: int, y: int, **sheet: Any) -> Combatant:
    """A standard warrior: of side a if its name begins with that, else b; a separate unit."""
    stated = {
        "side": "a" if name.startswith("a") else "b",
        "unit": f"unit_{name}",
        "health": sheet.get("health_max", 1),
    }
    return Combatant(id=name, place=Place(x=x, y=y), **(stated | sheet))


def box(name: str, kind: FeatureKind, west: int, north: int, east: int, south: int) -> Feature:
    """A rectangle of terrain."""
    corners = ((west, north), (east, north), (east, south), (west, south))
    return Feature(id=name, kind=kind, vertices=tuple(Point(x=x, y=y) for x, y in corners))


def veil(singer: str, x: int = 50_000, y: int = 35_000) -> Song:
    """A Veil of Mist that this singer keeps in play, its centre there: song `s1`."""
    shape = SongShape(kind="disc", origin=Place(x=x, y=y), radius=2500)
    return Song(id="s1", melody="veil_of_mist", combatant=singer, shape=shape, round=1)


class Skirmish:
    """A battle that runs: side a has the turn and its home in the west, unless others are named."""

    def __init__(
        self,
        *warriors: Combatant,
        turn: str = "a",
        home: Edge = "west",
        acting: str | UnsetType = UNSET,
        features: Features = (),
        songs: tuple[Song, ...] = (),
        width: int = 60_000,
        height: int = 40_000,
        **options: Any,
    ) -> None:
        sides = (Side(id="a"), Side(id="b"))
        laid = f"map {width} {height} {features!r}"
        units = {each.unit: each.side for each in warriors}
        self.rule = BattleState(
            status="running",
            options=Options(**options),
            dice="supplied",
            sides=sides,
            map=laid,
            content=CONTENT,
            round=1,
            combatants=tuple(_numbered(each, number) for number, each in enumerate(warriors, 1)),
            units=tuple(Unit(id=unit, side=side, kind="squad") for unit, side in units.items()),
            forces=(
                Force(side="a", home_edge=home, fp=3),
                Force(side="b", home_edge="east", fp=3),
            ),
            side_order=("a", "b"),
            turn_side=turn,
            turn_unit=acting,
            phase="action",
            songs=songs,
        )
        self.blobs = {
            laid: Blob(width=width, height=height, features=features),
            CONTENT: Blob(**asdict(SAMPLE)),
        }

    @property
    def state(self) -> State[BattleState]:
        """The battle as the game master knows it."""
        return State(rule=self.rule, linear=Linear(), terms=RULESET.terms(self.blobs))

    def after(
        self, step: Callable[[Resolution], object], dice: Sequence[int] = ()
    ) -> tuple[fx.Effect, ...]:
        """The effects of a step with these faces, all of them used; the battle continues
        from it.
        """
        supplied = SuppliedDice(tuple(dice), SEQ)
        action = Shoot(combatant="a1", target="b1", weapon="rifle")
        resolution = Resolution(EffectBuilder(self.state, evolve), self.state, action, GM, supplied)
        step(resolution)
        supplied.finish()
        self.rule = resolution.rule
        return resolution.effects.emitted

    def story(self, step: Callable[[Resolution], object], dice: Sequence[int] = ()) -> list[Told]:
        """The same in short."""
        return [told(effect) for effect in self.after(step, dice)]


def _numbered(combatant: Combatant, number: int) -> Combatant:
    return Combatant(**(asdict(combatant) | {"number": number}))


_SHORT: Final[dict[type[fx.Effect], tuple[str, ...]]] = {
    AttackResolved: ("target", "outcome"),
    own.CheckResolved: ("check", "combatant", "outcome"),
    fx.Hurt: ("combatant", "amount", "health"),
    fx.Healed: ("combatant", "amount", "health"),
    own.Felled: ("combatant", "state"),
    own.ConditionGained: ("combatant", "condition"),
    own.ConditionLost: ("combatant", "condition", "cause"),
    fx.Moved: ("combatant", "manner"),
    own.MarkerRemoved: ("marker", "cause"),
    own.Revealed: ("cause",),
    own.ResourceChanged: ("combatant", "resource", "now"),
}


def told(effect: fx.Effect) -> Told:
    """An effect in short."""
    tag = str(_config(effect))
    return (tag, *(getattr(effect, name) for name in _SHORT[type(effect)]), *_more(effect))


def _config(effect: Struct) -> object:
    return effect.__struct_config__.tag


def _more(effect: fx.Effect) -> Told:
    match effect:
        case own.CheckResolved(roll=fx_roll) if fx_roll is not UNSET:
            return (fx_roll.faces,)
        case AttackResolved(detail=detail) if detail.roll is not UNSET:
            return (detail.roll.faces,)
        case fx.Moved(end=end):
            return ((end.x, end.y),)
        case own.Revealed(combatant=combatant):
            return (combatant.id,)
        case _:
            return ()
