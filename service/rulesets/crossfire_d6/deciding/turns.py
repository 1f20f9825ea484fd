"""Rounds and turns: who is next, what begins and ends with a turn, and initiative.

How this works. The order of turns is fixed when the battle starts; whoever joins later is put
in by his own roll. A turn goes to the next of the order who is neither helpless nor dead; past
the end of the order a new round begins. While nobody can act there is no turn; as soon as
somebody can, a new round begins.
"""

from msgspec import UNSET

from service.engine.battle.effect_builder import EffectBuilder
from service.engine.battle.state import scope_of
from service.engine.dice.dice import Dice
from service.engine.kit.combatants import existing
from service.engine.kit.turns import next_in_order, next_turn
from service.engine.visibility.scope import narrow
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place
from service.rulesets.crossfire_d6 import effects as own
from service.rulesets.crossfire_d6.fighters import pin_options, streak_of
from service.rulesets.crossfire_d6.rules.defaults import CF_SD_1, SIX, Initiative, initiative_order
from service.rulesets.crossfire_d6.rules.suppression import (
    CF_PIN_2,
    CF_PIN_4,
    AfterTurn,
    Streak,
    suppression_after_turn,
)
from service.rulesets.crossfire_d6.rules.unaware import CF_UNAWARE_1
from service.rulesets.crossfire_d6.state import BattleState, Combatant, Score, actions_of, is_out

Battle = EffectBuilder[BattleState]


def end_turn(unfolding: Battle, cause: str) -> None:
    """The present turn ends, with its suppression; the next one begins."""
    holder = unfolding.rule.turn
    if holder is UNSET:
        return
    unfolding.emit(fx.TurnEnded(combatant=holder, cause=cause))
    _update_suppression(unfolding, existing(unfolding.rule, holder))
    if actions_of(existing(unfolding.rule, holder)):
        unfolding.emit(
            fx.ResourceChanged(combatant=holder, resource="actions", now=0, cause="turn_ended")
        )
    begin_next(unfolding, holder)


def begin_next(unfolding: Battle, after: str | None) -> None:
    """The turn of the first behind `after` (None: of the first at all) who can act, if any can."""
    turn = next_turn(
        unfolding,
        after,
        following=next_in_order,
        is_anybody_able=_is_anybody_able(unfolding.rule),
        takes_turn=lambda combatant: not is_out(existing(unfolding.rule, combatant)),
        begin_round=lambda: _begin_round(unfolding),
    )
    if turn is not None:
        begin_turn(unfolding, turn)


def _begin_round(unfolding: Battle) -> None:
    unfolding.emit(fx.RoundBegan(round=unfolding.rule.round + 1))


def _is_anybody_able(rule: BattleState) -> bool:
    return any(not is_out(combatant) for combatant in rule.combatants)


def begin_turn(unfolding: Battle, combatant: str) -> None:
    """A turn with all its actions; whoever has it expects attacks from now on."""
    unfolding.emit(fx.TurnBegan(combatant=combatant))
    unfolding.emit(
        fx.ResourceChanged(
            rule=CF_SD_1,
            combatant=combatant,
            resource="actions",
            now=unfolding.rule.options.actions_per_turn,
            cause="turn_began",
        )
    )
    if "unaware" in existing(unfolding.rule, combatant).conditions:
        unfolding.emit(
            fx.ConditionLost(
                rule=CF_UNAWARE_1, combatant=combatant, condition="unaware", cause="turn_began"
            )
        )


def settle(unfolding: Battle) -> None:
    """After anything that may fell, remove or restore somebody: the turn is where it belongs."""
    rule = unfolding.rule
    if rule.status != "running":
        return
    if rule.turn is not UNSET:
        if is_out(existing(rule, rule.turn)):
            end_turn(unfolding, "felled")
    elif _is_anybody_able(rule):
        _begin_round(unfolding)
        begin_next(unfolding, None)


