"""What holds of every state and every attack of a battle, whatever was done."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import UNSET

from tests.kit.rig import Tree
from tests.rulesets.squad_d100 import oracle

SHOT_RULES: Final = (
    *("SQ-SHOOT-3", "SQ-SHOOT-4", "SQ-VIG-4"),
    *("SQ-POSE-2", "SQ-POSE-3", "SQ-COVER-1"),
    *("SQ-RANGE-2", "SQ-RANGE-3", "SQ-RANGE-4"),
)
"""The rules of section 5 in their order; the game master's own modifier names none."""


def require_sound(rule: Any) -> None:
    """The state makes sense: turn, order, cells, magazines, suppressions."""
    everyone = {each.id: each for each in rule.combatants}
    assert set(rule.order) <= everyone.keys()
    assert len(set(rule.order)) == len(rule.order)
    able = [each for each in rule.combatants if each.health > 0]
    if rule.status == "running" and not rule.pending:
        assert (rule.turn in {each.id for each in able}) if able else rule.turn is UNSET
    standing = [(each.place.x, each.place.y) for each in able if each.place is not UNSET]
    assert len(set(standing)) == len(standing)
    for each in rule.combatants:
        require_fighter(each, is_turn_holder=each.id == rule.turn)
    for test in rule.tests:
        assert {test.watcher, test.mover} <= everyone.keys()


def require_fighter(each: Any, *, is_turn_holder: bool) -> None:
    """Nobody has more than fits, and whoever is down is just that."""
    assert ("down" in each.conditions) is (each.health == 0)
    assert len(set(each.conditions)) == len(each.conditions)
    assert each.health <= each.health_max
    assert all(weapon.rounds <= weapon.magazine for weapon in each.weapons)
    carried = [item.id for item in (*each.weapons, *each.grenades)]
    assert len(set(carried)) == len(carried)
    named = [each.by for each in each.suppressions if each.by is not UNSET]
    assert len(set(named)) == len(named)
    if not is_turn_holder:
        assert each.mp_left is UNSET


def require_explained(rule: Any, effects: list[Tree]) -> None:
    """Every roll adds up and ends as its die says, and every wound is what armour let through."""
    natural = 0
    for each in effects:
        match each["type"]:
            case "attack_resolved":
                natural = require_attack_explained(rule.options, each) or natural
            case "area_resolved":
                [natural] = each["roll"]["faces"] if "roll" in each else [natural]
                for victim in each["victims"]:
                    require_armour_explained(rule.options, victim["armour"], natural, None)
            case "check_resolved":
                [die] = each["roll"]["faces"]
                passes = die == 1 or (die < each["needed"] and die != 100)
                assert ("success" in each["outcome"]) is passes
            case "hurt" if each.get("cause") != "gm":
                amounts = [line["amount"] for line in each["breakdown"]]
                assert each["amount"] == sum(amounts)
    felled = {each["combatant"] for each in effects if each["type"] == "felled"}
    raised = {each["combatant"] for each in effects if each["type"] == "healed"}
    for combatant in rule.combatants:
        assert combatant.id not in felled - raised or combatant.health == 0


def require_attack_explained(options: Any, effect: Tree) -> int | None:
    """Section 5 and SQ-SHOOT-5 to 7, worked out again from what is shown; the natural die."""
    detail = effect["detail"]
    if "roll" not in detail:
        assert effect["outcome"] == "wasted"
        return None
    [natural] = detail["roll"]["faces"]
    breakdown = detail["breakdown"]
    assert all(line["amount"] for line in breakdown)
    named = [line["rule"] for line in breakdown if line.get("rule") in SHOT_RULES]
    assert named == sorted(named, key=SHOT_RULES.index)
    if effect["outcome"] == "wasted":
        return int(natural)
    if detail["mode"] == "suppression":
        assert (effect["outcome"] in ("hit", "critical_success")) is (natural == 1)
        return int(natural)
    result, threshold = detail["result"], detail["threshold"]
    assert result == natural + sum(line["amount"] for line in breakdown)
    equal = detail["mode"] == "melee" and options.melee_equal_hits
    assert effect["outcome"] == ended(natural, result, threshold + equal, options.crit_success_max)
    is_hit = effect["outcome"] in ("hit", "critical_success")
    if "armour" in detail:
        assert is_hit
        require_armour_explained(options, detail["armour"], natural, effect["outcome"])
    return int(natural)


def ended(natural: int, result: int, threshold: int, highest_success: int) -> str:
    """How a roll to hit ends."""
    if natural == 100:
        return "critical_failure"
    if natural <= highest_success:
        return "critical_success"
    return "hit" if result < threshold else "miss"


def require_armour_explained(
    options: Any, armour: Mapping[str, Any], natural: int, outcome: str | None
) -> None:
    """SQ-AP-1 to 3; the table is the default one."""
    reason = armour["reason"]
    assert (reason == "table") is ("swapped" in armour)
    if reason == "table":
        assert armour["swapped"] == oracle.swapped(natural)
        assert armour["zone"] == oracle.zone(natural, armour["column"])
        assert options.ap_equal == "table" or armour["column"] > 0
        return
    assert armour["zone"] == "penetration"
    if outcome is not None:
        assert (reason == "critical") is (outcome == "critical_success")
    if reason == "no_armour":
        assert armour["armour_class"] == 0
        assert options.unarmoured == "penetrate"
    if reason == "ap_equal_option":
        assert options.ap_equal == "penetrate"


def sides_of(rule: Any) -> Iterator[str]:
    """The ids of the sides."""
    return (each.id for each in rule.sides)
