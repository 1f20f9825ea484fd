"""What the catalogue of this ruleset must hold."""

from typing import get_args

from service.rulesets.tactical_d20.effects import ResolvedOutcome, SaveOutcome
from service.rulesets.tactical_d20.rules import words
from service.rulesets.tactical_d20.state import Condition
from service.rulesets.tactical_d20.weapons import Defence
from tests.kit.rig import Wording

VOCABULARIES = (
    words.AttackMode,
    words.CoverGrade,
    Condition,
    Defence,
    words.Gravity,
    words.Light,
    ResolvedOutcome,
    SaveOutcome,
    words.Sense,
)

WORDING = Wording(
    rule_count=47,
    words=frozenset({"not_stacking", "spreads"})
    | {word for vocabulary in VOCABULARIES for word in get_args(vocabulary)},
    purposes=frozenset({"initiative", "attack", "miss_chance", "damage", "reflex"}),
    places={
        "no_action_left": {"needed": ["standard", "move", "swift"]},
        "target_has_cover": {"grade": ["partial", "normal", "improved", "total"]},
    },
    unsourced=(
        "TD-COVER-8",
        *(f"TD-GEO-{number}" for number in range(1, 8)),
        *(f"TD-SD-{number}" for number in range(1, 5)),
    ),
    ruleless=frozenset(
        {"cell_impassable", "cell_occupied", "off_map", "path_not_contiguous", "prone_cannot_walk"}
    ),
)
