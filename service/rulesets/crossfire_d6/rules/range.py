"""CF-RANGE, CF-PB and CF-ELEV: how far and how high attacker and target are from each other.

Being lower costs nothing.
"""

from functools import lru_cache

from service.engine.geometry.distance import DiagonalRule, space_distance
from service.engine.geometry.spaces import Space
from service.engine.vocabulary.breakdown import Modifier
from service.errors import Refused

FEET_PER_CELL = 5


def range_modifier(distance_ft: int, increment_ft: int) -> Modifier | None:
    """CF-RANGE-1: each increment of the effective range after the first costs one die.

    Ranged attacks only; increment_ft >= 1. A distance of exactly one increment costs nothing.
    Source: "штраф -1к6 за каждый такой отрезок дистанции после первого".
    """
    increments = max(1, (distance_ft + increment_ft - 1) // increment_ft)
    if increments == 1:
        return None
    return Modifier(
        rule="CF-RANGE-1",
        amount=1 - increments,
        facts={
            "distance_ft": distance_ft,
            "increment_ft": increment_ft,
            "increments": increments,
        },
    )


def longest_shot_ft(increment_ft: int, stated_ft: int | None, default_increments: int) -> int:
    """The maximum range in feet: what the weapon states, else so many increments."""
    return default_increments * increment_ft if stated_ft is None else stated_ft


def require_in_range(distance_ft: int, longest_ft: int) -> None:
    """CF-RANGE-2: beyond the weapon's maximum range no shot is allowed; the limit itself is.

    Raises Refused("out_of_range").
    Source: "максимальная дальность оружия в 5 раз превышает его эффективную дальность".
    """
    if distance_ft > longest_ft:
        raise Refused(
            "out_of_range", rule="CF-RANGE-2", distance_ft=distance_ft, longest_ft=longest_ft
        )


@lru_cache(maxsize=16_384)
def distance_ft(
    space: Space, elevation_ft: int, other: Space, other_elevation_ft: int, rule: DiagonalRule
) -> int:
    """CF-RANGE-3: the distance of two combatants is that of their nearest cells, 5 ft each.

    A greater difference of elevation counts instead; the two do not add up.
    Default, not in the source text.
    """
    level = FEET_PER_CELL * space_distance(space, other, rule)
    return max(level, abs(elevation_ft - other_elevation_ft))


def point_blank_modifier(distance_ft: int, limit_ft: int) -> Modifier | None:
    """CF-PB-1: two dice less for a shot at a distance up to the limit. Not a cover penalty.

    Source: the table's row "Выстрел в упор -2к6"; the limit is a default.
    """
    if distance_ft > limit_ft:
        return None
    return Modifier(
        rule="CF-PB-1",
        amount=-2,
        facts={"distance_ft": distance_ft, "limit_ft": limit_ft},
    )


def melee_elevation_modifier(attacker_ft: int, target_ft: int, minimum_ft: int) -> Modifier | None:
    """CF-ELEV-1: a melee attacker at least `minimum_ft` above the target gains one die.

    Source: "минимум на 2` для рукопашных атак"; the table's 5 ft loses to the text.
    """
    if attacker_ft - target_ft < minimum_ft:
        return None
    return Modifier(rule="CF-ELEV-1", amount=1, facts=_height(attacker_ft, target_ft, minimum_ft))


def ranged_elevation_modifier(attacker_ft: int, target_ft: int, minimum_ft: int) -> Modifier | None:
    """CF-ELEV-2: a shooter at least `minimum_ft` above the target gains one die, however high.

    Source: "или 10` для дальнобойных атак", "бонус 1к6 к атаке по целям ниже".
    """
    if attacker_ft - target_ft < minimum_ft:
        return None
    return Modifier(rule="CF-ELEV-2", amount=1, facts=_height(attacker_ft, target_ft, minimum_ft))


def _height(attacker_ft: int, target_ft: int, minimum_ft: int) -> dict[str, int]:
    return {"above_ft": attacker_ft - target_ft, "minimum_ft": minimum_ft}
