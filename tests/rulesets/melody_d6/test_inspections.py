"""Who sees whom, whom a template covers, how far weapons reach, as callers may know it."""

from typing import Any

import msgspec
import pytest

from service.engine.kit.perception import perceive
from service.errors import Malformed, Refused
from service.rulesets.melody_d6.inspections import INSPECTIONS
from tests.kit.given_when_then import Given
from tests.kit.table import tree_of
from tests.rulesets.melody_d6.scene_sources import feature
from tests.rulesets.melody_d6.skirmishes import in_turn, warrior

Tree = dict[str, Any]
BY_NAME = {each.name: each for each in INSPECTIONS}
BUILDING = feature("house", "building", 12000, 8000, 14000, 12000)
WALL = feature("wall", "low_wall", 20000, 9000, 20400, 11000)


def inspect(battle: Given, name: str, by: str = "gm", **query: object) -> Any:
    """The answer to a question, as JSON values. Raises Malformed or Refused."""
    inspection, viewer = BY_NAME[name], battle.table.viewer(by)
    asked = msgspec.convert(query, inspection.query)
    return tree_of(inspection.inspect(perceive(battle.table.state, viewer), asked, viewer))


def table(*people: Tree, features: tuple[Tree, ...] = (), **setup: Any) -> Given:
    """A battle with this terrain in the turn of side `a`."""
    return in_turn(*people, map={"features": list(features)}, **setup)


def rows(answer: Tree, of: str) -> dict[str, Tree]:
    """The rows of a table by the warrior they are about."""
    return {row.pop("combatant" if of == "others" else "target"): row for row in answer[of]}


@pytest.mark.rule("ML-GEO-6")
@pytest.mark.rule("ML-GEO-7")
def test_sight_is_told_both_ways_with_what_is_between() -> None:
    battle = table(
        warrior("a1", 10000, 10000, sight=10000),
        warrior("a2", 10000, 15000, base_radius=1000),
        warrior("b1", 21000, 9000),
        warrior("b2", 10000, 21001),
        warrior("b3", 16000, 10000),
        warrior("b4", 10000, 20000, conditions=["out"], health=0),
        features=(BUILDING, WALL),
    )
    answer = inspect(battle, "visibility", combatant="a1")
    assert answer == {
        "combatant": "a1",
        "place": {"x": 10000, "y": 10000},
        "sight_u": 10000,
        "others": [
            {
                "combatant": "a2",
                "distance_u": 3500,
                "blocked_by": [],
                "sees": "yes",
                "is_seen": "yes",
            },
            {
                "combatant": "b1",
                "distance_u": 10046,
                "blocked_by": ["house"],
                "sees": "no",
                "is_seen": "no",
            },
            {
                "combatant": "b2",
                "distance_u": 10001,
                "blocked_by": [],
                "sees": "no",
                "is_seen": "yes",
            },
            {
                "combatant": "b3",
                "distance_u": 5000,
                "blocked_by": ["house"],
                "sees": "no",
                "is_seen": "no",
            },
        ],
    }


def test_between_centres_no_base_counts() -> None:
    people = (warrior("a1", 10000, 10000, sight=10000), warrior("b1", 20000, 10001))
    rows_of = {
        measure: inspect(
            table(*people, options={"measure": measure}), "visibility", combatant="a1"
        )["others"][0]
        for measure in ("edge", "centre")
    }
    assert [(row["distance_u"], row["sees"]) for row in rows_of.values()] == [
        (9001, "yes"),
        (10001, "no"),
    ]


