"""Lasting Melodies in play: who comes under them and who leaves, and what ends them."""

from typing import Any, Final

import pytest

from service.errors import Refused
from tests.kit.given_when_then import Given
from tests.kit.table import Table
from tests.rulesets.melody_d6.choirs import Tree, content, effects, sing, told, voice
from tests.rulesets.melody_d6.skirmishes import conditions, in_turn, warrior

CENTRE = (20_000, 10_000)
AIR = sing("a1", "heavy_air", point=CENTRE)
FAR = warrior("b9", 30_000, 20_000)


def singer(**sheet: Any) -> Tree:
    return warrior("a1", 10_000, 10_000, **{"unit": "A", "singer": voice(), **sheet})


def choir(*others: Tree, lead: Tree | None = None, **setup: Any) -> Given:
    """A battle in which a1 may sing."""
    options = {"ui_radius": 0, **setup.pop("options", {})}
    first = singer() if lead is None else lead
    return in_turn(first, *others, FAR, unit="A", phase="action", options=options, **setup)


def next_turn(battle: Given, side: str, unit: str | None = None) -> None:
    """The other side's turn begins, with a unit of it activated, if one is named."""
    other = "b" if side == "a" else "a"
    for action in (
        {"type": "end_activation", "unit": battle.table.state.rule.turn_unit},
        {"type": "end_turn", "side": other},
        {"type": "activate_unit", "unit": unit},
    ):
        if action.get("unit", "") is None or (
            action["type"] == "end_activation"
            and not isinstance(battle.table.state.rule.turn_unit, str)
        ):
            continue
        effects(battle.when(action))


def move(combatant: str, *path: tuple[int, int]) -> Tree:
    return {
        "type": "move",
        "combatant": combatant,
        "path": [{"x": x, "y": y} for x, y in path],
    }


def killed(combatant: str) -> Tree:
    """The game master takes a warrior's last wound."""
    return {"type": "adjust", "changes": [{"type": "hp", "combatant": combatant, "value": 0}]}


@pytest.mark.rule("ML-LAST-1", "ML-LAST-8")
def test_a_song_enters_play_just_before_its_first_targets_are_tested() -> None:
    under = (
        warrior("b1", 20_000, 10_000),
        warrior("b2", 22_500, 10_000, resistances=[{"to": "air", "value": 3}]),
        warrior("a2", 20_000, 12_500),
        warrior("b3", 17_000, 10_000),
    )
    asked = choir(*under).when(AIR, dice=(4, 4, 4, 3, 3))
    assert told(asked) == [
        "resource_changed a1 action 0",
        "check_resolved a1 song success",
        "marker_placed a1 s3",
        "condition_gained b1 melody s3 melody",
        "check_resolved b2 template success",
        "check_resolved b2 resistance success",
        "check_resolved a2 template failure",
    ]
    placed = effects(asked)[4]
    assert placed == {
        "type": "marker_placed",
        "marker": "s3",
        "kind": "melody",
        "shape": {"kind": "disc", "origin": {"x": 20_000, "y": 10_000}, "radius": 2500},
        "side": "a",
        "combatant": "a1",
        "melody": "heavy_air",
        "round": 1,
        "monstrous": False,
        "dampened_in": 0,
        "rule": "ML-LAST-1",
    }


@pytest.mark.rule("ML-LAST-8")
def test_who_ends_a_movement_under_it_is_tested_until_it_is_affected() -> None:
    battle = choir(warrior("b1", 24_000, 10_000))
    effects(battle.when(AIR, dice=(4, 4)))
    next_turn(battle, "b", "B1")
    asked = battle.when(move("b1", (22_500, 10_000)), dice=(3,))
    assert told(asked)[-1] == "check_resolved b1 template failure"
    battle.when({"type": "end_movement", "unit": "B1"})
    for face, affected in ((3, False), (4, True)):
        next_turn(battle, "a")
        next_turn(battle, "b", "B1")
        x = battle.table.combatant("b1").place.x
        battle.when(move("b1", (x + 100, 10_000)), dice=(face,))
        assert ("melody" in conditions(battle, "b1")) == affected
        battle.when({"type": "end_movement", "unit": "B1"})
    next_turn(battle, "a")
    next_turn(battle, "b", "B1")
    stays = battle.when(move("b1", (22_600, 10_000)))
    assert told(stays) == ["resource_changed b1 movement 0", "moved b1"]
    assert battle.table.combatant("b1").songs == ("s3",)


@pytest.mark.rule("ML-LAST-8", "ML-MOVE-1")
def test_who_leaves_a_song_is_free_of_it() -> None:
    battle = choir(warrior("b1", *CENTRE))
    effects(battle.when(AIR, dice=(4, 4)))
    next_turn(battle, "b", "B1")
    battle.when(move("b1", (24_001, 10_000))).refused(
        "path_too_long", "ML-MOVE-1", cost=4001, allowance=4000
    )
    asked = battle.when(move("b1", (24_000, 10_000)))
    assert told(asked)[-1] == "condition_lost b1 melody s3"
    assert (conditions(battle, "b1"), battle.table.combatant("b1").songs) == ((), ())


