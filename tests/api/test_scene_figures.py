"""Pictures of scenes with areas, bases and a scale, which no cell holds."""

from xml.etree.ElementTree import fromstring

from service.api.scenes.squares import squares_entered
from service.api.scenes.svg import svg_of
from service.api.scenes.text import text_of
from service.engine.scene import (
    Scene,
    SceneArea,
    SceneBounds,
    SceneCombatant,
    SceneLine,
    ScenePoint,
    SceneScale,
    SceneShape,
)

SVG = "{http://www.w3.org/2000/svg}"


def word(term: str) -> str:
    return {"scene": "After {seq}", "scale": "each {step}"}.get(term, term)


def points(*pairs: tuple[int, int]) -> tuple[ScenePoint, ...]:
    return tuple(ScenePoint(x=x, y=y) for x, y in pairs)


TABLE = Scene(
    unit="u",
    scale=SceneScale(unit="step", length=1000),
    is_grid=False,
    bounds=SceneBounds(x=0, y=0, width=8000, height=6000),
    shapes=(
        SceneShape(
            kind="building",
            label="b",
            points=points((1000, 1000), (3000, 1000), (3000, 2500), (1000, 2500)),
            is_closed=True,
            is_high=True,
        ),
        SceneShape(
            kind="rock", points=points((4000, 0), (6000, 2000), (4000, 2000)), is_closed=True
        ),
    ),
    combatants=(
        SceneCombatant(
            id="guard",
            side="a",
            x=7500,
            y=5499,
            radius=500,
            conditions=("on_guard",),
            markers=("on_guard",),
        ),
        SceneCombatant(id="ghost", side="b", x=0, y=3000, radius=800, markers=()),
    ),
    areas=(
        SceneArea(
            kind="melody",
            label="veil",
            x=4000,
            y=4000,
            radius=1500,
            full=("guard",),
            part=(),
        ),
        SceneArea(kind="cone", x=0, y=0, radius=0, points=points((0, 0), (3000, 500), (3000, 0))),
        SceneArea(kind="interruption", x=500, y=500, radius=0),
    ),
    lines=(
        SceneLine(
            kind="path",
            start=ScenePoint(x=0, y=6000),
            end=ScenePoint(x=8000, y=6000),
            source="ghost",
        ),
    ),
)


def test_a_scene_with_a_scale_is_written_in_squares_of_it() -> None:
    assert text_of(TABLE, 3, word) == (
        "After 3\n"
        "....=...\n"
        ".~~.==..\n"
        ".~~.....\n"
        "H.......\n"
        "........\n"
        ".......G\n"
        "G guard: a, on_guard\n"
        "H ghost: b\n"
        "~ building\n"
        "= rock\n"
        "o melody veil; full: guard (4000, 4000), 1500\n"
        "o cone (0, 0)\n"
        "o interruption (500, 500), 0\n"
        "> path ghost - (4000, 3000)\n"
        ". step\n"
    )


def test_a_scene_with_a_scale_too_wide_for_its_signs_says_how_much_one_is() -> None:
    wide = Scene(
        unit="u",
        scale=SceneScale(unit="step", length=1000),
        is_grid=False,
        bounds=SceneBounds(x=0, y=0, width=256_001, height=1000),
    )
    assert text_of(wide, 1, word) == "After 1\n" + "." * 129 + "\n. step\neach 2\n"
    narrow = Scene(
        unit="u",
        scale=SceneScale(unit="step", length=1000),
        is_grid=False,
        bounds=SceneBounds(x=0, y=0, width=256_000, height=1000),
    )
    assert text_of(narrow, 1, word) == "After 1\n" + "." * 256 + "\n. step\n"


def test_a_picture_is_drawn_to_the_scale_with_bases_markers_and_labels() -> None:
    root = fromstring(svg_of(TABLE, 3, word))
    [ground] = root.findall(f"{SVG}svg")
    assert ground.attrib["viewBox"] == "-16 -16 352 272"
    edges = [each.attrib for each in ground.iter(f"{SVG}path") if "edge" in each.attrib["class"]]
    assert edges == [
        {"class": "edge high", "d": "M40 40L120 40L120 100L40 100z", "fill": "url(#k-building)"},
        {"class": "edge", "d": "M160 0L240 80L160 80z", "fill": "url(#k-rock)"},
    ]
    circles = [each.attrib for each in ground.iter(f"{SVG}circle")]
    assert circles == [
        {"class": "lying", "cx": "160", "cy": "160", "r": "60"},
        {"class": "area", "cx": "20", "cy": "20", "r": "4"},
        {"class": "base", "cx": "300", "cy": "219", "r": "20"},
        {"class": "base", "cx": "0", "cy": "120", "r": "32"},
    ]
    paths = [each.attrib["d"] for each in ground.iter(f"{SVG}path")]
    assert "M0 0L120 20L120 0z" in paths
    assert "M0 120L160 120" in paths
    assert sum("M296 191a4 4 0 1 0 8 0" in path for path in paths) == 1
    labels = {each.text: (each.attrib["x"], each.attrib["y"]) for each in ground.iter(f"{SVG}text")}
    assert labels == {
        "b": ("80", "70"),
        "veil": ("160", "116"),
        "guard": ("300", "252"),
        "ghost": ("15", "165"),
    }
    legend = [each.text for each in root.findall(f"{SVG}g/{SVG}text")]
    assert legend == [
        "legend",
        "guard: a, on_guard",
        "ghost: b",
        "building",
        "rock",
        "on_guard",
        "melody",
        "cone",
        "interruption",
        "path",
        "step: 1",
    ]


def test_an_area_fills_the_squares_that_hold_some_of_it() -> None:
    corners = points((1000, 500), (2000, 0), (3000, 500), (2000, 1000))
    assert sorted(squares_entered(corners, 1000)) == [(1, 0), (2, 0)]
    assert sorted(squares_entered(points((0, 0), (2001, 0), (2001, 1001), (0, 1001)), 1000)) == [
        (column, row) for column in range(3) for row in range(2)
    ]
    slope = points((0, 0), (3000, 0), (0, 3000))
    assert sorted(squares_entered(slope, 1000)) == [
        (0, 0),
        (0, 1),
        (0, 2),
        (1, 0),
        (1, 1),
        (2, 0),
    ]
