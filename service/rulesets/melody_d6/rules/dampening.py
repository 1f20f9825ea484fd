"""ML-DAMP: the other side's attempt to dampen a Melody.

Lasting Melodies are dampened by the same roll; what it has to reach there, and how often it may be
tried, is in `lasting`.
"""

from collections.abc import Sequence
from typing import Final, Literal

from service.rulesets.melody_d6.rules.songs import (
    Classification,
    is_monstrous_power,
    is_terrible_mistake,
)

ML_DAMP_1: Final = "ML-DAMP-1"
ML_DAMP_2: Final = "ML-DAMP-2"
ML_DAMP_3: Final = "ML-DAMP-3"
ML_DAMP_4: Final = "ML-DAMP-4"
ML_DAMP_5: Final = "ML-DAMP-5"
ML_DAMP_6: Final = "ML-DAMP-6"
ML_DAMP_7: Final = "ML-DAMP-7"

Automatic = Literal["failure", "success", "none"]
"""How an attempt ends whatever its total, by the natural dice of its first roll."""


def may_dampen(*, is_on_table: bool, is_fleeing: bool, is_stunned: bool, is_near: bool) -> bool:
    """ML-DAMP-1: a singer on the table who neither flees nor is stunned may dampen.

    `is_near`: within `dampen_range` of whoever sings, true where there is no such limit (E81). No
    line of sight and no action is needed. Source: «попытаться заглушить»; who is a default.
    """
    return is_on_table and is_near and not (is_fleeing or is_stunned)


def is_dampened(total: int, target_number: int) -> bool:
    """ML-DAMP-2: a Melody is dampened by a total that reaches its result; equal does (E12).

    Source: implied by «а не результату при сотворении».
    """
    return total >= target_number


def is_automatic_failure(faces: Sequence[int]) -> bool:
    """ML-DAMP-3: two or more natural 1s fail automatically; there is no mistake table for it.

    Source: «означают автоматический провал».
    """
    return is_terrible_mistake(faces)


def is_automatic_success(faces: Sequence[int]) -> bool:
    """ML-DAMP-4: two or more natural 6s succeed automatically (E13).

    Source: «двойная шестерка – автоматический успех».
    """
    return is_monstrous_power(faces)


def automatic_result(first_faces: Sequence[int]) -> Automatic:
    """ML-DAMP-5: of an attempt that shows both the failure counts (E13); `none` if it has neither.

    Source: «Автоматический провал имеет больший приоритет».
    """
    if is_automatic_failure(first_faces):
        return "failure"
    return "success" if is_automatic_success(first_faces) else "none"


def may_reroll_dampening(automatic: Automatic, rerolls_left: int) -> bool:
    """ML-DAMP-6: without an automatic result the dampener's own reroll may change the total (E14).

    Once for each attempt; it makes no automatic result.
    Source: «так же, как и при сотворении».
    """
    return automatic == "none" and rerolls_left > 0


def is_dampening_barred(classified: Classification) -> bool:
    """ML-DAMP-7: nobody may even try to dampen a Melody sung with Monstrous Power (E15).

    A lasting one in the round of its creation only (ML-LAST-6).
    Source: «ее даже нельзя пытаться заглушить».
    """
    return classified == "monstrous_power"


def dampening_outcome(automatic: Automatic, total: int, target_number: int) -> bool:
    """Whether an attempt dampens the Melody."""
    if automatic == "none":
        return is_dampened(total, target_number)
    return automatic == "success"


_RULES: Final[dict[Automatic, str]] = {
    "failure": ML_DAMP_3,
    "success": ML_DAMP_4,
    "none": ML_DAMP_2,
}


def dampening_rules(first_faces: Sequence[int]) -> tuple[str, ...]:
    """The rules that decided an attempt with this first roll, the foremost first."""
    deciding = _RULES[automatic_result(first_faces)]
    shows_both = is_automatic_failure(first_faces) and is_automatic_success(first_faces)
    return (deciding, ML_DAMP_5) if shows_both else (deciding,)
