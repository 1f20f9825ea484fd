"""The scene: terrain, bases, markers, Melodies in play and whoever waits on its way."""

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.scene import (
    SceneArea,
    SceneBounds,
    SceneCombatant,
    SceneLine,
    ScenePoint,
    SceneScale,
    SceneShape,
)
from service.rulesets.melody_d6.scene import scene
from tests.rulesets.melody_d6.scene_sources import (
    DREAD,
    VEIL,
    duellists,
    rectangle,
    source,
    warrior,
    window,
)


def corners(*box: int) -> tuple[ScenePoint, ...]:
    return tuple(ScenePoint(**each) for each in rectangle(*box))


def test_terrain_is_areas_that_say_whether_they_block_sight() -> None:
    drawn = scene(source())
    assert drawn.bounds == SceneBounds(x=0, y=0, width=36000, height=24000)
    assert (drawn.unit, drawn.is_grid) == ("u", False)
    assert drawn.scale == SceneScale(unit="step", length=1000)
    assert [(each.kind, each.label, each.is_high) for each in drawn.shapes] == [
        ("low_wall", "t1", False),
        ("low_wall", "t2", False),
        ("building", "t3", True),
        ("column", "t4", True),
        ("debris", "t5", False),
    ]
    assert drawn.shapes[2] == SceneShape(
        kind="building",
        label="t3",
        points=corners(16000, 14000, 19000, 18000),
        is_closed=True,
        is_high=True,
    )


def test_changed_terrain_is_drawn_as_it_is_now() -> None:
    rock = {"kind": "rock", "vertices": rectangle(0, 0, 1000, 1000), "height": "high"}
    changes = [
        {"feature": "t1", "removed": True},
        {"feature": "t3", "terrain": rock},
        {"feature": "t0", "terrain": rock},
    ]
    drawn = scene(source(terrain=changes))
    assert [(each.label, each.kind, each.is_high) for each in drawn.shapes] == [
        ("t0", "rock", True),
        ("t2", "low_wall", False),
        ("t3", "rock", True),
        ("t4", "column", True),
        ("t5", "debris", False),
    ]


def test_a_battle_without_a_map_has_a_bare_table_of_the_ordinary_size() -> None:
    drawn = scene(source(board=None))
    assert drawn.bounds == SceneBounds(x=0, y=0, width=36000, height=24000)
    assert drawn.shapes == ()


def test_warriors_stand_on_their_bases_with_their_markers() -> None:
    guard = warrior("g", "a", "A1", 9000, 8000, "dazed", "on_guard", "masked", base_radius=800)
    assert scene(source(guard)).combatants == (
        SceneCombatant(
            id="g",
            side="a",
            x=9000,
            y=8000,
            radius=800,
            band="unhurt",
            conditions=("dazed", "on_guard", "masked"),
            markers=("masked", "on_guard"),
            has_turn=True,
        ),
    )


def test_while_a_unit_is_active_its_members_on_the_table_have_the_turn() -> None:
    assert [each.id for each in scene(source()).combatants if each.has_turn] == [
        "a_singer",
        "a_bow",
        "a_scout",
    ]
    active = scene(source(turn_unit="A1"))
    assert [each.id for each in active.combatants if each.has_turn] == ["a_singer", "a_bow"]
    assert [each.id for each in active.combatants if each.is_out] == ["a_rifle"]


def test_a_melody_in_play_covers_those_who_are_seen_and_there() -> None:
    gone = warrior("gone", "a", "A1", 15000, 12000, "fled")
    edge = warrior("edge", "b", "B1", 18000, 12000)
    part = warrior("part", "b", "B1", 17999, 12000)
    full = warrior("full", "b", "B1", 17000, 12000)
    assert scene(source(gone, edge, part, full, songs=[DREAD, VEIL])).areas == (
        SceneArea(
            kind="melody",
            label="veil_of_mist",
            x=15000,
            y=12000,
            radius=2500,
            full=("full",),
            part=("part",),
        ),
    )


def test_a_beam_in_play_is_drawn_with_its_corners() -> None:
    beam = {
        "kind": "beam",
        "origin": {"x": 15000, "y": 12000},
        "aim": {"x": 16000, "y": 12000},
        "length": 8000,
        "half_width": 1000,
    }
    under = warrior("under", "b", "B1", 19000, 12000)
    assert scene(source(under, songs=[VEIL | {"shape": beam}])).areas == (
        SceneArea(
            kind="melody",
            label="veil_of_mist",
            x=15000,
            y=12000,
            radius=0,
            points=tuple(
                ScenePoint(x=x, y=y)
                for x, y in ((15000, 11000), (15000, 13000), (23000, 13000), (23000, 11000))
            ),
            full=("under",),
            part=(),
        ),
    )


