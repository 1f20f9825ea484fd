"""TD-PRONE: lying on the ground, and spinning where there is no weight."""

from typing import Final, Literal

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.tactical_d20.rules.words import AttackMode, Gravity

TD_PRONE_4: Final = "TD-PRONE-4"


def prone_attack_modifier(mode: AttackMode, *, is_prone: bool) -> Modifier | None:
    """TD-PRONE-1: four points less on melee attacks of an attacker who lies; none on ranged ones.

    Also on opportunity attacks.
    Source: «Если вы лежите на земле, вы распластаны», «штраф –4 к атакам в ближнем бою».
    """
    return Modifier(rule="TD-PRONE-1", amount=-4) if is_prone and mode == "melee" else None


def prone_target_modifier(mode: AttackMode, *, is_prone: bool) -> Modifier | None:
    """What lying does to a target's armour class against an attack of this kind."""
    if not is_prone:
        return None
    return prone_ranged_modifier() if mode == "ranged" else prone_melee_modifier()


def prone_ranged_modifier() -> Modifier:
    """TD-PRONE-2: four points of armour class against ranged attacks for a target that lies.

    Source: «бонус +4 к КБ против дистанционных атак».
    """
    return Modifier(rule="TD-PRONE-2", amount=4)


def prone_melee_modifier() -> Modifier:
    """TD-PRONE-3: four points of armour class less against melee attacks for a target that lies.

    Source: «штраф –4 к КБ против атак в ближнем бою».
    """
    return Modifier(rule="TD-PRONE-3", amount=-4)


def fallen_condition(gravity: Gravity) -> Literal["prone", "spinning"]:
    """TD-PRONE-4: a creature knocked down without weight spins instead of lying.

    What spinning does is a default, not in the source text.
    Source: «не распластываетесь, а начинаете неконтролируемо вращаться».
    """
    return "spinning" if gravity == "zero" else "prone"


def spinning_modifier(penalty: int, *, is_spinning: bool) -> Modifier | None:
    """What spinning costs on attack rolls or of armour class; `penalty` is 0 or below."""
    return Modifier(rule=TD_PRONE_4, amount=penalty) if is_spinning and penalty else None
