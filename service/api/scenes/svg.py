"""A scene as an SVG picture that needs nothing besides itself.

How this works. Everything is drawn in whole pixels, so many to a unit that the picture has a sane
size. Kinds of ground are told apart by hatching, sides by the form of their signs and health by
marks on them, so that a printout in black and white says the same as a screen; colours follow
the reader's light or dark theme. Each sign has a title for screen readers, and a legend stands
beneath. What people wrote goes through an XML library, without control characters.
"""

from collections.abc import Iterator, Mapping
from typing import Final
from xml.etree.ElementTree import Element, SubElement, register_namespace, tostring

from msgspec import UNSET

from service.api.scenes.words import Wording, described, plain, short, sides_of
from service.engine.scene import Scene, SceneCombatant, SceneShape

NAMESPACE: Final = "http://www.w3.org/2000/svg"
LARGEST: Final = 2_000
"""Pixels of the picture's longer side, roughly; a unit has at least one."""
UNIT: Final = 40
"""Pixels of a unit where there is room."""
LINE: Final = 22
"""Pixels of a line of the legend."""
LEAST_WIDTH: Final = 360

SECURITY: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""The policy of the picture: it runs nothing, loads nothing and is its own origin."""

_STYLE: Final = """
svg{--ink:#1b1b1b;--paper:#fff;--faint:#c9c9c9;--ground:#8a8a8a;--alarm:#b3261e}
@media (prefers-color-scheme:dark){
svg{--ink:#ececec;--paper:#17181a;--faint:#3c3f44;--ground:#8f949c;--alarm:#ff8a80}}
text{fill:var(--ink);font:14px sans-serif}
.paper{fill:var(--paper)}.grid{stroke:var(--faint);stroke-width:1}
.ink{stroke:var(--ink);fill:none}.ground{stroke:var(--ground);fill:none}
.solid{fill:var(--ink)}.side{stroke:var(--ink);stroke-width:2;fill:var(--paper)}
.out{opacity:.45}.hidden{stroke-dasharray:4 3}.turn{stroke-width:5}
.attack{stroke:var(--alarm);stroke-width:3;fill:none}.area{stroke:var(--alarm);
stroke-width:2;stroke-dasharray:8 4;fill:none}.wall{stroke:var(--ink);stroke-width:6}
.low{stroke:var(--ink);stroke-width:6;stroke-dasharray:10 5}
.label{text-anchor:middle;font-size:12px;paint-order:stroke;stroke:var(--paper);stroke-width:3px}
"""

_HATCHES: Final[Mapping[str, str]] = {
    "cover": "M0 10L10 0",
    "smoke": "M2 5h2M7 9h2M7 1h2",
    "dark": "M0 0L10 10M0 10L10 0",
    "height": "M0 5h10",
}
"""How kinds of ground are hatched; any other kind is hatched upright."""

_NOSES: Final[Mapping[str, tuple[int, int]]] = {
    "N": (0, -10),
    "NE": (7, -7),
    "E": (10, 0),
    "SE": (7, 7),
    "S": (0, 10),
    "SW": (-7, 7),
    "W": (-10, 0),
    "NW": (-7, -7),
}
"""Compass directions in tenths of a length."""

_UPRIGHT: Final = "M5 0v10"
_FORMS: Final = ("circle", "square", "diamond", "triangle", "hexagon")

register_namespace("", NAMESPACE)


def svg_of(scene: Scene, seq: int, word: Wording) -> bytes:
    """The picture of a scene as an SVG document in UTF-8."""
    return _Picture(scene, word).drawn(word("scene").format(seq=seq))


class _Picture:
    """One picture being drawn."""

    def __init__(self, scene: Scene, word: Wording) -> None:
        self._scene = scene
        self._word = word
        self._bounds = scene.bounds
        self._scale = max(1, min(UNIT, LARGEST // max(scene.bounds.width, scene.bounds.height)))
        self._forms = {
            side: _FORMS[place % len(_FORMS)] for place, side in enumerate(sides_of(scene))
        }
        self._kinds = tuple(dict.fromkeys(shape.kind for shape in scene.shapes))

    def drawn(self, title: str) -> bytes:
        """The whole document."""
        ground_width, ground_height = (
            self._size(self._bounds.width),
            self._size(self._bounds.height),
        )
        legend = list(self._legend())
        width = max(ground_width, LEAST_WIDTH)
        height = ground_height + LINE * (len(legend) + 2)
        root = Element(
            f"{{{NAMESPACE}}}svg",
            {"viewBox": f"0 0 {width} {height}", "role": "img", "aria-labelledby": "t d"},
        )
        SubElement(root, "title", {"id": "t"}).text = title
        SubElement(root, "desc", {"id": "d"}).text = "; ".join(text for _, _, text in legend)
        SubElement(root, "style").text = _STYLE
        self._define(root)
        SubElement(root, "rect", {"class": "paper", "width": str(width), "height": str(height)})
        clip = SubElement(root, "svg", {"width": str(ground_width), "height": str(ground_height)})
        self._draw_grid(clip)
        for shape in self._scene.shapes:
            self._draw_shape(clip, shape)
        self._draw_event(clip)
        for each in self._scene.combatants:
            self._draw_combatant(clip, each)
        self._draw_legend(root, legend, ground_height)
        document: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
        return document

    def _size(self, units: int) -> int:
        return units * self._scale

    def _at(self, x: int, y: int) -> tuple[int, int]:
        return self._size(x - self._bounds.x), self._size(y - self._bounds.y)

    def _define(self, root: Element) -> None:
        """The hatching of each kind of ground."""
        definitions = SubElement(root, "defs")
        for kind in self._kinds:
            if kind != "solid":
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
                path = _HATCHES.get(kind, _UPRIGHT)
                SubElement(pattern, "path", {"class": "ground", "d": path, "stroke-width": "2"})

    def _fill(self, kind: str) -> dict[str, str]:
        return {"class": "solid"} if kind == "solid" else {"fill": f"url(#k-{kind})"}

    def _draw_grid(self, into: Element) -> None:
        if not self._scene.is_grid or self._scale < UNIT // 8:
            return
        width, height = self._size(self._bounds.width), self._size(self._bounds.height)
        columns = "".join(f"M{x} 0V{height}" for x in range(0, width + 1, self._scale))
        rows = "".join(f"M0 {y}H{width}" for y in range(0, height + 1, self._scale))
        SubElement(into, "path", {"class": "grid", "d": columns + rows})

    def _draw_shape(self, into: Element, shape: SceneShape) -> None:
        group = SubElement(into, "g")
        label = f" {plain(shape.label)}" if isinstance(shape.label, str) else ""
        SubElement(group, "title").text = self._word(shape.kind) + label
        for x, y, count in shape.cells:
            left, top = self._at(x, y)
            box = {"x": left, "y": top, "width": self._size(count), "height": self._scale}
            SubElement(
                group,
                "rect",
                {name: str(value) for name, value in box.items()} | self._fill(shape.kind),
            )
        if shape.points:
            corners = [self._at(each.x, each.y) for each in shape.points]
            path = "M" + "L".join(f"{x} {y}" for x, y in corners)
            form = "wall" if shape.kind == "solid" else "low"
            SubElement(group, "path", {"class": form, "d": f"{path}h0"})
        if label and (shape.cells or shape.points):
            x, y, _ = shape.cells[0] if shape.cells else (shape.points[0].x, shape.points[0].y, 1)
            left, top = self._at(x, y)
            self._write(group, left + self._scale // 2, top + self._scale // 2, short(label))

    def _write(self, into: Element, x: int, y: int, text: str) -> None:
        SubElement(into, "text", {"class": "label", "x": str(x), "y": str(y)}).text = text

    def _draw_event(self, into: Element) -> None:
        """Areas and lines of the last event; lines are in halves of a unit."""
        for area in self._scene.areas:
            x, y = self._at(area.x, area.y)
            radius = max(self._size(area.radius), 4)
            circle = {"class": "area", "cx": str(x), "cy": str(y), "r": str(radius)}
            group = SubElement(into, "g")
            SubElement(group, "title").text = self._word(area.kind)
            SubElement(group, "circle", circle)
        for line in self._scene.lines:
            ends = [
                (
                    self._scale * each.x // 2 - self._size(self._bounds.x),
                    self._scale * each.y // 2 - self._size(self._bounds.y),
                )
                for each in (line.start, line.end)
            ]
            (x, y), (to_x, to_y) = ends
            group = SubElement(into, "g")
            outcome = f": {self._word(line.outcome)}" if line.outcome is not UNSET else ""
            SubElement(group, "title").text = self._word(line.kind) + outcome
            SubElement(group, "path", {"class": "attack", "d": f"M{x} {y}L{to_x} {to_y}"})
            SubElement(
                group, "circle", {"class": "attack", "cx": str(to_x), "cy": str(to_y), "r": "6"}
            )

    def _draw_combatant(self, into: Element, each: SceneCombatant) -> None:
        """A sign of its side, its name, and a mark for each step of lost health."""
        left, top = self._at(each.x, each.y)
        width = self._size(each.size) if self._scene.is_grid else max(self._scale, 14)
        x, y = (left + width // 2, top + width // 2) if self._scene.is_grid else (left, top)
        states = (("out", each.is_out), ("hidden", each.hidden), ("turn", each.has_turn))
        group = SubElement(into, "g", {"class": " ".join(name for name, holds in states if holds)})
        SubElement(group, "title").text = described(each, self._word)
        radius = max(width * 2 // 5, 5)
        sign = {"class": "side", "d": form(self._forms[each.side], x, y, radius)}
        for name, holds in (("hidden", each.hidden), ("turn", each.has_turn)):
            if holds:
                sign["class"] += f" {name}"
        SubElement(group, "path", sign)
        marks = _marks(each, x, y, radius) + _nose(each, x, y, radius)
        if marks:
            SubElement(group, "path", {"class": "ink", "d": marks, "stroke-width": "2"})
        name = each.name if isinstance(each.name, str) and plain(each.name) else each.id
        self._write(group, x, y + radius + 12, short(name))

    def _legend(self) -> Iterator[tuple[str, str, str]]:
        """What each line of the legend shows (`side`, `kind` or `line`), of what, and its words."""
        for each in self._scene.combatants:
            yield "side", each.side, described(each, self._word)
        for kind in self._kinds:
            yield "kind", kind, self._word(kind)
        for kind in dict.fromkeys(each.kind for each in self._scene.areas):
            yield "line", "area", self._word(kind)
        for kind in dict.fromkeys(each.kind for each in self._scene.lines):
            yield "line", "attack", self._word(kind)
        yield "none", "", self._word(self._scene.unit)

    def _draw_legend(self, root: Element, legend: list[tuple[str, str, str]], top: int) -> None:
        legend_group = SubElement(root, "g", {"aria-hidden": "true"})
        heading = SubElement(legend_group, "text", {"x": "8", "y": str(top + LINE)})
        heading.text = self._word("legend")
        for number, (what, of, text) in enumerate(legend):
            y = top + LINE * (number + 2)
            match what:
                case "side":
                    sign = form(self._forms[of], 16, y - 5, 7)
                    SubElement(legend_group, "path", {"class": "side", "d": sign})
                case "kind":
                    box = {"x": "8", "y": str(y - 13), "width": "16", "height": "16"}
                    SubElement(legend_group, "rect", box | self._fill(of))
                case "line":
                    path = {"class": of, "d": f"M8 {y - 5}h16"}
                    SubElement(legend_group, "path", path)
                case _:
                    pass
            SubElement(legend_group, "text", {"x": "32", "y": str(y)}).text = text


def form(name: str, x: int, y: int, radius: int) -> str:
    """The outline of a sign around (x, y), as the data of an SVG path."""
    r, half = radius, radius // 2
    match name:
        case "circle":
            return f"M{x - r} {y}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z"
        case "square":
            return f"M{x - r} {y - r}h{2 * r}v{2 * r}h{-2 * r}z"
        case "diamond":
            return f"M{x} {y - r}L{x + r} {y}L{x} {y + r}L{x - r} {y}z"
        case "triangle":
            return f"M{x} {y - r}L{x + r} {y + r}H{x - r}z"
        case _:
            return (
                f"M{x - half} {y - r}h{2 * half}L{x + r} {y}L{x + half} {y + r}h{-2 * half}L{x - r}"
                f" {y}z"
            )


def _nose(each: SceneCombatant, x: int, y: int, radius: int) -> str:
    """A stroke outwards, where the combatant looks."""
    facing = each.facing if isinstance(each.facing, str) else ""
    if facing not in _NOSES:
        return ""
    dx, dy = _NOSES[facing]
    reach = max(radius // 3, 2) + radius
    start = f"{x + dx * radius // 10} {y + dy * radius // 10}"
    return f"M{start}L{x + dx * reach // 10} {y + dy * reach // 10}"


def _marks(each: SceneCombatant, x: int, y: int, radius: int) -> str:
    """One stroke for `hurt`, two for `badly_hurt`, a cross for whoever is down or out."""
    half = max(radius // 2, 2)
    if each.is_out or each.band == "down":
        return f"M{x - half} {y - half}l{2 * half} {2 * half}m0 {-2 * half}l{-2 * half} {2 * half}"
    strokes = {"hurt": (0,), "badly_hurt": (-3, 3)}.get(
        each.band if isinstance(each.band, str) else "", ()
    )
    return "".join(f"M{x + dx} {y - half}v{2 * half}" for dx in strokes)
