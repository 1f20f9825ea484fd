"""What holds of every state and every attack of a battle, whatever was done."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from tests.kit.rig import Tree

ATTACK_RULES = (
    *("TD-SD-4", "TD-FLANK-1", "TD-PRONE-1", "TD-PRONE-4"),
    *("TD-COVER-2", "TD-COVER-5", "TD-COVER-6", "TD-LOW-1", "TD-SOFT-1", "TD-COVER-8"),
    *("TD-PRONE-2", "TD-PRONE-3"),
)
"""Every rule that may stand in a breakdown of an attack or of a defence."""


def require_sound(rule: Any) -> None:
    """The state makes sense: turn, order, conditions, questions."""
    everyone = [each.id for each in rule.combatants]
    assert sorted(rule.order) == sorted(everyone)
    able = [each.id for each in rule.combatants if not is_out(each)]
    if not rule.pending:
        assert (rule.turn in able) if able else rule.turn is UNSET
    for each in rule.combatants:
        assert len(set(each.conditions)) == len(each.conditions)
        assert each.health <= each.health_max
    for group in rule.pending:
        assert group.decisions, "an empty group"
        for decision in group.decisions:
            if decision.kind == "opportunity":
                asked = next(each for each in rule.combatants if each.id == decision.combatant)
                assert not is_out(asked)
                assert asked.reaction_left == 1


def is_out(combatant: Any) -> bool:
    """Whether a combatant takes no turn."""
    return bool({"unconscious", "dead"} & set(combatant.conditions))


def require_explained(rule: Any, effects: list[Tree]) -> None:
    """Every attack adds up and ends as its dice say; whom it felled cannot act."""
    for each in effects:
        if each["type"] == "attack_resolved" and each["outcome"] != "obstructed":
            require_attack_explained(each)
        if each["type"] == "area_resolved":
            for victim in each["victims"]:
                require_save_explained(victim, each["detail"])
    felled = {each["combatant"]: each["state"] for each in effects if each["type"] == "felled"}
    for combatant in rule.combatants:
        assert combatant.id not in felled or is_out(combatant)


def require_attack_explained(effect: Tree) -> None:
    """TD-SD-2 and TD-CONC-3, worked out again from the dice that are told."""
    detail = effect["detail"]
    assert detail["pool"] == detail["base"] + amount(detail["breakdown"])
    there = effect.get("there", {}) if "place" in effect else detail
    rules = [line["rule"] for line in detail["breakdown"]]
    against = there.get("against")
    outcome = there.get("outcome", effect["outcome"])
    if against is None:
        assert outcome == "miss"
        return
    rules += [line["rule"] for line in against["breakdown"]]
    assert set(rules) <= set(ATTACK_RULES)
    assert rules.count("TD-FLANK-1") <= 1
    assert against["needed"] == against["base"] + amount(against["breakdown"])
    [natural] = detail["roll"]["faces"]
    total = natural + detail["pool"]
    is_hit = natural != 1 and (natural == 20 or total >= against["needed"])
    chance = there.get("concealment", {}).get("percent", 0)
    die = there.get("miss_chance", {}).get("faces", [101])[0]
    expected = "hit" if is_hit else "miss"
    if is_hit and die <= chance:
        expected = "miss_concealment"
    elif natural == 20 and total >= against["needed"]:
        expected = "critical"
    assert outcome == expected
    # Of a guessed cell players are not told why an attack missed.
    assert effect["outcome"] == ("miss" if there is not detail and "miss" in outcome else outcome)


def require_save_explained(victim: Tree, detail: Mapping[str, Any]) -> None:
    """A save adds up and ends as its die says."""
    [natural] = victim["roll"]["faces"]
    bonus = victim["base"] + amount(victim["breakdown"])
    is_saved = natural + bonus >= detail["needed"]
    assert victim["outcome"] == ("saved" if is_saved else "failed")


def amount(breakdown: list[Tree]) -> int:
    """What the lines of a breakdown add."""
    return sum(line["amount"] for line in breakdown)
