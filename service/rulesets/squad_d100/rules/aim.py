"""SQ-COVER and the poses: what makes a roll to hit easier or harder, in the catalogue's order."""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.squad_d100.rules.poses import kneeling_shooter, kneeling_target
from service.rulesets.squad_d100.rules.ranges import WeaponClass, range_modifier
from service.rulesets.squad_d100.rules.shots import (
    AimedModifiers,
    Manner,
    are_circumstances_counted,
    burst_modifier,
    gm_line,
    snap_modifier,
)

SQ_COVER_1: Final = "SQ-COVER-1"

CoverMode = Literal["occupied", "line"]

IN_COVER: Final = 10

NOTE_TARGET_COVER: Final = "target_cover"


class Circumstances(NamedTuple):
    """What makes a roll to hit easier or harder; `distance` is in cells.

    Pose and cover are False where an object is shot at.
    """

    manner: Manner
    weapon: WeaponClass
    distance: int
    is_shooter_kneeling: bool = False
    is_target_kneeling: bool = False
    is_target_in_cover: bool = False
    gm_modifier: int = 0


def is_covered(terrain: str, beside: Iterable[str]) -> bool:
    """Whether a target is in cover: in its own cell, or in one of those `beside` it on the line.

    `beside` are the cells next to it that the shot line crosses where the table counts them
    (`cover_mode` = `line`); the shooter's own is none of them.
    """
    return terrain == "cover" or "cover" in beside


def cover_modifier(*, is_in_cover: bool) -> Modifier | None:
    """SQ-COVER-1: a shot at a target in cover has +10 on the roll, from every direction, once.

    Source: «Укрытие (x) даёт бонус +10 к броску противника на попадание».
    """
    if not is_in_cover:
        return None
    return Modifier(rule=SQ_COVER_1, amount=IN_COVER, note=NOTE_TARGET_COVER)


def shot_breakdown(
    circumstances: Circumstances, aimed_modifiers: AimedModifiers
) -> tuple[Modifier, ...]:
    """The modifiers of a shot that are not zero, in the order of the catalogue (section 5)."""
    of_scene: tuple[Modifier | None, ...] = ()
    if are_circumstances_counted(circumstances.manner, aimed_modifiers):
        of_scene = (
            kneeling_shooter(is_kneeling=circumstances.is_shooter_kneeling),
            kneeling_target(is_kneeling=circumstances.is_target_kneeling),
            cover_modifier(is_in_cover=circumstances.is_target_in_cover),
            range_modifier(circumstances.weapon, circumstances.distance),
        )
    manner = circumstances.manner
    lines = (
        snap_modifier(manner),
        burst_modifier(manner),
        *of_scene,
        gm_line(circumstances.gm_modifier),
    )
    return tuple(line for line in lines if line is not None)


def throw_breakdown(*, is_kneeling: bool, gm_modifier: int) -> tuple[Modifier, ...]:
    """The modifiers of a throw that are not zero, in the order of the catalogue (section 5)."""
    lines = (kneeling_shooter(is_kneeling=is_kneeling), gm_line(gm_modifier))
    return tuple(line for line in lines if line is not None)
