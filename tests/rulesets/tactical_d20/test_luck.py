"""Luck: every save against an area effect counts, one that fails for whoever made it."""

from typing import Any

from service.replay.report.chances import Ratio
from service.replay.report.luck import LuckReport, SeatLuck
from tests.kit.table import GM, Table
from tests.replay.memory_audit import audit
from tests.rulesets.tactical_d20.blows import creature
from tests.rulesets.tactical_d20.test_area_attacks import THROW, bombing


def luck_of(table: Table, **more: Any) -> tuple[SeatLuck, ...]:
    """The luck that the game master is shown."""
    luck = audit(table, reader=GM, **more).luck
    assert isinstance(luck, LuckReport)
    return luck.seats


def test_each_save_counts_and_the_damage_behind_them_is_further() -> None:
    table = bombing(creature("t", 11, reflex=4), creature("f", 10, 1), creature("o", 12))
    table.ask(THROW, dice=(11, 14, 4, 3))
    # t fails with 10 of 20 faces, f with 14; o is out of reach.
    assert luck_of(table) == (
        SeatLuck(
            seat="gm",
            rolls=2,
            purposes={"reflex": 2},
            undone=0,
            successes=1,
            expected=Ratio(num="6", den="5"),
            left_out={},
            further={"damage": 1},
        ),
    )


def test_an_attack_counts_by_itself_and_its_damage_is_further() -> None:
    table = bombing(creature("t", 1))
    table.ask({"type": "attack", "combatant": "a", "weapon": "blade", "target": "t"}, dice=(19, 3))
    [seat] = luck_of(table)
    assert (seat.purposes, seat.successes, seat.further) == ({"attack": 1}, 1, {"damage": 1})
