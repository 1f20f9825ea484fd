"""What holds of every state and every attack of a battle, whatever was done."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from tests.kit.rig import Tree

COVER_RULES = (
    *("TD-COVER-2", "TD-COVER-5", "TD-COVER-6"),
    *("TD-LOW-1", "TD-SOFT-1", "TD-COVER-8"),
)
"""The rules of cover, of which one counts."""

ATTACK_RULES = (
    *("TD-SD-4", "TD-FLANK-1", "TD-PRONE-1", "TD-PRONE-4"),
    *COVER_RULES,
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
    """TD-SD-2 and TD-CONC-3, worked out again from the dice that are shown."""
    detail = effect["detail"]
    assert detail["pool"] == detail["base"] + amount(detail["breakdown"])
    [natural] = detail["roll"]["faces"]
    assert detail["result"] == natural + detail["pool"]
    if "guess" in effect:
        require_guess_explained(effect, natural)
        return
    lines = (*detail["breakdown"], *detail["against"]["breakdown"])
    require_lines(lines)
    against = detail["against"]
    assert against["needed"] == against["base"] + amount(against["breakdown"])
    chance = detail["concealment"]["percent"]
    die = detail.get("miss_chance", {}).get("faces", [NO_DIE])[0]
    is_hit = hits(natural, detail["pool"], against["needed"])
    assert (die != NO_DIE) == (is_hit and chance > 0)
    assert effect["outcome"] == ended(natural, detail["pool"], against["needed"], chance, die)
    assert effect["rule"] == ("TD-CONC-3" if effect["outcome"] == "miss_concealment" else "TD-SD-2")


def require_guess_explained(effect: Tree, natural: int) -> None:
    """TD-UNSEEN-3: what players are shown of a guess never depends on why it missed."""
    guess = effect["guess"]
    die = guess.get("miss_chance", {}).get("faces", [NO_DIE])[0]
    assert (die != NO_DIE) == (natural != 1)
    outcome = "miss"
    if guess.get("cover", {}).get("sources", NOT_ATTACKED) == NOT_ATTACKED:
        assert guess.keys().isdisjoint({"needed", "base", "pool", "concealment", "flanking"})
        assert ("target" in guess) == ("cover" in guess)
    else:
        require_lines((*guess["attack_breakdown"], *guess["breakdown"]))
        assert guess["needed"] == guess["base"] + amount(guess["breakdown"])
        outcome = ended(
            natural, guess["pool"], guess["needed"], guess["concealment"]["percent"], die
        )
    assert guess["outcome"] == outcome
    assert effect["outcome"] == ("miss" if "miss" in outcome else outcome)
    hidden = {"against", "cover", "concealment", "flanking", "miss_chance"}
    assert hidden.isdisjoint(effect["detail"])


NOT_ATTACKED = [{"rule": "TD-TOTAL-2", "ac": 8, "reflex": 4}]
"""What keeps a guess from whoever is there, in version 2."""

NO_DIE = 101
"""No face of percentile dice."""


def hits(natural: int, pool: int, needed: int) -> bool:
    """Whether a d20 hits."""
    return natural != 1 and (natural == 20 or natural + pool >= needed)


def ended(natural: int, pool: int, needed: int, chance: int, die: int) -> str:
    """How an attack ends."""
    if not hits(natural, pool, needed):
        return "miss"
    if die <= chance:
        return "miss_concealment"
    return "critical" if natural == 20 and natural + pool >= needed else "hit"


def require_lines(lines: tuple[Tree, ...]) -> None:
    """Only rules that may stand there, flanking once, and one line of cover that counts."""
    rules = [line["rule"] for line in lines]
    assert set(rules) <= set(ATTACK_RULES)
    assert rules.count("TD-FLANK-1") <= 1
    assert len([line for line in lines if line["rule"] in COVER_RULES and line["amount"]]) <= 1


def require_save_explained(victim: Tree, detail: Mapping[str, Any]) -> None:
    """A save adds up and ends as its die says."""
    [natural] = victim["roll"]["faces"]
    assert victim["result"] == natural + victim["base"] + amount(victim["breakdown"])
    is_saved = victim["result"] >= detail["needed"]
    assert victim["outcome"] == ("success" if is_saved else "failure")
    if detail["spread"]:
        assert amount(victim["breakdown"]) == 0


def amount(breakdown: Sequence[Tree]) -> int:
    """What the lines of a breakdown add."""
    return sum(line["amount"] for line in breakdown)
