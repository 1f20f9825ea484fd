"""Small scenes for the rules: the ground in a few words, and creatures on it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from service.engine.geometry.features import Feature
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space
from service.errors import Refused
from service.rulesets.tactical_d20.rules.cover import cover_against
from service.rulesets.tactical_d20.rules.ground import (
    CoverFeature,
    Fighter,
    Ground,
    ground_of,
)
from service.rulesets.tactical_d20.rules.reports import CoverReport
from service.rulesets.tactical_d20.rules.words import (
    AttackMode,
    CoverGrade,
    FeatureGrade,
    Light,
    LineOptions,
)

DEFAULTS: Final = LineOptions()
Refusal = tuple[str, str | None, dict[str, object]]
"""The code, the rule and the parameters of a refusal."""

INTERIOR: Final = LineOptions(border_contact="interior_only")


def cell(x: int, y: int) -> Feature:
    return Feature("cell", x, y)


def solid(*cells: Cell) -> Ground:
    """A ground with these wall cells."""
    return ground_of(walls=[cell(*each) for each in cells])


def covered(
    grades: Mapping[Cell, FeatureGrade | CoverFeature], *, walls: Iterable[Cell] = ()
) -> Ground:
    """A ground with these cells that give cover, and these wall cells."""
    covers = {
        cell(*place): each if isinstance(each, CoverFeature) else CoverFeature(each)
        for place, each in grades.items()
    }
    return ground_of(walls=[cell(*each) for each in walls], covers=covers)


def smoke(percents: Mapping[Cell, int], *, light: Mapping[Cell, Light] | None = None) -> Ground:
    """A ground with these cells of smoke, and this light."""
    return ground_of(percents={cell(*at): each for at, each in percents.items()}, light=light)


def one(x: int, y: int, size: int = 1) -> Space:
    return Space(x, y, size)


def creature(name: str, x: int, y: int, size: int = 1, *, is_dead: bool = False) -> Fighter:
    """A creature of the side of all but the target, with a reach of five feet."""
    return Fighter(
        id=name, side="red", space=Space(x, y, size), reach_ft=5, is_out=is_dead, is_dead=is_dead
    )


def cover(
    ground: Ground,
    attacker: Space,
    target: Space,
    *others: Fighter,
    mode: AttackMode = "ranged",
    height_ft: int = 6,
    options: LineOptions = DEFAULTS,
    corner: Cell | None = None,
    override: CoverGrade | None = None,
) -> CoverReport:
    """The cover of a target six feet tall, with everything at its default."""
    return cover_against(
        ground,
        attacker,
        target,
        others,
        mode=mode,
        height_ft=height_ft,
        options=options,
        corner=corner,
        override=override,
    )


def refusal(require: Callable[[], None]) -> Refusal | None:
    """What a requirement refuses: its code, its rule and its parameters; None if it lets pass."""
    try:
        require()
    except Refused as refused:
        return refused.code, refused.rule, refused.params
    return None
