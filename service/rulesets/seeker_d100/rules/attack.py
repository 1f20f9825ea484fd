"""SK-ATK: attack actions, the skill they use, shots, ranges and outcomes."""

from typing import Final, Literal

from service.engine.geometry.segments import Spot, is_within, leg_length
from service.errors import Refused
from service.rulesets.seeker_d100.rules.checks import CRITICAL, FUMBLE, Level, is_success
from service.rulesets.seeker_d100.rules.geometry import is_in_reach
from service.rulesets.seeker_d100.rules.lethality import SK_LETH_1
from service.rulesets.seeker_d100.rules.opposed import Winner
from service.rulesets.seeker_d100.rules.words import (
    Answered,
    AttackKind,
    AttackSkill,
    Delivery,
    Shots,
)

SK_ATK_1: Final = "SK-ATK-1"
SK_ATK_3: Final = "SK-ATK-3"

_ATTACKS: Final = ("attack", "called_shot", "disarm", "grapple")

_DELIVERIES: Final[dict[AttackSkill, Delivery]] = {
    "melee_weapon": "melee",
    "unarmed": "melee",
    "ranged": "bullet",
    "heavy_weapons": "bullet",
    "athletics": "thrown",
    "demolitions": "explosive",
}

AttackOutcome = Literal["fumble", "miss", "hit", "critical", "avoided", "stopped"]


def is_attack_action(action: str) -> bool:
    """SK-ATK-1: the attack actions are attack, called shot, disarm and grapple.

    A standard attack is a check of a skill, and success hits.
    Source: «Все, от нанесение удара до выстрела из гаубицы»; «Стандартная атака … - это
    проверка навыков».
    """
    return action in _ATTACKS


def attack_skill(kind: AttackKind, weapon_skill: AttackSkill) -> AttackSkill:
    """SK-ATK-2: the skill is the weapon's; disarming and grappling are done with bare hands.

    Source: «Обычно это "дальний бой" для пистолета, "Атлетика" …».
    """
    return "unarmed" if kind in ("disarm", "grapple") else weapon_skill


def default_delivery(skill: AttackSkill) -> Delivery:
    """How weapons of a skill reach their target unless they state it."""
    return _DELIVERIES[skill]


def shots_fired(shots: int | None, allowed: Shots) -> int:
    """SK-ATK-3: any number of shots is one attack roll and one damage roll.

    The rounds an attack takes: what it states within what the weapon allows, else the fewest.
    Raises Refused("bad_shots").
    Source: «это всегда один бросок атаки и один бросок урона».
    """
    if shots is None:
        return allowed.min
    if not allowed.min <= shots <= allowed.max:
        raise Refused("bad_shots", rule=SK_ATK_3, shots=shots, fewest=allowed.min, most=allowed.max)
    return shots


def require_ammo(weapon: str, left: int | None, shots: int) -> None:
    """There must be a round for every shot; None is without end. Raises Refused("no_ammo")."""
    if left is not None and left < shots:
        raise Refused("no_ammo", rule=SK_ATK_3, weapon=weapon, left=left, shots=shots)


def require_complete(weapon: str, *, has_damage: bool, has_lethality: bool) -> None:
    """A weapon has either damage or lethality. Raises Refused("weapon_incomplete")."""
    if has_damage == has_lethality:
        raise Refused("weapon_incomplete", rule=SK_LETH_1, weapon=weapon)


def require_target(attacker: str, target: str, *, is_dead: bool) -> None:
    """One attacks neither oneself nor the dead.

    Raises Refused("target_self") or Refused("target_dead").
    """
    if target == attacker:
        raise Refused("target_self", rule=SK_ATK_1, target=target)
    if is_dead:
        raise Refused("target_dead", rule=SK_ATK_1, target=target)


def require_reach(attacker: Spot, target: Spot, reach_sq: int) -> None:
    """Hand to hand needs the target in reach. Raises Refused("out_of_reach")."""
    if not is_in_reach(attacker, target, reach_sq):
        raise Refused(
            "out_of_reach",
            rule=SK_ATK_1,
            distance_m=leg_length(attacker, target),
            reach_squared=reach_sq,
        )


def require_in_range(attacker: Spot, target: Spot, range_m: int | None) -> None:
    """A weapon with a range reaches no further; None has none. Raises Refused("out_of_range")."""
    if range_m is not None and not is_within(attacker, target, range_m):
        raise Refused(
            "out_of_range",
            rule=SK_ATK_1,
            distance_m=leg_length(attacker, target),
            longest_m=range_m,
        )


def attack_outcome(
    level: Level, winner: Winner | None, answered_with: Answered | None
) -> AttackOutcome:
    """The outcome word of an attack at one victim.

    `winner` of the opposed check and what the victim answered with; None where nothing opposed
    the attack. A failed attack is a miss, whatever the answer came to.
    """
    if not is_success(level):
        return "fumble" if level == FUMBLE else "miss"
    if winner == "answering":
        return "avoided" if answered_with == "dodge" else "stopped"
    return "critical" if level == CRITICAL else "hit"
