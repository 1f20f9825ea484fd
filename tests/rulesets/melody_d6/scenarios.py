"""Battles of this ruleset that are played through the whole service."""

from typing import Any, Final

from tests.kit.rig import Brawl, Deeds, SideRoll, Tree
from tests.rulesets.melody_d6.setups import battle_of, fighter, in_progress


def rifleman(name: str, side: str, x: int, y: int, **more: object) -> Tree:
    """Somebody who can be hit often, with a display name, so that every log has text in it."""
    sheet = {"health_max": 20, "accuracy": 10}
    return fighter(name, side, x, y, name=f"The one called {name}", **{**sheet, **more})


BRAWL: Final = Brawl(
    setup=battle_of(
        [
            rifleman("r1", "red", 0, 0),
            rifleman("r2", "red", 0, 3, hidden=True),
            rifleman("b1", "blue", 6, 0),
            rifleman("b2", "blue", 6, 3, hidden=True),
        ],
        options={"enemy_numbers": "hidden", "attack_reveals": False},
        battle=in_progress("r1"),
    ),
    attack=lambda attacker, target: {
        "type": "shoot",
        "combatant": attacker,
        "weapon": "rifle",
        "target": target,
    },
    dice=1,
    die_sides=6,
)


def shot_at_from_ambush() -> SideRoll:
    """Bob's masked t shoots at Ann's a and misses; her unit tests its Courage."""
    people = [
        fighter("t", "blue", 6, 0, conditions=["masked"]),
        fighter("a", "red", 0, 0),
    ]
    shot = {"type": "shoot", "combatant": "t", "weapon": "rifle", "target": "a"}
    battle = {**in_progress("t"), "first_side": "blue", "turn_side": "blue"}
    return SideRoll(
        setup=battle_of(people, battle=battle),
        deeds=(("bob", shot),),
        answer=("bob", {"type": "roll"}, (1,)),
        faces=(3, 4),
    )


A: Final[dict[str, Any]] = {"combatant": "a_scout"}
HERE: Final[Tree] = {"x": 9000, "y": 6000}
SHOT: Final[Tree] = {**A, "weapon": "crossbow", "target": "b_rifle1"}
DEEDS: Final = Deeds(
    own="a_scout",
    theirs="b_rifle1",
    player={
        "activate_unit": {"unit": "A2"},
        "move": {**A, "path": [HERE]},
        "charge": {**A, "target": "b_rifle1", "path": [HERE]},
        "unmask": A,
        "mask": {"combatants": ["a_scout"]},
        "end_movement": {"unit": "A2"},
        "shoot": SHOT,
        "fight": {**A, "target": "b_rifle1"},
        "sing": {**A, "melody": "ember_march", "point": HERE},
        "guard": A,
        "end_activation": {"unit": "A2"},
        "stop_melody": A,
        "dampen_lasting": {**A, "song": "s9"},
        "guard_shoot": SHOT,
    },
    with_last=lambda battle, last: battle,
    master={
        "set_terrain": {"features": [{"feature": "t1", "removed": True}]},
        "gm_reveal": A,
        "gm_panic_test": {"unit": "A2"},
    },
    free={"x": 6000, "y": 20_000},
    ending={"side": "a"},
)
