"""A second formulation of CF-GEO-5, word by word from the catalogue and without haste.

Every line is tried, every feature of the scene is asked whether the line meets it, all
candidates are collected and the best is taken at the end.
"""

import itertools
from typing import NamedTuple

from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space
from service.rulesets.crossfire_d6.rules.ground import Position, Posture
from tests.engine.geometry_oracle import SECTORS, Mark, Pair, ways_round


class Scene(NamedTuple):
    """Two fighters on a small map."""

    solid: frozenset[Mark]
    cover: frozenset[Mark]
    smoke: frozenset[Cell]
    dark: frozenset[Cell]
    attacker: Space
    attacker_posture: Posture
    target: Space
    target_posture: Posture
    intervening: bool


class Answer(NamedTuple):
    """What the rules make of a line; ordered as the catalogue orders them.

    `line` is (ay, ax, ty, tx). `own`: closed by the attacker's own posture.
    """

    rank: int
    is_obscured: bool
    line: tuple[int, int, int, int]
    smoke: bool
    dark: bool
    own: bool

    @property
    def position(self) -> Position:
        return ("open", "in_cover", "blocked")[self.rank]


def solve(scene: Scene) -> Answer:
    """The best answer for the attacker over all pairs of cells."""
    answers: list[Answer] = []
    for a, t in itertools.product(cells(scene.attacker), cells(scene.target)):
        walls = met(a, t, scene.solid)
        if not walls:
            answers.append(answer(scene, a, t, judge(scene, a, t, target_leans=False)))
            continue
        answers.append(answer(scene, a, t, (2, False)))
        answers += leaning(scene, a, t, walls)
    best = min(answers)
    return best._replace(own=best.rank == 2 and any(each.own for each in answers))


def leaning(scene: Scene, a: Cell, t: Cell, walls: set[Mark]) -> list[Answer]:
    at_a, at_t = adjacent(scene.attacker), adjacent(scene.target)
    a_may = scene.attacker_posture == "in_cover"
    t_may = scene.target_posture == "in_cover"
    a_ends = lean_cells(scene, scene.attacker, a)
    t_ends = lean_cells(scene, scene.target, t)
    lines: list[tuple[Cell, Cell, bool]] = []
    if t_may and walls <= at_t:
        lines += [(a, end, True) for end in t_ends]
    if a_may and walls <= at_a:
        lines += [(start, t, False) for start in a_ends]
    if a_may and t_may and walls <= at_a | at_t:
        lines += [(start, end, True) for start in a_ends for end in t_ends]
    return [
        answer(scene, start, end, judge(scene, start, end, target_leans=leans))
        for start, end, leans in lines
        if not met(start, end, scene.solid)
    ]


def judge(scene: Scene, a: Cell, t: Cell, *, target_leans: bool) -> tuple[int, bool]:
    """The rank of a line free of solids, and whether the attacker's own posture closes it."""
    cover = met(a, t, scene.cover)
    at_a, at_t = adjacent(scene.attacker), adjacent(scene.target)
    if scene.attacker_posture == "blocked" and cover & at_a:
        return 2, True
    if target_leans:
        return 1, False
    if scene.target_posture == "blocked" and cover & at_t:
        return 2, False
    if scene.target_posture == "in_cover" and cover & at_t:
        return 1, False
    return (1 if scene.intervening and cover - at_a - at_t else 0), False


def answer(scene: Scene, a: Cell, t: Cell, judged: tuple[int, bool]) -> Answer:
    rank, own = judged
    smoke: frozenset[Mark] = frozenset(("cell", x, y) for x, y in scene.smoke)
    in_smoke = bool(met(a, t, smoke)) or a in scene.smoke or t in scene.smoke
    dark = t in scene.dark
    return Answer(rank, in_smoke or dark, (a[1], a[0], t[1], t[0]), in_smoke, dark, own)


def lean_cells(scene: Scene, space: Space, cell: Cell) -> list[Cell]:
    x, y = cell
    ways: list[tuple[Cell, Mark]] = [
        ((x, y - 1), ("H", x, y)),
        ((x, y + 1), ("H", x, y + 1)),
        ((x - 1, y), ("V", x, y)),
        ((x + 1, y), ("V", x + 1, y)),
    ]
    return [
        end
        for end, border in ways
        if ("cell", *end) not in scene.solid
        and end not in cells(space)
        and border not in scene.solid
    ]


def adjacent(space: Space) -> set[Mark]:
    marks: set[Mark] = set()
    for x, y in cells(space):
        marks |= {("cell", x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    for i in range(space.size):
        marks |= {("V", space.x, space.y + i), ("V", space.x + space.size, space.y + i)}
        marks |= {("H", space.x + i, space.y), ("H", space.x + i, space.y + space.size)}
    return marks


def cells(space: Space) -> list[Cell]:
    return [(space.x + i, space.y + j) for i in range(space.size) for j in range(space.size)]


def met(a: Cell, t: Cell, features: frozenset[Mark]) -> set[Mark]:
    """CF-GEO-2 to CF-GEO-4, asked of every feature."""
    p, q = (2 * a[0] + 1, 2 * a[1] + 1), (2 * t[0] + 1, 2 * t[1] + 1)
    result = {mark for mark in features if crosses(p, q, mark)}
    left, right = ways_round(p, q)
    vertices = {
        (x - dx, y - dy) for kind, x, y in features for sector, dx, dy in SECTORS if sector == kind
    }
    for vx, vy in vertices:
        if not is_strictly_inside(p, q, (2 * vx, 2 * vy)):
            continue
        if all(any((k, vx + x, vy + y) in features for k, x, y in way) for way in (left, right)):
            result |= features & {(kind, vx + x, vy + y) for kind, x, y in SECTORS}
    return result


def crosses(p: Pair, q: Pair, mark: Mark) -> bool:
    kind, x, y = mark
    ends = [(2 * x, 2 * y), (2 * x + 2, 2 * y), (2 * x, 2 * y + 2), (2 * x + 2, 2 * y + 2)]
    if kind == "cell":
        for axis, low in ((0, 2 * x), (1, 2 * y)):
            if min(p[axis], q[axis]) >= low + 2 or max(p[axis], q[axis]) <= low:
                return False
        turns = [cross(p, q, end) for end in ends]
        return min(turns) < 0 < max(turns)
    axis, side, far = (0, 2 * x, ends[2]) if kind == "V" else (1, 2 * y, ends[1])
    is_between = (p[axis] - side) * (q[axis] - side) < 0
    return is_between and cross(p, q, ends[0]) * cross(p, q, far) < 0


def cross(p: Pair, q: Pair, a: Pair) -> int:
    return (q[0] - p[0]) * (a[1] - p[1]) - (q[1] - p[1]) * (a[0] - p[0])


def is_strictly_inside(p: Pair, q: Pair, v: Pair) -> bool:
    between = (v[0] - p[0]) * (v[0] - q[0]) + (v[1] - p[1]) * (v[1] - q[1])
    return cross(p, q, v) == 0 and between < 0
