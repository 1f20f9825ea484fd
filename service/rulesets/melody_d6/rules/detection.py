"""ML-MASK-9 to -14: how masked warriors are detected, and how they move unseen."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from service.engine.geometry.segments import Spot, squared_distance
from service.rulesets.melody_d6.rules.geometry import (
    Measure,
    Near,
    counted_radii,
    is_near_feature,
    is_within_distance,
    nearest,
    passes_within,
)
from service.rulesets.melody_d6.rules.movement import Base
from service.rulesets.melody_d6.terrain import Obstacle

ML_MASK_9: Final = "ML-MASK-9"
ML_MASK_10: Final = "ML-MASK-10"
ML_MASK_11: Final = "ML-MASK-11"
ML_MASK_12: Final = "ML-MASK-12"
ML_MASK_13: Final = "ML-MASK-13"
ML_MASK_14: Final = "ML-MASK-14"

STEP: Final = 1000
"""u of a step."""

HIGHEST: Final = 6
"""The highest face of a detection die."""

DetectionFrom = Literal["active_unit", "side"]


class Searcher(NamedTuple):
    """Somebody who may detect: where it stands, its Mobility, its place in the upload order."""

    id: str
    base: Base
    mobility: int
    order: int


def is_detected_on_way(
    way: Sequence[Spot], radius: int, other: Base, mobility: int, measure: Measure
) -> bool:
    """ML-MASK-9: nobody is masked within Mobility steps of an alert enemy, on no leg of any path.

    `way` are the points of a movement, its start among them, or one alone; `mobility` is that of
    whoever would detect, the one who moves or the `other`. Edge to edge, inclusive; no die, no line
    of sight.
    Source: «в пределах своего значения Подвижности», «в радиусе четырех шагов».
    """
    reach = mobility * STEP + counted_radii(measure, radius, other.radius)
    return any(
        passes_within(other.spot, start, end, reach) for start, end in pairwise((way[0], *way))
    )


def may_detect_for_mover(
    *, is_of_active_unit: bool, is_steady: bool, detection_from: DetectionFrom
) -> bool:
    """ML-MASK-10: at the end of movement the active unit's members detect, moved or not.

    Each on the table and not fleeing; with `detection_from` = `side` any such warrior of the active
    side.
    Source: «По окончанию движения …, соперник бросает D6 + Подвижность ближайшего воина».
    """
    return is_steady and (is_of_active_unit or detection_from == "side")


def is_sought_in_the_open(*, is_masked: bool, is_approaching: bool) -> bool:
    """ML-MASK-11: of the active unit those are tested who are masked and approached in the open.

    The other side rolls, with its nearest alert warrior of any unit, before ML-MASK-10.
    Source: «если воины приближаются к противнику по открытой местности».
    """
    return is_masked and is_approaching


def detection_result(die: int, mobility: int) -> int:
    """The result of a detection roll, in steps."""
    return die + mobility


def is_detected(result: int, searcher: Base, masked: Base, measure: Measure) -> bool:
    """ML-MASK-12: a roll detects each tested warrior within its result in steps of the searcher.

    D6 + Mobility, one die per masked unit. Inclusive.
    Source: «выше или равен расстоянию до маскирующихся в шагах, то они обнаружены».
    """
    radii = searcher.radius + masked.radius
    return is_within_distance(searcher.spot, masked.spot, result * STEP, radii, measure)


def is_out_of_reach(searcher: Searcher, masked: Iterable[Base], measure: Measure) -> bool:
    """ML-MASK-13: no die is rolled where even a 6 would reach nobody. Default, not in the seed."""
    farthest = detection_result(HIGHEST, searcher.mobility)
    return not any(is_detected(farthest, searcher.base, each, measure) for each in masked)


def nearest_searcher(
    searchers: Iterable[Searcher], masked: Sequence[Base], measure: Measure
) -> Searcher | None:
    """Who is nearest to any of the masked, by ML-GEO-3; None of nobody.

    Of pairs whose radii add up alike the nearest is that of the smallest square, so that roots are
    compared for one pair of each sum alone.
    """
    by_id: dict[str, Searcher] = {}
    best: dict[int, tuple[int, int, int, str]] = {}
    for each in searchers:
        by_id[each.id] = each
        for base in masked:
            radii = counted_radii(measure, each.base.radius, base.radius)
            squared = squared_distance(each.base.spot, base.spot)
            pair = (squared, -each.mobility, each.order, each.id)
            if radii not in best or pair < best[radii]:
                best[radii] = pair
    first = nearest(
        Near(combatant=name, squared=squared, radii=radii, mobility=-lack, order=order)
        for radii, (squared, lack, order, name) in best.items()
    )
    return None if first is None else by_id[first.combatant]


def is_covert_leg(
    start: Base, end: Base, obstacles: Iterable[Obstacle], near: int, measure: Measure
) -> bool:
    """ML-MASK-14: a leg is covert if both its ends are near the footprint of one and the same hide.

    Within `near` u of any edge or inside, for corners that serve alike; `mask_mode` = `none` hides
    nothing. The footprint is convex, so the whole leg is behind it.
    Source: «может скрытно двигаться за укрытием».
    """
    return any(
        is_near_feature(each.polygon, start.spot, near, start.radius, measure)
        and is_near_feature(each.polygon, end.spot, near, end.radius, measure)
        for each in obstacles
        if each.mask_mode != "none"
    )


def is_covert(
    way: Sequence[Spot], radius: int, obstacles: Sequence[Obstacle], near: int, measure: Measure
) -> bool:
    """Whether all legs of a path are covert; `way` has its start among its points."""
    return all(
        is_covert_leg(Base(start, radius), Base(end, radius), obstacles, near, measure)
        for start, end in pairwise(way)
    )


def approaches(start: Spot, end: Spot, enemies: Iterable[Spot]) -> bool:
    """Whether an end is nearer to one of these than the start was, centre to centre."""
    return any(squared_distance(end, each) < squared_distance(start, each) for each in enemies)
