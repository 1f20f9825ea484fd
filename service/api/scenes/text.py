"""A scene in characters, with a legend beneath.

How this works. A grid has one character for a cell; where there is none, or too much of it, a
character represents a square of units, and on a scene with a scale for one unit of that. Whoever
is somewhere covers the ground, and the last of several who share a square covers the others;
the legend names all of them.
"""

from collections.abc import Iterator, Mapping
from string import ascii_lowercase, digits
from typing import Final

from msgspec import UNSET, UnsetType

from service.api.scenes.squares import squares_entered
from service.api.scenes.words import Wording, described, described_area
from service.engine.narration.plain_text import isolated, plain
from service.engine.scene import Scene, SceneBounds, SceneCombatant, ScenePoint, SceneShape

MOST_COLUMNS: Final = 256
"""Characters of a row, and rows, at most."""

MOST_BORDERS: Final = 100
"""Lines of ground that the legend lists at most."""

FREE: Final = "."
_SIGNS: Final[Mapping[str, str]] = {
    "height": "^",
    "dark": "d",
    "smoke": "s",
    "cover": "c",
    "solid": "#",
}
_SPARE: Final = "~=%&+*@$"
_LETTERS: Final = ascii_lowercase + digits


class _Canvas:
    """Rows of characters over the bounds of a scene, `step` units to each.

    `finest` is the least that a character represents; `has_far_edge` says that somebody may stand
    on the last line of the bounds, which then has characters, too.
    """

    def __init__(self, bounds: SceneBounds, finest: int, *, has_far_edge: bool) -> None:
        self._bounds = bounds
        longest = max(bounds.width, bounds.height) + has_far_edge
        self.step = finest * -(-longest // (MOST_COLUMNS * finest))
        columns = -(-(bounds.width + has_far_edge) // self.step)
        rows = -(-(bounds.height + has_far_edge) // self.step)
        self._rows = [[FREE] * columns for _ in range(rows)]

    def put(self, x: int, y: int, sign: str) -> None:
        """A sign at a cell or point; outside the bounds there is nothing to draw on."""
        column, row = (x - self._bounds.x) // self.step, (y - self._bounds.y) // self.step
        if 0 <= row < len(self._rows) and 0 <= column < len(self._rows[0]):
            self._rows[row][column] = sign

    def draw(self, start: ScenePoint, end: ScenePoint, sign: str) -> None:
        """Signs along a segment, both ends included."""
        steps = max(abs(end.x - start.x), abs(end.y - start.y)) // self.step
        for step in range(steps + 1):
            x = start.x + (end.x - start.x) * step // max(steps, 1)
            y = start.y + (end.y - start.y) * step // max(steps, 1)
            self.put(x, y, sign)

    def fill(self, corners: tuple[ScenePoint, ...], sign: str) -> None:
        """Signs wherever an area with corners reaches."""
        left, top = self._bounds.x, self._bounds.y
        inside = tuple(ScenePoint(x=at.x - left, y=at.y - top) for at in corners)
        for column, row in squares_entered(inside, self.step):
            self.put(left + column * self.step, top + row * self.step, sign)

    def __str__(self) -> str:
        return "\n".join("".join(row) for row in self._rows)


def text_of(scene: Scene, seq: int, word: Wording) -> str:
    """The picture of a scene in characters, each line ended by a newline."""
    finest = 1 if scene.scale is UNSET else scene.scale.length
    has_far_edge = not scene.is_grid and scene.scale is UNSET
    canvas = _Canvas(scene.bounds, finest, has_far_edge=has_far_edge)
    signs = _signs(scene)
    for shape in scene.shapes:
        _draw(canvas, shape, signs[shape.kind], is_grid=scene.is_grid)
    letters = letters_of(scene.combatants)
    for combatant in scene.combatants:
        # A cell further than anybody looks at is not filled: sizes are small.
        for dx in range(combatant.size):
            for dy in range(combatant.size):
                canvas.put(combatant.x + dx, combatant.y + dy, letters[combatant.id])
    lines = [word("scene").format(seq=seq), str(canvas), *_legend(scene, signs, letters, word)]
    if canvas.step > finest:
        lines.append(word("scale").format(step=canvas.step // finest))
    return "\n".join(lines) + "\n"


def _end(combatant: str | UnsetType, point: ScenePoint) -> str:
    """Who or what a line leads to."""
    return combatant if combatant is not UNSET else f"({point.x // 2}, {point.y // 2})"


def _signs(scene: Scene) -> dict[str, str]:
    """A sign for each kind of ground."""
    kinds = dict.fromkeys(shape.kind for shape in scene.shapes)
    spare = iter(_SPARE)
    return {kind: _SIGNS.get(kind) or next(spare, "?") for kind in kinds}


def _draw(canvas: _Canvas, shape: SceneShape, sign: str, *, is_grid: bool) -> None:
    for x, y, count in shape.cells:
        for column in range(x, x + count):
            canvas.put(column, y, sign)
    if shape.is_closed is True:
        canvas.fill(shape.points, sign)
    elif not is_grid:
        for start, end in zip(shape.points, shape.points[1:] or shape.points, strict=False):
            canvas.draw(start, end, sign)


def letters_of(combatants: tuple[SceneCombatant, ...]) -> dict[str, str]:
    """A letter for each: the first of its id that is free, small for those who are out.

    When all letters are taken, the others share `?`.
    """
    taken: dict[str, str] = {}
    free = dict.fromkeys(_LETTERS)
    for combatant in combatants:
        wanted = (*combatant.id.lower(), *free)
        letter = next((one for one in wanted if one in free), "?")
        free.pop(letter, None)
        taken[combatant.id] = letter if combatant.is_out else letter.upper()
    return taken


def _legend(
    scene: Scene, signs: Mapping[str, str], letters: Mapping[str, str], word: Wording
) -> Iterator[str]:
    for combatant in scene.combatants:
        yield f"{letters[combatant.id]} {described(combatant, word)}"
    for kind, sign in signs.items():
        if not scene.is_grid or any(each.cells for each in scene.shapes if each.kind == kind):
            yield f"{sign} {word(kind)}"
    borders = [shape for shape in scene.shapes if scene.is_grid and shape.points]
    for border in borders[:MOST_BORDERS]:
        places = " - ".join(f"({at.x}, {at.y})" for at in border.points)
        label = f" {isolated(plain(border.label))}" if isinstance(border.label, str) else ""
        yield f"| {word(border.kind)}{label} {places}"
    if len(borders) > MOST_BORDERS:
        yield f"| … {len(borders) - MOST_BORDERS}"
    for area in scene.areas:
        reach = "" if area.points is not UNSET else f", {area.radius}"
        yield f"o {described_area(area, word)} ({area.x}, {area.y}){reach}"
    for line in scene.lines:
        outcome = f": {word(line.outcome)}" if isinstance(line.outcome, str) else ""
        start, end = _end(line.source, line.start), _end(line.target, line.end)
        yield f"> {word(line.kind)} {start} - {end}{outcome}"
    yield f"{FREE} {word(scene.unit if scene.scale is UNSET else scene.scale.unit)}"
