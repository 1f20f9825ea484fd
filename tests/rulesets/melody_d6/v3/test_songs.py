"""A song or dampening whose dice are rolled is allowed still when it continues (ML-WAIT-1)."""

from typing import Any

import pytest
from msgspec import UNSET

from tests.kit.given_when_then import Given
from tests.rulesets.melody_d6.choirs import answer, dampen, effects, reroll, sing, told, voice
from tests.rulesets.melody_d6.skirmishes import PASS, Tree, conditions, pending, warrior
from tests.rulesets.melody_d6.v3.battles import (
    SECOND,
    THIRD,
    adjusted,
    condition,
    hide,
    hp,
    in_turn,
    put,
    stopped,
)

DREAD = sing("a1", "drum_of_dread", target="b1")
SHOVE = sing("a1", "thunder_shove", aim=(16_000, 10_000))
SONG = (4, 5)
NERVES = (6, 6)


def rolled(battle: Given, action: Tree, *faces: int) -> Given:
    """Ann asks for it, and these are the dice that it begins with."""
    effects(battle.when(action, by="ann"))
    effects(answer(battle, {"type": "roll"}, dice=faces))
    return battle


def choir(
    song: Tree = DREAD,
    *,
    rerolls: int = 0,
    ruleset: Any = THIRD,
    dampener: Tree | None = None,
    **setup: Any,
) -> Given:
    """a1 has sung, and waits: for its reroll if it has one, else for b2, who may dampen."""
    battle = in_turn(
        warrior("a1", 10_000, 10_000, singer=voice(rerolls_per_round=rerolls)),
        warrior("a9", 3000, 38_000),
        warrior("b1", 20_000, 10_000),
        warrior("b2", 38_000, 38_000, singer=dampener or voice()),
        phase="action",
        ruleset=ruleset,
        **setup,
    )
    return rolled(battle, song, *SONG)


STOPS: list[Any] = [
    (put("b1", 28_999, 10_000), None),
    (put("b1", 29_001, 10_000), ("out_of_range", "ML-SING-11")),
    (put("a1", 999, 10_000), ("out_of_range", "ML-SING-11")),
    (hp("b1", 0), ("target_gone", "ML-SING-11")),
    (hide("b1"), ("unknown_combatant", None)),
    (hp("a1", 0), ("actor_incapacitated", None)),
    (condition("a1", "stunned"), ("warrior_stunned", "ML-STUN-1")),
    (condition("a1", "fleeing"), ("warrior_fleeing", "ML-PANIC-4")),
    (condition("a1", "hoarse"), ("hoarse", "ML-HOARSE-1")),
    (put("b2", 10_000, 11_100), ("engaged", "ML-MOVE-6")),
    (put("b2", 10_000, 11_101), None),
]


@pytest.mark.parametrize(("change", "why"), STOPS)
@pytest.mark.parametrize("rerolls", [0, 1])
def test_a_song_at_a_warrior_checks_range_and_all_else_again(
    change: Tree, why: tuple[str, str | None] | None, rerolls: int
) -> None:
    battle = choir(rerolls=rerolls)
    adjusted(battle, change)
    happened: list[Tree] = []
    while pending(battle) is not None:
        question = pending(battle)
        assert question is not None
        dice = NERVES if why is None and question["kind"] == "dampen" else ()
        happened += effects(answer(battle, PASS, dice=dice))
    assert stopped(happened) == ([] if why is None else [("a1", *why)])
    assert ("fleeing" in conditions(battle, "b1")) == (why is None)
    assert battle.table.combatant("a1").acted


def test_version_2_takes_him_all_the_same() -> None:
    battle = choir(ruleset=SECOND)
    adjusted(battle, put("b1", 29_001, 10_000))
    answer(battle, PASS, dice=NERVES)
    assert "fleeing" in conditions(battle, "b1")


def test_a_wall_has_no_line_of_sight_through_it() -> None:
    wall = [{"x": x, "y": y} for x, y in ((15_000, 12_000), (16_000, 12_000), (16_000, 20_000))]
    high = {"id": "house", "kind": "building", "vertices": [*wall, {"x": 15_000, "y": 20_000}]}
    ground = {"width": 40_000, "height": 40_000, "features": [high]}
    battle = choir(map=ground)
    adjusted(battle, put("b1", 21_000, 18_000))
    assert stopped(effects(answer(battle, PASS))) == [("a1", "no_line_of_sight", "ML-SING-11")]


def test_dice_that_were_told_and_decide_nothing_are_unread() -> None:
    battle = choir(rerolls=1)
    adjusted(battle, put("b1", 29_001, 10_000))
    happened = effects(answer(battle, reroll("ordinary", 0)))
    assert [each for each in happened if each["type"] != "decision_closed"] == [
        {
            "type": "action_stopped",
            "combatant": "a1",
            "code": "out_of_range",
            "rule": "ML-SING-11",
        },
        {
            "type": "rolled",
            "purpose": "song",
            "combatant": "a1",
            "rule": "ML-SING-1",
            "roll": {
                "sides": 6,
                "faces": list(SONG),
                "total": 0,
                "draws": [{"stream": 0, "number": 1, "seq": 4, "uncounted": "unread"}],
            },
        },
    ]
    assert battle.table.combatant("a1").rerolls_left is UNSET


def test_a_song_that_has_ended_is_neither_rolled_again_nor_dampened() -> None:
    battle = choir(rerolls=1)
    adjusted(battle, hp("b1", 0))
    assert told(answer(battle, reroll("ordinary", 0, 1))) == [
        "decision_closed answered",
        "action_stopped a1",
        "rolled a1 song",
    ]
    battle = choir(sing("a1", "heavy_air", point=(20_000, 10_000)))
    adjusted(battle, condition("a1", "stunned"))
    assert told(answer(battle, dampen("b2"))) == ["decision_closed answered", "action_stopped a1"]
    assert [each.dampenings for each in battle.table.state.rule.forces] == [0, 0]