def test_where_a_hidden_number_would_decide_the_answer_is_unknown() -> None:
    battle = table(
        warrior("a1", 10000, 10000),
        warrior("b1", 10000, 20000, sight=1000, weapons=["rifle"]),
        warrior("b2", 16000, 10000),
        warrior("b3", 30000, 20000, hidden=True),
        features=(BUILDING,),
        options={"enemy_numbers": "hidden"},
    )
    mine = inspect(battle, "visibility", by="ann", combatant="a1")
    assert mine["sight_u"] == 24000
    assert rows(mine, "others") == {
        "b1": {"distance_u": 9000, "blocked_by": [], "sees": "yes", "is_seen": "unknown"},
        "b2": {"distance_u": 5000, "blocked_by": ["house"], "sees": "no", "is_seen": "no"},
    }
    theirs = inspect(battle, "visibility", by="ann", combatant="b1")
    assert "sight_u" not in theirs
    assert rows(theirs, "others")["a1"] == {
        "distance_u": 9000,
        "blocked_by": [],
        "sees": "unknown",
        "is_seen": "yes",
    }
    assert rows(inspect(battle, "visibility", by="bob", combatant="b1"), "others")["a1"] == {
        "distance_u": 9000,
        "blocked_by": [],
        "sees": "no",
        "is_seen": "unknown",
    }
    [row] = inspect(battle, "ranges", by="ann", combatant="b1")["targets"]
    assert (row["in_sight"], "refused" in row) == ("unknown", False)
    [row] = inspect(battle, "ranges", by="bob", combatant="b1")["targets"]
    assert (row["in_sight"], row["refused"]) == ("no", "out_of_sight")


@pytest.mark.rule("ML-SHOOT-1")
@pytest.mark.rule("ML-SHOOT-3")
@pytest.mark.rule("ML-SHOOT-4")
def test_ranges_are_told_of_all_enemies_with_their_cover() -> None:
    battle = table(
        warrior("a1", 10000, 10000, weapons=["blade", "rifle", "darts"], sight=30000),
        warrior("a2", 10000, 22000),
        warrior("b1", 22000, 10000),
        warrior("b2", 21500, 10900),
        warrior("b3", 16000, 7000),
        warrior("b4", 10000, 19001, conditions=["masked"]),
        warrior("b5", 11050, 22000),
        features=(feature("house", "building", 12000, 6000, 14000, 9400), WALL),
    )
    reached = {"in_range": True, "is_long": False}
    far, long = {"in_range": False, "is_long": True}, {"in_range": True, "is_long": True}

    def row(distance: int, rifle: Tree, darts: Tree, **more: Any) -> Tree:
        weapons = [{"weapon": "rifle", **rifle}, {"weapon": "darts", **darts}]
        known = {"blocked_by": [], "in_sight": "yes", "cover": [], "weapons": weapons}
        return {"distance_u": distance, **known, **more}

    answer = inspect(battle, "ranges", combatant="a1")
    assert answer["combatant"] == "a1"
    assert rows(answer, "targets") == {
        "b1": row(11000, reached, far),
        "b2": row(10536, reached, far, cover=["wall"]),
        "b3": row(5709, reached, long, blocked_by=["house"], refused="no_line_of_sight"),
        "b4": row(8001, reached, far, refused="target_masked"),
        "b5": row(11046, reached, far, refused="target_engaged"),
    }
    with pytest.raises(Refused, match="unknown_combatant"):
        inspect(battle, "ranges", combatant="b9")


def test_long_range_begins_beyond_half_the_range() -> None:
    battle = table(
        warrior("a1", 1000, 10000, weapons=["rifle"]),
        warrior("b1", 14000, 10000),
        warrior("b2", 14001, 12000),
        warrior("b3", 25000, 17000),
        warrior("b4", 26001, 10000),
    )
    told = rows(inspect(battle, "ranges", combatant="a1"), "targets")
    assert {name: row["weapons"][0] for name, row in told.items()} == {
        "b1": {"weapon": "rifle", "in_range": True, "is_long": False},
        "b2": {"weapon": "rifle", "in_range": True, "is_long": True},
        "b3": {"weapon": "rifle", "in_range": True, "is_long": True},
        "b4": {"weapon": "rifle", "in_range": False, "is_long": True},
    }
    assert [row.get("refused") for row in told.values()] == [None, None, None, "out_of_sight"]


CHOIR = (
    warrior("a1", 10000, 10000, singer={"melodies": ["ember_march"]}),
    warrior("a2", 11000, 10000),
    warrior("b2", 20500, 10000, base_radius=1000),
    warrior("b1", 19000, 10000),
    warrior("b3", 22500, 10000),
)


def under(answer: Tree) -> dict[str, str]:
    return {each["combatant"]: each["coverage"] for each in answer["combatants"]}


