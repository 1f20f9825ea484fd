"""Rounds and turns: who may act and who is next, what a turn begins and ends with, initiative.

How this works. The order of turns is fixed when the battle starts; whoever joins later is put
in by his own roll. A turn goes to the next of the order who is neither helpless nor dead; past
the end of the order a new round begins. While nobody can act there is no turn; as soon as
somebody can, a new round begins.
"""

from msgspec import UNSET

from service.engine.battle.roster import existing, is_out, require_combatant
from service.engine.battle.state import scope_of
from service.engine.kit.turns import entries_of, newcomers_to, next_in_order, next_turn, placed
from service.engine.visibility.scope import narrow
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import EndTurn
from service.engine.vocabulary.values import Place
from service.errors import Refused
from service.rulesets.crossfire_d6 import effects as own
from service.rulesets.crossfire_d6.deciding.resolution import Resolution
from service.rulesets.crossfire_d6.evolve import BattleEffects
from service.rulesets.crossfire_d6.fighters import pin_options, streak_of
from service.rulesets.crossfire_d6.rules.conditions import CF_UNAWARE_1
from service.rulesets.crossfire_d6.rules.defaults import (
    CF_SD_1,
    CF_SD_4,
    SIX,
    Initiative,
    initiative_order,
)
from service.rulesets.crossfire_d6.rules.facing import turn_facts
from service.rulesets.crossfire_d6.rules.suppression import (
    CF_PIN_2,
    CF_PIN_4,
    AfterTurn,
    Streak,
    suppression_after_turn,
)
from service.rulesets.crossfire_d6.state import BattleState, Combatant, Score


def able(rule: BattleState, combatant: str) -> Combatant:
    """The combatant, which is neither helpless nor dead.

    This is asked before the turn: a combatant that is out never has one, and "not your turn" would
    not say why it cannot act.
    Raises Refused("unknown_combatant") or ("actor_incapacitated").
    """
    actor = require_combatant(rule, combatant)
    if is_out(actor):
        conditions = list(actor.conditions)
        raise Refused(
            "actor_incapacitated", rule=CF_SD_4, combatant=combatant, conditions=conditions
        )
    return actor


def acting(rule: BattleState, combatant: str) -> Combatant:
    """The combatant, which is able to act and has the turn.

    Raises Refused("unknown_combatant"), ("actor_incapacitated") or ("not_your_turn").
    """
    actor = able(rule, combatant)
    if rule.turn != combatant:
        raise Refused("not_your_turn", rule=CF_SD_1, **turn_facts(combatant, whose_turn(rule)))
    return actor


def whose_turn(rule: BattleState) -> str | None:
    """Id of the combatant that has the turn, as far as the asker may know; None for none."""
    return None if rule.turn is UNSET else rule.turn


def actions_of(combatant: Combatant) -> int:
    """The actions left to it in this turn."""
    return 0 if combatant.actions_left is UNSET else combatant.actions_left


def require_action_left(actor: Combatant) -> None:
    """An action is left in this turn. Raises Refused("no_actions_left")."""
    if actions_of(actor) < 1:
        raise Refused("no_actions_left", rule=CF_SD_1, combatant=actor.id)


def spend_action(effects: BattleEffects, actor: Combatant) -> None:
    """One action less in this turn; `actor` is as the turn has it."""
    left = actions_of(actor) - 1
    effects.emit(fx.ResourceChanged(combatant=actor.id, resource="actions", now=left))


def end(resolution: Resolution, action: EndTurn) -> None:
    """A combatant ends its turn, or the service does because its time is over."""
    acting(resolution.view.rule, action.combatant)
    end_turn(resolution.effects, "timeout" if resolution.by.kind == "system" else "ended")


def end_turn(effects: BattleEffects, cause: str) -> None:
    """The present turn ends, with its suppression; the next one begins."""
    holder = effects.rule.turn
    if holder is UNSET:
        return
    effects.emit(fx.TurnEnded(combatant=holder, cause=cause))
    _update_suppression(effects, existing(effects.rule, holder))
    if actions_of(existing(effects.rule, holder)):
        effects.emit(
            fx.ResourceChanged(combatant=holder, resource="actions", now=0, cause="turn_ended")
        )
    begin_next(effects, holder)


def begin_next(effects: BattleEffects, after: str | None) -> None:
    """Begin the next turn behind `after` (None: from the first on), if anybody can act."""
    turn = next_turn(
        effects,
        after,
        following=next_in_order,
        is_anybody_able=_is_anybody_able(effects.rule),
        takes_turn=lambda combatant: not is_out(existing(effects.rule, combatant)),
        begin_round=lambda: _begin_round(effects),
    )
    if turn is not None:
        begin_turn(effects, turn)


def _begin_round(effects: BattleEffects) -> None:
    effects.emit(fx.RoundBegan(round=effects.rule.round + 1))


def _is_anybody_able(rule: BattleState) -> bool:
    return any(not is_out(combatant) for combatant in rule.combatants)


def begin_turn(effects: BattleEffects, combatant: str) -> None:
    """A turn with all its actions; the combatant is no longer `unaware` (CF-UNAWARE-1)."""
    effects.emit(fx.TurnBegan(combatant=combatant))
    effects.emit(
        fx.ResourceChanged(
            rule=CF_SD_1,
            combatant=combatant,
            resource="actions",
            now=effects.rule.options.actions_per_turn,
            cause="turn_began",
        )
    )
    notice(effects, existing(effects.rule, combatant), "turn_began")


