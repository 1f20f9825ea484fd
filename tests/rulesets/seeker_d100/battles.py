"""Random battles: setups from a number, played by sampled actions and answers at random."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from service.errors import Refused
from tests.rulesets.seeker_d100.table import Table, fighter, weapon

WIDTH, HEIGHT = 24, 16
PLAYER_OF = {"red": "ann", "blue": "bob", "green": "gm"}
GUNS = (
    "w_pistol_small",
    "w_revolver",
    "w_shotgun",
    "w_smg",
    "w_assault_rifle",
    "w_heavy_rifle",
    "w_lmg",
    "w_hmg",
    "w_grenade",
    "w_ied",
)
BLADES = ("w_knuckles", "w_knife", "w_combat_knife", "w_machete")
THROWN = {"id": "axe", "skill": "athletics", "damage": {"sides": 6}, "range_m": 12}
BOW = {"id": "bow", "skill": "ranged", "delivery": "arrow", "damage": {"count": 2, "sides": 6}}
SKILLS = (
    "ranged",
    "athletics",
    "melee_weapon",
    "unarmed",
    "heavy_weapons",
    "demolitions",
    "dodge",
)

Action = Mapping[str, Any]
Deed = Callable[[Table, Action, str], object]


def random_setup(number: int, *, with_secrets: bool = False) -> dict[str, Any]:
    """The setup of battle `number`: 6 to 10 combatants of two or three sides among covers.

    `with_secrets` hides some of them and some cover, and lets the table hide numbers.
    """
    dice = Random(number)
    sides = ["red", "blue"] + (["green"] if dice.random() < 0.3 else [])
    spots = [(x, y) for y in range(HEIGHT) for x in range(WIDTH)]
    centre = dice.choice(spots)
    spots.sort(key=lambda spot: (abs(spot[0] - centre[0]) + abs(spot[1] - centre[1]), spot))
    near = spots[:60]
    dice.shuffle(near)
    combatants = [
        random_fighter(dice, f"f{index}", sides[index % len(sides)], near.pop(), with_secrets)
        for index in range(dice.randint(6, 10))
    ]
    setup: dict[str, Any] = {
        "options": random_options(dice, with_secrets),
        "map": {"cover": [random_cover(dice, f"c{index}") for index in range(dice.randint(0, 25))]},
        "combatants": combatants,
    }
    if with_secrets:
        setup["hidden_cover"] = [random_change(dice, f"h{index}") for index in range(2)]
    return setup


def random_cover(dice: Random, name: str) -> dict[str, Any]:
    """A wall of up to six metres, standing or lying or aslant."""
    x, y = dice.randrange(WIDTH), dice.randrange(HEIGHT)
    end = {"x": x + dice.randint(-4, 4), "y": y + dice.randint(-4, 4)}
    parts = ["head", "left_arm", "right_arm", "left_leg", "right_leg"]
    return {
        "id": name,
        "start": {"x": x, "y": y},
        "end": end,
        "degree": dice.choice(["partial", "large"]),
        "armour": dice.choice([5, 10, 15]),
        "exposed": parts[dice.randint(0, 3) :],
    }


def random_change(dice: Random, name: str) -> dict[str, Any]:
    """A cover as the game master states it anew."""
    ground = {each: value for each, value in random_cover(dice, name).items() if each != "id"}
    return {"feature": name, "terrain": ground}


def random_fighter(
    dice: Random, name: str, side: str, spot: tuple[int, int], with_secrets: bool
) -> dict[str, Any]:
    """A combatant with a gun, a blade and things to throw."""
    gun = weapon(dice.choice((*GUNS, "w_lmg", "w_grenade")))
    if dice.random() < 0.3:
        gun = {**gun, "ammo": dice.randint(1, 5), "shots": {"min": 1, "max": 3}}
    items = [weapon(dice.choice(BLADES)), THROWN, BOW]
    armour: dict[str, Any] = {
        "body_armour": {"value": dice.randint(1, 6), "parts": ["torso", "left_leg"]}
    }
    more: dict[str, Any] = armour if dice.random() < 0.4 else {}
    return fighter(
        name,
        side,
        *spot,
        health=dice.randint(6, 40),
        strength=dice.randint(0, 20),
        dexterity=dice.randint(0, 20),
        skills={skill: dice.randint(20, 95) for skill in SKILLS},
        weapons=[gun, *dice.sample(items, 2)],
        held_items=["radio", gun["id"]],
        free_hands=dice.randint(0, 2),
        helmet=dice.random() < 0.3,
        conditions=["unaware"] if dice.random() < 0.1 else [],
        hidden=with_secrets and dice.random() < 0.3,
        **more,
    )


def random_options(dice: Random, with_secrets: bool) -> dict[str, Any]:
    """Options, half of them otherwise than usual."""
    options: dict[str, Any] = {
        "melee_reach_sq": dice.choice([2, 4, 9]),
        "deck": dice.choice([52, 54]),
        "ace": dice.choice(["high", "low"]),
        "redraw_each_round": dice.random() < 0.3,
        "doubles": dice.random() < 0.7,
        "reactions": "none" if dice.random() < 0.1 else "prompt",
        "opposed_die": dice.choice(["high", "low"]),
        "called_open_penalty": dice.choice([-20, 0]),
        "called_ignores_armour": dice.choice(["uncovering", "all"]),
        "break_free_versus": dice.choice(["new_roll", "grapple_roll"]),
        "held_bonus": dice.choice(["melee", "unarmed"]),
        "critical_doubles_damage": dice.random() < 0.7,
        "attack_roll_kills": dice.random() < 0.5,
        "lethality_critical": dice.choice(["double", "instant"]),
        "body_vs_lethality": dice.choice(["none", "downgrade"]),
        "cover_vs_lethality": dice.choice(["none", "downgrade"]),
        "unconscious_at": dice.choice([0, 2, 5]),
    }
    if with_secrets:
        options["enemy_numbers"] = dice.choice(["shown", "hidden"])
        options["enemy_health"] = dice.choice(["exact", "band", "none"])
        options["breakdowns"] = dice.choice(["all", "own", "none"])
        options["attack_reveals"] = dice.random() < 0.5
    return options


def ask(table: Table, action: Action, by: str = "gm") -> None:
    """Take an action; where the table rolls its dice, the game master brings what is needed."""
    faces: tuple[int, ...] = ()
    dice = Random(f"{len(table.events)}")
    while True:
        try:
            table.ask(action, by, faces)
        except Refused as refused:
            if refused.code != "too_few_faces":
                raise
            faces += (dice.randint(1, int(str(refused.params["sides"]))),)
        else:
            return


def play(
    table: Table,
    number: int,
    events: int,
    *,
    by: Callable[[str], str] = lambda side: "gm",
    deed: Deed = ask,
) -> None:
    """Start the battle and play so many actions, or until nobody can act.

    `by` says who acts for a side; `deed` takes each action.
    """
    dice = Random(number)
    ask(table, {"type": "start_encounter"})
    for _ in range(events):
        chosen = next_deed(table, dice, by)
        if chosen is None:
            return
        deed(table, *chosen)


def next_deed(
    table: Table, dice: Random, by: Callable[[str], str] = lambda side: "gm"
) -> tuple[Action, str] | None:
    """What happens next and who asks for it: an answer where one is awaited, else a sample."""
    if table.state.rule.pending:
        return random_answer(table, dice, by)
    combatant = table.turn
    if combatant is None:
        return None
    who = by(table.combatant(combatant).side)
    return dice.choice(table.samples(combatant, 8, who)), who


def random_answer(table: Table, dice: Random, by: Callable[[str], str]) -> tuple[Action, str]:
    """An answer to one of the open decisions, in any order; now and then none is given."""
    decision = dice.choice(table.state.rule.pending[-1].decisions)
    asked = {"type": "answer", "decision_id": decision.id}
    if decision.kind == "roll":
        who = decision.seat or next((by(s) for s in [decision.side] if s), "gm")
        return {**asked, "choice": {"type": "roll"}}, who
    who = by(decision.side)
    chance = dice.random()
    if chance < 0.1:
        return {"type": "force_pass", "decision_id": decision.id}, "gm"
    if chance < 0.2:
        return {**asked, "choice": {"type": "pass", "reason": "timeout"}}, who
    return dice.choice(table.samples(decision.combatant, 6, who)), who
