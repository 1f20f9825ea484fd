"""What the catalogue of this ruleset must hold."""

from typing import get_args

from service.rulesets.squad_d100.map_text import WrongEntry, WrongUnder
from service.rulesets.squad_d100.rules.armour import ArmourReason, Zone
from service.rulesets.squad_d100.rules.shots import Manner, Outcome, Waste
from service.rulesets.squad_d100.rules.terrain import Terrain
from service.rulesets.squad_d100.rules.turns import Phase
from service.rulesets.squad_d100.rules.words import Character, Kind, NoShot, Posture
from service.rulesets.squad_d100.rules.wounds import WoundKind, WoundWording
from service.rulesets.squad_d100.state import Condition
from tests.kit.rig import Wording

VOCABULARIES = (
    ArmourReason,
    Condition,
    Kind,
    Manner,
    NoShot,
    Outcome,
    Phase,
    Posture,
    Terrain,
    Waste,
    WoundKind,
    WoundWording,
    Zone,
)
NOTES = frozenset(
    {"mode", "shooter_kneeling", "target_kneeling", "target_cover", "weapon_range", "gm"}
)
"""Entries of a breakdown, in the words of section 5."""

WORDING = Wording(
    rule_count=77,
    words=NOTES | {word for vocabulary in VOCABULARIES for word in get_args(vocabulary)},
    purposes=frozenset(
        {"attack", "suppression", "throw", "scatter", "damage", "explosion", "vigilance"}
    ),
    places={
        "wrong_phase": {"phase": get_args(Phase)},
        "map_duplicate_named": {"character": get_args(Character)},
        "map_unknown_glyph": {"looks_like_meaning": ["cover", "vika_greshovski"]},
        "map_bad_under": {"why": get_args(WrongUnder)},
        "map_bad_roster": {"why": get_args(WrongEntry)},
    },
    unsourced=(
        *("SQ-LOS-1", "SQ-LOS-2", "SQ-MOVE-4", "SQ-MOVE-5", "SQ-POSE-5", "SQ-DOOR-1", "SQ-FIRE-2"),
        *("SQ-SHOOT-9", "SQ-RANGE-5", "SQ-GREN-2", "SQ-GREN-3", "SQ-GREN-4", "SQ-SUP-6"),
        *("SQ-MELEE-3", "SQ-WOUND-4", "SQ-WOUND-6", "SQ-VIG-3", "SQ-VIG-4", "SQ-VIG-5", "SQ-EXP-3"),
    ),
    ruleless=frozenset({"not_a_step", "out_of_map"}),
)
