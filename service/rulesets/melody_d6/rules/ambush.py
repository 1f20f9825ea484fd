"""ML-AMB: shooting while masked, who sees it, and what becomes of the masking."""

from collections.abc import Iterable
from typing import Final, NamedTuple

ML_AMB_1: Final = "ML-AMB-1"
ML_AMB_2: Final = "ML-AMB-2"
ML_AMB_3: Final = "ML-AMB-3"
ML_AMB_4: Final = "ML-AMB-4"
ML_AMB_5: Final = "ML-AMB-5"
ML_AMB_6: Final = "ML-AMB-6"


def is_ambush(*, is_masked: bool) -> bool:
    """ML-AMB-1: whoever is masked when it declares a shot shoots from ambush, on guard too.

    In its own turn it has to be masked since before that turn (ML-MASK-8, E80).
    Source: «Воин, будучи замаскированным».
    """
    return is_masked


def may_stay_unnoticed(*, is_killed: bool, is_quiet: bool) -> bool:
    """ML-AMB-2: only if the target is killed by this very action, and the weapon is quiet.

    Else masking is lost (E43, E44). Source: «1) Цель погибает сразу … 2) … из тихих видов оружия».
    """
    return is_killed and is_quiet


class Onlooker(NamedTuple):
    """What decides whether a warrior has seen a target die and the shooter."""

    is_of_targets_side: bool
    is_target: bool
    is_on_table: bool
    is_hidden: bool
    """Hidden by the game master: it notices nobody, lest that tell of it."""
    sees_target: bool
    """Sees the target's base where it stood (ML-GEO-7)."""
    sees_shooter: bool


def is_witness(onlooker: Onlooker) -> bool:
    """ML-AMB-3: whoever of the target's side sees both where it stood and the shooter is tested.

    Also who flees or is stunned; never the target, nor whom the game master hides (2.4). All of
    them test, in upload order (E41).
    Source: «всем бойцам, увидевшим гибель цели, и в чьем поле зрения находится стрелок».
    """
    return (
        onlooker.is_of_targets_side
        and not onlooker.is_target
        and onlooker.is_on_table
        and not onlooker.is_hidden
        and onlooker.sees_target
        and onlooker.sees_shooter
    )


def is_noticed(passed: Iterable[bool]) -> bool:
    """ML-AMB-4: one Mobility test passed is enough: masking is lost and the shooter exposed.

    None passed, or nobody to test: it stays masked (E41, E42).
    Source: «считается раскрытым и не может больше маскироваться».
    """
    return any(passed)


def is_panic_due(steady_members: int) -> bool:
    """ML-AMB-5: then the target's unit tests for panic, whatever the shot did, even a miss.

    Not where it has no member on the table that is not fleeing. One test for each ambush shot
    (E43). Source: «вне зависимости от результатов стрельбы».
    """
    return steady_members > 0


def is_own_deed(*, is_own_turn: bool) -> bool:
    """ML-AMB-6: masking lost with a shot of one's own activation is one's own deed.

    The warrior is an appearing target then (ML-GUARD-11); lost with a shot on guard it is not.
    Masking lost without a witness exposes nobody (E42, E43).
    """
    return is_own_turn
