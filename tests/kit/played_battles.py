"""Random battles that several suites look at, each played once per worker.

A battle costs 0.1 to 0.35 CPU seconds. Tests that only read one share it; a test that acts in a
battle plays its own.
"""

from functools import lru_cache
from typing import Final

from service.engine.vocabulary.values import DiceMode
from tests.kit.random_battles import BY_PLAYER, Overruled, play
from tests.kit.rigs import rig_of
from tests.kit.seat_changes import SeatChanges
from tests.kit.table import Table, seated

EVENTS: Final = 60
_KEPT: Final = 60


@lru_cache(maxsize=_KEPT)
def played(slug: str, number: int, *, with_secrets: bool) -> Table:
    """A battle of 60 actions, each by the player of its side; nobody may act in it."""
    rig = rig_of(slug)
    table = seated(rig.ruleset, rig.battles.setup(number, with_secrets=with_secrets))
    play(table, number, EVENTS, by=BY_PLAYER)
    return table


@lru_cache(maxsize=_KEPT)
def overruled(
    slug: str, number: int, mode: DiceMode, events: int, *, has_seat_changes: bool = False
) -> tuple[Table, frozenset[str]]:
    """A battle that the game master overrules and rewinds, and the ways in which seats change."""
    rig = rig_of(slug)
    table = seated(rig.ruleset, rig.battles.setup(number, with_secrets=True), dice=mode)
    seats = SeatChanges(number)
    deed = Overruled(rig.battles, number, *((seats,) if has_seat_changes else ()))
    play(table, number, events, by=BY_PLAYER, deed=deed)
    return table, frozenset(seats.done)
