"""What the catalogue of this ruleset must hold."""

from service.rulesets.crossfire_d6.rules.cover import (
    NOTE_ALREADY_APPLIED,
    NOTE_IGNORED,
    NOTE_RECKLESS,
)
from tests.kit.rig import Wording

WORDING = Wording(
    rule_count=56,
    words=frozenset({NOTE_ALREADY_APPLIED, NOTE_IGNORED, NOTE_RECKLESS}),
    purposes=frozenset({"initiative", "attack", "damage", "hide"}),
    places={
        "option_disabled": {"option": ["allow_reckless_fire"]},
        "wrong_weapon_kind": {"kind": ["melee", "ranged"], "needed": ["ranged", "melee"]},
    },
    unsourced=(
        "CF-RANGE-3",
        *(f"CF-GEO-{number}" for number in range(1, 7)),
        *(f"CF-SD-{number}" for number in range(1, 5)),
    ),
    # The two codes for solids in the way are handed to one function.
    codes=frozenset({"cell_impassable", "diagonal_blocked"}),
    ruleless=frozenset(
        {"cell_impassable", "cell_occupied", "diagonal_blocked", "off_map", "out_of_reach"}
        | {"path_not_contiguous", "path_too_long", "prone_cannot_walk"}
    ),
)
