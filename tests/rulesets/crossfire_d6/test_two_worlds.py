"""What those who do not know are shown of an attack by somebody unseen, and of hidden numbers."""

from typing import Any

from service.engine.log.canonical import encode
from tests.kit.table import effects_of, tree_of
from tests.kit.two_worlds import adjusted, both, compare, end_turn, pair
from tests.rulesets.crossfire_d6.setups import (
    RULESET,
    blade,
    fighter,
    rifle,
    seated,
)
from tests.rulesets.crossfire_d6.worlds import duel, plain_and_odd


def test_unseen_shooters_partners_and_allies_change_no_dice_that_everyone_sees() -> None:
    behind = {"weapons": [rifle(), blade()], "hidden": True}
    far = fighter("h", "red", 0, 30, **behind)
    near = fighter("h", "red", 7, 0, **behind)
    one, other = seated(duel(far)), seated(duel(near))
    for table in (one, other):
        table.ask({"type": "start_encounter"})
        table.ask({"type": "ranged_attack", "combatant": "a", "weapon": "rifle", "target": "t"})
    assert one.events[-1].draws == other.events[-1].draws
    for by in ("bob", "eve"):
        assert encode(one.shown(3, by)) == encode(other.shown(3, by))


def test_an_unseen_attacker_who_stays_unseen_shows_only_whom_he_attacked_and_how_it_ended() -> None:
    options = {"attack_reveals": False, "pool_floor": 0}
    shot = rifle(attack_dice=0)
    blow = blade(attack_dice=0, reach_ft=20)
    one, other = pair(
        RULESET,
        duel(fighter("h", "green", 0, 9, weapons=[shot], hidden=True), options=options),
        duel(fighter("h", "green", 3, 0, weapons=[blow], hidden=True), options=options),
    )
    both(one, other, end_turn("a"))
    both(one, other, end_turn("t"))
    first = {"type": "ranged_attack", "combatant": "h", "weapon": "rifle", "target": "a"}
    second = {"type": "melee_attack", "combatant": "h", "weapon": "blade", "target": "a"}
    compare(one, other, one.ask(first), other.ask(second))
    seen: Any = one.shown(len(one.events), "eve")
    assert "action" not in seen
    attack = {"type": "attack_resolved", "target": "a", "outcome": "miss"}
    assert seen["effects"] == [attack]


def test_how_an_unseen_attacker_did_it_is_not_told_by_the_rule_that_decided() -> None:
    options = {"attack_reveals": False, "natural_crit_sixes": 1}
    shot = rifle(attack_dice=50, damage_dice=0)
    blow = blade(damage_dice=0, reach_ft=20)
    one, other = pair(
        RULESET,
        duel(fighter("h", "green", 0, 9, weapons=[shot], hidden=True), options=options),
        duel(fighter("h", "green", 3, 0, weapons=[blow], hidden=True), options=options),
    )
    both(one, other, adjusted({"type": "condition", "combatant": "t", "condition": "helpless"}))
    easy = {"type": "stat", "combatant": "t", "stat": "ranged_defence", "value": 0}
    both(one, other, adjusted(easy))
    both(one, other, end_turn("a"))
    first = {"type": "ranged_attack", "combatant": "h", "weapon": "rifle", "target": "t"}
    second = {"type": "melee_attack", "combatant": "h", "weapon": "blade", "target": "t"}
    compare(one, other, one.ask(first), other.ask(second))
    for table, rule in ((one, "CF-SD-3"), (other, "CF-HELP-1")):
        attack = effects_of(table.events[-1])[1]
        assert (attack["outcome"], attack["detail"]["rule"]) == ("critical", rule)


def test_a_shot_at_hidden_numbers_foretells_none() -> None:
    table = seated(plain_and_odd()[0])
    table.ask({"type": "start_encounter"})
    shot = {"type": "ranged_attack", "combatant": "a", "weapon": "rifle", "target": "t"}
    preview = table.preview(shot, "ann")
    assert (preview.odds, preview.unknown) == ((), ("needed", "suppression"))
    assert {"pool", "needed"}.isdisjoint(tree_of(preview.facts))
