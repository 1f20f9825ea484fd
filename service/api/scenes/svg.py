"""A scene as an SVG picture that needs nothing besides itself.

How this works. Everything is drawn in whole pixels, so many to a unit that the picture has a sane
size. Kinds of ground are distinguished by hatching, sides by the form of their signs and health by
marks on them, so that a printout in black and white says the same as a screen; colours follow
the reader's light or dark theme. Each sign has a title for screen readers, and a legend of the same
signs is beneath. On a grid a name fits under its sign into the cell; labels and names are drawn
last, and moved inwards at the edges, so that they are read whole. What people wrote goes through an
XML library, without control characters.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element, SubElement, register_namespace, tostring

from msgspec import UNSET

from service.api.scenes.signs import arrow_head, form, marker, marks_of, nose
from service.api.scenes.styles import (
    AREAS,
    ATTACK,
    HATCHES,
    STROKES,
    STYLE,
    TRACES,
    UPRIGHT,
    WAY,
    WHOLE,
)
from service.api.scenes.words import (
    Wording,
    described,
    described_area,
    short,
    sides_of,
)
from service.engine.narration.plain_text import isolated, plain
from service.engine.scene import (
    Scene,
    SceneArea,
    SceneCombatant,
    SceneLine,
    ScenePoint,
    SceneShape,
)

NAMESPACE: Final = "http://www.w3.org/2000/svg"
LARGEST: Final = 2_000
"""Pixels of the picture's longer side, roughly; a unit has at least one."""
UNIT: Final = 40
"""Pixels of a unit where there is room."""
SCALES: Final = (1, 2, 5, 10, 20, 50)
"""Units that the scale of the legend may stand for; the last reaches UNIT at a pixel each."""
LINE: Final = 22
"""Pixels of a line of the legend."""
LEAST_WIDTH: Final = 360
MARGIN: Final = 16
"""Pixels around the ground."""
SAMPLE: Final = 8
"""Half of a sign in the legend, in pixels."""
LEGEND_LETTER: Final = 8
LABEL_LETTER: Final = 6
"""Pixels of a letter, roughly."""

