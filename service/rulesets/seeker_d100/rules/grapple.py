"""SK-GRAB: holding somebody."""

from typing import Final, Literal

from service.engine.vocabulary.breakdown import Modifier
from service.errors import Refused
from service.rulesets.seeker_d100.rules.attack import attack_skill
from service.rulesets.seeker_d100.rules.escape import SK_FREE_1
from service.rulesets.seeker_d100.rules.resist import is_melee_skill
from service.rulesets.seeker_d100.rules.words import AttackKind, AttackSkill

SK_GRAB_1: Final = "SK-GRAB-1"
SK_GRAB_5: Final = "SK-GRAB-5"

HeldBonus = Literal["melee", "unarmed"]
"""Which attacks gain from a held target: all hand to hand, or unarmed ones only."""

HoldEnd = Literal["broken_free", "released", "holder_held", "holder_felled"]

HELD_BONUS: Final = 20

BY_HELD: Final = ("break_free", "end_turn")
AT_HELD: Final = ("attack", "called_shot", "disarm")
BY_HOLDER: Final = ("release", "end_turn", "answer")
STEP: Final = "step"
"""The field of an action that refusals name in its place."""


def require_not_held(target: str, held_by: str | None) -> None:
    """SK-GRAB-1: an unarmed check that hits holds the target and hurts nobody.

    Somebody already held cannot be grappled. Raises Refused("already_held").
    Source: «Попытка обездвижить цель на земле, либо на чем-то помощью "Рукопашного боя"».
    """
    if held_by is not None:
        raise Refused("already_held", rule=SK_GRAB_1, target=target)


def held_modifier(
    kind: AttackKind, skill: AttackSkill, *, is_held: bool, bonus: HeldBonus
) -> Modifier | None:
    """SK-GRAB-2: 20 per cent more for attack actions hand to hand at a held target, by anyone.

    `skill` is the weapon's. Option `held_bonus` = `unarmed`: for unarmed ones only.
    Source: «Все невооруженные атаки или атаки рукопашного боя по схваченной цели имеют бонус
    + 20%».
    """
    used = attack_skill(kind, skill)
    if not is_held or not (used == "unarmed" if bonus == "unarmed" else is_melee_skill(used)):
        return None
    return Modifier(rule="SK-GRAB-2", amount=HELD_BONUS)


def require_holder_may(
    action: str, *, held_target: str, target: str | None = None, steps: bool = False
) -> None:
    """SK-GRAB-3: a holder may attack the held one in later turns, release it or wait.

    `held_target` is whom he holds, `target` whom the action names; `steps`: it carries a step.
    Raises Refused("holding_target"), which names the step where the action alone would do.
    Source: «Персонаж, удерживающий цель, может атаковать ее в более поздних ходах».
    """
    is_at_held = action in AT_HELD and target == held_target
    may = is_at_held or action in BY_HOLDER
    if steps or not may:
        raise Refused(
            "holding_target",
            rule="SK-GRAB-3",
            held=held_target,
            action=STEP if may else action,
            allowed=[*AT_HELD, *BY_HOLDER],
        )


def require_held_may(action: str, *, steps: bool = False) -> None:
    """SK-GRAB-4: the held one may try to break free once a round and do nothing else.

    `steps`: the action carries a step. Raises Refused("held"), which names the step where the
    action alone would do.
    Source: «может попытаться освободиться один раз за ход, но ничего больше».
    """
    may = action in BY_HELD
    if steps or not may:
        unfit = STEP if may else action
        raise Refused("held", rule="SK-GRAB-4", action=unfit, allowed=list(BY_HELD))


def hold_ended(
    *,
    is_holder_held: bool,
    is_holder_active: bool,
    is_broken: bool = False,
    is_released: bool = False,
) -> HoldEnd | None:
    """SK-GRAB-5: a hold ends by breaking free, by release, or when the holder is held or out.

    Why it has ended, None while it lasts. One holder holds one target, which has one holder.
    Default, not in the source text.
    """
    if is_broken:
        return "broken_free"
    if is_released:
        return "released"
    if not is_holder_active:
        return "holder_felled"
    return "holder_held" if is_holder_held else None


def require_held(combatant: str, held_by: str | None) -> str:
    """Who holds the combatant. Raises Refused("not_held")."""
    if held_by is None:
        raise Refused("not_held", rule=SK_FREE_1, combatant=combatant)
    return held_by


def require_holding(combatant: str, holding: str | None) -> str:
    """Whom the combatant holds. Raises Refused("not_holding")."""
    if holding is None:
        raise Refused("not_holding", rule=SK_GRAB_5, combatant=combatant)
    return holding
