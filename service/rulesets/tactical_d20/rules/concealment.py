"""TD-CONC: what hides a target without stopping an attack, and how often it makes it miss.

How this works. At range, and in melee against a target that is not adjacent, four lines run from
a corner of the attacker's cells to those of the target's space; what conceals on them counts with
its degree. Whose choice the corner is, the table says. In melee against an adjacent target only
what lies on its whole space counts. Light counts in the target's own cells. Of all sources the
greatest degree alone makes the chance to miss.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from msgspec import UNSET

from service.engine.geometry.corner_lines import (
    corners_of,
    has_features_between,
    lattice_corners,
)
from service.engine.geometry.features import Feature, Features
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space, cells_of
from service.engine.vocabulary.breakdown import Modifier, cancelled
from service.errors import Refused
from service.rulesets.tactical_d20.rules.cover import is_corner_of
from service.rulesets.tactical_d20.rules.geometry import features_met
from service.rulesets.tactical_d20.rules.ground import Ground, kept, marked
from service.rulesets.tactical_d20.rules.reports import (
    ConcealmentReport,
    MetLine,
    Vertex,
    ground_part,
)
from service.rulesets.tactical_d20.rules.words import (
    NOTE_NOT_STACKING,
    CornerChooser,
    Light,
    LineOptions,
    Sense,
)

TD_CONC_2: Final = "TD-CONC-2"
TD_CONC_3: Final = "TD-CONC-3"
TD_CONC_4: Final = "TD-CONC-4"
TD_CONC_5: Final = "TD-CONC-5"
TD_CONC_6: Final = "TD-CONC-6"
TD_CONC_8: Final = "TD-CONC-8"

_ORDER: Final = (TD_CONC_2, TD_CONC_5, TD_CONC_6, TD_CONC_8)
"""The order in which a tie between sources is won."""


class Source(NamedTuple):
    """Something that conceals: its rule, its degree in per cent, the ground it is made of."""

    rule: str
    percent: int
    features: tuple[Feature, ...] = ()


class Concealing(NamedTuple):
    """Cells and borders that conceal on a line, and what each of them makes."""

    features: Features
    degrees: Mapping[Feature, tuple[tuple[str, int], ...]]
    greatest: int


class LineMet(NamedTuple):
    """What one line meets; it ends at a corner of the target's space."""

    end: Cell
    features: tuple[Feature, ...]


def concealment_against(
    ground: Ground,
    attacker: Space,
    target: Space,
    *,
    is_adjacent_melee: bool,
    senses: tuple[Sense, ...],
    blur_pct: int,
    options: LineOptions,
    corner: Cell | None = None,
    override: int | None = None,
) -> ConcealmentReport:
    """The concealment of a target from an attacker, with everything that gives it.

    `senses` are the attacker's, `blur_pct` the target's. `corner` is one that the attacker has
    named (`require_concealment_corner`), `override` the game master's word in per cent.
    """
    if override is not None:
        return overruled(override)
    lights = lights_hindering(senses)
    if is_adjacent_melee:
        return _in_space(ground, target, lights, blur_pct, options)
    return _on_lines(ground, attacker, target, lights, blur_pct, corner, options)


def used_corner(
    space: Space,
    degree_from: Callable[[Cell, int | None], int | None],
    chooser: CornerChooser,
    greatest: int,
) -> Cell:
    """TD-CONC-2: the corner from which four lines tell whether a target is concealed.

    A ranged attack is concealed if any line from it to a corner of the target's space meets a
    concealing cell or border; the degree is the greatest met. The sentence is addressed to the
    defender, who has the greatest degree, then least Y, then least X; with `attacker` it is the
    least degree. `greatest` is the most there can be. `degree_from` is the degree from a corner,
    None if it is no less than its second argument.
    Source: «выберите угол его клетки», «Если любая линия от этого угла к любому углу вашей клетки
    проходит через клетку или границу клетки, создающей плохую видимость».
    """
    best = (space.x, space.y)
    reached: int | None = None
    wanted = 0 if chooser == "attacker" else greatest
    for corner in lattice_corners(space):
        degree = degree_from(corner, reached if chooser == "attacker" else None)
        if degree is None:
            continue
        if reached is None or (degree < reached if chooser == "attacker" else degree > reached):
            best, reached = corner, degree
        if reached == wanted:
            break
    return best