@pytest.mark.rule("ML-TPL-1")
@pytest.mark.rule("ML-TPL-4")
def test_coverage_of_a_melody_says_whether_it_could_be_sung_there() -> None:
    battle = table(*CHOIR, features=(feature("house", "building", 12000, 11000, 14000, 14000),))
    song = {"combatant": "a1", "melody": "ember_march"}
    assert inspect(battle, "coverage", **song, x=20000, y=10000) == {
        "shape": {"kind": "disc", "origin": {"x": 20000, "y": 10000}, "radius": 1500},
        "combatants": [
            {"combatant": "b2", "coverage": "full"},
            {"combatant": "b1", "coverage": "full"},
        ],
    }
    on_singer = inspect(battle, "coverage", **song, x=10500, y=10000)
    assert under(on_singer) == {"a1": "full", "a2": "full"}
    refused = {
        place: inspect(battle, "coverage", **song, x=place[0], y=place[1]).get("refused")
        for place in ((28500, 10000), (28501, 10000), (16000, 14000), (10000, 24001))
    }
    assert refused == {
        (28500, 10000): None,
        (28501, 10000): "out_of_range",
        (16000, 14000): "no_line_of_sight",
        (10000, 24001): "off_table",
    }


def test_coverage_of_a_ray_begins_at_its_singer_and_spares_it() -> None:
    battle = table(*CHOIR)
    by_melody: Tree = {"combatant": "a1", "melody": "thunder_shove", "x": 12000, "y": 10000}
    by_template: Tree = {"combatant": "a1", "template": "beam", "x": 12000, "y": 10000}
    expected = {
        "shape": {
            "kind": "beam",
            "origin": {"x": 10000, "y": 10000},
            "aim": {"x": 12000, "y": 10000},
            "length": 8000,
            "half_width": 1000,
        },
        "combatants": [{"combatant": "a2", "coverage": "full"}],
    }
    assert inspect(battle, "coverage", **by_melody) == expected
    assert inspect(battle, "coverage", **by_template) == expected
    cone: Tree = {"combatant": "b1", "template": "cone", "x": 10000, "y": 10000}
    assert under(inspect(battle, "coverage", **cone)) == {"a1": "full", "a2": "full"}


def test_a_disc_by_itself_needs_no_singer() -> None:
    battle = table(*CHOIR)
    answer = inspect(battle, "coverage", template="large_round", x=20000, y=10000)
    assert under(answer) == {"b2": "full", "b1": "full", "b3": "part"}


def test_nobody_hidden_is_told_of() -> None:
    people = (*CHOIR, warrior("b4", 20000, 11600, hidden=True))
    battle = table(*people)
    query = {"template": "small_round", "x": 20000, "y": 10000}
    seen = {by: under(inspect(battle, "coverage", by=by, **query)) for by in ("ann", "bob", "gm")}
    known = {"b2": "full", "b1": "full"}
    assert seen == {"ann": known, "bob": {**known, "b4": "part"}, "gm": {**known, "b4": "part"}}
    ranges = inspect(battle, "ranges", by="ann", combatant="a1")
    assert [row["target"] for row in ranges["targets"]] == ["b2", "b1", "b3"]
    sights = inspect(battle, "visibility", by="ann", combatant="a1")
    assert [row["combatant"] for row in sights["others"]] == ["a2", "b2", "b1", "b3"]
    with pytest.raises(Refused, match="unknown_combatant"):
        inspect(battle, "visibility", by="ann", combatant="b4")


@pytest.mark.parametrize(
    ("query", "error", "told"),
    [
        ({}, Malformed, "$.melody"),
        ({"melody": "ember_march", "template": "cone"}, Malformed, "$.melody"),
        ({"melody": "ember_march"}, Malformed, "$.combatant"),
        ({"melody": "drum_of_dread", "combatant": "a1"}, Malformed, "$.melody"),
        ({"template": "cone"}, Malformed, "$.combatant"),
        ({"template": "square"}, Malformed, "$.template"),
        ({"melody": "silence", "combatant": "a1"}, Refused, "unknown_melody"),
        ({"template": "cone", "combatant": "a9"}, Refused, "unknown_combatant"),
        ({"template": "cone", "combatant": "a1"}, Refused, "zero_direction"),
        ({"template": "cone", "combatant": "b9"}, Refused, "actor_incapacitated"),
    ],
)
def test_questions_that_have_no_answer(query: Tree, error: type[Exception], told: str) -> None:
    battle = table(*CHOIR, warrior("b9", 30000, 10000, conditions=["fled"]))
    with pytest.raises(error, match=told.replace("$", r"\$")):
        inspect(battle, "coverage", x=10000, y=10000, **query)
