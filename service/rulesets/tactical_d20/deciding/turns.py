"""Rounds and turns: who may act and what for, who is next, what a turn begins and ends with.

How this works. The order of turns is fixed when the battle starts; whoever joins later is put in
by his own roll. A turn goes to the next of the order who is neither unconscious nor dead; past
the end of the order a new round begins. While nobody can act there is no turn; as soon as
somebody can, a new round begins. A turn begins with a standard, a move and a swift action, and
with it the reaction is regained; what is left of them at its end counts for nothing but that.
"""

from typing import Final

from msgspec import UNSET

from service.engine.battle.roster import existing, is_out, require_combatant
from service.engine.battle.state import scope_of
from service.engine.kit.turns import entries_of, newcomers_to, next_in_order, next_turn, placed
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import EndTurn
from service.errors import Refused
from service.rulesets.tactical_d20 import effects as own
from service.rulesets.tactical_d20.deciding.resolution import Resolution
from service.rulesets.tactical_d20.evolve import BattleEffects
from service.rulesets.tactical_d20.rules.defaults import D20, TD_SD_1, Initiative, initiative_order
from service.rulesets.tactical_d20.state import BattleState, Combatant, Resource, Score

REGAINED: Final[tuple[Resource, ...]] = ("standard", "move", "swift", "reaction")
"""What a turn begins with one of each."""


def able(rule: BattleState, combatant: str) -> Combatant:
    """The combatant, which is neither unconscious nor dead.

    This is asked before the turn: a combatant that is out never has one, and "not your turn" would
    not say why it cannot act.
    Raises Refused("unknown_combatant") or ("actor_incapacitated").
    """
    actor = require_combatant(rule, combatant)
    if is_out(actor):
        raise Refused("actor_incapacitated", combatant=combatant, conditions=list(actor.conditions))
    return actor


def acting(rule: BattleState, combatant: str) -> Combatant:
    """The combatant, which is able to act and has the turn.

    Raises Refused("unknown_combatant"), ("actor_incapacitated") or ("not_your_turn").
    """
    actor = able(rule, combatant)
    if rule.turn != combatant:
        turn = {} if rule.turn is UNSET else {"turn": rule.turn}
        raise Refused("not_your_turn", rule=TD_SD_1, combatant=combatant, **turn)
    return actor


def left_of(combatant: Combatant, resource: Resource) -> int:
    """How many of a resource are left to a combatant: 1 or 0."""
    match resource:
        case "standard":
            return combatant.standard_left
        case "move":
            return combatant.move_left
        case "swift":
            return combatant.swift_left
        case "reaction":
            return combatant.reaction_left


def require_standard(actor: Combatant) -> None:
    """A standard action is left in this turn. Raises Refused("no_action_left")."""
    if not actor.standard_left:
        raise Refused("no_action_left", combatant=actor.id, needed="standard")


def require_move_action(actor: Combatant) -> None:
    """A move action is left in this turn, or a standard one to be spent as such.

    Raises Refused("no_action_left").
    """
    if not (actor.move_left or actor.standard_left):
        raise Refused("no_action_left", combatant=actor.id, needed="move")


def require_swift(actor: Combatant) -> None:
    """A swift action is left in this turn. Raises Refused("no_action_left")."""
    if not actor.swift_left:
        raise Refused("no_action_left", combatant=actor.id, needed="swift")


def spend(effects: BattleEffects, combatant: str, resource: Resource) -> None:
    """An action or the reaction is used up."""
    effects.emit(fx.ResourceChanged(combatant=combatant, resource=resource, now=0))


def spend_move_action(effects: BattleEffects, combatant: str) -> None:
    """A move action is used up; where none is left, the standard action in its place."""
    has_move = existing(effects.rule, combatant).move_left
    spend(effects, combatant, "move" if has_move else "standard")


def end(resolution: Resolution, action: EndTurn) -> None:
    """Somebody ends its turn, or the service does because its time is over."""
    acting(resolution.view.rule, action.combatant)
    end_turn(resolution.effects, "timeout" if resolution.by.kind == "system" else "ended")


def end_turn(effects: BattleEffects, cause: str) -> None:
    """The present turn ends; the next one begins."""
    holder = effects.rule.turn
    if holder is UNSET:
        return
    effects.emit(fx.TurnEnded(combatant=holder, cause=cause))
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
        effects.emit(fx.TurnBegan(combatant=turn))
        _regain(effects, turn)


def _regain(effects: BattleEffects, combatant: str) -> None:
    """One of each resource that is spent."""
    before = existing(effects.rule, combatant)
    for resource in REGAINED:
        if not left_of(before, resource):
            effects.emit(
                fx.ResourceChanged(
                    combatant=combatant, resource=resource, now=1, cause="turn_began"
                )
            )


def _begin_round(effects: BattleEffects) -> None:
    effects.emit(fx.RoundBegan(round=effects.rule.round + 1))


def _is_anybody_able(rule: BattleState) -> bool:
    return any(not is_out(combatant) for combatant in rule.combatants)


def settle(effects: BattleEffects) -> None:
    """Move the turn on from a felled combatant, or give it to one that is able again.

    To be called after anything that may fell, remove or restore combatants. Not while an action
    waits for answers: who has the turn is its actor. An action that waits for the table's dice is
    no hindrance: it is judged anew when they arrive.
    """
    rule = effects.rule
    is_waiting = any(group.suspended is not UNSET for group in rule.pending)
    if rule.status != "running" or is_waiting:
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
    """Roll the d20 for those who may know the combatant."""
    effects = resolution.effects
    scope = scope_of(effects.rule)
    roll = resolution.dice.roll(
        1,
        D20,
        "initiative",
        stream=scope.stream_of(scope.subject(combatant.id)),
        combatant=combatant.id,
    )
    effects.emit(fx.Rolled(rule=TD_SD_1, purpose="initiative", combatant=combatant.id, roll=roll))
    return _initiative(combatant, roll.total + combatant.initiative)


def _initiative(combatant: Combatant, total: int) -> Initiative:
    return Initiative(
        id=combatant.id, number=combatant.number, bonus=combatant.initiative, total=total
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
    effects.emit(own.OrderSet(rule=TD_SD_1, entries=entries_of(scores), combatant=joined))
