"""The window in which a song may be dampened, and attempts at songs in play."""

from typing import Any

import pytest

from tests.kit.given_when_then import Given, rolled
from tests.rulesets.melody_d6.choirs import (
    PASS,
    Tree,
    answer,
    content,
    dampen,
    effects,
    reroll,
    sing,
    told,
    voice,
)
from tests.rulesets.melody_d6.skirmishes import in_turn, warrior

SINGER = warrior("a1", 10_000, 10_000, singer=voice())
FAR = warrior("b2", 30_000, 20_000)
EMBER = sing("a1", "ember_march", point=(20_000, 10_000))
VEIL = sing("a1", "veil_of_mist", point=(15_000, 10_000))


def dampener(**sheet: Any) -> Tree:
    return warrior("b1", 20_000, 10_000, **{"singer": voice(), **sheet})


def contest(*others: Tree, **setup: Any) -> Given:
    """A battle in which a1 may sing."""
    return in_turn(SINGER, *others, FAR, unit="A1", phase="action", **setup)


def sung(*others: Tree, song: Tree = EMBER, dice: tuple[int, ...] = (4, 4), **setup: Any) -> Given:
    """A song of a1 that waits for the window in which it may be dampened."""
    battle = contest(*others, **setup)
    assert told(battle.when(song, dice=dice))[-1] == "decision_opened dampen"
    return battle


@pytest.mark.rule("ML-DAMP-1")
def test_the_other_side_is_asked_about_a_song_with_what_it_must_reach() -> None:
    battle = contest(dampener())
    opened = effects(battle.when(EMBER, dice=(4, 4)))[-1]
    assert opened["decision"] == {
        "id": "d3.1",
        "kind": "dampen",
        "opened_by": 3,
        "side": "b",
        "options": ["dampen", "pass"],
        "default": "pass",
        "number": 1,
        "context": {
            "type": "dampen",
            "combatant": "a1",
            "melody": "ember_march",
            "target_kind": "result",
            "target_number": 8,
            "dampeners": ["b1"],
        },
    }


@pytest.mark.rule("ML-DAMP-2")
def test_a_dampened_song_does_nothing_to_anybody() -> None:
    battle = sung(dampener(singer=voice(dampen_bonus=1)))
    answer(battle, dampen("b1"), dice=(4, 3)).then(
        {
            "type": "decision_closed",
            "decision_id": "d3.1",
            "how": "answered",
            "choice": "dampen",
            "full": dampen("b1"),
        },
        {"type": "window_skipped", "kind": "reroll", "why": "nobody_eligible"},
        {
            "type": "check_resolved",
            "check": "dampening",
            "combatant": "b1",
            "melody": "ember_march",
            "roll": rolled(6, 4, 3),
            "base": 1,
            "breakdown": [],
            "total": 8,
            "needed": 8,
            "target_kind": "result",
            "automatic": "none",
            "outcome": "success",
            "rule": "ML-DAMP-2",
            "tested": [],
        },
    )


def test_a_song_that_is_not_dampened_goes_on_to_its_effects() -> None:
    battle = sung(dampener())
    asked = answer(battle, dampen("b1"), dice=(4, 3, 2))
    assert told(asked)[1:] == [
        "check_resolved b1 dampening failure",
        "check_resolved b1 wound failure",
    ]


@pytest.mark.rule("ML-DAMP-6")
def test_an_attempt_may_wait_for_a_reroll_of_its_own() -> None:
    battle = sung(dampener(singer=voice(rerolls_per_round=1)))
    waiting = effects(answer(battle, dampen("b1"), dice=(1, 5)))
    assert waiting[1] == {
        "type": "rolled",
        "purpose": "dampening",
        "combatant": "b1",
        "roll": rolled(6, 1, 5),
        "rule": "ML-DAMP-6",
    }
    assert waiting[2]["decision"]["context"] == {
        "type": "reroll",
        "combatant": "b1",
        "roll": "dampening",
        "melody": "ember_march",
        "dice": [1, 5],
        "total": 6,
        "needed": 8,
        "classification": "none",
        "sources": ["ordinary"],
    }
    for choice, code, rule, params in (
        (
            reroll("united_impulse", 0),
            "reroll_unavailable",
            "ML-UI-1",
            {"source": "united_impulse", "allowed": ["ordinary"]},
        ),
        (reroll("ordinary", 2), "bad_die_index", "ML-DAMP-6", {"dice": [2], "count": 2}),
    ):
        answer(battle, choice).refused(code, rule, **params)
    resumed = effects(answer(battle, reroll("ordinary", 0), dice=(3,)))
    assert resumed[2]["reroll"] == {
        "source": "ordinary",
        "dice": [0],
        "before": [1, 5],
        "after": [3, 5],
        "roll": rolled(6, 3),
    }
    assert (resumed[2]["total"], resumed[2]["outcome"]) == (8, "success")
    assert resumed[3:] == []


