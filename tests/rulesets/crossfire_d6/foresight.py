"""What a preview must have shown of what then happened."""

from collections.abc import Mapping
from typing import Any

from tests.kit.rig import Tree

FORESEEN = (
    *("base", "pool", "breakdown", "position", "line"),
    *("distance_ft", "attacked_from", "obscured"),
)
"""Facts of a preview that the detail of an attack repeats."""


def require_foreseen(preview: Tree, action: Mapping[str, Any], effects: list[Tree]) -> None:
    """An attack is made of what was shown, and a walk costs it."""
    facts = preview["facts"]
    for attack in [each for each in effects if each["type"] == "attack_resolved"][:1]:
        detail = attack["detail"]
        assert {name: facts[name] for name in FORESEEN if name in facts} == {
            name: detail[name] for name in FORESEEN if name in detail
        }
    walks = [each for each in effects if each["type"] == "moved" and each["manner"] != "placed"]
    for move in walks[:1]:
        assert move["cost"] == facts["cost_ft"]
