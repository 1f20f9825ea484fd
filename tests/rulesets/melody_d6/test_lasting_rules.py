"""ML-LAST: songs in play, what ends them, who is under them, and how they add up."""

import pytest

from service.engine.geometry.templates import Coverage
from service.rulesets.melody_d6.rules.lasting import (
    DampenAtCreation,
    DampeningTarget,
    DampenLimit,
    Duration,
    Ending,
    Influence,
    Touch,
    creation_target,
    ending_without,
    is_attempt_left,
    require_attempt_left,
    require_free_voice,
    require_not_monstrous,
    require_song_to_stop,
    stacked,
    stays_in_play,
    touch,
)
from tests.rulesets.melody_d6.refusals import refusal


@pytest.mark.rule("ML-LAST-1")
def test_only_a_lasting_melody_stays_in_play() -> None:
    assert stays_in_play("lasting")
    assert not stays_in_play("instant")


@pytest.mark.rule("ML-LAST-2")
def test_who_keeps_a_song_sings_no_other() -> None:
    assert refusal(lambda: require_free_voice(None)) is None
    assert refusal(lambda: require_free_voice("s7")) == (
        "lasting_in_play",
        "ML-LAST-2",
        {"song": "s7"},
    )


@pytest.mark.rule("ML-LAST-3")
@pytest.mark.parametrize(
    ("is_on_table", "is_fleeing", "ending"),
    [
        (True, False, None),
        (True, True, "singer_fled"),
        (False, False, "singer_gone"),
        (False, True, "singer_fled"),
    ],
)
def test_a_song_ends_with_its_singer(
    is_on_table: bool, is_fleeing: bool, ending: Ending | None
) -> None:
    assert ending_without(is_on_table=is_on_table, is_fleeing=is_fleeing) == ending


@pytest.mark.rule("ML-LAST-4")
def test_there_must_be_a_song_to_stop() -> None:
    assert require_song_to_stop("s7") == "s7"
    assert refusal(lambda: _stop(None)) == ("no_melody_in_play", "ML-LAST-4", {})


def _stop(song: str | None) -> None:
    require_song_to_stop(song)


@pytest.mark.rule("ML-LAST-5")
@pytest.mark.parametrize(
    ("duration", "option", "target"),
    [
        ("instant", "difficulty", DampeningTarget("result", 8)),
        ("instant", "result", DampeningTarget("result", 8)),
        ("lasting", "difficulty", DampeningTarget("difficulty", 7)),
        ("lasting", "result", DampeningTarget("result", 8)),
    ],
)
def test_a_lasting_melody_is_dampened_against_its_difficulty(
    duration: Duration, option: DampenAtCreation, target: DampeningTarget
) -> None:
    assert creation_target(duration, 8, 7, option) == target


@pytest.mark.rule("ML-LAST-6")
@pytest.mark.parametrize(
    ("now", "is_power", "is_fine"),
    [(3, True, False), (4, True, True), (3, False, True)],
)
def test_power_may_be_dampened_from_the_next_round_on(
    now: int, is_power: bool, is_fine: bool
) -> None:
    expected = None if is_fine else ("melody_monstrous", "ML-DAMP-7", {"rules": ["ML-LAST-6"]})
    assert refusal(lambda: require_not_monstrous(now, 3, is_power=is_power)) == expected


@pytest.mark.rule("ML-LAST-7")
@pytest.mark.parametrize(
    ("tried", "attempts", "limit", "is_left"),
    [
        (False, 0, "per_melody", True),
        (False, 5, "per_melody", True),
        (True, 1, "per_melody", False),
        (False, 0, "per_player", True),
        (False, 1, "per_player", False),
        (True, 1, "per_player", False),
    ],
)
def test_a_side_tries_once_a_round(
    tried: bool, attempts: int, limit: DampenLimit, is_left: bool
) -> None:
    assert is_attempt_left(tried, attempts, limit) == is_left
    expected = None if is_left else ("dampen_limit", "ML-LAST-7", {"limit": limit})
    assert refusal(lambda: require_attempt_left(tried, attempts, limit)) == expected


@pytest.mark.rule("ML-LAST-8")
@pytest.mark.parametrize(
    ("coverage", "is_affected", "becomes"),
    [
        ("none", False, "apart"),
        ("none", True, "leave"),
        ("part", False, "test"),
        ("part", True, "stay"),
        ("full", False, "test"),
        ("full", True, "stay"),
    ],
)
def test_a_movement_end_enters_keeps_or_leaves_a_song(
    coverage: Coverage, is_affected: bool, becomes: Touch
) -> None:
    assert touch(coverage, is_affected=is_affected) == becomes


@pytest.mark.rule("ML-LAST-9")
@pytest.mark.parametrize(
    ("influences", "lines"),
    [
        ((), ()),
        ((("heavy", -2000),), (("heavy", -2000),)),
        ((("heavy", -2000), ("heavy", -3000)), (("heavy", -3000),)),
        ((("heavy", -3000), ("heavy", -2000)), (("heavy", -3000),)),
        ((("heavy", -2000), ("march", 1000)), (("heavy", -2000), ("march", 1000))),
        ((("march", 1), ("heavy", -2), ("march", -3)), (("march", -3), ("heavy", -2))),
        ((("heavy", -2), ("heavy", 2)), (("heavy", -2),)),
        ((("heavy", 0), ("march", 1)), (("march", 1),)),
        ((("heavy", 0), ("march", 1), ("heavy", 4)), (("heavy", 4), ("march", 1))),
    ],
)
def test_different_melodies_add_up_and_equal_ones_do_not(
    influences: tuple[tuple[str, int], ...], lines: tuple[tuple[str, int], ...]
) -> None:
    assert stacked(Influence(*each) for each in influences) == tuple(
        Influence(*each) for each in lines
    )
