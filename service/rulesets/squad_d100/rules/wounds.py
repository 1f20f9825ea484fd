"""SQ-WOUND: what wounds take away, how they add up, and how they are called."""

from typing import Final, Literal, NamedTuple

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.squad_d100.rules.armour import Zone

SQ_WOUND_1: Final = "SQ-WOUND-1"
SQ_WOUND_2: Final = "SQ-WOUND-2"
SQ_WOUND_3: Final = "SQ-WOUND-3"
SQ_WOUND_4: Final = "SQ-WOUND-4"
SQ_WOUND_5: Final = "SQ-WOUND-5"
SQ_WOUND_6: Final = "SQ-WOUND-6"

WoundKind = Literal["heavy", "light"]
Weakened = Literal["agi", "acc", "end"]
"""An attribute that wounds make less; strength is none of them."""

WoundWording = Literal[
    "broken_limb",
    "module_disabled",
    "severe_burns",
    "cracked_ribs",
    "module_damaged",
    "burns",
]

NOTE_DAMAGE: Final = "damage"
NOTE_HEAVY_WOUND: Final = "heavy_wound"


class WoundCost(NamedTuple):
    """What one wound takes off hit points and attributes."""

    hp: int
    agi: int
    acc: int
    end: int


def heavy_wound() -> WoundCost:
    """SQ-WOUND-1: 10 HP, 5 AGI, 20 ACC and 1 END less.

    Source: «тяжёлое ранение на -10 HP -5 AGI -20 ACC -1 END».
    """
    return WoundCost(hp=10, agi=5, acc=20, end=1)


def light_wound() -> WoundCost:
    """SQ-WOUND-2: 5 AGI, 10 ACC and 1 END less, and no HP.

    Source: «-5 AGI -10 ACC -1 END».
    """
    return WoundCost(hp=0, agi=5, acc=10, end=1)


def penetration_loss(damage: int) -> int:
    """SQ-WOUND-3: a penetration takes the damage and the HP of a heavy wound, at once.

    Source: «цель получает весь урон плюс эффекты тяжёлого ранения».
    """
    return damage + heavy_wound().hp


class Harm(NamedTuple):
    """What a hit does to a body: HP lost, and the wound if there is one."""

    hp_loss: int
    wound: WoundKind | None
    lines: tuple[Modifier, ...] = ()


def harm_of(zone: Zone, damage: int, rule: str = SQ_WOUND_3) -> Harm:
    """What a hit in this zone does; `damage` counts in a penetration alone.

    `rule` is where the damage comes from.
    """
    match zone:
        case "penetration":
            damage_line = Modifier(rule=rule, amount=damage, note=NOTE_DAMAGE)
            lines = (damage_line, _wound_line())
            return Harm(penetration_loss(damage), "heavy", lines)
        case "green":
            return Harm(heavy_wound().hp, "heavy", (_wound_line(),))
        case "yellow":
            return Harm(light_wound().hp, "light")
        case "red":
            return Harm(0, None)


def harm_of_wound(kind: WoundKind) -> Harm:
    """What a wound without a hit does, such as that of fire."""
    return harm_of("green" if kind == "heavy" else "yellow", 0)


def _wound_line() -> Modifier:
    return Modifier(rule=SQ_WOUND_1, amount=heavy_wound().hp, note=NOTE_HEAVY_WOUND)


def current_attribute(base: int, attribute: Weakened, heavy: int, light: int) -> int:
    """SQ-WOUND-4: wounds add up without limit; an attribute is never below 0.

    `heavy` and `light` are how many wounds there are. Default, not in the source text.
    """
    costs: dict[Weakened, tuple[int, int]] = {
        "agi": (heavy_wound().agi, light_wound().agi),
        "acc": (heavy_wound().acc, light_wound().acc),
        "end": (heavy_wound().end, light_wound().end),
    }
    of_heavy, of_light = costs[attribute]
    return max(0, base - heavy * of_heavy - light * of_light)


def hp_after(hp: int, loss: int) -> int:
    """Hit points after a loss; they stop at 0."""
    return max(0, hp - loss)


def wound_wording(kind: WoundKind, *, is_robot: bool, is_burning: bool) -> WoundWording:
    """SQ-WOUND-5: a robot's module, burns of a burning weapon or of fire, else bones.

    No number depends on it. Source: «(сломана конечность, выведен из строя модуль машины, нанесены
    тяжёлые ожоги)», «(ожоги, треснувшие рёбра, повреждение модуля…)».
    """
    if is_robot:
        return "module_disabled" if kind == "heavy" else "module_damaged"
    if is_burning:
        return "severe_burns" if kind == "heavy" else "burns"
    return "broken_limb" if kind == "heavy" else "cracked_ribs"


def is_down(hp: int) -> bool:
    """SQ-WOUND-6: with 0 HP one is down: no actions, no cell occupied, nobody's target.

    Default, not in the source text.
    """
    return hp <= 0
