"""SQ-SHOOT: what may be done with a weapon in a turn, and when a shot hits.

How this works. Every number is added to the die: a low result is good, so what helps the shooter is
negative. A shot hits if the result is below the threshold; its natural face decides first.
"""

from typing import Final, Literal

from service.engine.vocabulary.breakdown import Modifier
from service.errors import Refused
from service.rulesets.squad_d100.rules.halves import SQ_ROUND_1, half
from service.rulesets.squad_d100.rules.ranges import WeaponClass
from service.rulesets.squad_d100.rules.sprint import SQ_SPRINT_1

SQ_SHOOT_1: Final = "SQ-SHOOT-1"
SQ_SHOOT_2: Final = "SQ-SHOOT-2"
SQ_SHOOT_3: Final = "SQ-SHOOT-3"
SQ_SHOOT_4: Final = "SQ-SHOOT-4"
SQ_SHOOT_5: Final = "SQ-SHOOT-5"
SQ_SHOOT_6: Final = "SQ-SHOOT-6"
SQ_SHOOT_7: Final = "SQ-SHOOT-7"
SQ_SHOOT_8: Final = "SQ-SHOOT-8"
SQ_SHOOT_9: Final = "SQ-SHOOT-9"
SQ_SHOOT_10: Final = "SQ-SHOOT-10"

Outcome = Literal["critical_success", "hit", "miss", "critical_failure"]
Manner = Literal["aimed", "snap", "burst", "suppression", "throw", "melee"]
AimedModifiers = Literal["all", "none"]
BurstRolls = Literal["per_round", "single"]
Waste = Literal["target_down", "shooter_down", "suppressed_arc"]
"""Why a round that was fired was not rolled for."""

D100: Final = 100
SNAP: Final = 10
BURST: Final = 30
SNAP_SHOTS: Final = 2
BURST_ROUNDS: Final = 5

NOTE_MODE: Final = "mode"
NOTE_GM: Final = "gm"


def require_shooting_phase(*, has_sprinted: bool, is_used: bool) -> None:
    """SQ-SHOOT-1: one action in the shooting phase of a turn; a sprint has taken its place.

    Raises Refused("shooting_phase_lost") or ("shooting_phase_used"), checked in this order.
    Source: «Во второй фазе можно произвести один прицельный выстрел …, выстрелить навскидку два
    раза … или дать одну очередь».
    """
    if has_sprinted:
        raise Refused("shooting_phase_lost", rule=SQ_SPRINT_1)
    if is_used:
        raise Refused("shooting_phase_used", rule=SQ_SHOOT_1)


def are_circumstances_counted(manner: Manner, aimed_modifiers: AimedModifiers) -> bool:
    """SQ-SHOOT-2: an aimed shot has no modifier of its own; pose, cover and range count.

    With `aimed_modifiers` = `none` they do not exist for it.
    Source: «один прицельный выстрел (без модификаторов)».
    """
    return manner != "aimed" or aimed_modifiers == "all"


def snap_modifier(manner: Manner) -> Modifier | None:
    """SQ-SHOOT-3: each of the two snap shots has +10 on its roll.

    Source: «выстрелить навскидку два раза (+10 к броску)».
    """
    return Modifier(rule=SQ_SHOOT_3, amount=SNAP, note=NOTE_MODE) if manner == "snap" else None


def burst_modifier(manner: Manner) -> Modifier | None:
    """SQ-SHOOT-4: the rounds of a burst have +30 on the roll.

    Source: «одну очередь на 5 патронов (+30)».
    """
    return Modifier(rule=SQ_SHOOT_4, amount=BURST, note=NOTE_MODE) if manner == "burst" else None


def burst_dice(rolls: BurstRolls) -> int:
    """How many d100 a burst is worth: one for each round, or one for all of them."""
    return BURST_ROUNDS if rolls == "per_round" else 1


def gm_line(amount: int) -> Modifier | None:
    """What the game master adds to a roll of this action; none for 0."""
    return Modifier(rule=SQ_SHOOT_5, amount=amount, note=NOTE_GM) if amount else None


def is_below(result: int, threshold: int) -> bool:
    """SQ-SHOOT-5: a roll succeeds if die and modifiers are less than the threshold.

    Equal is a miss. Source: «успешное попадание засчитывается, если выброшенное значение меньше
    показателя точности (со всеми модификаторами)».
    """
    return result < threshold


