"""What a preview must have shown of what then happened."""

from collections.abc import Mapping
from typing import Any

from tests.kit.rig import Tree

FORESEEN = ("base", "breakdown", "pool", "distance_ft")
"""Facts of a preview that the detail of an attack repeats."""


def require_foreseen(preview: Tree, action: Mapping[str, Any], effects: list[Tree]) -> None:
    """Who is asked and what an attack is made of were shown, and its outcome had a chance."""
    facts = preview["facts"]
    opened = [each["decision"] for each in effects if each["type"] == "decision_opened"]
    asked = [each["combatant"] for each in opened if each["kind"] == "opportunity"]
    if action["type"] != "answer":
        assert [each["combatant"] for each in facts.get("asks", [])][: len(asked)] == asked
    resolved = [each for each in effects if each["type"] == "attack_resolved"]
    for attack in resolved[:1] if action["type"] in ("attack", "attack_cell") else []:
        if attack["outcome"] == "obstructed":
            continue
        detail = attack["detail"]
        assert {name: facts[name] for name in FORESEEN} == {name: detail[name] for name in FORESEEN}
        chances = {each["outcome"]: int(each["num"]) for each in preview["odds"]}
        assert not chances or chances[attack["outcome"]] > 0
    for area in [each for each in effects if each["type"] == "area_resolved"]:
        assert [each["target"] for each in facts["victims"]] == [
            each["target"] for each in area["victims"]
        ]
    for move in [each for each in effects if each["type"] == "moved"][:1]:
        if action["type"] == "move" and move["complete"]:
            assert move["cost"] == facts["cost_ft"]