def is_missed(percent: int, die: int) -> bool:
    """TD-CONC-3: a hit on a concealed target misses if the defender's d% is at most the chance.

    `die` is 1 to 100; the attack is rolled as usual, and the die only after a hit.
    Source: «если выпало 20 или меньше, атака завершается промахом».
    """
    return die <= percent


def best_of(sources: Iterable[Source]) -> tuple[int, tuple[Modifier, ...]]:
    """TD-CONC-4: several sources do not add: the greatest degree counts, with one roll.

    That degree, and a line for each source: the winner with its per cent, the others with 0.
    Source: «Несколько эффектов, дающих плохую видимость, не складываются».
    """
    ordered = sorted(sources, key=lambda source: (_ORDER.index(source.rule), -source.percent))
    winner = max(ordered, key=lambda source: source.percent, default=None)
    lines = tuple(
        line if source is winner else cancelled(line, NOTE_NOT_STACKING, TD_CONC_4)
        for source in ordered
        for line in (_line_of(source),)
    )
    return (0 if winner is None else winner.percent), lines


def blur_source(blur_pct: int) -> tuple[Source, ...]:
    """TD-CONC-5: some effects conceal from every attacker, without any geometry.

    Source: «создают плохую видимость для всех атакующих».
    """
    return (Source(TD_CONC_5, blur_pct),) if blur_pct else ()


def degree_in_space(degrees: Iterable[int]) -> int:
    """TD-CONC-6: in melee an adjacent target is concealed only if every cell of its space is.

    `degrees` are the greatest of each of its cells in per cent; the least of them counts. Against
    a target that is not adjacent lines are drawn (TD-CONC-2).
    Source: «только если на всём занимаемом ей пространстве».
    """
    return min(degrees)


def overruled(percent: int) -> ConcealmentReport:
    """TD-CONC-7: the game master decides degrees: this one replaces what was computed.

    Blur included; 0 to 100 per cent.
    Source: «Решение о том, насколько плохо видно персонажа, принимает ведущий».
    """
    line = Modifier(rule="TD-CONC-7", amount=percent)
    return ConcealmentReport(percent=percent, sources=(line,))


def light_degree(
    lights: tuple[Light | None, ...], hindering: tuple[Light, ...], percent: int
) -> int:
    """TD-CONC-8: dim light on a cell of the target's space conceals it; so does darkness on a part.

    `lights` are those of its cells. Darkness over the whole space conceals nothing: without a line
    of sight the target is unseen. `percent` is the usual degree.
    Source: «Темнота или низкий уровень освещённости»; the degrees are a default.
    """
    is_wholly_dark = all(light == "dark" for light in lights)
    if is_wholly_dark or not any(light in hindering for light in lights):
        return 0
    return percent


def lights_hindering(senses: tuple[Sense, ...]) -> tuple[Light, ...]:
    """TD-CONC-9: darkvision ignores darkness and dim light, low-light vision dim light alone.

    These are the lights that hinder somebody. Neither sense helps against smoke or invisibility.
    Source: «не оказывают влияния, если у вашего противника ночное зрение», «видят при низком
    уровне освещённости так же хорошо, как и при среднем».
    """
    if "darkvision" in senses:
        return ()
    return ("dark",) if "low_light" in senses else ("dim", "dark")


def require_concealment_corner(corner: Cell | None, space: Space, chooser: CornerChooser) -> None:
    """A named corner is one of the actor's cells, and the choice is the attacker's.

    Raises Refused("bad_corner").
    """
    if corner is not None and (chooser == "defender" or not is_corner_of(corner, space)):
        raise Refused("bad_corner", rule=TD_CONC_2, x=corner[0], y=corner[1])


def _line_of(source: Source) -> Modifier:
    parts = tuple(map(ground_part, source.features))
    return Modifier(rule=source.rule, amount=source.percent, ground=parts or UNSET)