def roll_initiative(unfolding: Battle, dice: Dice) -> None:
    """Initiative of all who have no place in the order yet, by number, and the order."""
    rule = unfolding.rule
    placed = frozenset(rule.order)
    newcomers = tuple(each for each in rule.combatants if each.id not in placed)
    if not newcomers and rule.order:
        return
    if rule.options.initiative == "fixed":
        new = tuple(Score(combatant=each.id) for each in newcomers)
        _set_order(unfolding, (*rule.scores, *new), newcomers)
        return
    rolled = tuple(_rolled(unfolding, each, dice) for each in newcomers)
    by_id = {each.id: each for each in rolled}
    scores = rule.scores
    for newcomer in initiative_order(rolled):
        scores = _with_score(unfolding.rule, scores, by_id[newcomer])
    _set_order(unfolding, scores, newcomers)


def _rolled(unfolding: Battle, combatant: Combatant, dice: Dice) -> Initiative:
    """Dice that whoever may know the pool sees; an empty pool comes to 0 without a roll."""
    scope = scope_of(unfolding.rule)
    audience = narrow(scope.subject(combatant.id), scope.declared("numbers", combatant.side))
    roll = dice.roll(
        combatant.int_pool,
        SIX,
        "initiative",
        stream=scope.stream_of(audience),
        combatant=combatant.id,
    )
    unfolding.emit(
        own.Rolled(rule=CF_SD_1, purpose="initiative", combatant=combatant.id, roll=roll)
    )
    return _initiative(combatant, roll.total)


def _initiative(combatant: Combatant, total: int) -> Initiative:
    return Initiative(
        id=combatant.id, number=combatant.number, pool=combatant.int_pool, total=total
    )


def _with_score(
    rule: BattleState, scores: tuple[Score, ...], newcomer: Initiative
) -> tuple[Score, ...]:
    """The newcomer before the first whom he beats; whose score was not given stays where he is."""
    entry = Score(combatant=newcomer.id, score=newcomer.total)
    for at, score in enumerate(scores):
        if score.score is UNSET:
            continue
        other = _initiative(existing(rule, score.combatant), score.score)
        if initiative_order((other, newcomer))[0] == newcomer.id:
            return (*scores[:at], entry, *scores[at:])
    return (*scores, entry)


def _set_order(
    unfolding: Battle, scores: tuple[Score, ...], newcomers: tuple[Combatant, ...]
) -> None:
    """The new order; where one combatant joins it, that is for those to know who know him."""
    joined = newcomers[0].id if len(newcomers) == 1 else UNSET
    entries = tuple(fx.OrderEntry(combatant=each.combatant, score=each.score) for each in scores)
    unfolding.emit(own.OrderSet(rule=CF_SD_1, entries=entries, combatant=joined))


def _update_suppression(unfolding: Battle, holder: Combatant) -> None:
    options = pin_options(unfolding.rule.options)
    memory = holder.previous_streak
    previous = (
        None
        if memory is UNSET
        else Streak(origin=(memory.origin.x, memory.origin.y), count=memory.count)
    )
    present = (holder.place.x, holder.place.y)
    after = suppression_after_turn(streak_of(holder), present, previous, options)
    rule = CF_PIN_4 if after.is_restored else CF_PIN_2
    unfolding.emit(suppressed(holder.id, after.streak, rule))
    _remember(unfolding, holder, after)
    if after.clears_hidden:
        for hiding in holder.hidden_from:
            unfolding.emit(
                own.LinkChanged(
                    rule=CF_PIN_2,
                    link="hidden_from",
                    combatant=holder.id,
                    other=hiding.combatant,
                    tied=False,
                )
            )


def suppressed(combatant: str, streak: Streak, rule: str = CF_PIN_2) -> fx.StatChanged:
    """The fact that a combatant has stayed so long since it came to that cell."""
    return fx.StatChanged(
        rule=rule,
        combatant=combatant,
        stat="suppression",
        now=streak.count,
        place=Place(x=streak.origin[0], y=streak.origin[1]),
    )


def _remember(unfolding: Battle, holder: Combatant, after: AfterTurn) -> None:
    broken = after.previous
    if broken is None and holder.previous_streak is UNSET:
        return
    unfolding.emit(
        fx.StatChanged(
            rule=CF_PIN_4,
            combatant=holder.id,
            stat="remembered_suppression",
            now=0 if broken is None else broken.count,
            place=UNSET if broken is None else Place(x=broken.origin[0], y=broken.origin[1]),
        )
    )