SECURITY: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""The policy of the picture: it runs nothing, loads nothing and is its own origin."""

_FORMS: Final = ("circle", "square", "diamond", "triangle", "hexagon")

register_namespace("", NAMESPACE)


def svg_of(scene: Scene, seq: int, word: Wording) -> bytes:
    """The picture of a scene as an SVG document in UTF-8."""
    return _Picture(scene, word).drawn(word("scene").format(seq=seq))


class _Entry(NamedTuple):
    """A line of the legend: a sign around (0, 0) that reaches to x = `end`, and what it means."""

    sign: list[Element]
    text: str
    end: int = SAMPLE


class _Picture:
    """One picture being drawn."""

    def __init__(self, scene: Scene, word: Wording) -> None:
        self._scene = scene
        self._word = word
        bounds = scene.bounds
        self._units = 1 if scene.scale is UNSET else scene.scale.length
        longest = max(bounds.width, bounds.height)
        self._scale = max(1, min(UNIT, LARGEST * self._units // longest))
        self._width, self._height = self._pixels(bounds.width), self._pixels(bounds.height)
        self._forms = {
            side: _FORMS[place % len(_FORMS)] for place, side in enumerate(sides_of(scene))
        }
        self._kinds = tuple(dict.fromkeys(shape.kind for shape in scene.shapes))

    def drawn(self, title: str) -> bytes:
        """The whole document."""
        legend = list(self._legend())
        longest = max(len(entry.text) for entry in legend)
        ground_width, ground_height = self._width + 2 * MARGIN, self._height + 2 * MARGIN
        width = max(
            ground_width, LEAST_WIDTH, min(LARGEST, 2 * MARGIN + LEGEND_LETTER * (longest + 2))
        )
        height = ground_height + LINE * (len(legend) + 2)
        size = {"width": str(width), "height": str(height)}
        root = Element(
            f"{{{NAMESPACE}}}svg",
            {"viewBox": f"0 0 {width} {height}", "role": "img", "aria-labelledby": "t d"} | size,
        )
        SubElement(root, "title", {"id": "t"}).text = title
        SubElement(root, "desc", {"id": "d"}).text = "; ".join(entry.text for entry in legend)
        SubElement(root, "style").text = STYLE
        self._define(root)
        SubElement(root, "rect", {"class": "paper"} | size)
        view = f"{-MARGIN} {-MARGIN} {ground_width} {ground_height}"
        inside = {"viewBox": view, "width": str(ground_width), "height": str(ground_height)}
        ground = SubElement(root, "svg", inside)
        self._draw_grid(ground)
        for shape in self._scene.shapes:
            self._draw_shape(ground, shape)
        self._draw_event(ground)
        for combatant in self._scene.combatants:
            self._draw_combatant(ground, combatant)
        for shape in self._scene.shapes:
            self._label(ground, shape)
        for area in self._scene.areas:
            if isinstance(area.label, str):
                x, y = self._at(area.x, area.y - area.radius)
                self._write(ground, x, y + 2 * SAMPLE, short(area.label))
        for combatant in self._scene.combatants:
            self._name(ground, combatant)
        self._draw_legend(root, legend, ground_height)
        document: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
        return document

    def _pixels(self, units: int) -> int:
        return units * self._scale // self._units

    def _at(self, x: int, y: int) -> tuple[int, int]:
        bounds = self._scene.bounds
        return self._pixels(x - bounds.x), self._pixels(y - bounds.y)

    def _through(self, points: tuple[ScenePoint, ...]) -> str:
        """A line through points, as the data of a path."""
        return "M" + "L".join("{} {}".format(*self._at(point.x, point.y)) for point in points)

    def _define(self, root: Element) -> None:
        """The hatching of each kind of ground."""
        definitions = SubElement(root, "defs")
        for kind in self._kinds:
            if kind not in WHOLE:
                pattern = SubElement(
                    definitions,
                    "pattern",
                    {
                        "id": f"k-{kind}",
                        "width": "10",
                        "height": "10",
                        "patternUnits": "userSpaceOnUse",
                    },
                )
                path = HATCHES.get(kind, UPRIGHT)
                SubElement(pattern, "path", {"class": "ground", "d": path, "stroke-width": "2"})

    def _draw_grid(self, into: Element) -> None:
        """The cells or squares of the scale; the bounds alone where they are too small or none."""
        width, height = self._width, self._height
        is_plain = not self._scene.is_grid and self._scene.scale is UNSET
        if is_plain or self._scale < UNIT // 8:
            into.append(_rect("frame", 0, 0, width, height))
            return
        columns = "".join(f"M{x} 0V{height}" for x in range(0, width + 1, self._scale))
        rows = "".join(f"M0 {y}H{width}" for y in range(0, height + 1, self._scale))
        into.append(_path("grid", columns + rows))

    def _draw_shape(self, into: Element, shape: SceneShape) -> None:
        group = SubElement(into, "g")
        label = f" {isolated(plain(shape.label))}" if isinstance(shape.label, str) else ""
        SubElement(group, "title").text = self._word(shape.kind) + label
        for x, y, count in shape.cells:
            group.append(_ground(shape.kind, *self._at(x, y), count * self._scale, self._scale))
        if shape.points:
            path = self._through(shape.points)
            group.append(
                _closed(shape, f"{path}z")
                if shape.is_closed is True
                else _path(_line_class(shape.kind), f"{path}h0")
            )

    def _label(self, into: Element, shape: SceneShape) -> None:
        """The label of a shape: amidst its corners, on its first cell, or where its line begins."""
        label = short(shape.label) if isinstance(shape.label, str) else ""
        if label and shape.is_closed is True:
            count = len(shape.points)
            x, y = sum(at.x for at in shape.points), sum(at.y for at in shape.points)
            self._write(into, *self._at(x // count, y // count), label)
        elif label and (shape.cells or shape.points):
            x, y, _ = shape.cells[0] if shape.cells else (shape.points[0].x, shape.points[0].y, 1)
            left, top = self._at(x, y)
            self._write(into, left + self._scale // 2, top + self._scale // 2, label)

    def _write(self, into: Element, x: int, y: int, text: str, more: str = "") -> None:
        """A text around x, moved inwards where an edge would cut it off."""
        half = min(LABEL_LETTER * len(text), self._width) // 2
        inside = max(half, min(x, self._width - half))
        place = {"class": f"label{more}", "x": str(inside), "y": str(y)}
        SubElement(into, "text", place).text = text

    def _draw_event(self, into: Element) -> None:
        """Areas and lines of the last event; lines are in halves of a unit."""
        for area in self._scene.areas:
            self._draw_area(into, area)
        left, top = self._at(0, 0)
        for line in self._scene.lines:
            x, y = self._pixels(line.start.x) // 2 + left, self._pixels(line.start.y) // 2 + top
            to_x, to_y = self._pixels(line.end.x) // 2 + left, self._pixels(line.end.y) // 2 + top
            group = SubElement(into, "g")
            SubElement(group, "title").text = self._told(line)
            group.append(_path(_trace(line.kind), f"M{x} {y}L{to_x} {to_y}"))
            if line.kind == ATTACK:
                # Whoever is at the end would cover the head.
                head = arrow_head(x, y, to_x, to_y, self._radius(1) + 4)
                group.append(_path("head", head))

    def _draw_area(self, into: Element, area: SceneArea) -> None:
        """A disc, a point or an area with corners."""
        group = SubElement(into, "g")
        SubElement(group, "title").text = described_area(area, self._word)
        x, y = self._at(area.x, area.y)
        if area.points is UNSET:
            circle = {"cx": str(x), "cy": str(y), "r": str(max(self._pixels(area.radius), 4))}
            SubElement(group, "circle", {"class": _area_class(area.kind)} | circle)
        else:
            group.append(_path(_area_class(area.kind), f"{self._through(area.points)}z"))

    def _told(self, line: SceneLine) -> str:
        """An attack and how it ended, a way, or what a line that decided an attack met."""
        if line.kind == WAY:
            return self._word(WAY)
        if line.kind != ATTACK:
            return f"{self._word('line')}: {self._word(line.kind)}"
        outcome = f": {self._word(line.outcome)}" if isinstance(line.outcome, str) else ""
        return self._word(line.kind) + outcome

    def _radius(self, size: int) -> int:
        """The radius of the sign of a combatant as wide as `size` cells."""
        return max(size * self._scale * 11 // 40, 5)

    def _reach(self, combatant: SceneCombatant) -> int:
        """How far a combatant's sign and base reach from their middle."""
        base = 0 if combatant.radius is UNSET else self._pixels(combatant.radius)
        return max(self._radius(combatant.size), base)

    def _centre(self, combatant: SceneCombatant) -> tuple[int, int]:
        """The middle of a combatant's sign; on a grid a name has room beneath it."""
        left, top = self._at(combatant.x, combatant.y)
        if not self._scene.is_grid:
            return left, top
        half = combatant.size * self._scale // 2
        return left + half, top + half - self._scale // 8

    def _draw_combatant(self, into: Element, combatant: SceneCombatant) -> None:
        """A sign of its side, with a mark for each step of lost health, in the space it fills."""
        group = SubElement(into, "g", {"class": "out"} if combatant.is_out else {})
        SubElement(group, "title").text = described(combatant, self._word)
        if combatant.size > 1:
            side = combatant.size * self._scale - 4
            left, top = self._at(combatant.x, combatant.y)
            group.append(_rect("space", left + 2, top + 2, side, side))
        x, y = self._centre(combatant)
        if combatant.radius is not UNSET:
            base = str(self._pixels(combatant.radius))
            SubElement(group, "circle", {"class": "base", "cx": str(x), "cy": str(y), "r": base})
        above = y - self._reach(combatant) - 2 * SAMPLE // 2
        for place, kind in enumerate(_markers(combatant)):
            left = x + (2 * place - len(_markers(combatant)) + 1) * SAMPLE
            group.append(_path("ink", marker(kind, left, above), 2))
        group.extend(self._sign(combatant, *self._centre(combatant), self._radius(combatant.size)))

    def _sign(self, combatant: SceneCombatant, x: int, y: int, radius: int) -> Iterator[Element]:
        states = (("hidden", combatant.hidden), ("turn", combatant.has_turn))
        classes = " ".join(["side", *(name for name, holds in states if holds)])
        yield _path(classes, form(self._forms[combatant.side], x, y, radius))
        marks = marks_of(combatant, x, y, radius) + nose(combatant, x, y, radius)
        if marks:
            yield _path("ink", marks, 2)

    def _name(self, into: Element, combatant: SceneCombatant) -> None:
        """The name under a combatant's sign."""
        x, y = self._centre(combatant)
        name = (
            combatant.name
            if isinstance(combatant.name, str) and plain(combatant.name)
            else combatant.id
        )
        dimmed = " out" if combatant.is_out else ""
        self._write(into, x, y + self._reach(combatant) + 13, short(name), dimmed)

    def _legend(self) -> Iterator[_Entry]:
        """The lines of the legend: combatants, ground, the last event, the unit."""
        for combatant in self._scene.combatants:
            yield _Entry(
                list(self._sign(combatant, 0, 0, SAMPLE)), described(combatant, self._word)
            )
        filling = {each.kind for each in self._scene.shapes if each.cells or each.is_closed is True}
        for kind in self._kinds:
            whole = _ground(kind, -SAMPLE, -SAMPLE, 2 * SAMPLE, 2 * SAMPLE)
            sign = whole if kind in filling else _stroke(_line_class(kind))
            yield _Entry([sign], self._word(kind))
        markers = (kind for each in self._scene.combatants for kind in _markers(each))
        for kind in dict.fromkeys(markers):
            yield _Entry([_path("ink", marker(kind, 0, 0), 2)], self._word(kind))
        for kind in dict.fromkeys(area.kind for area in self._scene.areas):
            yield _Entry([_stroke(_area_class(kind))], self._word(kind))
        for text, kind in {self._told(line): line.kind for line in self._scene.lines}.items():
            head = [_path("head", arrow_head(0, 0, 10, 0, 0))] if kind == ATTACK else []
            yield _Entry([_stroke(_trace(kind)), *head], text)
        if self._scene.is_grid:
            unit = _rect("frame", -SAMPLE, -SAMPLE, 2 * SAMPLE, 2 * SAMPLE)
            yield _Entry([unit], self._word(self._scene.unit))
        else:
            units = next(number for number in SCALES if number * self._scale >= UNIT)
            length = units * self._scale
            rule = _path("ink", f"M{-SAMPLE} -4v8m0 -4h{length}m0 -4v8", 2)
            unit_shown = self._scene.unit if self._scene.scale is UNSET else self._scene.scale.unit
            yield _Entry([rule], f"{self._word(unit_shown)}: {units}", length - SAMPLE)

    def _draw_legend(self, root: Element, legend: list[_Entry], top: int) -> None:
        group = SubElement(root, "g", {"aria-hidden": "true"})
        heading = {"x": str(MARGIN), "y": str(top + LINE // 2)}
        SubElement(group, "text", heading).text = self._word("legend")
        for number, entry in enumerate(legend):
            y = top + LINE * (number + 1) + LINE // 2
            place = {"transform": f"translate({MARGIN + SAMPLE} {y - 5})"}
            SubElement(group, "g", place).extend(entry.sign)
            beside = {"x": str(MARGIN + 2 * SAMPLE + entry.end), "y": str(y)}
            SubElement(group, "text", beside).text = entry.text


def _path(classes: str, d: str, width: int | None = None) -> Element:
    stroke = {} if width is None else {"stroke-width": str(width)}
    return Element("path", {"class": classes, "d": d} | stroke)


def _stroke(classes: str) -> Element:
    """A sample of a line, for the legend."""
    return _path(classes, f"M{-SAMPLE} 0h{2 * SAMPLE}")


def _rect(classes: str, x: int, y: int, width: int, height: int) -> Element:
    box = {"x": x, "y": y, "width": width, "height": height}
    return Element("rect", {"class": classes} | {name: str(value) for name, value in box.items()})


def _ground(kind: str, x: int, y: int, width: int, height: int) -> Element:
    """Ground of a kind: hatched, filled if nothing passes it, framed if it was attacked."""
    if kind in WHOLE:
        return _rect(WHOLE[kind], x, y, width, height)
    hatched = _rect("hatched", x, y, width, height)
    hatched.set("fill", f"url(#k-{kind})")
    return hatched


def _closed(shape: SceneShape, d: str) -> Element:
    """An area with corners: hatched, or filled if nothing passes it; thick if it blocks sight."""
    outline = _path("edge high" if shape.is_high is True else "edge", d)
    outline.set("fill", f"url(#k-{shape.kind})")
    return outline


def _markers(combatant: SceneCombatant) -> tuple[str, ...]:
    return () if combatant.markers is UNSET else combatant.markers


def _area_class(kind: str) -> str:
    return AREAS.get(kind, "area")


def _line_class(kind: str) -> str:
    return STROKES.get(kind, "low")


def _trace(kind: str) -> str:
    return ATTACK if kind == ATTACK else TRACES.get(kind, "trace")
