"""Who acts for a unit of several players: those with a warrior of it on the table."""

import pytest

from service.engine.battle.actors import Actor
from service.errors import Forbidden
from tests.kit.table import Table
from tests.rulesets.melody_d6.setups import battle_of, fighter, in_progress, seated


def shared() -> Table:
    """Red's squad of a, whom Ann plays, and b, whom Bob plays and who was killed."""
    people = [
        fighter("a", "red", 0, 0, unit="squad"),
        fighter("b", "red", 3, 0, unit="squad"),
        fighter("t", "blue", 9, 0),
    ]
    table = seated(battle_of(people, battle=in_progress("squad")))
    table.ask({"type": "start_encounter"})
    for seat, combatant in (("ann", "a"), ("bob", "b")):
        table.ask({"type": "change_seat", "seat": seat, "sides": [], "combatants": [combatant]})
    return table


def test_whoever_has_nobody_left_there_is_listed_nothing_of_a_unit() -> None:
    table, squad = shared(), Actor(unit="squad")
    ending = {"type": "end_activation", "unit": "squad"}
    assert [each.type for each in table.legal_of(squad, "bob")] == ["end_activation"]
    table.ask({"type": "adjust", "changes": [{"type": "hp", "combatant": "b", "value": 0}]})
    assert table.legal_of(squad, "bob") == ()
    with pytest.raises(Forbidden, match="not_your_unit"):
        table.ask(ending, "bob")
    assert [each.type for each in table.legal_of(squad, "ann")] == ["end_activation"]
    table.ask(ending, "ann")
