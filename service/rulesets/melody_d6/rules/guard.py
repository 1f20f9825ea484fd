"""ML-GUARD: who may go on guard, when a guard may shoot, what ends it, and its modifiers."""

from collections.abc import Callable
from typing import Final, Literal

from msgspec import UnsetType

from service.errors import Refused
from service.rulesets.melody_d6.lines import Line

ML_GUARD_1: Final = "ML-GUARD-1"
ML_GUARD_2: Final = "ML-GUARD-2"
ML_GUARD_3: Final = "ML-GUARD-3"
ML_GUARD_4: Final = "ML-GUARD-4"
ML_GUARD_5: Final = "ML-GUARD-5"
ML_GUARD_6: Final = "ML-GUARD-6"
ML_GUARD_7: Final = "ML-GUARD-7"
ML_GUARD_8: Final = "ML-GUARD-8"
ML_GUARD_9: Final = "ML-GUARD-9"
ML_GUARD_10: Final = "ML-GUARD-10"
ML_GUARD_11: Final = "ML-GUARD-11"
ML_GUARD_12: Final = "ML-GUARD-12"

PERMILLE: Final = 1000

GuardTrigger = Literal["move", "charge", "mask", "reveal", "end_turn"]
"""What a window of the guards is opened for."""

GuardLostOn = Literal["damage", "hit"]
"""Whether a guard is lost with a wound only, or already with a hit or a lost fight."""

WayPoint = tuple[int, int]
"""A point of a path as (leg, permille), in order along the path."""

MoverReading = Callable[[bool], bool]
"""Whether a guard's shot meets whoever moves on its way, given whether its movement goes on."""

DetectionReading = Callable[[bool | UnsetType], bool]
"""Whether automatic detection is asked before a guard's shot, given the option of the table."""


def is_always_met(goes_on: bool) -> bool:
    """In every window of a movement its mover is met on its way, also once the rest is lost."""
    return True


def is_never_asked_before(detect_on_path: bool | UnsetType) -> bool:
    """Automatic detection is asked once a movement is over, not before a guard's shot."""
    return False


def require_foot(combatant: str, *, is_mounted: bool, is_engaged: bool) -> None:
    """ML-GUARD-1: a warrior on foot that is not engaged may go on guard.

    Raises Refused("guard_mounted") or Refused("engaged").
    Source: «Пешие воины могут встать в караул в ходе активации».
    """
    if is_mounted:
        raise Refused("guard_mounted", rule=ML_GUARD_1, combatant=combatant)
    if is_engaged:
        raise Refused("engaged", rule=ML_GUARD_1, combatant=combatant)


def require_stood(combatant: str, *, has_moved: bool, may_have_moved: bool) -> None:
    """ML-GUARD-2: it may have moved before it goes on guard, unless the table says otherwise.

    Raises Refused("moved_before_guard"). Source: «не может больше двигаться, или стрелять».
    """
    if has_moved and not may_have_moved:
        raise Refused("moved_before_guard", rule=ML_GUARD_2, combatant=combatant)


def require_masked_before(combatant: str, *, masked_this_turn: bool) -> None:
    """ML-GUARD-3: whoever masked in this turn may not go on guard; masked longer, it stays so.

    Raises Refused("guard_after_masking").
    Source: «может оставаться замаскированным, если он начал свой ход замаскированным».
    """
    if masked_this_turn:
        raise Refused("guard_after_masking", rule=ML_GUARD_3, combatant=combatant)


def require_enemy_turn(combatant: str, *, is_own_turn: bool) -> None:
    """ML-GUARD-4: a guard shoots in the enemy's turn, at any moment of it.

    Raises Refused("guard_own_turn").
    Source: «Во время хода противника воин может стрелять в любую цель, которою увидит».
    """
    if is_own_turn:
        raise Refused("guard_own_turn", rule=ML_GUARD_4, combatant=combatant)


def may_be_asked(*, is_on_guard: bool, is_able: bool, is_armed: bool) -> bool:
    """ML-GUARD-5: a window asks who is on guard, may act and has a ranged weapon.

    Windows open at a move, a charge, a masking, a reveal and the end of the turn; what a guard
    sees from where it stands does not matter. Between two enemy actions it shoots unasked.
    Source: «в любой другой момент движения», «в любое время в течение хода противника».
    """
    return is_on_guard and is_able and is_armed


def require_on_guard(combatant: str, *, is_on_guard: bool) -> None:
    """ML-GUARD-6: only with the marker, which the shot takes away.

    Raises Refused("not_on_guard").
    Source: «Как только боец в карауле пострелял, уберите маркер караула».
    """
    if not is_on_guard:
        raise Refused("not_on_guard", rule=ML_GUARD_6, combatant=combatant)


def is_relieved(side: str, turn_of: str) -> bool:
    """ML-GUARD-7: at the end of a turn those of the other side are on guard no more.

    Source: «Если воин в карауле не стреляет … Маркер караула убирается».
    """
    return side != turn_of


def is_shaken(lost_on: GuardLostOn, *, is_hit: bool, lost_wounds: int) -> bool:
    """ML-GUARD-8: a lost wound ends the guard at once; with `hit` so does a hit or a lost fight.

    Harmful effects (a failed panic test, `stun`, `daze`, a push that moves) end it whatever is
    chosen here, as engagement and flight do. Source: «Если воин пострадал от стрельбы противника
    или чего-либо еще, то он немедленно выходит из караула».
    """
    return lost_wounds > 0 or (lost_on == "hit" and is_hit)


def require_way_point(stated: WayPoint, used: WayPoint, legs: int, reach: WayPoint | None) -> None:
    """ML-GUARD-9: a point of the mover's path, not before the furthest one used so far.

    Points are normalised; `reach` is the last one that the mover comes to, None for the whole path.
    Raises Refused("bad_path_point") or Refused("behind_mover").
    Source: «укажите, кто и по кому стреляет».
    """
    leg, permille = stated
    is_on_path = leg < legs and permille <= PERMILLE and (reach is None or stated <= reach)
    if not is_on_path:
        raise Refused("bad_path_point", rule=ML_GUARD_9, leg=leg, permille=permille)
    if stated < used:
        allowed = {"leg": used[0], "permille": used[1]}
        raise Refused("behind_mover", rule=ML_GUARD_9, leg=leg, permille=permille, allowed=allowed)


def moves_on(*, is_on_table: bool, is_fleeing: bool) -> bool:
    """ML-GUARD-10: who is killed or panics ends there, and a wounded mover goes on.

    Source: «попадает в радиус видимости модели», «Отработайте стрельбу как обычно».
    """
    return is_on_table and not is_fleeing


def fleeting_line(*, is_fleeting: bool) -> Line | None:
    """ML-GUARD-11: -1 against a target that appears or disappears by its own deed.

    Source: «специальный модификатор -1 … по появляющимся или исчезающим целям».
    """
    return Line(rule=ML_GUARD_11, amount=-1, note="guard_fleeting") if is_fleeting else None


def charged_line(*, is_charged: bool, is_fleeting: bool, stacks: bool) -> Line | None:
    """ML-GUARD-12: -1 for a guard who shoots at the enemy charging that very guard.

    It is the same -1 as for a fleeting target, so both together count once unless it `stacks`.
    Source: «Этот же модификатор -1 … если враг таранит караульного».
    """
    if not is_charged or (is_fleeting and not stacks):
        return None
    return Line(rule=ML_GUARD_12, amount=-1, note="guard_charged")
