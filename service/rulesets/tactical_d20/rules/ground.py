"""What the rules look at: the ground of a battle and the creatures on it.

Build a `Ground` once per map with its changes and keep it: making one reads every marked cell,
and what is worked out on it is kept by the object itself. A `Fighter` holds the few values that
rules about several creatures need.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial, wraps
from typing import Concatenate, Final, NamedTuple, ParamSpec, TypeVar

from msgspec import Struct

from service.engine.geometry.features import Border, Feature, Features, features_of
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Bounds, Space
from service.rulesets.tactical_d20.rules.words import FeatureGrade, Light

MOST_GROUNDS: Final = 64
"""Grounds of which answers are kept, the last ones asked of; a large one takes megabytes."""

ANSWERS_PER_GROUND: Final = 4096
"""Answers of one kind that are kept of each."""

P = ParamSpec("P")
T = TypeVar("T")


class CoverFeature(NamedTuple):
    """The cover that a cell or border gives; `low_height_ft` 0: its height is not stated."""

    grade: FeatureGrade = "normal"
    low_height_ft: int = 0


NORMAL_COVER: Final = CoverFeature()
"""What walls give that state no grade of their own."""


class Ground(Struct, frozen=True, kw_only=True, eq=False):
    """The marked cells and borders of a battle; equal only to itself.

    `walls` interrupt lines of effect, `opaque` those of sight: walls that are not transparent and
    what is only opaque. `covering` are the walls and whatever gives cover, each with its grade in
    `covers`; `concealing` have their degree in per cent in `percents`. `light` has the cells that
    are dim or dark.
    """

    walls: Features
    opaque: Features
    covering: Features
    covers: Mapping[Feature, CoverFeature]
    concealing: Features
    percents: Mapping[Feature, int]
    light: Mapping[Cell, Light]
    bounds: Bounds | None = None


class Fighter(Struct, frozen=True, kw_only=True):
    """A creature as rules about several of them see it.

    `reach_ft` is the greatest reach of its ready melee weapons, 0 without one. `is_out`:
    unconscious or dead.
    """

    id: str
    side: str
    space: Space
    elevation_ft: int = 0
    reach_ft: int = 0
    is_out: bool = False
    is_dead: bool = False


def ground_of(
    *,
    walls: Iterable[Feature] = (),
    glass: Iterable[Feature] = (),
    opaque: Iterable[Feature] = (),
    covers: Mapping[Feature, CoverFeature] | None = None,
    percents: Mapping[Feature, int] | None = None,
    light: Mapping[Cell, Light] | None = None,
    bounds: Bounds | None = None,
) -> Ground:
    """The ground with these cells and borders marked.

    `glass` are the transparent walls, `walls` the others, `opaque` what blocks sight alone.
    `covers` has what states a grade; a wall that states none gives normal cover.
    """
    solid, clear = tuple(walls), tuple(glass)
    graded = {**dict.fromkeys((*solid, *clear), NORMAL_COVER), **(covers or {})}
    concealment = dict(percents or {})
    return Ground(
        walls=marked((*solid, *clear)),
        opaque=marked((*solid, *opaque)),
        covering=marked(graded),
        covers=graded,
        concealing=marked(concealment),
        percents=concealment,
        light=dict(light or {}),
        bounds=bounds,
    )


def marked(features: Iterable[Feature]) -> Features:
    """These cells and borders as a set made for fast membership."""
    cells: list[Cell] = []
    borders: list[Border] = []
    for kind, x, y in features:
        if kind == "cell":
            cells.append((x, y))
        else:
            borders.append((kind, x, y))
    return features_of(cells, borders)


def kept(answer: Callable[Concatenate[Ground, P], T]) -> Callable[Concatenate[Ground, P], T]:
    """The same question with its answers kept by the ground and by all else that is asked."""

    @lru_cache(maxsize=MOST_GROUNDS)
    def answers_on(ground: Ground) -> Callable[..., T]:
        return lru_cache(maxsize=ANSWERS_PER_GROUND)(partial(answer, ground))

    @wraps(answer)
    def find(ground: Ground, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return answers_on(ground)(*args, **kwargs)

    return find
