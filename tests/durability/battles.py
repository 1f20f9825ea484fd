"""The battles that are fought: long ones, in which nobody ever falls."""

COMBATANTS = 8


def fighter(index: int) -> dict[str, object]:
    """One of two lines that face each other at 30 feet, too tough to fall."""
    line, place = divmod(index, COMBATANTS // 2)
    rifle = {
        "id": "rifle",
        "kind": "ranged",
        "attack_dice": 6,
        "damage_dice": 2,
        "range_increment_ft": 60,
    }
    return {
        "id": f"c{index}",
        "name": f"fighter {index}",
        "side": ("red", "blue")[line],
        "place": {"x": line * 6, "y": place * 3},
        "health": 10_000,
        "health_max": 10_000,
        "soak": 100,
        "ranged_defence": 18,
        "melee_defence": 15,
        "int_pool": 3,
        "agi_pool": 3,
        "weapons": [rifle],
    }


def creation() -> dict[str, object]:
    """An encounter whose order is given, so that nobody rolls for it."""
    return {
        "ruleset": "crossfire-d6",
        "sides": [{"id": "red"}, {"id": "blue"}],
        "setup": {
            "options": {"initiative": "fixed", "actions_per_turn": 5, "pin_cap": 3},
            "combatants": [fighter(index) for index in range(COMBATANTS)],
        },
    }
