"""What the catalogue of this ruleset must hold."""

from typing import get_args

from service.rulesets.melody_d6.attack_effects import AttackMode, AttackOutcome
from service.rulesets.melody_d6.deciding.guard import GuardEnd
from service.rulesets.melody_d6.melodies import Colour, Duration, Targeting, TargetSide
from service.rulesets.melody_d6.misfits import Reason
from service.rulesets.melody_d6.options import DampenLimit
from service.rulesets.melody_d6.questions import GuardTrigger, Kind
from service.rulesets.melody_d6.rules.lasting import Ending, TargetKind
from service.rulesets.melody_d6.rules.masking import UnmaskCause
from service.rulesets.melody_d6.rules.shooting import RollReason
from service.rulesets.melody_d6.rules.songs import Classification, RerollSource
from service.rulesets.melody_d6.state import (
    Band,
    Condition,
    Edge,
    FelledState,
    Phase,
    Resource,
    UnitKind,
)
from service.rulesets.melody_d6.terrain import FeatureKind, Height, MaskMode
from tests.kit.rig import Wording

VOCABULARIES = (
    *(AttackMode, AttackOutcome, Band, Classification, Colour, Condition, Duration, Edge, Ending),
    *(FeatureKind, FelledState, GuardEnd, GuardTrigger, Height, Kind, MaskMode, Phase, Reason),
    *(RerollSource, Resource, RollReason, TargetKind, TargetSide, Targeting, UnitKind, UnmaskCause),
)
NOTES = frozenset(
    {
        *("long_range", "cover", "dazed", "melody_by", "melody_at", "melody_song"),
        *("guard_fleeting", "guard_charged", "modifier"),
    }
)
"""Entries of a breakdown, in the words of section 5."""
OUTCOMES = frozenset({"success", "failure", "out_of_reach"})
CAUSES = frozenset({"contact", "blocked", "flight", "push", "attack", "melody", "mistake"})

WORDING = Wording(
    rule_count=116,
    words=NOTES
    | OUTCOMES
    | CAUSES
    | {word for vocabulary in VOCABULARIES for word in get_args(vocabulary)},
    purposes=frozenset(
        {
            *("initiative", "song", "dampening", "mistake", "template", "resistance"),
            *("attack", "defence", "wound", "save", "mobility", "panic", "rally", "detection"),
        }
    ),
    places={
        "wrong_phase": {"phase": get_args(Phase)},
        "invalid_setup": {"reason": get_args(Reason)},
        "target_wrong_side": {"allowed": get_args(TargetSide)},
        "reroll_unavailable": {"source": get_args(RerollSource)},
        "dampen_limit": {"limit": get_args(DampenLimit)},
        "no_such_decision": {"allowed": [["guard_shoot", "pass"], ["reroll"], ["dampen"]]},
    },
    codes=frozenset({"already_moved", "action_spent"}),
    unsourced=(
        *("ML-GEO-4", "ML-GEO-6", "ML-GEO-8", "ML-GEO-10", "ML-GEO-11", "ML-GEO-12", "ML-GEO-13"),
        *("ML-TURN-1", "ML-TURN-3", "ML-TURN-4", "ML-TURN-6"),
        *("ML-MOVE-1", "ML-MOVE-2", "ML-MOVE-3", "ML-MOVE-4", "ML-MOVE-5", "ML-MOVE-7"),
        *("ML-SING-8", "ML-SING-11", "ML-SING-12", "ML-HOARSE-1", "ML-TPL-3", "ML-TPL-4"),
        *("ML-LAST-9", "ML-MASK-7", "ML-MASK-13", "ML-AMB-6"),
        *("ML-SHOOT-1", "ML-SHOOT-2", "ML-SHOOT-3", "ML-SHOOT-4", "ML-SHOOT-5", "ML-SHOOT-6"),
        *("ML-FIGHT-1", "ML-PANIC-2", "ML-PANIC-3", "ML-PANIC-4", "ML-STUN-1"),
    ),
    ruleless=frozenset({"path_empty"}),
)
