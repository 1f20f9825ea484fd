"""TD-COVER: what a target gains from what the lines to it meet.

How this works. From each corner of the attacker's cells four lines run to the corners of the
target's space (`corner_cover.py`). What they meet of the ground and of creatures are the sources
of cover; the best of them counts for armour class and, by itself, the best for Reflex. Of all
corners the one that leaves the target least is used, unless one is named.
"""

from collections.abc import Callable
from typing import Final

from service.engine.geometry.corner_lines import has_features_between, lattice_corners
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space
from service.engine.vocabulary.breakdown import Modifier, cancelled
from service.errors import Refused
from service.rulesets.tactical_d20.rules.corner_cover import (
    CoverLines,
    bonus_from,
    report_from,
    uniform_bonus,
)
from service.rulesets.tactical_d20.rules.cover_grades import NOTHING, TD_COVER_6, Bonus, bonus_of
from service.rulesets.tactical_d20.rules.ground import Fighter, Ground, kept
from service.rulesets.tactical_d20.rules.living_cover import (
    Bystander,
    bystanders_between,
    bystanders_of,
)
from service.rulesets.tactical_d20.rules.low_obstacles import covering_for
from service.rulesets.tactical_d20.rules.reports import CoverReport, CoverSource, Vertex
from service.rulesets.tactical_d20.rules.words import (
    NOTE_NOT_STACKING,
    AttackMode,
    CoverGrade,
    LineOptions,
)

TD_COVER_1: Final = "TD-COVER-1"
TD_COVER_8: Final = "TD-COVER-8"


def cover_against(
    ground: Ground,
    attacker: Space,
    target: Space,
    others: tuple[Fighter, ...],
    *,
    mode: AttackMode,
    height_ft: int,
    options: LineOptions,
    corner: Cell | None = None,
    override: CoverGrade | None = None,
) -> CoverReport:
    """The cover of a target against an attacker, with everything that gives it.

    `others` are the creatures that count, in order of entry, without these two. `height_ft` is
    the target's. `corner` is one that the attacker has named, `override` the game master's word.
    """
    if override is not None:
        return overruled(override)
    standing = bystanders_between(
        attacker,
        target,
        others,
        mode,
        counts_in_melee=options.soft_cover_vs_melee,
        counts_fallen=options.fallen_give_cover,
    )
    return _cover(ground, attacker, target, standing, height_ft, corner, options)


def used_corner(space: Space, gained: Callable[[Cell, Bonus | None], Bonus | None]) -> Cell:
    """TD-COVER-1: the attacker's corner is the one from which the target has least cover.

    If any of the four lines from it to the corners of the target's space meets something that
    blocks the line of effect or gives cover, or a creature, the target has cover, in melee as at
    range. Least armour class, then least Reflex, then least Y, then least X. A corner that is
    named is used instead, even if it is worse. `gained` is what the target gains from a corner,
    None if that is no less than from one before it.
    Source: «Если хоть одна линия, проведённая из этого угла к любому углу занимаемого целью
    пространства».
    """
    best = (space.x, space.y)
    least: Bonus | None = None
    for corner in lattice_corners(space):
        bonus = gained(corner, least)
        if bonus is not None:
            best, least = corner, bonus
        if least == NOTHING:
            break
    return best


def require_corner(corner: Cell | None, space: Space) -> None:
    """A named corner is one of the actor's cells. Raises Refused("bad_corner")."""
    if corner is not None and not is_corner_of(corner, space):
        raise Refused("bad_corner", rule=TD_COVER_1, x=corner[0], y=corner[1])


def is_corner_of(corner: Cell, space: Space) -> bool:
    """Whether a vertex is a corner of one of the cells of a space."""
    return 0 <= corner[0] - space.x <= space.size and 0 <= corner[1] - space.y <= space.size


def require_no_cover(report: CoverReport) -> None:
    """TD-COVER-3: against a target with cover of any grade no opportunity attack is possible.

    Raises Refused("target_has_cover").
    Source: «не может совершить внеочередную атаку, если у вас есть укрытие».
    """
    if report.grade != "none":
        raise Refused("target_has_cover", rule="TD-COVER-3", grade=report.grade)


def overruled(grade: CoverGrade) -> CoverReport:
    """TD-COVER-8: the game master's word on a target and an attacker replaces the computed cover.

    It stands alone, without a corner. Default, not in the source text.
    """
    ac, reflex = bonus_of(grade)
    source = CoverSource(rule=TD_COVER_8, ac=ac, reflex=reflex)
    return CoverReport(grade=grade, ac=ac, reflex=reflex, can_hide=reflex > 0, sources=(source,))


def cover_lines(report: CoverReport) -> tuple[Modifier, ...]:
    """The lines of cover in the breakdown of armour class: the winner, the others with 0."""
    winner = max(report.sources, key=_ac, default=None)
    return tuple(
        line if source is winner else cancelled(line, NOTE_NOT_STACKING, TD_COVER_6)
        for source in report.sources
        for line in (line_of(source, source.ac),)
    )


def line_of(source: CoverSource, amount: int) -> Modifier:
    """A source of cover as a line of a breakdown."""
    return Modifier(
        rule=source.rule,
        amount=amount,
        combatants=source.combatants,
        ground=source.ground,
        rules=source.rules,
    )


def _ac(source: CoverSource) -> int:
    return source.ac


@kept
def _cover(
    ground: Ground,
    attacker: Space,
    target: Space,
    standing: tuple[Bystander, ...],
    height_ft: int,
    named: Cell | None,
    options: LineOptions,
) -> CoverReport:
    is_clear = not has_features_between(ground.covering, attacker, target)
    if is_clear and not standing:
        x, y = named or (attacker.x, attacker.y)
        corner = Vertex(x=x, y=y)
        return CoverReport(grade="none", ac=0, reflex=0, can_hide=False, corner=corner)
    lines = CoverLines(
        ground=ground,
        features=None
        if is_clear
        else covering_for(ground, attacker, target, height_ft, options, is_attacked=True),
        bystanders=bystanders_of(standing),
        near=attacker,
        far=target,
        height_ft=height_ft,
        is_contact_counted=options.is_contact_counted,
        is_counted=options.partial_cover_method == "line_count",
        uniform=uniform_bonus(ground),
    )

    def gained(corner: Cell, unless: Bonus | None) -> Bonus | None:
        return bonus_from(lines, corner, unless)

    return report_from(lines, named or used_corner(attacker, gained))
