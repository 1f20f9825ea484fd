"""Going on guard, and leaving it (ML-GUARD). The shots are in `guard_shots.py`."""

from typing import Final, Literal

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Guard
from service.rulesets.melody_d6.deciding.requirements import require_acting, require_action
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.occupancy import is_engaged
from service.rulesets.melody_d6.rules.guard import (
    ML_GUARD_1,
    ML_GUARD_6,
    ML_GUARD_7,
    ML_GUARD_8,
    is_relieved,
    require_foot,
    require_masked_before,
    require_stood,
)
from service.rulesets.melody_d6.rules.turns import ML_TURN_4
from service.rulesets.melody_d6.state import BattleState, is_on_guard

GuardEnd = Literal["shot", "turn_end", "suffered", "forced", "engaged", "panic", "gone"]
"""Why a warrior is on guard no more."""

_RULES: Final[dict[GuardEnd, str]] = {"shot": ML_GUARD_6, "turn_end": ML_GUARD_7}


def leave_guard(effects: BattleEffects, combatant: str, cause: GuardEnd) -> None:
    """The marker is taken away, if the warrior has it."""
    if is_on_guard(existing(effects.rule, combatant)):
        effects.emit(
            own.ConditionLost(
                rule=_RULES.get(cause, ML_GUARD_8),
                combatant=combatant,
                condition="on_guard",
                cause=cause,
            )
        )


def relieve(effects: BattleEffects, turn_of: str) -> None:
    """Those of the other side are on guard no more at the end of a turn, in upload order."""
    for warrior in effects.rule.combatants:
        if is_relieved(warrior.side, turn_of):
            leave_guard(effects, warrior.id, "turn_end")


def require_guard(view: State[BattleState], action: Guard) -> None:
    """All preconditions of going on guard.

    Raises what `require_acting` does, then Refused("action_spent"), ("guard_mounted"),
    ("engaged"), ("guard_after_masking") or ("moved_before_guard"), checked in this order.
    """
    rule = view.rule
    actor = require_acting(rule, action.combatant, "action")
    require_action(actor)
    require_foot(actor.id, is_mounted=actor.mounted, is_engaged=is_engaged(rule, actor))
    require_masked_before(actor.id, masked_this_turn=actor.masked_this_turn)
    may_have_moved = rule.options.guard_after_move
    require_stood(actor.id, has_moved=actor.moved, may_have_moved=may_have_moved)


def go_on_guard(resolution: Resolution, action: Guard) -> None:
    """The warrior spends its action and is on guard. Raises Refused."""
    require_guard(resolution.view, action)
    effects = resolution.effects
    effects.emit(
        own.ResourceChanged(rule=ML_TURN_4, combatant=action.combatant, resource="action", now=0)
    )
    effects.emit(
        own.ConditionGained(rule=ML_GUARD_1, combatant=action.combatant, condition="on_guard")
    )
