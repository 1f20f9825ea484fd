"""What a preview must have shown of what then happened."""

from collections.abc import Mapping
from typing import Any, Final

from tests.kit.odds import by_outcome
from tests.kit.rig import Tree

FORESEEN: Final = ("mode", "distance", "breakdown", "pool", "threshold", "ap_class")
"""Facts of a roll that the detail of an attack repeats."""


def require_foreseen(preview: Tree, action: Mapping[str, Any], effects: list[Tree]) -> None:
    """Rolls, prices and those who test were shown, and what came had a chance."""
    facts = preview["facts"]
    if action["type"] == "move":
        require_walk_foreseen(facts, effects)
    elif action["type"] not in ("answer", "suppress") and facts.get("shots"):
        require_shot_foreseen(facts, effects)


def require_walk_foreseen(facts: Tree, effects: list[Tree]) -> None:
    """What a whole walk costs and where it ends; the first watcher is one of those named."""
    legs = [each for each in effects if each["type"] == "moved"]
    if legs and legs[-1]["complete"]:
        assert sum(leg["cost"] for leg in legs) == facts["price_mp"]
        end = {"x": legs[-1]["end"]["x"], "y": legs[-1]["end"]["y"]}
        assert end == {name: facts["end"][name] for name in ("x", "y")}
    tested = [each["combatant"] for each in effects if each["type"] == "check_resolved"]
    assert set(tested) <= {each["combatant"] for each in facts.get("tests", ())}


def require_shot_foreseen(facts: Tree, effects: list[Tree]) -> None:
    """What the first roll is made of, and that it could end so."""
    resolved = [each for each in effects if each["type"] == "attack_resolved"]
    if not resolved or "roll" not in resolved[0]["detail"]:
        return
    shot, detail = facts["shots"][0], resolved[0]["detail"]
    told = {name: shot[name] for name in FORESEEN if name in shot and name in detail}
    assert told == {name: detail[name] for name in told}
    assert by_outcome(shot["odds"])[resolved[0]["outcome"]] > 0
    zone = detail.get("armour", {}).get("zone", "no_hit")
    if "zones" in shot:
        assert by_outcome(shot["zones"])[zone] > 0
