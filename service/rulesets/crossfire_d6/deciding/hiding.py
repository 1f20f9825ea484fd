"""Hiding from an enemy who has one pinned down: agility against intellect."""

from service.engine.battle.roster import existing, require_combatant
from service.engine.battle.state import State, scope_of
from service.engine.dice.dice import Dice
from service.engine.visibility.scope import narrow
from service.engine.vocabulary.values import Roll
from service.rulesets.crossfire_d6 import effects as own
from service.rulesets.crossfire_d6.actions import Hide
from service.rulesets.crossfire_d6.deciding.attack_line import require_hostile
from service.rulesets.crossfire_d6.deciding.resolution import Resolution
from service.rulesets.crossfire_d6.deciding.turns import (
    acting,
    require_action_left,
    spend_action,
)
from service.rulesets.crossfire_d6.evolve import BattleEffects
from service.rulesets.crossfire_d6.fighters import suppression_against
from service.rulesets.crossfire_d6.rules.defaults import SIX
from service.rulesets.crossfire_d6.rules.suppression import (
    CF_PIN_6,
    hidden_from,
    is_hidden,
    require_suppression,
)
from service.rulesets.crossfire_d6.state import BattleState, Combatant


def require_hide(state: State[BattleState], action: Hide) -> tuple[Combatant, Combatant]:
    """Hider and aggressor, if all preconditions hold on what the asker may know.

    Raises Refused with the code of the first that fails.
    """
    rule = state.rule
    aggressor = require_combatant(rule, action.against)
    hider = acting(rule, action.combatant)
    require_action_left(hider)
    require_hostile(hider, aggressor)
    require_suppression(suppression_against(hider, aggressor.id, rule.options))
    return hider, aggressor


def hide(resolution: Resolution, action: Hide) -> None:
    """The effects of an attempt to hide: the hider rolls, then the aggressor."""
    actor, _ = require_hide(resolution.view, action)
    effects = resolution.effects
    spend_action(effects, actor)
    rule = effects.rule
    hider, aggressor = existing(rule, action.combatant), existing(rule, action.against)
    ours = _rolled(rule, hider, hider.agi_pool, hider, resolution.dice)
    theirs = _rolled(rule, aggressor, aggressor.int_pool, hider, resolution.dice)
    is_success = is_hidden(ours.total, theirs.total, tie_succeeds=rule.options.hide_tie_succeeds)
    effects.emit(
        own.CheckResolved(
            rule=CF_PIN_6,
            check="hide",
            combatant=hider.id,
            outcome="success" if is_success else "failure",
            roll=ours,
            opposed=own.Opposed(combatant=aggressor.id, roll=theirs),
        )
    )
    if is_success:
        _slip_away(effects, hider, aggressor)


def _rolled(rule: BattleState, roller: Combatant, pool: int, hider: Combatant, dice: Dice) -> Roll:
    """Dice for the audience of the check and of the roller's pool; an empty pool sums to 0."""
    scope = scope_of(rule)
    check = narrow(scope.subject(hider.id), scope.subject(roller.id))
    audience = narrow(check, scope.declared("numbers", roller.side))
    stream = scope.stream_of(audience)
    return dice.roll(pool, SIX, "hide", stream=stream, combatant=roller.id)


def _slip_away(effects: BattleEffects, hider: Combatant, aggressor: Combatant) -> None:
    rule = effects.rule
    enemies = tuple(each.id for each in rule.combatants if each.side != hider.side)
    for enemy in hidden_from(aggressor.id, enemies, rule.options.hide_scope):
        effects.emit(
            own.LinkChanged(
                rule=CF_PIN_6,
                link="hidden_from",
                combatant=hider.id,
                other=enemy,
                tied=True,
                amount=hider.pin_count,
            )
        )
