"""CF-XFIRE: shooters on more than one side of a target."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, Literal

from msgspec import UNSET

from service.engine.geometry.points import is_beyond_right_angle
from service.engine.geometry.spaces import Space
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.crossfire_d6.rules.geometry import centre_of
from service.rulesets.crossfire_d6.rules.ground import Fighter, Position, are_hostile, can_act
from service.rulesets.crossfire_d6.rules.position import has_line

CF_XFIRE_2: Final = "CF-XFIRE-2"

CrossfireCount = Literal["participants", "all_shooters"]


def is_in_crossfire(shooter: Space, other: Space, target: Space) -> bool:
    """CF-XFIRE-1: two shooters more than 90 degrees apart as seen from the target.

    Between the centres of the spaces; exactly 90 degrees is not enough, heights do not enter.
    Source: "под углом более чем 90 градусов друг к другу по отношению к цели".
    """
    return is_beyond_right_angle(centre_of(target), centre_of(shooter), centre_of(other))


@lru_cache(maxsize=4096)
def participants(
    target: Fighter, shooters: tuple[Fighter, ...], count: CrossfireCount
) -> tuple[Fighter, ...]:
    """The shooters in crossfire with at least one other, in their order.

    With `all_shooters`: all of them as soon as any two are.
    """
    taking_part = tuple(
        shooter
        for shooter in shooters
        if any(is_in_crossfire(shooter.space, other.space, target.space) for other in shooters)
    )
    return shooters if taking_part and count == "all_shooters" else taking_part


def crossfire_modifier(
    attacker: Fighter, taking_part: tuple[Fighter, ...], cap: int, *, is_by_fire: bool = False
) -> Modifier | None:
    """CF-XFIRE-2: one die for each participant after the first, if the attacker is one.

    The line names the cap where it counts (CF-XFIRE-3), and the rule about shooters where only
    those do who have fired (`is_by_fire`, CF-XFIRE-4).
    Source: "+1к6 за любого стрелка после первого"; the table's "за каждого стрелка" loses.
    """
    if all(fighter.id != attacker.id for fighter in taking_part):
        return None
    dice = capped_dice(len(taking_part) - 1, cap)
    if dice == 0:
        return None
    is_capped = dice < len(taking_part) - 1
    capped = {"cap": cap} if is_capped else {}
    by_fire = ("CF-XFIRE-4",) if is_by_fire else ()
    return Modifier(
        rule=CF_XFIRE_2,
        amount=dice,
        combatants=tuple(fighter.id for fighter in taking_part if fighter.id != attacker.id),
        facts={"participants": len(taking_part), **capped},
        rules=(*by_fire, *(("CF-XFIRE-3",) if is_capped else ())) or UNSET,
    )


def capped_dice(dice: int, cap: int) -> int:
    """CF-XFIRE-3: crossfire gives at most three dice, which four shooters reach.

    Source: "достигая максимального бонуса 3к6 для четырех атакующих".
    """
    return min(dice, cap)


def is_shooter(fighter: Fighter, target: Fighter, distance_ft: int) -> bool:
    """Whether a fighter could shoot at the target as far as sides, weapons and range go."""
    return (
        fighter.id != target.id
        and are_hostile(fighter, target)
        and can_act(fighter)
        and fighter.longest_shot_ft > 0
        and distance_ft <= fighter.longest_shot_ft
    )


def shooters_on(
    target: Fighter,
    fighters: tuple[Fighter, ...],
    *,
    distance_of: Callable[[Fighter], int],
    position_of: Callable[[Fighter], Position],
    fired: frozenset[str] | None = None,
) -> tuple[Fighter, ...]:
    """CF-XFIRE-4: who counts as a shooter on the target, in the order given.

    Hostile, neither helpless nor dead, with a ready ranged weapon whose maximum range reaches,
    and the target not blocked against him. `fired` (option `crossfire_membership = fired`):
    the ids of those who made a ranged attack on the target this round, and of the present
    attacker; None asks nobody. `distance_of` and `position_of` give the target's distance and
    position against a fighter.
    Source: "2 атакующих располагаются"; who belongs to them is a default.
    """
    return tuple(
        [
            fighter
            for fighter in fighters
            if (fired is None or fighter.id in fired)
            and are_hostile(fighter, target)
            and is_shooter(fighter, target, distance_of(fighter))
            and has_line(position_of(fighter))
        ]
    )