@pytest.mark.rule("ML-LAST-4", "ML-LAST-8")
def test_of_two_songs_on_one_warrior_each_ends_by_itself() -> None:
    battle = choir(warrior("a2", 10_000, 14_000, unit="A", singer=voice()), warrior("b1", *CENTRE))
    effects(battle.when(AIR, dice=(4, 4)))
    effects(battle.when(sing("a2", "veil_of_mist", point=(20_000, 11_000)), dice=(4, 4)))
    assert battle.table.combatant("b1").songs == ("s3", "s4")
    battle.when({"type": "stop_melody", "combatant": "a1"}).then(
        {
            "type": "marker_removed",
            "marker": "s3",
            "combatant": "a1",
            "cause": "stopped",
            "rule": "ML-LAST-4",
        },
        {
            "type": "condition_lost",
            "combatant": "b1",
            "condition": "melody",
            "item": "s3",
            "rule": "ML-LAST-4",
        },
    )
    assert (conditions(battle, "b1"), battle.table.combatant("b1").songs) == (("melody",), ("s4",))
    battle.when({"type": "stop_melody", "combatant": "a2"})
    assert (conditions(battle, "b1"), battle.table.combatant("b1").songs) == ((), ())
    battle.when({"type": "stop_melody", "combatant": "a2"}).refused(
        "no_melody_in_play", "ML-LAST-4"
    )


@pytest.mark.rule("ML-LAST-1")
def test_a_song_of_a_fork_has_an_id_that_none_has_which_it_took_up() -> None:
    battle = choir(warrior("a2", 10_000, 14_000, unit="A", singer=voice()), warrior("b1", *CENTRE))
    effects(battle.when(AIR, dice=(4, 4)))
    fork = Given(Table.continuing(battle.table, 3))
    fork.when({"type": "start_encounter"}).then({"type": "encounter_started"})
    effects(fork.when(sing("a2", "veil_of_mist", point=(20_000, 11_000)), dice=(4, 4)))
    assert [song.id for song in fork.table.state.rule.songs] == ["s3", "s3_2"]
    assert fork.table.combatant("b1").songs == ("s3", "s3_2")


@pytest.mark.rule("ML-LAST-2", "ML-LAST-4")
def test_a_stopped_song_leaves_its_singer_free_to_sing_in_the_next_activation() -> None:
    battle = choir()
    effects(battle.when(AIR, dice=(4, 4)))
    next_turn(battle, "b")
    next_turn(battle, "a", "A")
    battle.when({"type": "end_movement", "unit": "A"})
    battle.when(AIR).refused("lasting_in_play", "ML-LAST-2", song="s3")
    battle.when({"type": "stop_melody", "combatant": "a1"})
    assert told(battle.when(AIR, dice=(4, 4)))[-1].startswith("marker_placed a1")


@pytest.mark.rule("ML-LAST-3")
def test_a_song_ends_with_the_life_of_its_singer() -> None:
    battle = choir(warrior("a2", 10_000, 14_000), warrior("b1", *CENTRE))
    effects(battle.when(AIR, dice=(4, 4)))
    asked = battle.when(
        {"type": "adjust", "changes": [{"type": "hp", "combatant": "a1", "value": 0}]}
    )
    assert told(asked) == [
        "adjusted",
        "hurt a1 gm",
        "marker_removed a1 s3 singer_gone",
        "condition_lost b1 melody s3",
        "felled a1 out gm",
    ]


@pytest.mark.rule("ML-LAST-3")
def test_a_song_ends_before_its_singer_flees() -> None:
    battle = choir(warrior("b1", *CENTRE))
    effects(battle.when(AIR, dice=(4, 4)))
    asked = battle.when({"type": "gm_panic_test", "unit": "A"}, dice=(6, 6))
    assert told(asked) == [
        "check_resolved a1 A panic failure",
        "condition_gained a1 fleeing panic",
        "marker_removed a1 s3 singer_fled",
        "condition_lost b1 melody s3",
        "moved a1 panic",
    ]


def test_who_is_killed_under_a_song_carries_it_no_more() -> None:
    battle = choir(warrior("b1", *CENTRE))
    effects(battle.when(AIR, dice=(4, 4)))
    asked = battle.when(
        {"type": "adjust", "changes": [{"type": "hp", "combatant": "b1", "value": 0}]}
    )
    assert "condition_lost b1 melody s3" in told(asked)
    assert battle.table.combatant("b1").songs == ()


@pytest.mark.rule("ML-LAST-8")
def test_a_melody_of_one_warrior_goes_with_it_until_it_ends() -> None:
    slow = {
        "id": "slow",
        "like": "drum_of_dread",
        "duration": "lasting",
        "effects": [{"kind": "mod_move", "delta": -1000}],
        "mp_effects": [{"kind": "mod_move", "delta": -2000}],
    }
    battle = choir(warrior("b1", *CENTRE), lead=singer(singer=voice("slow")), content=content(slow))
    placed = effects(battle.when(sing("a1", "slow", target="b1"), dice=(4, 4)))[4]
    assert (placed["target"], placed["shape"]) == (
        "b1",
        {"kind": "model", "origin": {"x": 10_000, "y": 10_000}},
    )
    next_turn(battle, "b", "B1")
    effects(battle.when(move("b1", (25_000, 10_000))))
    assert battle.table.combatant("b1").songs == ("s3",)