def notice(effects: BattleEffects, combatant: Combatant, cause: str) -> None:
    """A combatant that was `unaware` is so no longer (CF-UNAWARE-1)."""
    if "unaware" in combatant.conditions:
        effects.emit(
            fx.ConditionLost(
                rule=CF_UNAWARE_1, combatant=combatant.id, condition="unaware", cause=cause
            )
        )


def settle(effects: BattleEffects) -> None:
    """Move the turn on from a felled combatant, or give it to one that is able again.

    To be called after anything that may fell, remove or restore combatants.
    """
    rule = effects.rule
    if rule.status != "running":
        return
    if rule.turn is not UNSET:
        if is_out(existing(rule, rule.turn)):
            end_turn(effects, "felled")
    elif _is_anybody_able(rule):
        _begin_round(effects)
        begin_next(effects, None)


def roll_initiative(resolution: Resolution) -> None:
    """Initiative of all who have no place in the order yet, by number, and the order."""
    effects = resolution.effects
    rule = effects.rule
    newcomers = newcomers_to(rule.order, rule.combatants)
    if not newcomers and rule.order:
        return
    if rule.options.initiative == "fixed":
        new = tuple(Score(combatant=each.id) for each in newcomers)
        _set_order(effects, (*rule.scores, *new), newcomers)
        return
    rolled = tuple(_rolled(resolution, each) for each in newcomers)
    by_id = {each.id: each for each in rolled}
    scores = rule.scores
    for newcomer in initiative_order(rolled):
        scores = _with_score(effects.rule, scores, by_id[newcomer])
    _set_order(effects, scores, newcomers)


def _rolled(resolution: Resolution, combatant: Combatant) -> Initiative:
    """Roll the dice for the audience of the pool; an empty pool comes to 0 without a roll."""
    effects = resolution.effects
    scope = scope_of(effects.rule)
    audience = narrow(scope.subject(combatant.id), scope.declared("numbers", combatant.side))
    roll = resolution.dice.roll(
        combatant.int_pool,
        SIX,
        "initiative",
        stream=scope.stream_of(audience),
        combatant=combatant.id,
    )
    effects.emit(own.Rolled(rule=CF_SD_1, purpose="initiative", combatant=combatant.id, roll=roll))
    return _initiative(combatant, roll.total)


def _initiative(combatant: Combatant, total: int) -> Initiative:
    return Initiative(
        id=combatant.id, number=combatant.number, pool=combatant.int_pool, total=total
    )


def _with_score(
    rule: BattleState, scores: tuple[Score, ...], newcomer: Initiative
) -> tuple[Score, ...]:
    """The scores with a newcomer before the first it beats; a place without a score stays."""

    def beats(score: Score) -> bool:
        if score.score is UNSET:
            return False
        other = _initiative(existing(rule, score.combatant), score.score)
        return initiative_order((other, newcomer))[0] == newcomer.id

    return placed(scores, Score(combatant=newcomer.id, score=newcomer.total), beats)


def _set_order(
    effects: BattleEffects, scores: tuple[Score, ...], newcomers: tuple[Combatant, ...]
) -> None:
    """Emit the new order; if one combatant joins, only those who know it learn of the change."""
    joined = newcomers[0].id if len(newcomers) == 1 else UNSET
    effects.emit(own.OrderSet(rule=CF_SD_1, entries=entries_of(scores), combatant=joined))


def _update_suppression(effects: BattleEffects, holder: Combatant) -> None:
    options = pin_options(effects.rule.options)
    memory = holder.previous_streak
    previous = (
        None
        if memory is UNSET
        else Streak(origin=(memory.origin.x, memory.origin.y), count=memory.count)
    )
    present = (holder.place.x, holder.place.y)
    after = suppression_after_turn(streak_of(holder), present, previous, options)
    rule = CF_PIN_4 if after.is_restored else CF_PIN_2
    effects.emit(suppression_effect(holder.id, after.streak, rule))
    _remember(effects, holder, after)
    if after.clears_hidden:
        for hiding in holder.hidden_from:
            effects.emit(
                own.LinkChanged(
                    rule=CF_PIN_2,
                    link="hidden_from",
                    combatant=holder.id,
                    other=hiding.combatant,
                    tied=False,
                )
            )


def suppression_effect(combatant: str, streak: Streak, rule: str = CF_PIN_2) -> fx.StatChanged:
    """The fact that a combatant has stayed so long since it came to that cell."""
    return fx.StatChanged(
        rule=rule,
        combatant=combatant,
        stat="suppression",
        now=streak.count,
        place=Place(x=streak.origin[0], y=streak.origin[1]),
    )


def _remember(effects: BattleEffects, holder: Combatant, after: AfterTurn) -> None:
    broken = after.previous
    if broken is None and holder.previous_streak is UNSET:
        return
    effects.emit(
        fx.StatChanged(
            rule=CF_PIN_4,
            combatant=holder.id,
            stat="remembered_suppression",
            now=0 if broken is None else broken.count,
            place=UNSET if broken is None else Place(x=broken.origin[0], y=broken.origin[1]),
        )
    )
