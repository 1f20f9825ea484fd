"""How masking is lost, whatever takes it (ML-MASK-15)."""

from typing import Final

from msgspec import UNSET, UnsetType

from service.engine.battle.roster import existing
from service.engine.vocabulary import effects as fx
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.rules.detection import ML_MASK_9, ML_MASK_12
from service.rulesets.melody_d6.rules.guard import ML_GUARD_11
from service.rulesets.melody_d6.rules.masking import (
    ML_MASK_6,
    ML_MASK_7,
    ML_MASK_15,
    UnmaskCause,
)
from service.rulesets.melody_d6.state import is_masked

_RULES: Final[dict[UnmaskCause, str]] = {
    "attacked": ML_MASK_6,
    "charged": ML_MASK_6,
    "sang": ML_MASK_7,
    "detected_auto": ML_MASK_9,
    "detected_roll": ML_MASK_12,
}


def lose_mask(
    effects: BattleEffects,
    combatant: str,
    cause: UnmaskCause,
    *,
    fleeting: bool = False,
    by: str | UnsetType = UNSET,
) -> None:
    """A warrior is masked no longer, if it was; `by` is who has detected it.

    Where that is its own deed in its activation, it is a `fleeting` target from now on.
    """
    if not is_masked(existing(effects.rule, combatant)):
        return
    source = UNSET if by is UNSET else fx.Source(combatant=by)
    effects.emit(
        own.ConditionLost(
            rule=_RULES.get(cause, ML_MASK_15),
            combatant=combatant,
            condition="masked",
            cause=cause,
            source=source,
        )
    )
    if fleeting:
        become_fleeting(effects, combatant)


def become_fleeting(effects: BattleEffects, combatant: str) -> None:
    """A warrior is an appearing or disappearing target until its activation ends."""
    if "fleeting" not in existing(effects.rule, combatant).conditions:
        effects.emit(
            own.ConditionGained(rule=ML_GUARD_11, combatant=combatant, condition="fleeting")
        )
