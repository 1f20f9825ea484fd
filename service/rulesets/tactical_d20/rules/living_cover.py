"""TD-SOFT and TD-COVER-4: creatures in the way."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from service.engine.geometry.corner_lines import features_crossed
from service.engine.geometry.features import Features, features_of
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space, cells_of
from service.rulesets.tactical_d20.rules.cover_grades import Bonus, normal_bonus
from service.rulesets.tactical_d20.rules.ground import Fighter
from service.rulesets.tactical_d20.rules.words import AttackMode

TD_SOFT_1: Final = "TD-SOFT-1"

Bystander = tuple[str, Space]
"""A creature that may be in the way, by its id, and its space."""


class Bystanders(NamedTuple):
    """Creatures that may be in the way of lines, and whose the cells are; `ids` as given."""

    ids: tuple[str, ...]
    cells: Features
    owners: Mapping[Cell, tuple[str, ...]]


def gives_living_cover(mode: AttackMode, *, is_left_out: bool, counts_in_melee: bool) -> bool:
    """TD-SOFT-1: another living creature in the way is cover against ranged attacks.

    Friend or foe of anybody, prone or unconscious or not; against melee attacks only with the
    option `soft_cover_vs_melee`. Left out are the dead, where `fallen_give_cover` is false the
    unconscious with them. Leave those out, too, who are hidden from somebody who learns of the
    attack.
    Source: «Существа, в том числе противники, могут служить укрытием от дистанционных атак».
    """
    return not is_left_out and (mode == "ranged" or counts_in_melee)


def living_bonus() -> Bonus:
    """TD-SOFT-2: creatures give nothing to Reflex, and one cannot hide behind them.

    To armour class they give as much as normal cover.
    Source: «не даёт бонусов к испытаниям Реакции и не позволяет прятаться».
    """
    return Bonus(normal_bonus().ac, 0)


def bystanders_between(
    near: Space,
    far: Space,
    others: tuple[Fighter, ...],
    mode: AttackMode,
    *,
    counts_in_melee: bool,
    counts_fallen: bool = True,
) -> tuple[Bystander, ...]:
    """Those who give living cover and stand in the rectangle round both spaces."""
    west, north = min(near.x, far.x), min(near.y, far.y)
    east = max(near.x + near.size, far.x + far.size)
    south = max(near.y + near.size, far.y + far.size)
    return tuple(
        [
            (other.id, space)
            for other in others
            if (space := other.space).x < east
            and space.y < south
            and space.x + space.size > west
            and space.y + space.size > north
            and gives_living_cover(
                mode,
                is_left_out=other.is_dead if counts_fallen else other.is_out,
                counts_in_melee=counts_in_melee,
            )
        ]
    )


def bystanders_of(standing: tuple[Bystander, ...]) -> Bystanders:
    """These creatures, made for asking which of them a line crosses."""
    owners: dict[Cell, tuple[str, ...]] = {}
    for combatant, space in standing:
        for cell in cells_of(space):
            owners[cell] = (*owners.get(cell, ()), combatant)
    return Bystanders(tuple(each for each, _ in standing), features_of(owners), owners)


def creatures_crossed(bystanders: Bystanders, start: Cell, end: Cell) -> tuple[str, ...]:
    """TD-COVER-4: a line through the interior of another creature's cell gives cover, too.

    The ids of these creatures. Running along the border of a cell does not count.
    Source: «либо через клетку, занятую другим существом».
    """
    if not bystanders.ids:
        return ()
    crossed = features_crossed(bystanders.cells, start, end)
    met = {each for part in crossed for each in bystanders.owners[part.x, part.y]}
    return tuple(each for each in bystanders.ids if each in met) if met else ()
