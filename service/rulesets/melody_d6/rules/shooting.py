"""ML-SHOOT: whom one may shoot at, and when a shot hits.

How this works. Accuracy and modifiers are added to each die to hit, and 7 has to be reached; its
natural face decides first. Wounds and saves are in `wounds`. All of it is default, not in the
source text.
"""

from collections.abc import Callable, Iterable
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from service.engine.geometry.polygons import Polygon, enters_interior, is_near_polygon
from service.engine.geometry.segments import Spot
from service.errors import Refused
from service.rulesets.melody_d6.lines import Line
from service.rulesets.melody_d6.rules.masking import require_no_masked_target

ML_SHOOT_1: Final = "ML-SHOOT-1"
ML_SHOOT_2: Final = "ML-SHOOT-2"
ML_SHOOT_3: Final = "ML-SHOOT-3"
ML_SHOOT_4: Final = "ML-SHOOT-4"
ML_SHOOT_5: Final = "ML-SHOOT-5"

HIT_NEEDED: Final = 7
COVER_NEAR: Final = 1000
"""How near to its cover a target stands, in u."""

NOTE_LONG_RANGE: Final = "long_range"
NOTE_COVER: Final = "cover"
NOTE_DAZED: Final = "dazed"
NOTE_MELODY_BY: Final = "melody_by"
NOTE_MELODY_AT: Final = "melody_at"

RollReason = Literal["natural_1", "natural_6", "total"]
"""What decided a die: its natural face, or the total with everything that was added."""


class Aim(NamedTuple):
    """What decides whether somebody may be shot at; the costly questions are asked when needed.

    `sight` of the shooter and `longest` range of the weapon, in u, are what refusals tell.
    """

    is_friendly: bool
    is_gone: bool
    is_masked: bool
    is_engaged: Callable[[], bool]
    is_in_sight: Callable[[], bool]
    has_line: Callable[[], bool]
    is_in_range: Callable[[], bool]
    sight: int
    longest: int


def require_shootable(target: str, aim: Aim) -> None:
    """ML-SHOOT-1: an enemy on the table, neither masked nor engaged, in sight, in line, in range.

    Raises Refused("target_friendly"), ("target_gone"), ("target_masked"), ("target_engaged"),
    ("out_of_sight"), ("no_line_of_sight") or ("out_of_range"), checked in this order (E54, E83).
    """
    if aim.is_friendly:
        raise Refused("target_friendly", rule=ML_SHOOT_1, target=target)
    if aim.is_gone:
        raise Refused("target_gone", rule=ML_SHOOT_1, target=target)
    require_no_masked_target(target, is_masked=aim.is_masked)
    if aim.is_engaged():
        raise Refused("target_engaged", rule=ML_SHOOT_1, target=target)
    if not aim.is_in_sight():
        raise Refused("out_of_sight", rule=ML_SHOOT_1, target=target, sight=aim.sight)
    if not aim.has_line():
        raise Refused("no_line_of_sight", rule=ML_SHOOT_1, target=target)
    if not aim.is_in_range():
        raise Refused("out_of_range", rule=ML_SHOOT_1, target=target, longest=aim.longest)


class HitDie(NamedTuple):
    """How a die to hit ended, and what decided it."""

    is_hit: bool
    reason: RollReason


def hit_die(natural: int, bonus: int) -> HitDie:
    """ML-SHOOT-2: a shot hits if D6, accuracy and modifiers reach 7; `bonus` is what is added.

    A natural 1 always misses, a natural 6 always hits (E83).
    """
    if natural == 1:
        return HitDie(is_hit=False, reason="natural_1")
    if natural == 6:
        return HitDie(is_hit=True, reason="natural_6")
    return HitDie(is_hit=natural + bonus >= HIT_NEEDED, reason="total")


def long_range_line(squared_distance: int, reach: int, radii: int) -> Line | None:
    """ML-SHOOT-3: -1 where twice the edge distance is more than the weapon's range, equal is not.

    `squared_distance` is between the centres, `radii` the sum of both bases in u, 0 where the table
    measures between centres (E54).
    """
    if 4 * squared_distance <= (reach + 2 * radii) ** 2:
        return None
    return Line(rule=ML_SHOOT_3, amount=-1, note=NOTE_LONG_RANGE)


def cover_line(start: Spot, end: Spot, radius: int, covers: Iterable[Polygon]) -> Line | None:
    """ML-SHOOT-4: -1 if the line of sight runs through low cover near the target, once at most.

    `covers` are the low features that give cover. The line has to have a piece of positive length
    within one of them, and the target's base to be within 1000 u of it; `radius` is 0 where the
    table measures between centres (E56).
    """
    reach = COVER_NEAR + radius
    for cover in covers:
        if is_near_polygon(cover, end, reach) and enters_interior(cover, start, end):
            return Line(rule=ML_SHOOT_4, amount=-1, note=NOTE_COVER)
    return None


def state_lines(
    *, is_dazed: bool, melodies_by: Iterable[Line], melodies_at: Iterable[Line]
) -> tuple[Line, ...]:
    """ML-SHOOT-5: a dazed shooter has -1; then what lasting Melodies add by shooter and at target.

    Both come as the lines that are left of all Melodies in play (ML-LAST-9).
    """
    dazed = (Line(rule=ML_SHOOT_5, amount=-1, note=NOTE_DAZED),) if is_dazed else ()
    melodies = tuple(
        replace(line, rule=ML_SHOOT_5, note=note, rules=(line.rule,))
        for note, lines in ((NOTE_MELODY_BY, melodies_by), (NOTE_MELODY_AT, melodies_at))
        for line in lines
    )
    return (*dazed, *melodies)
