"""Random scenes for lines between corners, and the same scenes mirrored and turned."""

import random
from typing import Literal, NamedTuple

from service.engine.geometry.features import Features, features_of
from tests.engine.corner_oracle import Mark, Square


class Scene(NamedTuple):
    """Two spaces, a third between or next to them, and marks in and round the rectangle of all."""

    near: Square
    far: Square
    third: Square
    marks: frozenset[Mark]

    @property
    def features(self) -> Features:
        return features_from(self.marks)


def features_from(marks: frozenset[Mark]) -> Features:
    return features_of(
        [(x, y) for kind, x, y in marks if kind == "cell"],
        [(kind, x, y) for kind, x, y in marks if kind != "cell"],
    )


def scene_of(dice: random.Random, largest: int) -> Scene:
    """A scene from nearly empty to nearly full; spaces may touch and overlap."""
    near = Square(dice.randint(-3, 3), dice.randint(-3, 3), dice.randint(1, largest))
    size, span = dice.randint(1, largest), dice.choice((0, 1, 3, 6, 9))

    def beside(at: int) -> int:
        return dice.randint(at - span - size, at + span + near.size)

    far = Square(beside(near.x), beside(near.y), size)
    third = Square(beside(near.x), beside(near.y), dice.randint(1, largest))
    columns = range(min(near.x, far.x) - 2, max(near.x + near.size, far.x + far.size) + 2)
    rows = range(min(near.y, far.y) - 2, max(near.y + near.size, far.y + far.size) + 2)
    cells, borders = dice.choice((0, 0.04, 0.15, 0.35)), dice.choice((0, 0.05, 0.2, 0.4))
    marks: set[Mark] = set()
    for x in columns:
        for y in rows:
            marks.update(("cell", x, y) for _ in "." if dice.random() < cells)
            marks.update((kind, x, y) for kind in ("H", "V") if dice.random() < borders)
    return Scene(near, far, third, frozenset(marks))


def mirrored(scene: Scene) -> Scene:
    """The scene with east and west exchanged."""
    near, far, third = (
        Square(-x - size, y, size) for x, y, size in (scene.near, scene.far, scene.third)
    )
    return Scene(near, far, third, frozenset(map(mirrored_mark, scene.marks)))


def mirrored_mark(mark: Mark) -> Mark:
    kind, x, y = mark
    return (kind, -x, y) if kind == "V" else (kind, -x - 1, y)


def transposed(scene: Scene) -> Scene:
    """The scene with columns and rows exchanged."""
    near, far, third = (Square(y, x, size) for x, y, size in (scene.near, scene.far, scene.third))
    return Scene(near, far, third, frozenset(map(transposed_mark, scene.marks)))


def transposed_mark(mark: Mark) -> Mark:
    kind, x, y = mark
    turned: dict[str, Literal["H", "V"]] = {"H": "V", "V": "H"}
    return (turned[kind], y, x) if kind != "cell" else (kind, y, x)
