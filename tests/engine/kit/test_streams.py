"""Dice about the hidden are drawn from streams that only those see who may know of them."""

import pytest

from service.engine.kit.streams import stream_for
from service.engine.visibility.streams import GM_STREAM, PUBLIC_STREAM
from tests.engine.kit.battle import battle, somebody

RULE = battle(
    somebody("ann"),
    somebody("ben", "blue"),
    somebody("spy", hidden=True),
    somebody("lurker", "blue", hidden=True),
)
RED, BLUE = 1, 2


@pytest.mark.parametrize(
    ("combatants", "stream"),
    [
        ((), PUBLIC_STREAM),
        (("ann",), PUBLIC_STREAM),
        (("ann", "ben"), PUBLIC_STREAM),
        (("spy",), RED),
        (("ann", "lurker"), BLUE),
        (("lurker", "ann"), BLUE),
        (("spy", "lurker"), GM_STREAM),
    ],
)
def test_dice_are_seen_by_those_who_may_know_everybody_they_are_about(
    combatants: tuple[str, ...], stream: int
) -> None:
    assert stream_for(RULE, *combatants) == stream