def test_a_ray_comes_from_where_its_singer_is_now() -> None:
    def pushed(*changes: Tree) -> tuple[int, int]:
        battle = choir(SHOVE)
        adjusted(battle, put("b1", 13_000, 12_000), *changes)
        answer(battle, PASS, dice=(1,) if changes else ())
        stands = battle.table.combatant("b1").place
        return stands.x, stands.y

    assert pushed() == (13_000, 12_000)
    assert pushed(put("a1", 10_000, 14_000)) == (16_000, 12_000)


def test_an_area_that_cannot_be_reached_from_there_any_more_is_given_up() -> None:
    battle = choir(sing("a1", "ember_march", point=(20_000, 10_000)))
    adjusted(battle, put("a1", 1499, 10_000))
    assert stopped(effects(answer(battle, PASS))) == [("a1", "out_of_range", "ML-SING-11")]
    near = choir(sing("a1", "ember_march", point=(20_000, 10_000)))
    adjusted(near, put("a1", 1500, 10_000))
    assert stopped(effects(answer(near, PASS, dice=(1,)))) == []


# --- dampening ------------------------------------------------------------------------------------


def attempt(**setup: Any) -> Given:
    """b2 dampens the song, and may roll its dice again."""
    battle = choir(dampener=voice(rerolls_per_round=1), **setup)
    answer(battle, dampen("b2"), dice=(1, 2))
    question = pending(battle)
    assert question is not None
    assert question["kind"] == "reroll"
    return battle


def test_a_dampening_of_a_song_that_may_not_go_on_is_over() -> None:
    battle = attempt()
    adjusted(battle, put("b1", 29_001, 10_000))
    assert told(answer(battle, reroll("ordinary", 0))) == [
        "decision_closed answered",
        "action_stopped a1",
        "rolled b2 dampening",
    ]


@pytest.mark.parametrize(
    ("change", "options", "why"),
    [
        (hp("b2", 0), {}, ("actor_incapacitated", None)),
        (condition("b2", "stunned"), {}, ("warrior_stunned", "ML-STUN-1")),
        (hide("a1"), {}, ("unknown_combatant", None)),
        (put("b2", 38_000, 38_001), {"dampen_range": 38_598}, ("out_of_range", "ML-DAMP-1")),
    ],
)
def test_a_dampener_who_could_not_dampen_any_more_leaves_the_song_alone(
    change: Tree, options: Tree, why: tuple[str, str | None]
) -> None:
    battle = attempt(options=options)
    adjusted(battle, change)
    happened = effects(answer(battle, reroll("ordinary", 0), dice=NERVES))
    assert stopped(happened) == [("b2", *why)]
    assert [each["purpose"] for each in happened if each["type"] == "rolled"] == ["dampening"]
    assert "fleeing" in conditions(battle, "b1")


def test_a_dampening_that_is_allowed_still_ends_the_song() -> None:
    battle = attempt()
    adjusted(battle, put("b2", 38_000, 30_000), put("b1", 27_000, 10_000))
    assert told(answer(battle, reroll("ordinary", 0, 1), dice=(6, 6))) == [
        "decision_closed answered",
        "resource_changed b2 rerolls 0",
        "check_resolved b2 dampening success",
    ]
    assert conditions(battle, "b1") == ()


# --- a lasting Melody in play ---------------------------------------------------------------------


def lasting(**setup: Any) -> Given:
    """b1 keeps a Melody in play, and a1 tries to dampen it with a roll that it may make again."""
    song = {
        "id": "veil",
        "melody": "veil_of_mist",
        "combatant": "b1",
        "round": 1,
        "shape": {"kind": "disc", "origin": {"x": 30_000, "y": 30_000}, "radius": 2500},
    }
    battle = in_turn(
        warrior("a1", 10_000, 10_000, singer=voice(rerolls_per_round=1)),
        warrior("a9", 3000, 38_000),
        warrior("b1", 20_000, 10_000, singer=voice()),
        warrior("b2", 38_000, 38_000),
        phase="action",
        songs=[song],
        **setup,
    )
    attempt = {"type": "dampen_lasting", "combatant": "a1", "song": "veil"}
    return rolled(battle, attempt, 1, 2)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ([hp("a1", 0)], ("actor_incapacitated", None)),
        ([hp("b1", 0)], ("no_such_song", "ML-LAST-7")),
        ([hide("b1")], ("no_such_song", "ML-LAST-7")),
        ([condition("a1", "fleeing")], ("warrior_fleeing", "ML-PANIC-4")),
        ([put("a1", 8998, 10_000)], ("out_of_range", "ML-DAMP-1")),
    ],
)
def test_an_attempt_at_a_song_in_play_is_judged_again(
    changes: list[Tree], why: tuple[str, str | None]
) -> None:
    battle = lasting(options={"dampen_range": 10_000})
    adjusted(battle, {"type": "condition", "combatant": "b2", "condition": "dazed"}, *changes)
    happened = effects(answer(battle, reroll("ordinary", 0, 1)))
    assert stopped(happened) == [("a1", *why)]
    assert [each["purpose"] for each in happened if each["type"] == "rolled"] == ["dampening"]


def test_its_attempt_is_given_back_and_not_counted_twice() -> None:
    battle = lasting(options={"lasting_dampen_limit": "per_player"})
    adjusted(battle, put("a1", 10_000, 12_000))
    happened = answer(battle, reroll("ordinary", 0, 1), dice=(6, 6))
    assert told(happened)[-1] == "marker_removed b1 veil dampened"
    assert battle.table.state.rule.songs == ()