@kept
def _in_space(
    ground: Ground,
    target: Space,
    hindering: tuple[Light, ...],
    blur_pct: int,
    options: LineOptions,
) -> ConcealmentReport:
    """The concealment from an attacker who fights hand to hand beside the target."""
    cells = cells_of(target)
    lights = tuple(ground.light.get(cell) for cell in cells)
    lit = light_degree(lights, hindering, options.default_concealment_pct)
    in_light = [lit if light in hindering else 0 for light in lights]
    in_smoke = [ground.percents.get(Feature("cell", *cell), 0) for cell in cells]
    by_light = degree_in_space(in_light)
    both = degree_in_space(map(max, in_light, in_smoke))
    by_smoke = both if both > by_light else degree_in_space(in_smoke)
    parts = tuple(sorted(Feature("cell", *cell) for cell in cells))
    sources = [*blur_source(blur_pct)]
    if by_smoke:
        sources.append(Source(TD_CONC_6, by_smoke, parts))
    if by_light:
        sources.append(Source(TD_CONC_8, by_light, parts))
    percent, lines = best_of(sources)
    return ConcealmentReport(percent=percent, sources=lines)


@kept
def _on_lines(
    ground: Ground,
    attacker: Space,
    target: Space,
    hindering: tuple[Light, ...],
    blur_pct: int,
    named: Cell | None,
    options: LineOptions,
) -> ConcealmentReport:
    """The concealment by the lines from one corner, by light and by blur."""
    concealing = _concealing(
        ground, hindering if options.light_on_line else (), options.default_concealment_pct
    )
    corner, met = _met_from_corner(concealing, attacker, target, named, options)
    by_degree: dict[tuple[str, int], set[Feature]] = {}
    for line in met:
        for feature in line.features:
            for degree in concealing.degrees[feature]:
                by_degree.setdefault(degree, set()).add(feature)
    lit = _light_source(ground, target, hindering, options.default_concealment_pct)
    for degree, features in lit.items():
        by_degree.setdefault(degree, set()).update(features)
    sources = [Source(*degree, tuple(sorted(parts))) for degree, parts in by_degree.items()]
    percent, lines = best_of((*blur_source(blur_pct), *sources))
    return ConcealmentReport(
        percent=percent,
        sources=lines,
        corner=Vertex(x=corner[0], y=corner[1]),
        lines=tuple(
            MetLine(end=Vertex(x=end[0], y=end[1]), ground=tuple(map(ground_part, features)))
            for end, features in met
        ),
    )


def _met_from_corner(
    concealing: Concealing,
    attacker: Space,
    target: Space,
    named: Cell | None,
    options: LineOptions,
) -> tuple[Cell, tuple[LineMet, ...]]:
    """The corner that is used, and the lines from it that meet something."""
    if not has_features_between(concealing.features, attacker, target):
        return named or (attacker.x, attacker.y), ()

    def met_on(corner: Cell, end: Cell) -> tuple[Feature, ...]:
        return features_met(
            concealing.features,
            corner,
            end,
            attacker,
            target,
            is_contact_counted=options.is_contact_counted,
        )

    def degree_from(corner: Cell, unless: int | None) -> int | None:
        degree = 0
        for end in corners_of(target):
            for feature in met_on(corner, end):
                degree = max(degree, *(each for _, each in concealing.degrees[feature]))
            if degree == concealing.greatest:
                break
            if unless is not None and degree >= unless:
                return None
        return degree

    corner = named or used_corner(
        attacker, degree_from, options.concealment_corner_chooser, concealing.greatest
    )
    met = tuple(LineMet(end, met_on(corner, end)) for end in corners_of(target))
    return corner, tuple(line for line in met if line.features)


def _light_source(
    ground: Ground, target: Space, hindering: tuple[Light, ...], percent: int
) -> dict[tuple[str, int], tuple[Feature, ...]]:
    """What the light in the target's own cells makes, with these cells."""
    lights = {cell: ground.light.get(cell) for cell in cells_of(target)}
    if not light_degree(tuple(lights.values()), hindering, percent):
        return {}
    cells = (Feature("cell", *cell) for cell, light in lights.items() if light in hindering)
    return {(TD_CONC_8, percent): tuple(cells)}


@kept
def _concealing(ground: Ground, on_line: tuple[Light, ...], percent: int) -> Concealing:
    """What conceals on a line; `on_line` are the lights that do, with their degree in per cent."""
    degrees: dict[Feature, tuple[tuple[str, int], ...]] = {
        feature: ((TD_CONC_2, each),) for feature, each in ground.percents.items()
    }
    for cell, light in ground.light.items() if on_line else ():
        if light in on_line:
            feature = Feature("cell", *cell)
            degrees[feature] = (*degrees.get(feature, ()), (TD_CONC_8, percent))
    every = [degree for each in degrees.values() for _, degree in each]
    features = marked(degrees) if on_line else ground.concealing
    return Concealing(features, degrees, max(every, default=0))