@pytest.mark.parametrize("faces", [(1, 1), (6, 6)])
def test_automatic_results_are_not_rolled_again(faces: tuple[int, ...]) -> None:
    battle = sung(dampener(singer=voice(rerolls_per_round=1)))
    asked = answer(battle, dampen("b1"), dice=(*faces, *((2,) if faces == (1, 1) else ())))
    assert told(asked)[1].startswith("check_resolved b1 dampening")


@pytest.mark.rule("ML-DAMP-1")
@pytest.mark.parametrize(
    ("other", "options", "is_asked"),
    [
        ({}, {}, True),
        ({"conditions": ["stunned"]}, {}, False),
        ({"conditions": ["fleeing"]}, {}, False),
        ({"conditions": ["hoarse"], "hoarse_until": 3}, {}, True),
        ({}, {"dampen_range": 9000}, True),
        ({}, {"dampen_range": 8999}, False),
        ({}, {"dampen_range": 8999, "measure": "centre"}, False),
        ({"hidden": True}, {}, True),
    ],
)
def test_who_could_dampen_is_asked(other: Tree, options: Tree, is_asked: bool) -> None:
    battle = contest(dampener(**other), options=options)
    asked = battle.when(sing("a1", "ember_march", point=(10_000, 18_000)), dice=(4, 4))
    skipped = {"type": "window_skipped", "kind": "dampen", "why": "nobody_eligible"}
    assert (told(asked)[-1] == "decision_opened dampen") == is_asked
    assert (skipped in effects(asked)) != is_asked


def test_a_window_whose_last_dampener_falls_is_void_and_the_song_goes_on() -> None:
    battle = sung(dampener(health_max=3))
    change = {"type": "condition", "combatant": "b1", "condition": "stunned", "holds": True}
    asked = battle.when({"type": "adjust", "changes": [change]}, dice=(3,))
    assert told(asked) == [
        "adjusted",
        "condition_gained b1 stunned gm",
        "decision_closed void",
        "check_resolved b1 wound success",
        "hurt b1 melody",
    ]


@pytest.mark.rule("ML-LAST-5", "ML-LAST-7")
def test_an_attempt_in_the_window_of_a_lasting_melody_counts_for_the_round() -> None:
    battle = sung(dampener(), song=VEIL)
    asked = answer(battle, dampen("b1"), dice=(3, 3))
    assert told(asked)[1:] == [
        "resource_changed dampening 1",
        "check_resolved b1 dampening failure",
        "marker_placed a1 s4",
    ]
    check = effects(asked)[3]
    assert (check["needed"], check["target_kind"], check["rules"]) == (
        7,
        "difficulty",
        ["ML-LAST-5"],
    )
    [song] = battle.table.state.rule.songs
    assert (song.dampened_in, song.round) == (1, 1)


def in_play(**setup: Any) -> Given:
    """The veil of a1 is in play since round 1, nobody tried to dampen it; it is the turn of b."""
    battle = sung(dampener(**setup.pop("sheet", {})), song=VEIL, **setup)
    answer(battle, PASS)
    battle.when({"type": "end_activation", "unit": "A1"})
    battle.when({"type": "end_turn", "side": "a"})
    return battle


def try_song(combatant: str = "b1", song: str = "s4") -> Tree:
    return {"type": "dampen_lasting", "combatant": combatant, "song": song}


@pytest.mark.rule("ML-LAST-5")
def test_a_song_in_play_is_dampened_against_its_difficulty() -> None:
    battle = in_play()
    asked = battle.when(try_song(), dice=(3, 4))
    assert told(asked) == [
        "resource_changed dampening 1",
        "song_dampening a1 s4",
        "check_resolved b1 dampening success",
        "marker_removed a1 s4 dampened",
    ]
    check = effects(asked)[3]
    assert (check["song"], check["needed"], check["target_kind"]) == ("s4", 7, "difficulty")
    assert battle.table.state.rule.songs == ()


def test_an_attempt_at_a_song_in_play_may_wait_for_a_reroll() -> None:
    battle = in_play(sheet={"singer": voice(rerolls_per_round=1)})
    assert told(battle.when(try_song(), dice=(3, 3)))[-1] == "decision_opened reroll"
    asked = answer(battle, reroll("ordinary", 0, 1), by="gm", dice=(1, 6))
    assert told(asked)[-2:] == [
        "check_resolved b1 dampening success",
        "marker_removed a1 s4 dampened",
    ]


@pytest.mark.rule("ML-LAST-7")
def test_a_song_in_play_is_tried_once_a_round() -> None:
    battle = in_play()
    battle.when(try_song(), dice=(3, 3))
    battle.when(try_song()).refused("dampen_limit", "ML-LAST-7", limit="per_melody")
    battle.when({"type": "end_turn", "side": "b"})
    battle.when(try_song()).refused("not_your_turn", "ML-TURN-1", side="b", turn="a")
    battle.when({"type": "end_turn", "side": "a"})
    assert told(battle.when(try_song(), dice=(3, 3)))[0] == "resource_changed dampening 1"


