"""Rolls name their draws: in runs, again elsewhere, and with the reason where a face is lost."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from service.engine.dice.dice import Draw
from service.engine.dice.draw_names import names_all, rolls_in
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.rolls import (
    discounted,
    draws_of,
    one_by_one,
    roll_of,
    runs_of,
    told_again,
)
from service.engine.vocabulary.values import DrawRun, Place, Roll, Uncounted


def run(number: int, **more: Any) -> DrawRun:
    return DrawRun(**{"stream": 0, "number": number, **more})


def rolled(*faces: int, number: int = 1) -> Roll:
    return Roll(sides=6, faces=faces, total=sum(faces), draws=(run(number),))


def test_draws_that_follow_one_another_are_one_run() -> None:
    roll = roll_of(6, (3, 4, 5), (run(2), run(3), run(4)))
    assert roll == Roll(sides=6, faces=(3, 4, 5), total=12, draws=(run(2),))


def test_runs_that_do_not_follow_say_how_many_they_are() -> None:
    roll = roll_of(6, (3, 4, 5), (run(2, seq=4), run(3, seq=4), run(1)))
    assert roll.draws == (run(2, seq=4, count=2), run(1, count=1))


def test_no_faces_name_no_draws() -> None:
    assert roll_of(6, (), ()) == Roll(sides=6, faces=(), total=0, draws=())


draws = st.builds(
    DrawRun,
    stream=st.integers(0, 2),
    number=st.integers(1, 4),
    seq=st.sampled_from([UNSET, 3]),
    uncounted=st.sampled_from([UNSET, "unread"]),
)


@given(st.lists(draws, max_size=12))
def test_runs_are_the_draws_they_were_made_of(single: list[DrawRun]) -> None:
    assert one_by_one(runs_of(single), len(single)) == tuple(single)


@pytest.mark.parametrize("count", [0, 1, 3, 10**15])
def test_runs_name_as_many_draws_as_there_are_faces(count: int) -> None:
    with pytest.raises(ValueError, match="draws for 2 faces"):
        one_by_one((run(1, count=count),), 2)


def test_a_roll_told_again_says_which_event_names_it() -> None:
    again = told_again(rolled(3, 4), 7)
    assert again == Roll(sides=6, faces=(3, 4), total=7, draws=(run(1, seq=7),))
    assert told_again(again, 9) == again


@pytest.mark.parametrize(
    ("places", "total", "runs"),
    [
        (None, 0, (run(1, uncounted="unread"),)),
        ((), 12, (run(1),)),
        ((0,), 9, (run(1, uncounted="unread", count=1), run(2, count=2))),
        (
            (1,),
            8,
            (run(1, count=1), run(2, uncounted="unread", count=1), run(3, count=1)),
        ),
    ],
)
def test_faces_that_do_not_count_stay_with_the_reason(
    places: tuple[int, ...] | None, total: int, runs: tuple[DrawRun, ...]
) -> None:
    roll = discounted(rolled(3, 4, 5), "unread", places)
    assert roll == Roll(sides=6, faces=(3, 4, 5), total=total, draws=runs)


@pytest.mark.parametrize("why", ["replaced", "unread", "nobody_affected", "target_down"])
def test_each_reason_can_be_given_beside_another(why: Uncounted) -> None:
    roll = discounted(discounted(rolled(3, 4), "replaced", (0,)), why, (1,))
    assert [each.uncounted for each in draws_of(roll)] == ["replaced", why]
    assert roll.total == 0


# --- all draws of an event ------------------------------------------------------------------------


def draw(number: int, face: int, **more: Any) -> Draw:
    return Draw(**{"stream": 0, "number": number, "sides": 6, "face": face, **more, "purpose": "x"})


ATTACK = fx.AttackResolved(
    target="t", outcome="hit", detail=fx.AttackDetail(attacker="a", roll=rolled(3, 4))
)
HURT = fx.Hurt(
    combatant="t",
    amount=5,
    health=1,
    band="hurt",
    source=fx.Source(combatant="a", roll=rolled(5, number=3)),
)


def test_rolls_are_found_however_deep_they_are() -> None:
    area = fx.AreaResolved(
        area=fx.Shape(kind="blast", origin=Place(x=0, y=0)),
        outcome="hit",
        victims=(fx.Victim(target="t", outcome="hit", roll=rolled(1)),),
        detail=ATTACK.detail,
    )
    assert list(rolls_in(area)) == [rolled(1), rolled(3, 4)]
    assert list(rolls_in(HURT)) == [rolled(5, number=3)]
    assert list(rolls_in(fx.RoundBegan(round=2))) == []


DRAWN = (draw(1, 3), draw(2, 4), draw(3, 5))
MISCOUNTED = replace(
    HURT, roll=replace(rolled(5), draws=(DrawRun(stream=0, number=1, count=2, seq=1),))
)
"""It names two dice of an earlier event, and has one face."""


def test_every_draw_is_named_once() -> None:
    assert names_all((ATTACK, HURT), DRAWN)


@pytest.mark.parametrize(
    ("effects", "drawn"),
    [
        ((ATTACK,), DRAWN),
        ((ATTACK, HURT, MISCOUNTED), DRAWN),
        ((ATTACK, HURT), DRAWN[:2]),
        ((ATTACK, HURT, HURT), DRAWN),
        ((ATTACK, HURT), (draw(1, 3), draw(2, 6), draw(3, 5))),
        ((ATTACK, HURT), (draw(1, 3), draw(2, 4), draw(3, 5, sides=20))),
        ((ATTACK, HURT), (draw(1, 3), draw(2, 4), draw(3, 5, stream=1))),
    ],
    ids=[
        "unnamed",
        "miscounted",
        "not drawn",
        "named twice",
        "another face",
        "other sides",
        "another stream",
    ],
)
def test_what_is_not_named_once_is_seen(effects: Any, drawn: tuple[Draw, ...]) -> None:
    assert not names_all(effects, drawn)
