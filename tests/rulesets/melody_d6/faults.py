"""Actions in which all is well, and what may be wrong with each, in the catalogue's order.

How this works. A `Deed` is an action in a battle in which it is allowed. A `Fault` changes the
battle or the action, by dotted paths, so that the action is refused with its code; those of a deed
stand in the order in which they are looked at. Of two that change different things the first one
must be shown. Section 2.2 of the catalogue says the order, section 7 the codes.
"""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final, NamedTuple

Tree = dict[str, Any]


class Fault(NamedTuple):
    """What is wrong: the code that shows it, and what it changes, by path; None takes away."""

    code: str
    changes: Mapping[str, Any]


@dataclass(frozen=True)
class Deed:
    """An action that is allowed in a setup as the worked examples state it."""

    name: str
    setup: Tree
    action: Tree
    faults: tuple[Fault, ...]
    general: bool = True
    phases: tuple[str, ...] = field(default=("action",))

    def with_faults(self, *faults: Fault) -> tuple[Tree, Tree]:
        """Setup and action with these faults."""
        whole: Tree = deepcopy({**self.setup, "action": self.action})
        for fault in faults:
            for path, value in fault.changes.items():
                _put(whole, path.split("."), deepcopy(value))
        action = whole.pop("action")
        return whole, action

    def pairs(self) -> Iterator[tuple[Fault, Fault]]:
        """Every two faults that can be there at once, in their order."""
        for first, second in combinations(self.faults, 2):
            if not _touches(first, second):
                yield first, second

    def neighbours(self) -> Iterator[tuple[Fault, Fault]]:
        """Each fault with the next one that can be there at once: the order link by link."""
        for place, first in enumerate(self.faults):
            later = self.faults[place + 1 :]
            second = next((fault for fault in later if not _touches(first, fault)), None)
            if second is not None:
                yield first, second


def _put(tree: Tree, path: list[str], value: Any) -> None:
    for name in path[:-1]:
        tree = tree.setdefault(name, {})
    if value is None and path[-1] != "unit":
        tree.pop(path[-1], None)
    else:
        tree[path[-1]] = value


def _touches(first: Fault, second: Fault) -> bool:
    """Whether two faults change the same thing."""
    return any(
        one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")
        for one in first.changes
        for other in second.changes
    )


def red(x: int, y: int, **more: Any) -> Tree:
    """A red warrior."""
    return {"side": "red", "place": [x, y], **more}


def blue(x: int, y: int, **more: Any) -> Tree:
    """A blue warrior."""
    return {"side": "blue", "place": [x, y], **more}


MELODIES: Final = ["ember_march", "veil_of_mist", "dazzle_chord"]
ARMS: Final[Tree] = {"weapons": ["rifle", "darts", "blade"]}
HOUSE: Final[Tree] = {"kind": "building", "rectangle": [12_000, 8000, 14_000, 12_000]}
NEAR: Final = blue(10_000, 11_050)
"""Somebody engaged with a."""


def setup(phase: str = "action", **people: Tree) -> Tree:
    """Red's a at (10000, 10000) whose activation is open, another red warrior, and a blue one."""
    others = {"a2": red(60_000, 60_000), "b2": blue(80_000, 80_000)}
    return {
        "options": {},
        "battle": {"unit": "a", "phase": phase},
        "combatants": {"a": red(10_000, 10_000, **ARMS), **others, **people},
    }


def acting(*phases: str, **unknown: str) -> tuple[Fault, ...]:
    """What is looked at of every warrior that acts in its activation, before its own list."""
    other = next((each for each in ("movement", "action") if each not in phases), None)
    return (
        Fault("unknown_combatant", {"action.combatant": "nobody"}),
        *(Fault(code, {f"action.{name}": "spoon"}) for name, code in unknown.items()),
        Fault("not_your_turn", {"battle.side": "blue", "battle.unit": None}),
        Fault("no_active_unit", {"battle.unit": None}),
        Fault("warrior_not_in_active_unit", {"battle.unit": "a2"}),
        *((Fault("wrong_phase", {"battle.phase": other}),) if other else ()),
        Fault("actor_incapacitated", {"combatants.a.health": 0}),
        Fault("warrior_fleeing", {"combatants.a.fleeing": True}),
        Fault("warrior_stunned", {"combatants.a.stunned": True}),
    )


