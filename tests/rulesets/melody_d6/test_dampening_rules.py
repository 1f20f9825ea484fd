"""ML-DAMP and ML-RES: attempts to dampen a Melody, and resistance to it."""

from typing import NamedTuple

import pytest

from service.rulesets.melody_d6.rules.dampening import (
    Automatic,
    automatic_result,
    dampening_outcome,
    dampening_rules,
    is_automatic_failure,
    is_automatic_success,
    is_dampened,
    is_dampening_barred,
    may_dampen,
    may_reroll_dampening,
)
from service.rulesets.melody_d6.rules.resistance import (
    MelodyWords,
    does_name,
    is_resistance_ignored,
    is_resisted,
    matching,
)
from service.rulesets.melody_d6.rules.songs import Classification


@pytest.mark.rule("ML-DAMP-1")
@pytest.mark.parametrize(
    ("is_on_table", "is_fleeing", "is_stunned", "is_near", "may"),
    [
        (True, False, False, True, True),
        (False, False, False, True, False),
        (True, True, False, True, False),
        (True, False, True, True, False),
        (True, False, False, False, False),
    ],
)
def test_a_steady_singer_within_range_may_dampen(
    is_on_table: bool, is_fleeing: bool, is_stunned: bool, is_near: bool, may: bool
) -> None:
    assert (
        may_dampen(
            is_on_table=is_on_table, is_fleeing=is_fleeing, is_stunned=is_stunned, is_near=is_near
        )
        == may
    )


@pytest.mark.rule("ML-DAMP-2")
@pytest.mark.parametrize(("total", "dampened"), [(7, False), (8, True), (9, True)])
def test_a_melody_is_dampened_from_its_result_on(total: int, dampened: bool) -> None:
    assert is_dampened(total, 8) == dampened


@pytest.mark.rule("ML-DAMP-3", "ML-DAMP-4", "ML-DAMP-5")
@pytest.mark.parametrize(
    ("faces", "fails", "succeeds", "automatic", "rules"),
    [
        ((6, 6), False, True, "success", ("ML-DAMP-4",)),
        ((1, 1), True, False, "failure", ("ML-DAMP-3",)),
        ((1, 1, 6, 6), True, True, "failure", ("ML-DAMP-3", "ML-DAMP-5")),
        ((1, 6), False, False, "none", ("ML-DAMP-2",)),
        ((4, 3), False, False, "none", ("ML-DAMP-2",)),
        ((6, 6, 6), False, True, "success", ("ML-DAMP-4",)),
    ],
)
def test_natural_dice_may_decide_an_attempt(
    faces: tuple[int, ...],
    fails: bool,
    succeeds: bool,
    automatic: Automatic,
    rules: tuple[str, ...],
) -> None:
    assert is_automatic_failure(faces) == fails
    assert is_automatic_success(faces) == succeeds
    assert automatic_result(faces) == automatic
    assert dampening_rules(faces) == rules


@pytest.mark.rule("ML-DAMP-2", "ML-DAMP-3", "ML-DAMP-4")
@pytest.mark.parametrize(
    ("automatic", "total", "dampened"),
    [
        ("none", 14, False),
        ("none", 15, True),
        ("success", 12, True),
        ("failure", 24, False),
    ],
)
def test_an_automatic_result_stands_whatever_the_total(
    automatic: Automatic, total: int, dampened: bool
) -> None:
    assert dampening_outcome(automatic, total, 15) == dampened


@pytest.mark.rule("ML-DAMP-6")
@pytest.mark.parametrize(
    ("automatic", "left", "may"),
    [("none", 1, True), ("none", 0, False), ("failure", 1, False), ("success", 1, False)],
)
def test_an_attempt_may_be_rerolled_if_nothing_is_automatic(
    automatic: Automatic, left: int, may: bool
) -> None:
    assert may_reroll_dampening(automatic, left) == may


@pytest.mark.rule("ML-DAMP-7")
@pytest.mark.parametrize(
    ("classified", "barred"),
    [("monstrous_power", True), ("none", False), ("terrible_mistake", False)],
)
def test_monstrous_power_may_not_be_dampened(classified: Classification, barred: bool) -> None:
    assert is_dampening_barred(classified) == barred


EMBER = MelodyWords(id="ember_march", colour="red", tags=("fire", "march"))


@pytest.mark.rule("ML-RES-1")
@pytest.mark.parametrize(
    ("word", "named"),
    [
        ("ember_march", True),
        ("red", True),
        ("fire", True),
        ("march", True),
        ("melody", True),
        ("air", False),
        ("blue", False),
        ("ember", False),
    ],
)
def test_a_resistance_names_id_colour_tag_or_every_melody(word: str, named: bool) -> None:
    assert does_name(word, EMBER) == named


@pytest.mark.rule("ML-RES-2")
@pytest.mark.parametrize(
    ("face", "value", "resisted"),
    [(1, 2, True), (2, 2, True), (3, 2, False), (6, 6, True), (2, 1, False), (1, 1, True)],
)
def test_a_die_of_at_most_the_value_resists(face: int, value: int, resisted: bool) -> None:
    assert is_resisted(face, value) == resisted


class Listed(NamedTuple):
    """A resistance as a sheet lists it."""

    to: str
    value: int


@pytest.mark.rule("ML-RES-3")
def test_every_resistance_that_names_the_melody_counts_in_listed_order() -> None:
    fire, air, red, every = (
        Listed("fire", 3),
        Listed("air", 6),
        Listed("red", 1),
        Listed("melody", 6),
    )
    assert matching((red, air, fire, every), EMBER) == (red, fire, every)
    assert matching((air,), EMBER) == ()


@pytest.mark.rule("ML-RES-4")
@pytest.mark.parametrize(
    ("classified", "by_option", "by_melody", "ignored"),
    [
        ("monstrous_power", False, False, False),
        ("monstrous_power", True, False, True),
        ("monstrous_power", False, True, True),
        ("none", True, True, False),
    ],
)
def test_power_cancels_resistance_only_where_it_is_said(
    classified: Classification, by_option: bool, by_melody: bool, ignored: bool
) -> None:
    assert is_resistance_ignored(classified, by_option=by_option, by_melody=by_melody) == ignored
