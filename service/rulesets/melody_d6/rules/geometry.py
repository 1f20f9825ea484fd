"""ML-GEO: distances, sight, ways and templates on a table without cells.

Lengths are whole numbers of u, 1,000 of them a step (ML-GEO-1). Roots are compared and never
taken, but where a length is wanted, and then rounded up.
"""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from service.engine.geometry.polygons import Polygon, enters_interior, is_near_polygon
from service.engine.geometry.roots import compare_reduced_roots
from service.engine.geometry.segments import Spot, is_near_segment, is_within, way_length
from service.engine.geometry.templates import Beam, Cone, Coverage, Disc, coverage

Measure = Literal["edge", "centre"]

PERMILLE: Final = 1000
"""Points of a leg that can be named, beside its start."""


class Near(NamedTuple):
    """A pair of warriors whose distance is compared with others: the one who looks is `combatant`.

    `squared` is the square of the distance of the centres, `radii` the sum of the radii that count,
    `order` the place of the combatant in the upload.
    """

    combatant: str
    squared: int
    radii: int
    mobility: int
    order: int


def counted_radii(measure: Measure, *radii: int) -> int:
    """The sum of base radii that count in a distance: with `centre` none do (ML-GEO-2)."""
    return sum(radii) if measure == "edge" else 0


def is_within_distance(a: Spot, b: Spot, reach: int, radii: int, measure: Measure) -> bool:
    """ML-GEO-2: whether the edges of two bases are at most `reach` apart; exactly so counts.

    `radii` is the sum of both radii, of a warrior and a point that of the one; with the measure
    `centre` they do not count. A reach below 0 may still be met by bases that overlap.
    Source: «в пределах», «в радиусе».
    """
    return is_within(a, b, reach + counted_radii(measure, radii))


def nearest(candidates: Iterable[Near]) -> Near | None:
    """ML-GEO-3: whose edge is nearest; None of nobody.

    Roots are compared exactly. Ties go to the higher Mobility, then to the upload order.
    Source: «ближайшего воина»; the ties are a default, not in the source text.
    """
    best: Near | None = None
    for each in candidates:
        if best is None or _is_nearer(each, best):
            best = each
    return best


def passes_within(spot: Spot, start: Spot, end: Spot, reach: int) -> bool:
    """ML-GEO-4: whether a leg comes within `reach` of a point; exactly so counts.

    A reach below 0 is met by nothing. The source text is silent.
    """
    return is_near_segment(spot, start, end, reach)


def is_near_feature(
    polygon: Polygon, spot: Spot, reach: int, radius: int, measure: Measure
) -> bool:
    """ML-GEO-5: whether a warrior is within `reach` of a feature: on it, in it, or near an edge.

    Exactly so counts. With the measure `centre` the base does not. Source: «возле».
    """
    return is_near_polygon(polygon, spot, reach + counted_radii(measure, radius))


def has_line_of_sight(start: Spot, end: Spot, high: Iterable[Polygon]) -> bool:
    """ML-GEO-6: whether no `high` feature holds a piece of the segment in its interior.

    From centre to centre. Along an edge and over a corner one sees; bases never block, nor does
    anything block a segment without length. A default, not in the source text.
    """
    return not any(enters_interior(each, start, end) for each in high)


def sees(
    a: Spot, b: Spot, sight: int, radii: int, measure: Measure, high: Iterable[Polygon]
) -> bool:
    """ML-GEO-7: whether a warrior at `a` sees the base at `b`: near enough, and in line of sight.

    `sight` is that of the warrior at `a`, `radii` the sum of both; `high` are the features that
    block lines. All round; stunned and dazed warriors see as any other.
    Source: «радиус видимости модели», «в чьем поле зрения».
    """
    return is_within_distance(a, b, sight, radii, measure) and has_line_of_sight(a, b, high)


def path_cost(start: Spot, path: tuple[Spot, ...]) -> int:
    """ML-GEO-8: what a path costs in u: each leg is rounded up by itself.

    A default, not in the source text.
    """
    return way_length(start, path)


def point_on_path(start: Spot, path: tuple[Spot, ...], leg: int, permille: int) -> Spot:
    """ML-GEO-9: the point so many thousandths along a leg; offsets are rounded to its start.

    `leg` is one of the path's, `permille` 0 to 1,000. Source: «в любой другой момент движения».
    """
    points = (start, *path)
    (ax, ay), (bx, by) = points[leg], points[leg + 1]
    return ax + _share(bx - ax, permille), ay + _share(by - ay, permille)


def path_order(legs: int, leg: int, permille: int) -> tuple[int, int]:
    """A point of a path as it is ordered with others: the end of a leg is the start of the next.

    Part of ML-GEO-9. `legs` is how many the path has.
    """
    return (leg + 1, 0) if permille == PERMILLE and leg + 1 < legs else (leg, permille)


def disc_coverage(template: Disc, spot: Spot, radius: int) -> Coverage:
    """ML-GEO-10: how far a disc covers a base: full inside, touching included (ML-GEO-14).

    Part of it up to touching from outside, which is none. Source: the templates' section.
    """
    return coverage(template, spot, radius)


def beam_coverage(template: Beam, spot: Spot, radius: int) -> Coverage:
    """ML-GEO-12: how far a beam covers a base, measured along and across its axis (ML-GEO-11).

    Touching from inside is full, from outside none (ML-GEO-14).
    """
    return coverage(template, spot, radius)


def cone_coverage(template: Cone, spot: Spot, radius: int) -> Coverage:
    """ML-GEO-13: how far a cone covers a base, measured along and across its axis (ML-GEO-11).

    Touching from inside is full, from outside none (ML-GEO-14).
    """
    return coverage(template, spot, radius)


def _is_nearer(one: Near, other: Near) -> bool:
    apart = compare_reduced_roots(one.squared, one.radii, other.squared, other.radii)
    if apart:
        return apart < 0
    return (-one.mobility, one.order) < (-other.mobility, other.order)


def _share(offset: int, permille: int) -> int:
    share = abs(offset) * permille // PERMILLE
    return share if offset >= 0 else -share