def test_whoever_waits_on_its_way_is_drawn_with_where_it_was_stopped() -> None:
    path = [{"x": 4000, "y": 10000}, {"x": 8000, "y": 10000}, {"x": 8000, "y": 12000}]
    legs = (
        SceneLine(
            kind="path",
            start=ScenePoint(x=8000, y=20000),
            end=ScenePoint(x=16000, y=20000),
            source="a_bow",
        ),
        SceneLine(
            kind="path",
            start=ScenePoint(x=16000, y=20000),
            end=ScenePoint(x=16000, y=24000),
            source="a_bow",
        ),
    )
    at_start = window(movers=["a_bow"], path=path, used={"leg": 0, "permille": 0})
    assert scene(source(pending=[at_start])).lines == legs
    assert scene(source(pending=[at_start])).areas == ()
    stopped = scene(
        source(pending=[window(movers=["a_bow"], path=path, used={"leg": 1, "permille": 500})])
    )
    assert stopped.lines == legs
    assert stopped.areas == (SceneArea(kind="interruption", x=8000, y=11000, radius=0),)
    unseen = window(path=path)
    assert {each.source for each in scene(source(pending=[unseen])).lines} == {UNSET}
    assert scene(source(pending=[window(movers=["a_bow"]), {"decisions": []}])).lines == ()


def test_the_template_of_a_song_has_corners_in_whole_units() -> None:
    def area(kind: str) -> SceneArea:
        shape = {
            "kind": kind,
            "origin": {"x": 10000, "y": 10000},
            "aim": {"x": 10003, "y": 10004},
            "length": 8000,
            "half_width": 1000,
        }
        victims = [
            {"target": name, "outcome": coverage}
            for name, coverage in (("a", "part"), ("b", "full"), ("c", "part"))
        ]
        struck = {"type": "area_resolved", "area": shape, "melody": "song", "victims": victims}
        [drawn] = scene(source(effects=({"type": "moved"}, struck))).areas
        assert (drawn.label, drawn.full, drawn.part) == ("song", ("b",), ("a", "c"))
        return replace(drawn, label=UNSET, full=UNSET, part=UNSET)

    far = (ScenePoint(x=14000, y=17000), ScenePoint(x=15600, y=15800))
    near = (ScenePoint(x=10800, y=9400), ScenePoint(x=9200, y=10600))
    assert area("beam") == SceneArea(kind="beam", x=10000, y=10000, radius=0, points=near + far)
    apex = (ScenePoint(x=10000, y=10000),)
    assert area("cone") == SceneArea(kind="cone", x=10000, y=10000, radius=0, points=apex + far)


def test_an_attack_is_drawn_to_where_its_target_stood_then() -> None:
    people = (
        warrior("g", "a", "A1", 1000, 1000),
        warrior("m", "b", "B1", 9000, 9000),
        warrior("x", "b", "B2", 5000, 1000),
    )

    def moved(combatant: str, x: int, y: int) -> dict[str, object]:
        return {"type": "moved", "combatant": combatant, "start": {"x": x, "y": y}}

    def shot(target: str, attacker: str) -> dict[str, object]:
        return {"type": "attack_resolved", "target": target, "detail": {"attacker": attacker}}

    effects = (
        moved("m", 3000, 9000),
        shot("unseen", "g"),
        shot("m", "g"),
        shot("x", "unseen"),
        moved("x", 4000, 4000),
        shot("x", "g"),
        moved("m", 6000, 9000),
        moved("m", 7000, 9000),
        shot("m", "x"),
    )
    drawn = scene(source(*people, effects=effects)).lines
    assert [(line.source, line.target, line.start, line.end) for line in drawn] == [
        ("g", "m", ScenePoint(x=2000, y=2000), ScenePoint(x=12000, y=18000)),
        ("g", "x", ScenePoint(x=2000, y=2000), ScenePoint(x=10000, y=2000)),
        ("x", "m", ScenePoint(x=10000, y=2000), ScenePoint(x=18000, y=18000)),
    ]


def test_whoever_comes_in_or_becomes_known_is_drawn_as_any_other() -> None:
    [sheet] = [each for each in duellists() if each["id"] == "b_gunner"]
    told = tuple({"type": kind, "combatant": sheet} for kind in ("combatant_added", "revealed"))
    assert scene(source(effects=told)) == scene(source())
