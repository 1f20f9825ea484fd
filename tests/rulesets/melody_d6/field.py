"""A battle as steps of deciding look at it: stated whole, acted in, and compared as JSON values."""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.decision_groups import close
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.linear import Linear
from service.engine.battle.state import State
from service.engine.dice.dice import SuppliedDice
from service.engine.kit.perception import perceive
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.choices import PassChoice
from service.engine.vocabulary.values import By, Place, Side
from service.errors import Refused
from service.rulesets.melody_d6 import RULESET
from service.rulesets.melody_d6.actions import (
    Answer,
    Charge,
    EndMovement,
    GmReveal,
    Mask,
    Move,
    Unmask,
)
from service.rulesets.melody_d6.content import Blob
from service.rulesets.melody_d6.deciding import charges, detection, masks, moves
from service.rulesets.melody_d6.deciding.completion import complete
from service.rulesets.melody_d6.deciding.pushes import push
from service.rulesets.melody_d6.deciding.resolution import Resolution, WaitingAction
from service.rulesets.melody_d6.deciding.windows import READERS
from service.rulesets.melody_d6.evolve import evolve
from service.rulesets.melody_d6.options import Options
from service.rulesets.melody_d6.points import Point
from service.rulesets.melody_d6.remainders import REMAINDERS, MaskRemainder, MoveRemainder
from service.rulesets.melody_d6.sample import SAMPLE
from service.rulesets.melody_d6.state import BattleState, Combatant, Force, Unit
from service.rulesets.melody_d6.terrain import FeatureChange, FeatureKind, Footprint
from tests.kit.table import tree_of

Tree = dict[str, Any]
Spot = tuple[int, int]

BY = By(kind="key", id="01900000-0000-7000-8000-0000000000aa", role="gm")
SEQ = 7
CONTENT = "0" * 64
BLOBS = {
    CONTENT: Blob(
        weapons=SAMPLE.weapons,
        melodies=SAMPLE.melodies,
        templates=SAMPLE.templates,
        mistake_tables=SAMPLE.mistake_tables,
    )
}


def warrior(name: str, x: int, y: int, *conditions: Any, side: str = "a", **more: Any) -> Combatant:
    """A STD warrior whose unit is called after its side unless another one is stated."""
    unit = more.pop("unit", f"{side}1")
    place = Place(x=x, y=y)
    return Combatant(
        id=name, side=side, unit=unit, place=place, conditions=conditions, health=1, **more
    )


def enemy(name: str, x: int, y: int, *conditions: Any, **more: Any) -> Combatant:
    """A STD warrior of the side whose turn it is not."""
    return warrior(name, x, y, *conditions, side="b", **more)


def terrain(name: str, kind: FeatureKind, corners: tuple[int, int, int, int]) -> FeatureChange:
    """A rectangle on the table."""
    west, north, east, south = corners
    points = ((west, north), (east, north), (east, south), (west, south))
    vertices = tuple(Point(x=x, y=y) for x, y in points)
    return FeatureChange(feature=name, terrain=Footprint(kind=kind, vertices=vertices))