WAY: Final = [{"x": 16_000, "y": 10_000}]
AWAY: Final = [*WAY, {"x": 16_000, "y": 100}]
ALONG: Final = (
    Fault("already_moved", {"combatants.a.moved": True}),
    Fault("engaged", {"combatants.e": NEAR}),
    Fault("path_empty", {"action.path": []}),
    Fault("off_table", {"action.path": AWAY}),
    Fault("blocked_by_terrain", {"features.house": HOUSE}),
    Fault("path_blocked", {"combatants.c": blue(14_500, 10_400)}),
)
TOO_FAR: Final = Fault("path_too_long", {"combatants.a.move": 5000})
OVER: Final = Fault("base_overlap", {"combatants.f": red(16_000, 9100)})
MOVE: Final = Deed(
    "move",
    setup("movement"),
    {"type": "move", "combatant": "a", "path": WAY},
    (
        *acting("movement"),
        *ALONG,
        Fault("move_into_contact", {"combatants.d": blue(17_050, 10_000)}),
        OVER,
        TOO_FAR,
    ),
)
CHARGE: Final = Deed(
    "charge",
    setup("movement", t=blue(17_050, 10_000)),
    {"type": "charge", "combatant": "a", "target": "t", "path": WAY},
    (
        *acting("movement", target="unknown_combatant"),
        Fault("target_friendly", {"action.target": "a2"}),
        Fault("target_gone", {"combatants.t.health": 0}),
        *ALONG,
        OVER,
        TOO_FAR,
        Fault("not_in_contact", {"combatants.t.place": [17_101, 10_000]}),
    ),
)
WALL: Final[Tree] = {"kind": "low_wall", "rectangle": [9000, 8000, 11_000, 9000]}
MASKED_NOW: Final[Tree] = {"combatants.a.masked": True, "combatants.a.masked_this_turn": True}
MASK: Final = Deed(
    "mask",
    {**setup("movement"), "features": {"wall": WALL}},
    {"type": "mask", "combatants": ["a"]},
    (
        Fault("unknown_combatant", {"action.combatants": ["nobody"]}),
        *acting("movement")[1:],
        Fault("mask_already_declared", {"battle.mask_declared": True}),
        Fault("already_masked", {"combatants.a.masked": True}),
        Fault("exposed", {"combatants.a.exposed": True}),
        Fault("attacked_this_turn", {"combatants.a.attacked": True}),
        Fault("engaged", {"combatants.e": NEAR}),
        Fault("cannot_mask_here", {"features.wall": None}),
        Fault("too_close_to_enemy", {"combatants.d": blue(10_000, 14_000)}),
        # Whoever is named twice is looked at twice, and is all right for the first time.
        Fault("duplicate_warrior", {"action.combatants": ["a", "a"]}),
        Fault("insufficient_fp", {"battle.fp": {"red": 0}}),
    ),
)
UNMASK: Final = Deed(
    "unmask",
    setup("action", a=red(10_000, 10_000, masked=True)),
    {"type": "unmask", "combatant": "a"},
    (*acting("movement", "action"), Fault("not_masked", {"combatants.a.masked": None})),
)
AT_TARGET: Final = (
    Fault("target_friendly", {"action.target": "a2"}),
    Fault("target_gone", {"combatants.t.health": 0}),
    Fault("target_masked", {"combatants.t.masked": True}),
    Fault("target_engaged", {"combatants.g": red(20_000, 11_050)}),
    Fault("out_of_sight", {"combatants.a.sight": 5000}),
    Fault("no_line_of_sight", {"features.house": HOUSE}),
    Fault("out_of_range", {"action.weapon": "darts"}),
)
SPENT: Final = (
    Fault("action_spent", {"combatants.a.acted": True}),
    Fault("masked_this_turn", MASKED_NOW),
)
SHOOT: Final = Deed(
    "shoot",
    setup(t=blue(20_000, 10_000)),
    {"type": "shoot", "combatant": "a", "target": "t", "weapon": "rifle"},
    (
        *acting("action", target="unknown_combatant", weapon="unknown_weapon"),
        *SPENT,
        Fault("engaged", {"combatants.e": NEAR}),
        Fault("weapon_not_ranged", {"action.weapon": "blade"}),
        *AT_TARGET,
    ),
)
FIGHT: Final = Deed(
    "fight",
    setup(t=blue(11_050, 10_000)),
    {"type": "fight", "combatant": "a", "target": "t", "weapon": "blade"},
    (
        *acting("action", target="unknown_combatant", weapon="unknown_weapon"),
        *SPENT,
        Fault("not_engaged", {"combatants.t.place": [11_101, 10_000]}),
        Fault("weapon_not_melee", {"action.weapon": "rifle"}),
    ),
)
SINGER: Final = red(10_000, 10_000, singer={"melodies": MELODIES})
IN_PLAY: Final = [
    {
        "id": "s1",
        "melody": "veil_of_mist",
        "combatant": "a",
        "shape": {"kind": "disc", "origin": {"x": 10_000, "y": 10_000}, "radius": 2500},
    }
]
ALIVE: Final[Tree] = {
    "combatants.a.health": 20,
    "combatants.a.fleeing": False,
    "combatants.a.singer.song_dice": 2,
}
"""What whoever keeps a Melody in play has."""
CANNOT_SING: Final = (
    *SPENT,
    Fault("not_a_singer", {"combatants.a.singer": None}),
    Fault("melody_not_known", {"action.melody": "heavy_air"}),
    Fault("hoarse", {"combatants.a.hoarse_until": 9}),
    Fault("lasting_in_play", {"songs": IN_PLAY, **ALIVE}),
    Fault("engaged", {"combatants.e": NEAR}),
)
SING_AT_POINT: Final = Deed(
    "sing at a point",
    setup(a=SINGER),
    {
        "type": "sing",
        "combatant": "a",
        "melody": "ember_march",
        "point": {"x": 20_000, "y": 10_000},
    },
    (
        *acting("action", melody="unknown_melody"),
        *CANNOT_SING,
        Fault("point_required", {"action.point": None}),
        Fault("off_table", {"action.point": {"x": -1, "y": 10_000}}),
        Fault("out_of_range", {"action.point": {"x": 28_501, "y": 10_000}}),
        Fault("no_line_of_sight", {"features.house": HOUSE}),
    ),
)
DRUM: Final = red(10_000, 10_000, singer={"melodies": ["drum_of_dread", "veil_of_mist"]})
SING_AT_TARGET: Final = Deed(
    "sing at a warrior",
    setup(a=DRUM, t=blue(20_000, 10_000)),
    {"type": "sing", "combatant": "a", "melody": "drum_of_dread", "target": "t"},
    (
        *acting("action", target="unknown_combatant", melody="unknown_melody"),
        *CANNOT_SING,
        Fault("target_required", {"action.target": None}),
        Fault("target_gone", {"combatants.t.health": 0}),
        Fault("target_wrong_side", {"action.target": "a2", "combatants.t.health": 1}),
        Fault("out_of_range", {"combatants.t.place": [29_001, 10_000]}),
        Fault("no_line_of_sight", {"features.house": HOUSE}),
    ),
)
SING_RAY: Final = Deed(
    "sing a ray",
    setup(a=SINGER),
    {"type": "sing", "combatant": "a", "melody": "dazzle_chord", "aim": {"x": 20_000, "y": 10_000}},
    (
        *acting("action", melody="unknown_melody"),
        *CANNOT_SING,
        Fault("aim_required", {"action.aim": None}),
        Fault("zero_direction", {"action.aim": {"x": 10_000, "y": 10_000}}),
    ),
)
GUARD: Final = Deed(
    "guard",
    {**setup(), "options": {"guard_after_move": False}},
    {"type": "guard", "combatant": "a"},
    (
        *acting("action"),
        Fault("action_spent", {"combatants.a.acted": True}),
        Fault("guard_mounted", {"combatants.a.mounted": True}),
        Fault("engaged", {"combatants.e": NEAR}),
        Fault("guard_after_masking", MASKED_NOW),
        Fault("moved_before_guard", {"combatants.a.moved": True}),
    ),
)


