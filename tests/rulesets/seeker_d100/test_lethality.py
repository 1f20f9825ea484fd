"""SK-LETH: weapons that hardly leave a chance."""

import pytest

from service.rulesets.seeker_d100.rules.lethality import (
    Digits,
    KilledBy,
    LethalCritical,
    LethalTerms,
    die_rules,
    digit_damage,
    digits_of,
    is_killed_by_attack,
    is_lethal,
    killed_before_roll,
    lethal_loss,
    lethal_terms,
    lethality_outcome,
)


@pytest.mark.rule("SK-LETH-1")
@pytest.mark.parametrize(
    ("face", "rating", "is_success"),
    [
        (19, 20, True),
        (20, 20, True),
        (21, 20, False),
        (9, 10, True),
        (15, 15, True),
        (1, 1, True),
        (2, 1, False),
        (100, 99, False),
        (100, 100, True),
        (100, 200, True),
    ],
)
def test_a_roll_at_or_under_the_rating_kills(face: int, rating: int, is_success: bool) -> None:
    assert is_lethal(face, rating) == is_success


@pytest.mark.rule("SK-LETH-2")
@pytest.mark.parametrize("health", [0, 1, 12, 1000])
def test_a_success_costs_all_that_is_left(health: int) -> None:
    assert lethal_loss(health) == health


@pytest.mark.rule("SK-LETH-3")
@pytest.mark.parametrize(
    ("face", "digits", "damage"),
    [
        (57, Digits(5, 7), 12),
        (40, Digits(4, 10), 14),
        (5, Digits(10, 5), 15),
        (100, Digits(10, 10), 20),
        (21, Digits(2, 1), 3),
        (33, Digits(3, 3), 6),
        (90, Digits(9, 10), 19),
        (10, Digits(1, 10), 11),
        (11, Digits(1, 1), 2),
        (99, Digits(9, 9), 18),
        (1, Digits(10, 1), 11),
    ],
)
def test_a_failure_deals_the_sum_of_the_digits(face: int, digits: Digits, damage: int) -> None:
    assert digits_of(face) == digits
    assert digit_damage(face, is_doubled=False) == damage
    assert digit_damage(face, is_doubled=True) == 2 * damage


@pytest.mark.rule("SK-LETH-3")
def test_the_digits_are_two_ten_sided_dice() -> None:
    assert {digits_of(face) for face in range(1, 101)} == {
        Digits(tens, ones) for tens in range(1, 11) for ones in range(1, 11)
    }


@pytest.mark.rule("SK-LETH-4")
@pytest.mark.parametrize(
    ("natural", "level", "kills", "is_killed"),
    [
        (20, 2, True, True),
        (21, 2, True, False),
        (19, 2, True, True),
        (11, 3, True, True),
        (20, 1, True, False),
        (11, 0, True, False),
        (20, 2, False, False),
    ],
)
def test_a_hit_at_or_under_the_rating_kills_by_itself(
    natural: int, level: int, kills: bool, is_killed: bool
) -> None:
    assert is_killed_by_attack(natural, level, 20, attack_roll_kills=kills) == is_killed


@pytest.mark.rule("SK-LETH-5")
@pytest.mark.parametrize(
    ("level", "critical", "terms"),
    [
        (2, "double", LethalTerms(20, is_doubled=False, is_instant=False)),
        (3, "double", LethalTerms(40, is_doubled=True, is_instant=False)),
        (2, "instant", LethalTerms(20, is_doubled=False, is_instant=False)),
        (3, "instant", LethalTerms(20, is_doubled=False, is_instant=True)),
    ],
)
def test_a_critical_attack_doubles_or_kills(
    level: int, critical: LethalCritical, terms: LethalTerms
) -> None:
    assert lethal_terms(20, level, critical) == terms


@pytest.mark.rule("SK-LETH-5")
def test_a_doubled_rating_decides_the_roll_and_doubles_its_damage() -> None:
    terms = lethal_terms(20, 3, "double")
    assert is_lethal(40, terms.rating)
    assert not is_lethal(41, terms.rating)
    assert digit_damage(41, is_doubled=terms.is_doubled) == 10


@pytest.mark.rule("SK-LETH-6")
@pytest.mark.parametrize(
    ("face", "rating", "outcome"),
    [
        (1, 20, "success"),
        (11, 20, "success"),
        (33, 20, "failure"),
        (100, 20, "failure"),
        (100, 200, "success"),
        (2, 1, "failure"),
    ],
)
def test_a_lethality_roll_only_succeeds_or_fails(face: int, rating: int, outcome: str) -> None:
    assert lethality_outcome(face, rating) == outcome


@pytest.mark.rule("SK-LETH-7")
@pytest.mark.parametrize(
    ("natural", "level", "kills", "critical", "by"),
    [
        (20, 2, True, "double", "attack_roll"),
        (11, 3, True, "instant", "attack_roll"),
        (44, 3, True, "instant", "critical"),
        (11, 3, False, "instant", "critical"),
        (44, 3, True, "double", None),
        (37, 2, True, "instant", None),
        (20, 2, False, "double", None),
    ],
)
def test_the_attack_die_is_looked_at_before_the_critical(
    natural: int, level: int, kills: bool, critical: LethalCritical, by: KilledBy | None
) -> None:
    killed = killed_before_roll(natural, level, 20, attack_roll_kills=kills, critical=critical)
    assert killed == by


@pytest.mark.rule("SK-LETH-4")
def test_the_attack_die_is_compared_with_the_rating_before_doubling() -> None:
    assert killed_before_roll(33, 3, 20, attack_roll_kills=True, critical="double") is None


@pytest.mark.rule("SK-LETH-1", "SK-LETH-6")
@pytest.mark.parametrize(
    ("face", "marked", "plain"),
    [(1, True, True), (2, False, False), (33, True, False), (100, True, True)],
)
def test_a_face_that_marks_other_rolls_is_told_to_mean_nothing(
    face: int, marked: bool, plain: bool
) -> None:
    rules = {True: ("SK-LETH-1", "SK-LETH-6"), False: ("SK-LETH-1",)}
    assert die_rules(face, doubles=True) == rules[marked]
    assert die_rules(face, doubles=False) == rules[plain]
