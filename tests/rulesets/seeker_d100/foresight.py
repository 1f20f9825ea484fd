"""What a preview must have shown of what then happened."""

from collections.abc import Mapping
from typing import Any

from tests.kit.rig import Tree
from tests.rulesets.seeker_d100.setups import only

FORESEEN = ("mode", "base", "breakdown", "pool")
"""Facts of a preview that the detail of an attack repeats."""


def require_foreseen(preview: Tree, action: Mapping[str, Any], effects: list[Tree]) -> None:
    """Those who are asked and what the attack is made of were shown."""
    facts = preview["facts"]
    opened = [each["decision"] for each in only(effects, "decision_opened")]
    asked = [(each["combatant"], each["options"]) for each in facts.get("asks", [])]
    assert asked == [(each["combatant"], each["options"]) for each in opened]
    resolved = [*only(effects, "attack_resolved"), *only(effects, "area_resolved")]
    if resolved and "roll" in resolved[0]["detail"]:
        detail = resolved[0]["detail"]
        assert {name: facts[name] for name in FORESEEN} == {n: detail[n] for n in FORESEEN}
