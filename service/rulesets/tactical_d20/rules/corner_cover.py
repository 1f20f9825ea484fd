"""What the four lines from one corner meet, and which cover comes of it."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.geometry.corner_lines import corners_of
from service.engine.geometry.features import Feature, Features
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space
from service.rulesets.tactical_d20.rules.cover_grades import (
    NOTHING,
    TD_COVER_2,
    TD_COVER_5,
    TD_COVER_6,
    Bonus,
    bonus_of,
    grade_of,
    limited,
    rule_of,
)
from service.rulesets.tactical_d20.rules.geometry import features_met, is_anything_met
from service.rulesets.tactical_d20.rules.ground import Ground, kept, marked
from service.rulesets.tactical_d20.rules.living_cover import (
    TD_SOFT_1,
    Bystanders,
    creatures_crossed,
    living_bonus,
)
from service.rulesets.tactical_d20.rules.low_obstacles import TD_LOW_1, is_low
from service.rulesets.tactical_d20.rules.reports import (
    CoverReport,
    CoverSource,
    MetLine,
    Vertex,
    ground_part,
)

_ORDER: Final = (TD_COVER_2, TD_COVER_5, TD_COVER_6, TD_LOW_1, TD_SOFT_1)
"""The order in which a tie between sources is won."""


class CoverLines(NamedTuple):
    """All that the cover of a target from any corner depends on.

    `features` are those that can cover the target, None where none is anywhere near. `near` is the
    space of the attacker, None for an area, whose lines are not pinched where they begin.
    `is_counted`: one line alone that meets anything gives partial cover. `uniform` is what each
    feature gives, None where they differ.
    """

    ground: Ground
    features: Features | None
    bystanders: Bystanders
    near: Space | None
    far: Space
    height_ft: int
    is_contact_counted: bool
    is_counted: bool
    uniform: Bonus | None


class LineMet(NamedTuple):
    """What one line meets; it ends at a corner of the target's space."""

    end: Cell
    features: tuple[Feature, ...]
    creatures: tuple[str, ...]


def met_on_line(lines: CoverLines, corner: Cell, end: Cell) -> LineMet:
    """What the line between two corners meets."""
    features = _features_met(lines, corner, end)
    return LineMet(end, features, creatures_crossed(lines.bystanders, corner, end))


def bonus_from(lines: CoverLines, corner: Cell, unless: Bonus | None) -> Bonus | None:
    """What the target gains if the lines run from this corner.

    None as soon as it is no less than `unless`, what a corner before it leaves.
    """
    if unless is not None and not lines.is_counted and _is_one_enough(lines, corner, unless):
        return None
    gained, lines_met = NOTHING, 0
    for end in corners_of(lines.far):
        bonus = _bonus_on_line(lines, corner, end)
        if bonus == NOTHING:
            continue
        lines_met += 1
        gained = _best((gained, bonus))
        is_settled = not lines.is_counted or lines_met > 1
        if unless is not None and is_settled and gained >= unless:
            return None
    if lines.is_counted and lines_met == 1:
        gained = limited(gained)
    return gained if unless is None or gained < unless else None


def report_from(lines: CoverLines, corner: Cell) -> CoverReport:
    """The whole report of the cover from this corner."""
    met = tuple(met_on_line(lines, corner, end) for end in corners_of(lines.far))
    met = tuple(line for line in met if line.features or line.creatures)
    sources = tuple(_sources(lines, met))
    if lines.is_counted and len(met) == 1:
        sources = tuple(map(_limited_source, sources))
    sources = tuple(sorted(sources, key=_precedence))
    gained = _best(Bonus(source.ac, source.reflex) for source in sources)
    return CoverReport(
        grade=grade_of(gained.ac),
        ac=gained.ac,
        reflex=gained.reflex,
        can_hide=gained.reflex > 0,
        sources=sources,
        corner=Vertex(x=corner[0], y=corner[1]),
        lines=tuple(map(_line_report, met)),
    )


@kept
def uniform_bonus(ground: Ground) -> Bonus | None:
    """What every covering feature of a ground gives; None where they differ or there are none."""
    grades = {cover.grade for cover in ground.covers.values()}
    return bonus_of(grades.pop()) if len(grades) == 1 else None


