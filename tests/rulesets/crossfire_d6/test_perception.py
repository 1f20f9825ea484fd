"""What a player is left of a battle: no trace of anybody whom he does not know."""

from msgspec import UNSET
from msgspec.structs import replace

from service.rulesets.crossfire_d6.state import (
    Hiding,
    Override,
    Score,
)
from tests.kit.battle_states import perceived, with_combatant, with_rule
from tests.rulesets.crossfire_d6.sheet_numbers import battle


def test_nobody_is_left_a_trace_of_whom_he_does_not_know() -> None:
    table = battle()
    traces = with_combatant(
        table,
        "t",
        hidden_from=(Hiding(combatant="h", offset=1), Hiding(combatant="a", offset=2)),
        overrides=(
            Override(versus="h", position="open"),
            Override(versus="a", position="blocked"),
        ),
        shot_at=("h", "a"),
    )
    scores = (Score(combatant="h", score=3), Score(combatant="a", score=1))
    whole = with_rule(table, replace(traces.rule, scores=scores))
    seen = perceived(table, whole, "ann")
    [t] = [each for each in seen.combatants if each.id == "t"]
    assert [each.id for each in seen.combatants] == ["a", "t"]
    assert (seen.order, seen.turn, seen.secrets) == (("a", "t"), UNSET, ())
    assert seen.scores == (Score(combatant="a", score=1),)
    assert t.hidden_from == (Hiding(combatant="a", offset=2),)
    assert t.overrides == (Override(versus="a", position="blocked"),)
    assert t.shot_at == ("a",)
    mine = perceived(table, whole, "bob")
    assert (mine.order, mine.turn, mine.secrets) == (("h", "a", "t"), "h", ())
    assert mine.combatants == whole.rule.combatants
    assert perceived(table, whole, "gm") is whole.rule
