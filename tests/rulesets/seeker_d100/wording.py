"""What the catalogue of this ruleset must hold."""

from collections.abc import Mapping, Sequence
from typing import get_args

from service.rulesets.seeker_d100.rules.aim import AimLost
from service.rulesets.seeker_d100.rules.armour import NOTE_BODY, NOTE_COVER, NOTE_HELMET
from service.rulesets.seeker_d100.rules.attack import AttackOutcome
from service.rulesets.seeker_d100.rules.called import cover_modifier
from service.rulesets.seeker_d100.rules.checks import NOTE_GM, OUTCOMES
from service.rulesets.seeker_d100.rules.damage import NOTE_CRITICAL, NOTE_FLOOR
from service.rulesets.seeker_d100.rules.grapple import AT_HELD, BY_HELD, BY_HOLDER, STEP, HoldEnd
from service.rulesets.seeker_d100.rules.lethality import KilledBy
from service.rulesets.seeker_d100.rules.opposed import OpposedOutcome, Why
from service.rulesets.seeker_d100.rules.words import (
    Answered,
    ArmouredPart,
    AttackKind,
    BodyPart,
    Delivery,
    FelledState,
    Gait,
    Intent,
    ReactionOption,
    Skill,
)
from tests.kit.rig import Wording

NOTES = frozenset(
    {NOTE_GM, NOTE_FLOOR, NOTE_CRITICAL, NOTE_BODY, NOTE_HELMET, NOTE_COVER}
    | {str(cover_modifier(degree).note) for degree in ("partial", "large")}
)
PURPOSES = frozenset(
    {"card", "attack", "dodge", "resist", "take_cover", "lethality", "damage", "digits"}
    | {"break_free", "movement"}
)
VOCABULARIES = (
    AttackOutcome,
    OpposedOutcome,
    Why,
    KilledBy,
    AimLost,
    HoldEnd,
    Answered,
    ArmouredPart,
    AttackKind,
    Delivery,
    FelledState,
    Gait,
    Intent,
    ReactionOption,
    Skill,
)
DEEDS = (*get_args(AttackKind), "move", "aim", "release", "break_free", "end_turn", STEP)
PLACES: Mapping[str, Mapping[str, Sequence[object]]] = {
    "held": {"action": DEEDS, "allowed": [list(BY_HELD)]},
    "holding_target": {"action": DEEDS, "allowed": [[*AT_HELD, *BY_HOLDER]]},
    "bad_body_part": {"allowed": [list(get_args(BodyPart))]},
    "part_not_exposed": {
        "part": get_args(ArmouredPart),
        "allowed": [list(get_args(ArmouredPart))],
    },
    "invalid_field": {
        "field": ["part", "over_cover", "intent", "point"],
        "allowed": [["target"], ["part"], ["over_cover"], list(get_args(Skill))],
    },
    "reaction_not_possible": {
        "choice": get_args(ReactionOption),
        "allowed": [list(get_args(ReactionOption))],
    },
    "too_far": {"gait": get_args(Gait)},
}
WORDING = Wording(
    rule_count=73,
    words=NOTES
    | frozenset(OUTCOMES)
    | {word for vocabulary in VOCABULARIES for word in get_args(vocabulary)},
    purposes=PURPOSES,
    places=PLACES,
    unsourced=(
        "SK-INIT-2",
        "SK-INIT-3",
        "SK-CHECK-3",
        "SK-CHECK-4",
        "SK-ORD-1",
        "SK-AIM-3",
        "SK-STAND-2",
        "SK-STAND-3",
        "SK-REACT-2",
        "SK-REACT-3",
        "SK-MOVE-2",
        "SK-GRAB-5",
        "SK-DMG-2",
        "SK-DMG-3",
        "SK-AREA-2",
        "SK-LETH-7",
        "SK-ARM-5",
    ),
)