def is_critical_failure(natural: int) -> bool:
    """SQ-SHOOT-6: a natural 100 is a critical failure, a miss whatever the modifiers.

    Source: «результат 100 всегда засчитывается как критический провал вне зависимости от
    модификаторов».
    """
    return natural == D100


def is_critical_success(natural: int, crit_success_max: int) -> bool:
    """SQ-SHOOT-7: naturals 1 to `crit_success_max` are critical successes, hits in any case.

    `crit_success_max` is 0 to 10; 0 switches them off. The value 1 is a default, not in the source.
    Source: «либо выброшен критический успех».
    """
    return natural <= crit_success_max


def shot_outcome(natural: int, modifiers: int, threshold: int, crit_success_max: int) -> Outcome:
    """How a roll to hit ends: natural faces decide first, then the result."""
    if is_critical_failure(natural):
        return "critical_failure"
    if is_critical_success(natural, crit_success_max):
        return "critical_success"
    return "hit" if is_below(natural + modifiers, threshold) else "miss"


_RULES: Final[dict[Outcome, str]] = {
    "critical_failure": SQ_SHOOT_6,
    "critical_success": SQ_SHOOT_7,
    "hit": SQ_SHOOT_5,
    "miss": SQ_SHOOT_5,
}


def outcome_rule(outcome: Outcome) -> str:
    """The rule that decided a roll to hit."""
    return _RULES[outcome]


def threshold_of(accuracy: int, *, is_dual: bool) -> int:
    """SQ-SHOOT-10: the shooter's accuracy as his wounds leave it at this very roll.

    The target's wounds change nothing. Source: «со всеми модификаторами».
    """
    return dual_threshold(accuracy) if is_dual else accuracy


def dual_threshold(accuracy: int) -> int:
    """SQ-SHOOT-8: with two hands accuracy is halved, before the modifiers.

    Source: «можно стрелять навскидку с двух рук, в таком случае точность делится пополам».
    """
    return half(accuracy)


def threshold_rules(manner: Manner, *, is_dual: bool) -> tuple[str, ...]:
    """The rules of a shot that add no line to it: of an aimed one, and of its threshold."""
    if manner == "aimed":
        return (SQ_SHOOT_2, SQ_SHOOT_10)
    return (SQ_SHOOT_10, SQ_SHOOT_8, SQ_ROUND_1) if is_dual else (SQ_SHOOT_10,)


def firing_order(weapons: tuple[str, ...], shots: int) -> tuple[str, ...]:
    """The weapon of each shot: the hands take turns, the first weapon begins."""
    return tuple(weapons[shot % len(weapons)] for shot in range(shots))


def shots_due(*, is_dual: bool, per_hand: int) -> int:
    """How many targets snap shots name: 2, with two hands 2 for each shot of a hand."""
    return 2 * per_hand if is_dual else SNAP_SHOTS


def require_dual(first: tuple[str, WeaponClass], second: tuple[str, WeaponClass]) -> None:
    """Two hands hold two different weapons, pistols and revolvers in any mix.

    Each is an id with its class. Raises Refused("same_weapon_twice") or ("weapon_not_dual").
    """
    if first[0] == second[0]:
        raise Refused("same_weapon_twice", rule=SQ_SHOOT_8, weapon=first[0])
    for weapon, kind in (first, second):
        if kind not in ("pistol", "revolver"):
            allowed = ["pistol", "revolver"]
            raise Refused("weapon_not_dual", rule=SQ_SHOOT_8, weapon=weapon, allowed=allowed)


def require_rounds(weapon: str, rounds: int, needed: int) -> None:
    """The magazine holds the rounds of the whole action. Raises Refused("not_enough_ammo")."""
    if rounds < needed:
        raise Refused(
            "not_enough_ammo", rule=SQ_SHOOT_9, weapon=weapon, rounds=rounds, needed=needed
        )


def waste_of(
    *, is_shooter_down: bool, is_target_gone: bool, is_arc_barred: bool = False
) -> Waste | None:
    """SQ-SHOOT-9: a round whose target is down or gone by its turn is wasted, without a die.

    So are those of a shooter who is down himself, and a shot into the arc of a suppressor whom the
    shooter does not know. None where the shot is rolled. Default, not in the source text.
    """
    if is_shooter_down:
        return "shooter_down"
    if is_target_gone:
        return "target_down"
    return "suppressed_arc" if is_arc_barred else None