def _best(bonuses: Iterable[Bonus]) -> Bonus:
    """The best of each value by itself."""
    ac = reflex = 0
    for bonus in bonuses:
        ac, reflex = max(ac, bonus.ac), max(reflex, bonus.reflex)
    return Bonus(ac, reflex)


def _is_one_enough(lines: CoverLines, corner: Cell, least: Bonus) -> bool:
    """Whether some line meets something that gives so much by itself; most corners end here."""
    if lines.features is None or lines.uniform is not None:
        return False
    giving = _giving(lines.ground, least)
    return any(
        is_anything_met(
            giving,
            corner,
            end,
            lines.near,
            lines.far,
            is_contact_counted=lines.is_contact_counted,
        )
        for end in corners_of(lines.far)
    )


@kept
def _giving(ground: Ground, least: Bonus) -> Features:
    """The features that give at least so much to any target: no low obstacles."""
    return marked(
        feature
        for feature, cover in ground.covers.items()
        if bonus_of(cover.grade) >= least and not cover.low_height_ft
    )


def _bonus_on_line(lines: CoverLines, corner: Cell, end: Cell) -> Bonus:
    """What one line alone makes the target gain."""
    by_ground = _bonus_of_ground(lines, corner, end)
    living = living_bonus()
    if by_ground.ac >= living.ac or not creatures_crossed(lines.bystanders, corner, end):
        return by_ground
    return _best((by_ground, living))


def _bonus_of_ground(lines: CoverLines, corner: Cell, end: Cell) -> Bonus:
    if lines.features is None:
        return NOTHING
    if lines.uniform is None:
        met = _features_met(lines, corner, end)
        return _best(bonus_of(lines.ground.covers[feature].grade) for feature in met)
    is_met = is_anything_met(
        lines.features,
        corner,
        end,
        lines.near,
        lines.far,
        is_contact_counted=lines.is_contact_counted,
    )
    return lines.uniform if is_met else NOTHING


def _features_met(lines: CoverLines, corner: Cell, end: Cell) -> tuple[Feature, ...]:
    if lines.features is None:
        return ()
    return features_met(
        lines.features,
        corner,
        end,
        lines.near,
        lines.far,
        is_contact_counted=lines.is_contact_counted,
    )


def _sources(lines: CoverLines, met: tuple[LineMet, ...]) -> Iterable[CoverSource]:
    """Everything that the lines meet, by the rule it follows and by what it gives."""
    by_rule: dict[tuple[str, Bonus], list[Feature]] = {}
    for feature in sorted({feature for line in met for feature in line.features}):
        cover = lines.ground.covers[feature]
        is_low_here = is_low(cover.low_height_ft, lines.height_ft)
        rule = TD_LOW_1 if is_low_here else rule_of(cover.grade)
        by_rule.setdefault((rule, bonus_of(cover.grade)), []).append(feature)
    for (rule, bonus), features in by_rule.items():
        parts = tuple(map(ground_part, features))
        yield CoverSource(rule=rule, ac=bonus.ac, reflex=bonus.reflex, ground=parts)
    in_the_way = {creature for line in met for creature in line.creatures}
    if in_the_way:
        ac, reflex = living_bonus()
        creatures = tuple(each for each in lines.bystanders.ids if each in in_the_way)
        yield CoverSource(rule=TD_SOFT_1, ac=ac, reflex=reflex, combatants=creatures)


def _limited_source(source: CoverSource) -> CoverSource:
    """The same source where it is the only line's: partial cover, if that is less."""
    ac, reflex = limited(Bonus(source.ac, source.reflex))
    if (ac, reflex) == (source.ac, source.reflex):
        return source
    return replace(source, rule=TD_COVER_5, ac=ac, reflex=reflex, rules=(source.rule,))


def _precedence(source: CoverSource) -> tuple[int, int]:
    return _ORDER.index(source.rule), -source.ac


def _line_report(met: LineMet) -> MetLine:
    return MetLine(
        end=Vertex(x=met.end[0], y=met.end[1]),
        ground=tuple(map(ground_part, met.features)) or UNSET,
        combatants=met.creatures or UNSET,
    )
