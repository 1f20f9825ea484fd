"""SQ-SUP: fire that pins somebody down, and where he cannot shoot then."""

from collections.abc import Iterable
from typing import Final, Literal

from service.engine.geometry.points import Cell
from service.errors import Refused
from service.rulesets.squad_d100.rules.shots import (
    Outcome,
    is_critical_failure,
    is_critical_success,
)

SQ_SUP_1: Final = "SQ-SUP-1"
SQ_SUP_2: Final = "SQ-SUP-2"
SQ_SUP_3: Final = "SQ-SUP-3"
SQ_SUP_4: Final = "SQ-SUP-4"
SQ_SUP_6: Final = "SQ-SUP-6"

SuppressionArc = Literal["cone", "shooter", "half_plane"]

SUPPRESSION_ROUNDS: Final = 15
SUPPRESSION_HIT: Final = 1


def require_automatic(weapon: str, *, is_automatic: bool, rule: str) -> None:
    """SQ-SUP-1: suppressive fire is 15 rounds of an automatic weapon; a burst needs one, too.

    Raises Refused("weapon_not_automatic") under the rule of what is asked for.
    Source: «боец с автоматическим оружием может подавлять цель … очередь на 15 патронов».
    """
    if not is_automatic:
        raise Refused("weapon_not_automatic", rule=rule, weapon=weapon)


def suppression_outcome(natural: int, crit_success_max: int) -> Outcome:
    """SQ-SUP-2: of the 15 rounds those hit that show a natural 1, whatever else counts.

    A natural 1 is a critical success too, unless these are switched off (SQ-SHOOT-7).
    Source: «при этом попадание засчитывается только при выпадении 1».
    """
    if natural == SUPPRESSION_HIT:
        return "critical_success" if is_critical_success(natural, crit_success_max) else "hit"
    return "critical_failure" if is_critical_failure(natural) else "miss"


def is_suppressed(*, is_target_down: bool) -> bool:
    """SQ-SUP-3: the target is suppressed without a roll, if it is not down afterwards.

    Source: «Подавленная цель».
    """
    return not is_target_down


def is_barred(shooter: Cell, suppressor: Cell, target: Cell, arc: SuppressionArc) -> bool:
    """SQ-SUP-4: no shots towards the suppressor: within 45 degrees of the way to him, the rim too.

    `half_plane`: anywhere before the right angle. The arc `shooter` bars him alone as a target, so
    no cell: see `is_anyone_barred`. Source: «не может стрелять в следующий ход в сторону бойца».
    """
    ax, ay = suppressor[0] - shooter[0], suppressor[1] - shooter[1]
    bx, by = target[0] - shooter[0], target[1] - shooter[1]
    dot, cross = ax * bx + ay * by, ax * by - ay * bx
    if dot <= 0:
        return False
    return arc == "half_plane" or (arc == "cone" and abs(cross) <= dot)


def is_anyone_barring(
    shooter: Cell,
    target: tuple[str | None, Cell],
    suppressors: Iterable[tuple[str, Cell]],
    arc: SuppressionArc,
) -> bool:
    """SQ-SUP-6: each suppressor bars an arc of his own; who is down or gone bars none.

    `target` and `suppressors` are ids with cells; an object has no id. Hand in the suppressors who
    are standing. Default, not in the source text.
    """
    if arc == "shooter":
        return any(target[0] == suppressor for suppressor, _ in suppressors)
    return any(is_barred(shooter, cell, target[1], arc) for _, cell in suppressors)
