"""Tail probabilities, held against every case there is."""

from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from service.engine.dice.dice import Draw
from service.replay.report import tails
from service.replay.report.chances import Remark, TailChance
from service.replay.report.dice_remark import remark_on
from service.replay.report.statistics import DiceTally
from service.replay.report.tails import MILLION, Tail, tail_of_dice, tail_of_successes


@given(st.integers(1, 4), st.integers(1, 7), st.data())
def test_dice_are_counted_case_by_case(count: int, sides: int, data: st.DataObject) -> None:
    total = data.draw(st.integers(count, count * sides))
    sums = [sum(faces) for faces in product(range(1, sides + 1), repeat=count)]
    off = [abs(2 * each - count * (sides + 1)) for each in sums]
    far = sum(each >= abs(2 * total - count * (sides + 1)) for each in off)
    assert tail_of_dice(count, sides, total) == Tail(MILLION * far // len(sums), is_exact=True)


@given(st.lists(st.fractions(0, 1, max_denominator=36), max_size=8), st.data())
def test_rolls_are_counted_case_by_case(chances: list[Fraction], data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, len(chances)))
    expected = sum(chances, Fraction(0))
    far = sum(
        (
            prod(
                (c if hit else 1 - c for c, hit in zip(chances, hits, strict=True)),
                start=Fraction(1),
            )
            for hits in product((True, False), repeat=len(chances))
            if abs(sum(hits) - expected) >= abs(successes - expected)
        ),
        Fraction(0),
    )
    assert tail_of_successes(chances, successes) == Tail(
        MILLION * far.numerator // far.denominator, is_exact=True
    )


@pytest.mark.parametrize(
    ("count", "sides", "total"),
    [(301, 6, 1100), (301, 2, 470), (350, 3, 650), (400, 20, 4_205), (500, 1_000, 245_000)],
)
def test_many_dice_come_out_as_counted(
    count: int, sides: int, total: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    summed = tail_of_dice(count, sides, total)
    monkeypatch.setattr(tails, "MOST_DICE_COUNTED", count)
    counted = tail_of_dice(count, sides, total)
    assert (summed.is_exact, counted.is_exact) == (False, True)
    assert abs(summed.millionths - counted.millionths) <= 1


@pytest.mark.parametrize("successes", [60, 88, 100, 131])
def test_many_rolls_come_out_as_counted(successes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chances = [Fraction(each % 36, 36) for each in range(201)]
    summed = tail_of_successes(chances, successes)
    monkeypatch.setattr(tails, "MOST_ROLLS_COUNTED", len(chances))
    counted = tail_of_successes(chances, successes)
    assert (summed.is_exact, counted.is_exact) == (False, True)
    assert abs(summed.millionths - counted.millionths) <= 1


def test_what_cannot_be_otherwise_is_certain_and_the_absurd_comes_to_nothing() -> None:
    assert tail_of_dice(900, 1, 900) == Tail(MILLION, is_exact=True)
    assert tail_of_dice(20_000, 100, 2_000_000) == Tail(0, is_exact=False)
    assert tail_of_dice(20_000, 100, 1_010_000) == Tail(MILLION, is_exact=True)
    assert tail_of_successes([Fraction(1)] * 500, 500) == Tail(MILLION, is_exact=True)
    assert tail_of_successes([Fraction(1, 1000)] * 400, 400) == Tail(0, is_exact=False)
    assert tail_of_successes([], 0) == Tail(MILLION, is_exact=True)


def told(*throws: tuple[str, tuple[int, ...]]) -> tuple[Remark, list[TailChance | None]]:
    """The remark on seats that threw these d6, and what is shown of each."""
    tally = DiceTally()
    for seat, faces in throws:
        tally.add(
            seat,
            1,
            [
                Draw(stream=0, number=number, sides=6, face=face, purpose="attack")
                for number, face in enumerate(faces, 1)
            ],
        )
    statistics = tally.statistics()
    return remark_on(statistics), [each.chance or None for each in statistics]


def test_fewer_than_thirty_dice_say_nothing() -> None:
    remark, chances = told(("ann", (6,) * 29))
    assert chances == [None]
    assert remark == Remark(
        en="Nobody threw 30 dice of one kind: too few to say whether they were lucky.",
        ru="Никто не бросил 30 костей одного вида: слишком мало, чтобы говорить об удаче.",
    )


def test_of_many_kinds_one_is_far_off_by_chance() -> None:
    far = (6,) * 10 + (1, 2, 3, 4, 5, 6) * 3 + (3, 3)
    [alone] = told(("ann", far))[1]
    assert alone == TailChance(millionths=11_444, exact=True)
    even = (1, 6) * 20
    one, _ = told(("ann", far))
    many, chances = told(("ann", far), ("bob", even), ("cem", even), ("dora", even), ("eve", (3,)))
    assert chances == [alone, *[TailChance(millionths=MILLION, exact=True)] * 3, None]
    assert one.en == (
        "Looked at: 1 kinds of dice (a seat and a size) of which 30 or more were thrown; of 0 more"
        " too few to say. Furthest off is the mean of ann, d6: fair dice are as far off in 1.1% of"
        " cases, and at least one of the kinds looked at in at most 1.1%. That is unusual and still"
        " chance: about one battle in twenty looks like this."
    )
    assert many.en == (
        "Looked at: 4 kinds of dice (a seat and a size) of which 30 or more were thrown; of 1 more"
        " too few to say. Furthest off is the mean of ann, d6: fair dice are as far off in 1.1% of"
        " cases, and at least one of the kinds looked at in at most 4.5%. That is unusual and still"
        " chance: about one battle in twenty looks like this."
    )
    assert many.ru.endswith(
        "Дальше всего от ожидаемого среднее ann, d6: у честных костей такое бывает в 1,1 %"
        " случаев, а хотя бы у одного из рассмотренных видов - не чаще чем в 4,5 %. Это необычно,"
        " но всё ещё случайность: так выглядит примерно один бой из двадцати."
    )


def test_what_is_very_far_off_is_called_rare_and_no_proof() -> None:
    remark, _ = told(("ann", (6,) * 40))
    assert "in less than 0.1% of cases" in remark.en
    assert remark.en.endswith("By itself it proves nothing: the seed does, where it was checked.")
    assert "менее 0,1 % случаев" in remark.ru
    assert remark.ru.endswith("доказывает проверенное зерно.")


def test_dice_that_were_undone_count_and_are_told_apart() -> None:
    tally = DiceTally()
    for seq, face in ((1, 2), (2, 6), (3, 1)):
        tally.add(UNSET, seq, [Draw(stream=0, number=1, sides=6, face=face, purpose="attack")])
    [die] = tally.statistics(lambda seq: 3 if seq == 2 else None)
    assert (die.seat, die.count, die.undone, die.total) == ("gm", 3, 1, 9)