@pytest.mark.rule("ML-LAST-9")
def test_equal_melodies_do_not_add_up_and_different_ones_do() -> None:
    gale = {
        "id": "gale",
        "like": "heavy_air",
        "effects": [{"kind": "mod_move", "delta": -500}, {"kind": "mod_move", "delta": -500}],
    }
    others = [
        warrior(f"a{n}", 10_000, 10_000 + 2_000 * n, unit="A", singer=voice()) for n in (2, 3)
    ]
    others[1]["singer"] = voice("gale")
    battle = choir(*others, warrior("b1", *CENTRE), content=content(gale))
    effects(battle.when(AIR, dice=(4, 4)))
    effects(battle.when(sing("a2", "heavy_air", point=CENTRE), dice=(6, 6)))
    effects(battle.when(sing("a3", "gale", point=CENTRE), dice=(4, 4)))
    next_turn(battle, "b", "B1")
    battle.when(move("b1", (22_001, 10_000))).refused(
        "path_too_long", "ML-MOVE-1", cost=2001, allowance=2000
    )


def test_the_song_of_a_hidden_singer_comes_and_goes_unseen() -> None:
    battle = choir(
        warrior("b1", *CENTRE), lead=singer(hidden=True), options={"attack_reveals": False}
    )
    effects(battle.when(AIR, dice=(4, 4)))
    assert seen_by_enemy(battle) == ["condition_gained"]
    effects(battle.when({"type": "stop_melody", "combatant": "a1"}, by="ann"))
    assert seen_by_enemy(battle) == ["condition_lost"]


def test_a_preview_names_no_hidden_singer_whose_song_is_felt() -> None:
    gloom = {"id": "gloom", "like": "heavy_air", "effects": [{"kind": "mod_song", "delta": -2}]}
    battle = choir(
        warrior("b1", *CENTRE, singer=voice()),
        lead=singer(hidden=True, singer=voice("gloom")),
        options={"attack_reveals": False},
        content=content(gloom),
    )
    effects(battle.when(sing("a1", "gloom", point=CENTRE), dice=(4, 4)))
    next_turn(battle, "b", "B1")
    battle.when({"type": "end_movement", "unit": "B1"})
    song = sing("b1", "ember_march", point=(25_000, 10_000))
    plain = {"rule": "ML-LAST-9", "amount": -2, "note": "melody_song"}
    named = {**plain, "combatants": ["a1"], "melody": "gloom"}
    assert battle.foretold(song, by="bob")["facts"]["song"]["breakdown"] == [plain]
    assert battle.foretold(song)["facts"]["song"]["breakdown"] == [named]


def seen_by_enemy(battle: Given) -> list[str]:
    """The effects of the last event that side b knows of."""
    shown: Any = battle.table.shown(len(battle.table.sealed), "bob")
    return [each["type"] for each in shown["effects"]]


PLACED: Final[Tree] = {
    "id": "veil",
    "melody": "heavy_air",
    "combatant": "a1",
    "shape": {"kind": "disc", "origin": {"x": 20_000, "y": 10_000}, "radius": 2500},
    "round": 1,
}


def test_a_song_may_be_in_play_from_the_beginning() -> None:
    battle = choir(warrior("b1", *CENTRE, songs=["veil"]), songs=[PLACED])
    assert (battle.table.combatant("b1").songs, conditions(battle, "b1")) == (
        ("veil",),
        ("melody",),
    )
    battle.when(AIR).refused("lasting_in_play", "ML-LAST-2", song="veil")


@pytest.mark.parametrize(
    ("change", "reason", "path"),
    [
        ({"shape": {**PLACED["shape"], "radius": 2501}}, "template_shape_mismatch", ".shape"),
        ({"shape": {**PLACED["shape"], "length": 100}}, "template_shape_mismatch", ".shape"),
        ({"shape": {**PLACED["shape"], "kind": "model"}}, "template_shape_mismatch", ".shape"),
        (
            {"shape": {**PLACED["shape"], "origin": {"x": -1, "y": 0}}},
            "out_of_bounds",
            ".shape.origin",
        ),
        ({"combatant": "a2"}, "unknown_reference", ".combatant"),
        ({"id": "s2"}, "duplicate_id", ".id"),
    ],
)
def test_a_song_in_play_lies_as_its_melody_says(change: Tree, reason: str, path: str) -> None:
    fleeing = warrior("a2", 5_000, 5_000, singer=voice(), conditions=["fleeing"])
    with pytest.raises(Refused) as refused:
        choir(fleeing, warrior("b1", *CENTRE), songs=[{**PLACED, **change}])
    params = refused.value.params
    assert (refused.value.code, params["reason"]) == ("invalid_setup", reason)
    assert params["path"] == f"$.songs[0]{path}"
