"""What is played on each ruleset: a battle whose actions can be repeated for ever."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from _melody import debris, melody, sling_shots, songs
from msgspec import Struct

from service.rulesets import RULESETS

Tree = Mapping[str, Any]

COMBATANTS: Final = 8
CROWD: Final = 20
SHOTS_PER_TURN: Final = 5


class Battle(Struct, frozen=True, kw_only=True):
    """One ruleset's battles, as bodies of the HTTP interface.

    `cycle` can be played over and over on `creation`; `unordered` are actions of the first turn
    that many clients may send at once, in any order. `crowd` is a battle of 20 combatants with
    a separate cycle, and `previews` are what is asked of it, one for each turn of that cycle.
    `common` and `heavy` are the types of the most common and the heaviest action, the one looked
    for in `cycle`, the other in `crowd_cycle`.
    """

    creation: Tree
    cycle: tuple[Tree, ...]
    unordered: tuple[Tree, ...]
    crowd: Tree
    crowd_cycle: tuple[Tree, ...]
    previews: tuple[Tree, ...]
    common: str
    heavy: str


def _gunner(index: int, count: int) -> Tree:
    """One of two lines that face each other at 30 feet, too tough to fall."""
    line, place = divmod(index, count // 2)
    rifle = {"attack_dice": 6, "damage_dice": 2, "range_increment_ft": 60}
    return {
        "id": f"c{index}",
        "side": ("red", "blue")[line],
        "place": {"x": 1 + line * 6, "y": 1 + place * 3},
        "health": 10_000,
        "health_max": 10_000,
        "soak": 100,
        "ranged_defence": 18,
        "melee_defence": 15,
        "int_pool": 3,
        "agi_pool": 3,
        "weapons": [{"id": "rifle", "kind": "ranged", **rifle}],
    }


def _crossfire(count: int, **setup: object) -> Tree:
    """An encounter whose order is given, so that nobody rolls for it."""
    options = {"initiative": "fixed", "actions_per_turn": SHOTS_PER_TURN, "pin_cap": 3}
    combatants = [_gunner(index, count) for index in range(count)]
    return {
        "ruleset": "crossfire-d6",
        "sides": [{"id": "red"}, {"id": "blue"}],
        "setup": {"options": options, "combatants": combatants, **setup},
    }


def _shot(shooter: int, count: int) -> Tree:
    target = f"c{(shooter + count // 2) % count}"
    return {
        "type": "ranged_attack",
        "combatant": f"c{shooter}",
        "weapon": "rifle",
        "target": target,
    }


def _volleys(count: int) -> tuple[Tree, ...]:
    """A round in which everybody shoots at whoever is opposite."""
    return tuple(
        action
        for turn in range(count)
        for action in (
            *[_shot(turn, count)] * SHOTS_PER_TURN,
            {"type": "end_turn", "combatant": f"c{turn}"},
        )
    )


def _ground() -> Tree:
    """A yard with walls, crates and smoke in no great order, but none between opposite places."""
    kinds = {0: "#", 1: "c", 2: "s"}
    side = 40
    rows = [
        "".join(
            "." if y % 3 == 1 else kinds.get((x * 7 + y * 13 + x * y) % 23, ".")
            for x in range(side)
        )
        for y in range(side)
    ]
    return {"form": "ascii", "rows": rows}


def _agent(index: int, count: int) -> Tree:
    """One of two lines 20 metres apart, in armour that lets nothing through."""
    line, place = divmod(index, count // 2)
    blast = {"skill": "heavy_weapons", "delivery": "bullet", "radius": {"min": 100, "max": 100}}
    return {
        "id": f"c{index}",
        "side": ("red", "blue")[line],
        "place": {"x": line * 20, "y": place * 2},
        "health": 1_000,
        "skills": {"ranged": 50, "heavy_weapons": 90, "dodge": 50},
        "body_armour": {"value": 100},
        "weapons": [
            {"id": "revolver", "sample": "w_revolver"},
            {"id": "gun", "lethality": 10, **blast},
        ],
    }


def _card(place: int) -> int:
    """The card of the n-th turn: aces first, spades before clubs, hearts and diamonds."""
    return 4 * (12 - place // 4) + place % 4


def _seeker(count: int, **setup: object) -> Tree:
    """An encounter whose cards are given; nobody answers, and a lethal hit only costs health."""
    options = {"reactions": "none", "attack_roll_kills": False, "body_vs_lethality": "downgrade"}
    cards = [{"combatant": f"c{index}", "card": _card(index)} for index in range(count)]
    return {
        "ruleset": "seeker-d100",
        "sides": [{"id": "red"}, {"id": "blue"}],
        "setup": {
            "options": options,
            "combatants": [_agent(index, count) for index in range(count)],
            "battle": {"cards": cards},
            **setup,
        },
    }


def _attacks(weapon: str, count: int) -> tuple[Tree, ...]:
    """A round in which everybody attacks whoever is opposite."""
    return tuple(
        {
            "type": "attack",
            "combatant": f"c{turn}",
            "weapon": weapon,
            "target": f"c{(turn + count // 2) % count}",
        }
        for turn in range(count)
    )


def _walls() -> Tree:
    """Twenty covers between the lines, none in the way of opposite places."""
    return {
        "cover": [
            {
                "id": f"w{index}",
                "start": {"x": 5 + index % 10, "y": 4 * (index // 2) + 1},
                "end": {"x": 7 + index % 10, "y": 4 * (index // 2) + 1},
                "degree": "partial",
                "armour": 5,
            }
            for index in range(CROWD)
        ]
    }


def _archer(index: int, count: int) -> Tree:
    """One of two lines that face each other at 30 feet; what hits it hurts nobody."""
    line, place = divmod(index, count // 2)
    harmless = {"count": 2, "sides": 6, "bonus": -100}
    bow = {"id": "bow", "kind": "ranged", "range_increment_ft": 60}
    return {
        "id": f"c{index}",
        "side": ("red", "blue")[line],
        "place": {"x": 1 + line * 6, "y": 1 + place * 3},
        "health_max": 100,
        "ac": {"kac": 15},
        "weapons": [
            {**bow, "attack_bonus": 5, "damage": harmless},
            {"id": "sword", "kind": "melee", "attack_bonus": 5, "damage": harmless},
        ],
        "areas": [{"id": "blast", "radius_ft": 200, "dc": 12, "damage": harmless}],
    }


def _tactical(count: int, **setup: object) -> Tree:
    """An encounter whose order is given, so that nobody rolls for it."""
    names = [f"c{index}" for index in range(count)]
    return {
        "ruleset": "tactical-d20",
        "sides": [{"id": "red"}, {"id": "blue"}],
        "setup": {
            "combatants": [_archer(index, count) for index in range(count)],
            "battle": {"order": [{"combatant": name} for name in names], "turn": names[0]},
            **setup,
        },
    }


def _bow_shots(count: int) -> tuple[Tree, ...]:
    """A shot of everybody at whoever is opposite."""
    return tuple(
        {
            "type": "attack",
            "combatant": f"c{turn}",
            "weapon": "bow",
            "target": f"c{(turn + count // 2) % count}",
        }
        for turn in range(count)
    )


def _blasts(count: int) -> tuple[Tree, ...]:
    """An area of everybody that takes in all of them."""
    return tuple(
        {
            "type": "area_attack",
            "combatant": f"c{turn}",
            "area": "blast",
            "origin": {"x": 4, "y": 3 * count // 4},
        }
        for turn in range(count)
    )


def _trooper(index: int, count: int) -> Tree:
    """One of two lines 8 cells apart, in armour that lets nothing through."""
    line, place = divmod(index, count // 2)
    return {
        "id": f"c{index}",
        "side": ("red", "blue")[line],
        "kind": "mercenary",
        "place": {"x": 1 + line * 8, "y": 1 + place * 3},
        "strength": 100,
        "armour_class": 100,
        "weapons": [
            {
                "id": "rifle",
                "kind": "automatic_rifle",
                "ap_class": 3,
                "damage": {"count": 2, "sides": 10},
                "magazine": 1000,
            }
        ],
        "grenades": [
            {"id": "frag", "damage": {"count": 3, "sides": 6}, "ap_class": 3, "radius": 20}
            | {"count": 1000}
        ],
    }


def _squad(count: int, rows: tuple[str, ...]) -> Tree:
    """An encounter in which side follows side, and hits hurt nobody."""
    options = {
        "turn_order": "sides",
        "crit_success_max": 0,
        "universal_table": [[0, 0, 0]] * 6,
    }
    return {
        "ruleset": "squad-d100",
        "sides": [{"id": "red"}, {"id": "blue"}],
        "setup": {
            "options": options,
            "map": {"text": "\n".join(rows)},
            "combatants": [_trooper(index, count) for index in range(count)],
        },
    }


def _clear() -> tuple[str, ...]:
    return ("." * 12,) * (3 * COMBATANTS // 2)


def _built_up() -> tuple[str, ...]:
    """A yard with walls, crates and cover in no great order, but none between opposite places."""
    kinds = {0: "█", 1: "x", 2: "|"}
    side = 40
    return tuple(
        "".join(
            "." if y % 3 == 1 else kinds.get((x * 7 + y * 13 + x * y) % 23, ".")
            for x in range(side)
        )
        for y in range(side)
    )


def _rifle_shots(count: int) -> tuple[Tree, ...]:
    """An aimed shot of everybody at whoever is opposite, then everybody reloads."""
    shots = tuple(
        {
            "type": "aimed_shot",
            "combatant": f"c{turn}",
            "weapon": "rifle",
            "target": f"c{(turn + count // 2) % count}",
        }
        for turn in range(count)
    )
    reloads = tuple(
        {"type": "reload", "combatant": f"c{turn}", "weapon": "rifle"} for turn in range(count)
    )
    return (*shots, *reloads)


def _throws(count: int) -> tuple[Tree, ...]:
    """A grenade of everybody into the middle of the own row, with a blast as wide as can be."""
    return tuple(
        {
            "type": "throw_grenade",
            "combatant": f"c{turn}",
            "grenade": "frag",
            "cell": {"x": 5, "y": 1 + 3 * (turn % (count // 2))},
        }
        for turn in range(count)
    )


def _with_turns(actions: tuple[Tree, ...]) -> tuple[Tree, ...]:
    """Each action as a separate turn."""
    return tuple(
        step
        for action in actions
        for step in (action, {"type": "end_turn", "combatant": action["combatant"]})
    )


BATTLES: Final[Mapping[str, Battle]] = {
    "crossfire-d6": Battle(
        creation=_crossfire(COMBATANTS),
        cycle=_volleys(COMBATANTS),
        unordered=tuple(
            {"type": "set_facing", "combatant": "c0", "facing": facing}
            for facing in ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
        ),
        crowd=_crossfire(CROWD, map=_ground()),
        crowd_cycle=_volleys(CROWD),
        previews=tuple(_shot(turn, CROWD) for turn in range(CROWD)),
        common="ranged_attack",
        heavy="ranged_attack",
    ),
    "seeker-d100": Battle(
        creation=_seeker(COMBATANTS),
        cycle=_attacks("revolver", COMBATANTS),
        unordered=({"type": "note", "text": "Nothing happened."},),
        crowd=_seeker(CROWD, map=_walls()),
        crowd_cycle=_attacks("gun", CROWD),
        previews=_attacks("gun", CROWD),
        common="attack",
        heavy="attack",
    ),
    "tactical-d20": Battle(
        creation=_tactical(COMBATANTS),
        cycle=_with_turns(_bow_shots(COMBATANTS)),
        unordered=({"type": "note", "text": "Nothing happened."},),
        crowd=_tactical(CROWD, map=_ground()),
        crowd_cycle=_with_turns(_blasts(CROWD)),
        previews=_bow_shots(CROWD),
        common="attack",
        heavy="area_attack",
    ),
    "squad-d100": Battle(
        creation=_squad(COMBATANTS, _clear()),
        cycle=_with_turns(_rifle_shots(COMBATANTS)),
        unordered=({"type": "note", "text": "Nothing happened."},),
        crowd=_squad(CROWD, _built_up()),
        crowd_cycle=_with_turns(_throws(CROWD)),
        previews=_throws(CROWD),
        common="aimed_shot",
        heavy="throw_grenade",
    ),
    "melody-d6": Battle(
        creation=melody(COMBATANTS),
        cycle=sling_shots(COMBATANTS),
        unordered=({"type": "note", "text": "Nothing happened."},),
        crowd=melody(CROWD, *(debris(index) for index in range(32))),
        crowd_cycle=songs(CROWD),
        previews=tuple(each for each in songs(CROWD) if each["type"] == "sing"),
        common="shoot",
        heavy="sing",
    ),
}
"""By slug; a ruleset that is not here is not measured."""


def secretive(creation: Tree) -> Tree:
    """The same encounter, but that each side knows no numbers but its own."""
    setup = creation["setup"]
    options = {**setup.get("options", {}), "enemy_numbers": "hidden"}
    return {**creation, "setup": {**setup, "options": options}}


def measured() -> tuple[str, ...]:
    """The slugs of the rulesets that have a battle here, in the order of their table."""
    return tuple(slug for slug in dict.fromkeys(slug for slug, _ in RULESETS) if slug in BATTLES)


LARGEST: Final = 500
"""Combatants of the largest battle."""


class LargestBattle(Struct, frozen=True, kw_only=True):
    """A battle of as many combatants as the limits allow, and an action that meets most of them."""

    creation: Tree
    heavy: Tree
    common: Tree


def largest(slug: str) -> LargestBattle:
    """The largest battle of a ruleset, in two blocks that face each other."""
    makes: Mapping[str, Callable[[], Tree]] = {
        "crossfire-d6": lambda: _crossfire(LARGEST),
        "seeker-d100": lambda: _seeker(_CARDS),
        "melody-d6": lambda: _largest_melody(LARGEST),
        "tactical-d20": lambda: _tactical(LARGEST),
        "squad-d100": lambda: _squad(LARGEST, ("." * 40,) * 40),
    }
    creation = makes[slug]()
    count = len(creation["setup"]["combatants"])
    scale = 1000 if slug == "melody-d6" else 1
    setup = creation["setup"]
    combatants = [
        {**each, "place": _in_block(index, count, scale)}
        for index, each in enumerate(setup["combatants"])
    ]
    heavy, common = _LARGEST_ACTIONS[slug]
    return LargestBattle(
        creation={**creation, "setup": {**setup, "combatants": combatants}},
        heavy=heavy,
        common=common,
    )


def _in_block(index: int, count: int, scale: int) -> Tree:
    """A place in one of two blocks of ten columns."""
    line, place = divmod(index, count // 2)
    column, row = place % 10, place // 10
    return {"x": scale * (1 + line * 12 + column), "y": scale * (1 + row)}


def _largest_melody(count: int) -> Tree:
    """In as many units as there may be."""
    creation = melody(count)
    setup = creation["setup"]
    units = [
        {"id": f"u{unit}", "side": ("red", "blue")[2 * unit // _UNITS], "kind": "squad"}
        for unit in range(_UNITS)
    ]
    combatants = [
        {**each, "unit": f"u{index * _UNITS // count}"}
        for index, each in enumerate(setup["combatants"])
    ]
    return {**creation, "setup": {**setup, "units": units, "combatants": combatants}}


_UNITS: Final = 40
_CARDS: Final = 52
"""Each combatant of seeker-d100 has a separate card."""
_LARGEST_ACTIONS: Final[Mapping[str, tuple[Tree, Tree]]] = {
    "crossfire-d6": (_shot(0, LARGEST), _shot(0, LARGEST)),
    "seeker-d100": (
        {"type": "attack", "combatant": "c0", "weapon": "gun", "target": f"c{_CARDS // 2}"},
        {"type": "attack", "combatant": "c0", "weapon": "revolver", "target": f"c{_CARDS // 2}"},
    ),
    "melody-d6": ({"type": "activate_unit", "unit": "u0"},) * 2,
    "tactical-d20": (_blasts(LARGEST)[0], _bow_shots(LARGEST)[0]),
    "squad-d100": (_throws(LARGEST)[0], _rifle_shots(LARGEST)[0]),
}
