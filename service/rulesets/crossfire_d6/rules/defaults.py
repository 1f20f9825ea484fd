"""CF-GEN-1 and CF-SD: pools, and what the chapter leaves to its game: initiative, hits, damage.

All of CF-SD is default, not in the source text.
"""

from typing import Final, Literal

from msgspec import Struct

from service.engine.vocabulary.breakdown import Modifier, total

CF_SD_1: Final = "CF-SD-1"
CF_SD_2: Final = "CF-SD-2"
CF_SD_3: Final = "CF-SD-3"
CF_SD_4: Final = "CF-SD-4"

Outcome = Literal["miss", "hit", "critical"]
CriticalRule = Literal["double_dice", "max_damage"]

SIX: Final = 6


class Initiative(Struct, frozen=True, kw_only=True):
    """What a combatant rolled for initiative, and with how many dice.

    `number` is the order in which combatants came into being.
    """

    id: str
    number: int
    pool: int
    total: int


def initiative_order(rolled: tuple[Initiative, ...]) -> tuple[str, ...]:
    """CF-SD-1: the higher sum acts first; ties: the larger pool, then the lower number.

    With `initiative = fixed` nobody rolls and the order is that of entry.
    """
    first = sorted(rolled, key=lambda each: (-each.total, -each.pool, each.number))
    return tuple(each.id for each in first)


def added_dice(lines: tuple[Modifier, ...]) -> int:
    """CF-GEN-1: situational modifiers change the size of the attack pool in dice, not the total.

    They sum with sign; their order matters only to the reader.
    Source: "бонус 1к6 к атаке".
    """
    return total(lines)


def attack_pool(
    attack_dice: int, lines: tuple[Modifier, ...], floor: int
) -> tuple[int, Modifier | None]:
    """CF-SD-2: the pool is the weapon's dice and all modifiers, at least `floor` (0 or 1).

    Also the line of the breakdown if the floor changed the pool. No upper limit. An empty pool
    rolls nothing and misses (CF-SD-3).
    """
    pool = attack_dice + added_dice(lines)
    if pool >= floor:
        return pool, None
    return floor, Modifier(rule=CF_SD_2, amount=floor - pool, facts={"floor": floor})


def attack_outcome(faces: tuple[int, ...], defence: int, critical_sixes: int) -> Outcome:
    """CF-SD-3: a hit needs a total of at least the defence; enough sixes make it critical.

    `critical_sixes` = 0: never critical. No dice at all: an automatic miss.
    """
    if not faces or sum(faces) < defence:
        return "miss"
    return "critical" if 0 < critical_sixes <= faces.count(SIX) else "hit"


def damage_pool(damage_dice: int, outcome: Outcome, rule: CriticalRule) -> int:
    """How many dice of damage are rolled; none where a critical hit counts every die as a six."""
    if outcome != "critical":
        return 0 if outcome == "miss" else damage_dice
    return 2 * damage_dice if rule == "double_dice" else 0


def damage_dealt(
    damage_dice: int, faces: tuple[int, ...], soak: int, outcome: Outcome, rule: CriticalRule
) -> int:
    """CF-SD-4: damage is the sum of its dice less the soak, never below 0.

    A critical hit rolls twice the dice, or counts each die as a six (`max_damage`).
    `faces` are the dice rolled, as many as `damage_pool` says.
    """
    is_maximum = outcome == "critical" and rule == "max_damage"
    return max(0, (SIX * damage_dice if is_maximum else sum(faces)) - soak)


def is_felled(health: int) -> bool:
    """Whether a combatant with this health is helpless: 0 or less."""
    return health <= 0


def is_killed(health: int, starting_health: int) -> bool:
    """Whether a combatant is dead: as far below 0 as it started above it."""
    return health <= -starting_health
