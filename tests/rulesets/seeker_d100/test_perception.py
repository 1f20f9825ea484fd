"""What a player is left of a battle: no trace of anybody whom he does not know."""

from msgspec import UNSET, Raw
from msgspec.structs import replace

from service.engine.battle.open_decisions import Decision, DecisionGroup, Suspended
from tests.kit.battle_states import perceived, with_combatant, with_rule
from tests.kit.table import GM
from tests.rulesets.seeker_d100.sheet_numbers import NOTHING, NUMBERS, battle


def test_who_wears_no_armour_has_none_to_hide() -> None:
    table = battle(enemy_numbers="hidden")
    bare = with_combatant(table, "t", **NUMBERS | {"body_armour": UNSET})
    _, a, t = bare.rule.combatants
    unarmoured = replace(t, **NOTHING | {"body_armour": UNSET})
    assert perceived(table, bare, "ann").combatants == (a, unarmoured)


def test_nobody_is_left_a_trace_of_whom_he_does_not_know() -> None:
    table = battle()
    whole = table.state
    assert whole.rule.turn == "h"
    assert (whole.rule.deck, whole.rule.secrets) != (UNSET, ())
    seen = perceived(table, whole, "ann")
    assert [each.id for each in seen.combatants] == ["a", "t"]
    assert [each.combatant for each in seen.cards] == ["a", "t"]
    assert (seen.order, seen.turn, seen.deck, seen.secrets) == (("a", "t"), UNSET, UNSET, ())
    mine = perceived(table, whole, "bob")
    assert (mine.order, mine.turn, mine.deck, mine.secrets) == (("h", "a", "t"), "h", UNSET, ())
    assert mine.combatants == whole.rule.combatants
    assert mine.cards == whole.rule.cards
    assert perceived(table, whole, "gm") is whole.rule


def test_nobody_is_left_a_question_that_he_does_not_know_of_or_what_waits_for_it() -> None:
    table = battle()
    known, unknown = (
        Decision(
            id=f"d9.{number}",
            kind="reaction",
            opened_by=9,
            side="blue",
            combatant=who,
            options=("pass",),
            default="pass",
        )
        for number, who in enumerate("th", 1)
    )
    suspended = Suspended(action=Raw(b"{}"), by=GM)
    groups = (
        DecisionGroup(decisions=(unknown,)),
        DecisionGroup(decisions=(known, unknown), suspended=suspended),
    )
    whole = with_rule(table, replace(table.state.rule, pending=groups))
    assert perceived(table, whole, "ann").pending == (DecisionGroup(decisions=(known,)),)
    assert perceived(table, whole, "bob").pending == (
        DecisionGroup(decisions=(unknown,)),
        DecisionGroup(decisions=(known, unknown)),
    )
