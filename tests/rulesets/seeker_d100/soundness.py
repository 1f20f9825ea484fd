"""What holds of every state and every wound of a battle, whatever was done."""

from typing import Any

from msgspec import UNSET

from service.engine.battle.roster import is_out
from service.rulesets.seeker_d100.rules.initiative import canonical_deck
from service.rulesets.seeker_d100.state import BattleState, Combatant


def require_sound(rule: BattleState) -> None:
    """The state makes sense: turn, order and cards, holds, conditions, questions."""
    require_turn(rule)
    require_cards(rule)
    for combatant in rule.combatants:
        require_sheet(rule, combatant)
    for group in rule.pending:
        assert group.decisions, "an empty group"
        for decision in group.decisions:
            if decision.kind == "reaction":
                asked = next(c for c in rule.combatants if c.id == decision.combatant)
                assert not is_out(asked)
                assert asked.actions_left
                assert asked.held_by is UNSET


def require_turn(rule: BattleState) -> None:
    """A turn belongs to somebody who can act; while an attack waits, to its attacker."""
    owner = next((c for c in rule.combatants if c.id == rule.turn), None)
    if rule.pending:
        return
    if owner is None:
        placed = [c for c in rule.combatants if c.id in rule.order]
        assert rule.turn is UNSET
        assert all(map(is_out, placed)), "somebody could act and nobody has the turn"
    else:
        assert not is_out(owner)
        assert owner.actions_left == 1


def require_cards(rule: BattleState) -> None:
    """Each card once: drawn by somebody of the battle, or left."""
    everyone = {each.id for each in rule.combatants}
    assert set(rule.order) <= everyone
    assert [drawn.combatant for drawn in rule.cards] == list(rule.order)
    cards = [drawn.card for drawn in rule.cards]
    assert len(set(cards)) == len(cards)
    assert rule.deck is not UNSET
    assert set(cards).isdisjoint(rule.deck)
    assert {*cards, *rule.deck} <= set(canonical_deck(rule.options.deck))


def require_sheet(rule: BattleState, combatant: Combatant) -> None:
    """Conditions are what their fields say, and holds have two ends."""
    conditions = list(combatant.conditions)
    assert len(set(conditions)) == len(conditions)
    for name in ("aim", "answering", "standing_roll", "next_roll", "movement_test"):
        assert (name in conditions) == (getattr(combatant, name) is not UNSET), name
    assert 0 <= combatant.health <= combatant.health_max
    is_bound = combatant.held_by is not UNSET
    if is_bound or is_out(combatant):
        assert combatant.standing_roll is UNSET
        assert combatant.answering is UNSET
        assert combatant.holding is UNSET
    for other in rule.combatants:
        holds = other.held_by is not UNSET and other.held_by.holder == combatant.id
        assert holds == (combatant.holding == other.id)


def require_explained(rule: BattleState, wound: dict[str, Any]) -> None:
    """Dice and lines of a wound add up to what it took; what killed outright has no lines.

    Of an attacker whom not everybody knows it is not shown that armour stopped more than came.
    """
    reports = {each["about"]: each for each in wound["reports"]}
    lethal, damage = reports.get("lethality"), reports.get("damage")
    added = sum(line["amount"] for line in wound["breakdown"])
    if lethal is not None and lethal["value"] != "digits":
        assert added == 0
        return
    if lethal is not None:
        came = lethal["facts"]["a"] + lethal["facts"]["b"]
    elif damage is not None:
        came = damage["facts"]["damage"]
    else:
        came = wound["source"]["roll"]["total"]
    attacker = next(c for c in rule.combatants if c.id == wound["source"]["combatant"])
    assert wound["amount"] == (max(0, came + added) if attacker.hidden else came + added)
