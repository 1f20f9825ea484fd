"""TD-COVER-7 and TD-COVER-9: cover against effects that spread from a vertex."""

from typing import Final

from service.engine.geometry.distance import DiagonalRule, vertex_distance
from service.engine.geometry.open_lines import open_line_from
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space
from service.engine.vocabulary.breakdown import Modifier, cancelled
from service.rulesets.tactical_d20.rules.corner_cover import CoverLines, report_from, uniform_bonus
from service.rulesets.tactical_d20.rules.cover import line_of, overruled
from service.rulesets.tactical_d20.rules.cover_grades import TD_COVER_6
from service.rulesets.tactical_d20.rules.ground import Ground, kept
from service.rulesets.tactical_d20.rules.living_cover import bystanders_of
from service.rulesets.tactical_d20.rules.low_obstacles import covering_for
from service.rulesets.tactical_d20.rules.reports import CoverReport, CoverSource
from service.rulesets.tactical_d20.rules.words import (
    FEET_PER_CELL,
    NOTE_NOT_STACKING,
    NOTE_SPREADS,
    CoverGrade,
    LineOptions,
)

TD_COVER_7: Final = "TD-COVER-7"


def is_in_area(
    ground: Ground,
    origin: Cell,
    space: Space,
    radius_ft: int,
    rule: DiagonalRule,
    *,
    spread: bool,
) -> bool:
    """Whether an area from a vertex affects a creature; default, not in the source text.

    A cell of its space is within the radius, counted from the vertex (the nearest cells are one
    cell away), and some line from the vertex to a corner of its space is not interrupted. A
    spreading area goes round walls.
    """
    away_ft = FEET_PER_CELL * vertex_distance(origin, space, rule)
    return away_ft <= radius_ft and (spread or _is_open(ground, origin, space))


def cover_from(
    ground: Ground,
    origin: Cell,
    target: Space,
    *,
    height_ft: int,
    options: LineOptions,
    override: CoverGrade | None = None,
) -> CoverReport:
    """TD-COVER-9: cover against an area is tested from the vertex where it begins alone.

    Four lines to the corners of the space, no choice of corner, no pinch at the vertex. Creatures
    in between give nothing (TD-SOFT-2). `override` is the game master's word on the target and on
    who made the area.
    Source: «против атак, проведённых с другой стороны укрытия».
    """
    if override is not None:
        return overruled(override)
    return _cover_from(ground, origin, target, height_ft, options)


def reflex_lines(report: CoverReport, *, spread: bool) -> tuple[Modifier, ...]:
    """TD-COVER-7: spreading effects go round corners and ignore the bonuses of cover.

    The lines of cover in the breakdown of a Reflex save: the best source, every other one with
    0; with `spread` all of them.
    Source: «эффекты типа “облако” могут огибать углы».
    """
    sources = tuple([source for source in report.sources if source.reflex])
    if not sources:
        return ()
    winner = max(sources, key=_reflex, default=None)
    return tuple(
        _reflex_line(source, is_winner=source is winner, spread=spread) for source in sources
    )


def is_saved(total: int, dc: int) -> bool:
    """Whether a save of this total succeeds; default, not in the source text."""
    return total >= dc


def damage_after_save(damage: int, *, is_saved: bool) -> int:
    """Half the damage, rounded down, after a successful save; default, not in the source text."""
    return damage // 2 if is_saved else damage


def _reflex_line(source: CoverSource, *, is_winner: bool, spread: bool) -> Modifier:
    line = line_of(source, source.reflex)
    if spread:
        return cancelled(line, NOTE_SPREADS, TD_COVER_7)
    return line if is_winner else cancelled(line, NOTE_NOT_STACKING, TD_COVER_6)


def _reflex(source: CoverSource) -> int:
    return source.reflex


@kept
def _is_open(ground: Ground, origin: Cell, space: Space) -> bool:
    return open_line_from(ground.walls, origin, space) is not None


@kept
def _cover_from(
    ground: Ground, origin: Cell, target: Space, height_ft: int, options: LineOptions
) -> CoverReport:
    lines = CoverLines(
        ground=ground,
        features=covering_for(
            ground, Space(*origin), target, height_ft, options, is_attacked=False
        ),
        bystanders=bystanders_of(()),
        near=None,
        far=target,
        height_ft=height_ft,
        is_contact_counted=options.is_contact_counted,
        is_counted=options.partial_cover_method == "line_count",
        uniform=uniform_bonus(ground),
    )
    return report_from(lines, origin)