class Field:
    """A battle in side a's turn, the activation of its unit a1 open in the movement phase."""

    def __init__(self, *warriors: Combatant, ground: tuple[FeatureChange, ...] = (), **more: Any):
        units = dict.fromkeys((each.unit, each.side) for each in warriors)
        fp = more.pop("fp", 3)
        self.rule = BattleState(
            status="running",
            options=Options(**more.pop("options", {})),
            dice="supplied",
            content=CONTENT,
            sides=(Side(id="a"), Side(id="b")),
            round=1,
            combatants=tuple(
                replace(each, number=number) for number, each in enumerate(warriors, 1)
            ),
            units=tuple(Unit(id=unit, side=side, kind="squad") for unit, side in units),
            forces=(
                Force(side="a", home_edge="west", fp=fp),
                Force(side="b", home_edge="east"),
            ),
            side_order=("a", "b"),
            turn_side="a",
            turn_unit="a1",
            terrain=ground,
            **more,
        )

    def combatant(self, name: str) -> Combatant:
        """A warrior as the battle has it now."""
        return next(each for each in self.rule.combatants if each.id == name)

    @property
    def state(self) -> State[BattleState]:
        """The battle as it is."""
        return State(rule=self.rule, linear=Linear(), terms=RULESET.terms(BLOBS))

    def view(self, side: str = "a") -> State[BattleState]:
        """The battle as this side may know it."""
        return perceive(self.state, Viewer(sides=(side,)))

    def carry_out(
        self,
        action: WaitingAction,
        step: Callable[[Resolution], None],
        faces: tuple[int, ...] = (),
        effects: EffectBuilder[BattleState] | None = None,
    ) -> list[Tree]:
        """The effects of one step, whole, with what follows an action; all dice are used up."""
        dice = SuppliedDice(faces, SEQ)
        builder = EffectBuilder(self.state, evolve) if effects is None else effects
        resolution = Resolution(builder, self.view(), action, BY, dice)
        step(resolution)
        complete(resolution)
        assert len(dice.draws) == len(faces)
        self.rule = resolution.rule
        return [tree_of(each) for each in resolution.effects.emitted]

    def move(self, name: str, *path: Spot) -> list[Tree]:
        """A move on what its side knows."""
        action = Move(combatant=name, path=points(path))
        return self.carry_out(action, lambda each: moves.move(each, action))

    def charge(self, name: str, target: str, *path: Spot) -> list[Tree]:
        """A charge on what its side knows."""
        action = Charge(combatant=name, target=target, path=points(path))
        return self.carry_out(action, lambda each: charges.charge(each, action))

    def mask(self, *names: str) -> list[Tree]:
        """A declaration of masking on what its side knows."""
        action = Mask(combatants=names)
        return self.carry_out(action, lambda each: masks.mask(each, action))

    def unmask(self, name: str) -> list[Tree]:
        """Masking left by will."""
        action = Unmask(combatant=name)
        return self.carry_out(action, lambda each: masks.unmask(each, action))

    def end_movement(self, *faces: int) -> list[Tree]:
        """The detection rolls when the movement of the active unit ends."""
        return self.carry_out(EndMovement(unit="a1"), detection.at_end_of_movement, faces)

    def push(self, name: str, origin: Spot, distance: int = 3000) -> list[Tree]:
        """Somebody is pushed away from an origin."""
        cause = GmReveal(combatant=name)

        def step(resolution: Resolution) -> None:
            push(resolution, name, origin, distance)

        return self.carry_out(cause, step)

    def go_on(
        self, at: tuple[int, int] | None = None, meanwhile: tuple[Combatant, ...] = ()
    ) -> list[Tree]:
        """The guards pass; before that the mover is shot at, at this point, and these change."""
        [decision] = self.rule.pending[-1].decisions
        answer = Answer(decision_id=decision.id, choice=PassChoice())
        effects: EffectBuilder[BattleState] = EffectBuilder(self.state, evolve)
        resumed = close(effects, decision, answer, READERS)
        assert resumed is not None
        assert resumed.remainder is not UNSET
        remainder = REMAINDERS.decode(resumed.remainder)

        def step(resolution: Resolution) -> None:
            nonlocal remainder
            if isinstance(remainder, MaskRemainder):
                self._changed(resolution, meanwhile)
                masks.complete(resolution, remainder)
            if isinstance(remainder, MoveRemainder):
                if at is not None:
                    remainder = moves.walk_to(resolution, remainder, *at)
                self._changed(resolution, meanwhile)
                moves.arrive(resolution, remainder)

        return self.carry_out(resumed.action, step, (), effects)

    def _changed(self, resolution: Resolution, meanwhile: tuple[Combatant, ...]) -> None:
        changed = {each.id: each for each in meanwhile}
        effects = resolution.effects
        present = tuple(changed.get(each.id, each) for each in effects.rule.combatants)
        effects.rule = replace(effects.rule, combatants=present)
        effects.state = replace(effects.state, rule=effects.rule)


def points(path: tuple[Spot, ...]) -> tuple[Point, ...]:
    """Waypoints as an action states them."""
    return tuple(Point(x=x, y=y) for x, y in path)


def refused(act: Callable[[], object]) -> tuple[str, Tree]:
    """The code and the parameters of what an action is refused with."""
    try:
        act()
    except Refused as refusal:
        rule = {} if refusal.rule is None else {"rule": refusal.rule}
        return refusal.code, {**rule, **refusal.params}
    raise AssertionError("nothing was refused")


def told(effects: list[Tree]) -> list[str]:
    """What happened in a few words each: type, whom it is about, and what or why."""
    return [" ".join(_words(each)) for each in effects]


def _words(effect: Tree) -> list[str]:
    combatant = effect.get("combatant", effect.get("decision", {}).get("kind", ""))
    named = combatant["id"] if isinstance(combatant, dict) else combatant
    words = [effect["type"], named]
    words += [str(effect[key]) for key in ("resource", "condition", "why") if key in effect]
    if "end" in effect:
        words += [f"{effect['end']['x']},{effect['end']['y']}"]
    words += [str(effect["cause"])] if "cause" in effect else []
    return [word for word in words if word]
