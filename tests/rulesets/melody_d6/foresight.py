"""What a preview must have shown of what then happened."""

from collections.abc import Mapping
from typing import Any, Final

from tests.kit.odds import by_outcome
from tests.kit.rig import Tree
from tests.rulesets.melody_d6.odds import of_kind, song_outcome

FORESEEN: Final = ("mode", "base", "breakdown")
"""Facts of a shot that the detail of an attack repeats."""


def require_foreseen(preview: Tree, action: Mapping[str, Any], effects: list[Tree]) -> None:
    """What shots, songs and ways are made of was shown, and what came had a chance."""
    facts = preview["facts"]
    if "shot" in facts:
        require_shot_foreseen(facts["shot"], effects)
    elif "movement" in facts:
        require_way_foreseen(preview, action["combatant"], effects)
    elif "song" in facts and "shape" in facts["song"]:
        require_reach_foreseen(facts["song"], effects)
    asked = [each["decision"]["kind"] for each in of_kind(effects, "decision_opened")]
    assert {*asked} <= {*preview["opens"], *preview["follows"], "roll"}, action["type"]
    for song in of_kind(effects, "check_resolved", check="song"):
        if preview["odds"] and not asked:
            assert by_outcome(preview["odds"])[song_outcome(song)] > 0


def require_shot_foreseen(shot: Tree, effects: list[Tree]) -> None:
    """What the shot is made of, and that it could end so."""
    resolved = of_kind(effects, "attack_resolved", target=shot["target"])
    detail = resolved[0]["detail"]
    told = {name: shot[name] for name in FORESEEN if name in shot and name in detail}
    assert told == {name: detail[name] for name in told}
    assert shot["dice"] == len(detail["roll"]["faces"])
    for kind in ("wounds", "saves"):
        needed = f"{kind[:-1]}_needed"
        if kind in detail and needed in shot:
            assert detail[kind]["needed"] == shot[needed]
    if "hit" in shot and detail["hits"]:
        assert shot["hit"]["num"] != "0"


def require_way_foreseen(preview: Tree, mover: str, effects: list[Tree]) -> None:
    """Where a whole way ends, and what it costs."""
    facts = preview["facts"]["movement"]
    legs = of_kind(effects, "moved", combatant=mover)
    if legs and legs[-1]["complete"] and legs[-1]["manner"] in ("move", "charge"):
        assert {name: legs[-1]["end"][name] for name in ("x", "y")} == facts["end"]
        assert legs[-1]["cost"] == facts["cost"]


def require_reach_foreseen(song: Tree, effects: list[Tree]) -> None:
    """Whoever is tested for the template is one of those who were shown."""
    tested = of_kind(effects, "check_resolved", check="template")
    reached = {each["target"] for each in song["targets"] if each["coverage"] == "part"}
    assert {each["combatant"] for each in tested} <= reached