@pytest.mark.rule("ML-LAST-7")
def test_with_one_attempt_in_all_another_song_cannot_be_tried() -> None:
    other = warrior("a2", 10_000, 14_000, unit="A", singer=voice())
    lead = warrior("a1", 10_000, 10_000, unit="A", singer=voice())
    options = {"lasting_dampen_limit": "per_player", "ui_radius": 0}
    battle = in_turn(lead, other, dampener(), FAR, unit="A", phase="action", options=options)
    battle.when(VEIL, dice=(3, 4))
    answer(battle, dampen("b1"), dice=(3, 3))
    second = battle.when(sing("a2", "veil_of_mist", point=(15_000, 14_000)), dice=(3, 4))
    assert told(second)[-1] == "marker_placed a2 s5"
    battle.when({"type": "end_activation", "unit": "A"})
    battle.when({"type": "end_turn", "side": "a"})
    battle.when(try_song(song="s5")).refused("dampen_limit", "ML-LAST-7", limit="per_player")


@pytest.mark.parametrize(
    ("action", "code", "rule", "params"),
    [
        (try_song("b3"), "warrior_stunned", "ML-STUN-1", {"combatant": "b3"}),
        (try_song("b2", "s9"), "no_such_song", "ML-LAST-7", {"song": "s9", "allowed": ["s4"]}),
        (try_song("b2"), "not_a_singer", "ML-DAMP-1", {"combatant": "b2"}),
        (try_song("b4"), "out_of_range", "ML-DAMP-1", {"longest": 9000}),
    ],
)
def test_an_attempt_is_refused_for_the_first_thing_that_is_wrong(
    action: Tree, code: str, rule: str | None, params: Tree
) -> None:
    others = (
        warrior("b3", 24_000, 16_000, singer=voice(), conditions=["stunned"]),
        warrior("b4", 20_001, 9_000, singer=voice()),
    )
    battle = contest(
        dampener(place={"x": 20_000, "y": 10_000}), *others, options={"dampen_range": 9000}
    )
    battle.when(VEIL, dice=(4, 4))
    answer(battle, PASS)
    battle.when({"type": "end_activation", "unit": "A1"})
    battle.when({"type": "end_turn", "side": "a"})
    battle.when(action).refused(code, rule, **params)


@pytest.mark.parametrize(
    ("named", "code", "rule", "params"),
    [
        ("b9", "unknown_combatant", None, {"combatant": "b9"}),
        ("b3", "warrior_stunned", "ML-STUN-1", {"combatant": "b3"}),
        ("b2", "not_a_singer", "ML-DAMP-1", {"combatant": "b2"}),
        ("b4", "out_of_range", "ML-DAMP-1", {"longest": 9000}),
        ("a2", "wrong_choice", "ML-DAMP-1", {"allowed": ["b1"]}),
    ],
)
def test_an_answer_names_somebody_who_could_dampen(
    named: str, code: str, rule: str | None, params: Tree
) -> None:
    others = (
        warrior("a2", 10_000, 14_000, singer=voice()),
        warrior("b3", 24_000, 16_000, singer=voice(), conditions=["stunned"]),
        warrior("b4", 20_001, 9_000, singer=voice()),
    )
    battle = sung(dampener(), *others, options={"dampen_range": 9000})
    answer(battle, dampen(named)).refused(code, rule, **params)
    assert told(answer(battle, dampen("b1"), dice=(4, 4)))[1] == (
        "check_resolved b1 dampening success"
    )


def test_an_own_song_is_not_dampened_and_power_not_in_its_round() -> None:
    battle = contest(dampener(), options={"lasting_dampen_when": "any_turn"})
    asked = battle.when(VEIL, dice=(6, 6))
    assert told(asked)[-1] == "marker_placed a1 s3"
    battle.when(try_song("a1", "s3")).refused("dampen_own_melody", "ML-LAST-7", song="s3")
    battle.when(try_song("b1", "s3")).refused("melody_monstrous", "ML-DAMP-7", rules=["ML-LAST-6"])


def test_what_a_lasting_melody_adds_counts_for_dampening_too() -> None:
    """A Melody that makes singers hoarse of heart: -2 to all who sing or dampen under it."""
    gloom = {"id": "gloom", "like": "veil_of_mist", "effects": [{"kind": "mod_song", "delta": -2}]}
    lead = warrior("a1", 10_000, 10_000, unit="A", singer=voice("gloom"))
    other = warrior("a2", 10_000, 16_000, unit="A", singer=voice())
    battle = in_turn(
        lead,
        other,
        dampener(),
        FAR,
        unit="A",
        phase="action",
        content=content(gloom),
        options={"ui_radius": 0},
    )
    battle.when(sing("a1", "gloom", point=(20_000, 10_000)), dice=(4, 4))
    answer(battle, PASS)
    battle.when(sing("a2", "ember_march", point=(24_000, 20_000)), dice=(4, 4))
    check = effects(answer(battle, dampen("b1"), dice=(5, 4)))[2]
    assert (check["total"], check["outcome"]) == (7, "failure")
    assert check["breakdown"] == [
        {
            "rule": "ML-LAST-9",
            "amount": -2,
            "note": "melody_song",
            "melody": "gloom",
            "combatants": ["a1"],
        }
    ]
