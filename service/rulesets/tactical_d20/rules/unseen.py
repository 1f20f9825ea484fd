"""TD-UNSEEN: targets that are not seen, and attacks on cells where one is believed to be."""

from collections.abc import Callable
from typing import Final

from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space, cells_of
from service.engine.vocabulary.breakdown import Modifier, cancelled
from service.errors import Refused
from service.rulesets.tactical_d20.rules.concealment import TD_CONC_4, lights_hindering
from service.rulesets.tactical_d20.rules.geometry import has_open_line
from service.rulesets.tactical_d20.rules.ground import Ground, kept
from service.rulesets.tactical_d20.rules.reports import ConcealmentReport, CoverReport
from service.rulesets.tactical_d20.rules.words import NOTE_NOT_STACKING, CoverGrade, Sense

TD_UNSEEN_3: Final = "TD-UNSEEN-3"

GuessReading = Callable[[CoverGrade | None], CoverReport | None]
"""How a version of this rulebook reads the game master's word on somebody in a guessed cell.

Given is the word on his cover from the attacker, None without one; what comes of it is the cover
that keeps the attack from him, None where he is attacked.
"""


def always_attacked(_override: CoverGrade | None) -> CoverReport | None:
    """None: whoever is in the cell is attacked, his cover being what the word says."""
    return None


@kept
def has_open_sight(ground: Ground, attacker: Space, target: Space) -> bool:
    """Whether a line between the two is not interrupted by what blocks sight (TD-GEO-6)."""
    return has_open_line(ground.opaque, attacker, target)


def is_in_darkness(ground: Ground, target: Space, senses: tuple[Sense, ...]) -> bool:
    """Whether the whole space of a target is dark for somebody with these senses."""
    return "dark" in lights_hindering(senses) and all(
        ground.light.get(cell) == "dark" for cell in cells_of(target)
    )


def has_line_of_sight(
    ground: Ground,
    attacker: Space,
    target: Space,
    senses: tuple[Sense, ...],
    *,
    is_invisible: bool,
) -> bool:
    """Whether an attacker with these senses sees a target (TD-GEO-6)."""
    return (
        not is_invisible
        and not is_in_darkness(ground, target, senses)
        and has_open_sight(ground, attacker, target)
    )


def require_seen(*, is_seen: bool) -> None:
    """TD-UNSEEN-1: a target with a line of effect but no line of sight is unseen, and not attacked.

    Raises Refused("target_unseen").
    Source: «может провести до вас линию досягаемости, но не линию видимости».
    """
    if not is_seen:
        raise Refused("target_unseen", rule="TD-UNSEEN-1")


def require_unseen(cell: Cell, *, is_seen: bool) -> None:
    """TD-UNSEEN-2: an attacker may strike at a cell where he believes an unseen creature to be.

    Not at one with a creature that he knows of and sees. Raises Refused("target_is_visible").
    Source: «вправе ударить по клетке».
    """
    if is_seen:
        raise Refused("target_is_visible", rule="TD-UNSEEN-2", x=cell[0], y=cell[1])


def guessed(report: ConcealmentReport, unseen_pct: int) -> ConcealmentReport:
    """TD-UNSEEN-3: a hit on an unseen creature in a guessed cell misses half the time.

    Or as often as its concealment makes it miss, if that is more; at a tie that wins.
    Source: «вероятность промаха 50 % (а не 20 %…)».
    """
    line = Modifier(rule=TD_UNSEEN_3, amount=unseen_pct)
    if unseen_pct <= report.percent:
        sources = (*report.sources, cancelled(line, NOTE_NOT_STACKING, TD_CONC_4))
        return ConcealmentReport(
            percent=report.percent, sources=sources, corner=report.corner, lines=report.lines
        )
    weaker = tuple(
        cancelled(each, NOTE_NOT_STACKING, TD_CONC_4) if each.amount else each
        for each in report.sources
    )
    return ConcealmentReport(
        percent=unseen_pct, sources=(*weaker, line), corner=report.corner, lines=report.lines
    )


def draws_miss_chance(natural: int) -> bool:
    """Whether d% is drawn for a guessed cell: after every d20 but a natural 1.

    Whether somebody is there or not, hit or not; it is read only on a hit.
    """
    return natural != 1
