"""TD-SD: what the chapter leaves to its game: initiative, hits, damage and range.

All of it is default, not in the source text.
"""

from typing import Final, Literal

from msgspec import Struct

from service.engine.vocabulary.breakdown import Modifier
from service.errors import Refused
from service.rulesets.tactical_d20.rules.words import Outcome

TD_SD_1: Final = "TD-SD-1"
TD_SD_2: Final = "TD-SD-2"
TD_SD_3: Final = "TD-SD-3"
TD_SD_4: Final = "TD-SD-4"

D20: Final = 20
D100: Final = 100


class Initiative(Struct, frozen=True, kw_only=True):
    """What a creature has for initiative: the d20 with its bonus.

    `number` is the order in which creatures came in.
    """

    id: str
    number: int
    bonus: int
    total: int


def initiative_order(rolled: tuple[Initiative, ...]) -> tuple[str, ...]:
    """TD-SD-1: the higher total acts first; ties: the higher bonus, then the lower number.

    With `initiative = fixed` nobody rolls and the order is that of entry.
    """
    first = sorted(rolled, key=lambda each: (-each.total, -each.bonus, each.number))
    return tuple(each.id for each in first)


def attack_outcome(natural: int, bonus: int, ac: int) -> Literal["miss", "hit", "critical"]:
    """TD-SD-2: an attack hits if d20 and bonus reach the armour class.

    A natural 20 always hits, a natural 1 always misses. A natural 20 whose total reaches the
    armour class is critical, unless concealment makes it miss (TD-CONC-3).
    """
    if natural == 1:
        return "miss"
    is_reached = natural + bonus >= ac
    if natural == D20:
        return "critical" if is_reached else "hit"
    return "hit" if is_reached else "miss"


def damage_pool(dice: int, bonus: int, outcome: Outcome) -> tuple[int, int]:
    """How many dice of damage are rolled and what is added: twice as much after a critical hit."""
    if outcome == "critical":
        return 2 * dice, 2 * bonus
    return (dice, bonus) if outcome == "hit" else (0, 0)


def damage_dealt(faces: tuple[int, ...], bonus: int) -> int:
    """The damage of these faces; a total below 0 is 0."""
    return max(0, sum(faces) + bonus)


def felled_condition(hp: int, hp_max: int) -> Literal["unconscious", "dead"] | None:
    """TD-SD-3: damage reduces hp; at 0 and less one is unconscious, at minus the maximum dead.

    Raised above 0 by the game master one is neither any more.
    """
    if hp <= -hp_max:
        return "dead"
    return "unconscious" if hp <= 0 else None


def range_modifier(distance_ft: int, increment_ft: int, penalty: int) -> Modifier | None:
    """TD-SD-4: each range increment after the first costs the penalty; none without it.

    `increment_ft` >= 1, `penalty` 0 or below. Exactly one increment away is the first.
    """
    increments = range_increments(distance_ft, increment_ft)
    if increments == 1 or penalty == 0:
        return None
    facts = {"distance_ft": distance_ft, "increments": increments}
    return Modifier(rule=TD_SD_4, amount=(increments - 1) * penalty, facts=facts)


def range_increments(distance_ft: int, increment_ft: int) -> int:
    """In which range increment a target is, from 1."""
    return max(1, (distance_ft + increment_ft - 1) // increment_ft)


def require_in_range(distance_ft: int, increment_ft: int, max_increments: int) -> None:
    """A ranged attack reaches to the end of its last increment. Raises Refused("out_of_range")."""
    longest_ft = increment_ft * max_increments
    if distance_ft > longest_ft:
        raise Refused("out_of_range", rule=TD_SD_4, distance_ft=distance_ft, longest_ft=longest_ft)