def of_unit(kind: str, phase: str, other: str) -> Deed:
    """An action of the unit whose activation is open."""
    return Deed(
        kind,
        setup(phase),
        {"type": kind, "unit": "a"},
        (
            Fault("unknown_unit", {"action.unit": "nobody"}),
            Fault("not_your_turn", {"battle.side": "blue", "battle.unit": None}),
            Fault("no_active_unit", {"action.unit": "a2"}),
            Fault("wrong_phase", {"battle.phase": other}),
        ),
    )


OPEN: Final = {"battle.side": "red", "battle.unit": "a2", "battle.phase": "action"}
ACTIVATE: Final = Deed(
    "activate_unit",
    {**setup(), "battle": {}},
    {"type": "activate_unit", "unit": "a"},
    (
        Fault("unknown_unit", {"action.unit": "nobody"}),
        Fault("not_your_turn", {"battle.side": "blue"}),
        Fault("activation_open", OPEN),
        Fault("unit_already_activated", {"battle.activated": ["a"]}),
        Fault("unit_cannot_act", {"combatants.a.fleeing": True}),
    ),
)
END_TURN: Final = Deed(
    "end_turn",
    {**setup(), "battle": {}},
    {"type": "end_turn", "side": "red"},
    (
        Fault("unknown_side", {"action.side": "green"}),
        Fault("not_your_turn", {"battle.side": "blue"}),
        Fault("activation_open", OPEN),
    ),
)
KEPT: Final = {**setup(a=SINGER), "songs": IN_PLAY}
STOP: Final = Deed(
    "stop_melody",
    KEPT,
    {"type": "stop_melody", "combatant": "a"},
    (
        Fault("unknown_combatant", {"action.combatant": "nobody"}),
        Fault("no_melody_in_play", {"songs": []}),
    ),
)
THEIRS: Final = [{**IN_PLAY[0], "combatant": "b2"}]
DAMPENED: Final = [{**THEIRS[0], "dampened_in": 1}]
POWERFUL: Final = [{**DAMPENED[0], "round": 1, "monstrous": True}]
DAMPEN_LASTING: Final = Deed(
    "dampen_lasting",
    {
        **setup(a=SINGER, b2=blue(80_000, 80_000, singer={"melodies": MELODIES})),
        "songs": THEIRS,
        "options": {"dampen_range": 170_000},
    },
    {"type": "dampen_lasting", "combatant": "a", "song": "s1"},
    (
        Fault("unknown_combatant", {"action.combatant": "nobody"}),
        Fault("not_your_turn", {"battle.side": "blue", "battle.unit": None}),
        Fault("actor_incapacitated", {"combatants.a.health": 0}),
        Fault("warrior_fleeing", {"combatants.a.fleeing": True}),
        Fault("warrior_stunned", {"combatants.a.stunned": True}),
        Fault("no_such_song", {"action.song": "s9"}),
        Fault("dampen_own_melody", {"songs": IN_PLAY, **ALIVE}),
        Fault("not_a_singer", {"combatants.a.singer": None}),
        Fault("melody_monstrous", {"songs": POWERFUL}),
        Fault("dampen_limit", {"songs": DAMPENED}),
        Fault("out_of_range", {"options.dampen_range": 1000}),
    ),
)
GUARD_SHOOT: Final = Deed(
    "guard_shoot",
    {
        **setup(a=red(10_000, 10_000, on_guard=True, **ARMS), t=blue(20_000, 10_000)),
        "battle": {"side": "blue"},
    },
    {"type": "guard_shoot", "combatant": "a", "target": "t", "weapon": "rifle"},
    (
        Fault("unknown_combatant", {"action.combatant": "nobody"}),
        Fault("unknown_combatant", {"action.target": "nobody"}),
        Fault("unknown_weapon", {"action.weapon": "spoon"}),
        Fault("actor_incapacitated", {"combatants.a.health": 0}),
        Fault("warrior_fleeing", {"combatants.a.fleeing": True}),
        Fault("warrior_stunned", {"combatants.a.stunned": True}),
        Fault("guard_own_turn", {"battle.side": "red"}),
        Fault("not_on_guard", {"combatants.a.on_guard": None}),
        Fault("weapon_not_ranged", {"action.weapon": "blade"}),
        Fault("bad_path_point", {"action.path_point": {"leg": 0, "permille": 500}}),
        *AT_TARGET,
    ),
)
DEEDS: Final = (
    *(ACTIVATE, MOVE, CHARGE, UNMASK, MASK, of_unit("end_movement", "movement", "action")),
    *(SHOOT, FIGHT, SING_AT_POINT, SING_AT_TARGET, SING_RAY, GUARD),
    *(of_unit("end_activation", "action", "movement"), END_TURN, STOP, DAMPEN_LASTING, GUARD_SHOOT),
)
