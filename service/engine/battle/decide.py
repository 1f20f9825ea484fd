"""Decides every action: who may ask, whether the moment allows it, then the rules.

How this works. `decide` is what live play, preview and audit call. It checks the role, the life of
the encounter and open decisions, handles what is alike in all rulesets itself and hands the rest
to the ruleset. State comes in as (rule at the event's base, linear at seq - 1), so that a rewind is
decided on the state it goes back to.
"""

from typing import TypeVar

from msgspec import UNSET

from service.engine.battle import awaited_dice, decisions, seats
from service.engine.battle.awaited_dice import Effects
from service.engine.battle.lifecycle import require_moment
from service.engine.battle.permission import (
    require_control,
    require_known,
    require_role,
    require_seated,
    require_timed,
)
from service.engine.battle.state import (
    WIDER,
    RuleState,
    State,
    opened_at,
)
from service.engine.battle.undo import require_own
from service.engine.dice.dice import Dice, SuppliedDice
from service.engine.ruleset import Ruleset
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By
from service.errors import Forbidden, Refused

R = TypeVar("R", bound=RuleState)


def decide(
    ruleset: Ruleset[R], state: State[R], action: do.Action, by: By, seq: int, dice: Dice
) -> Effects:
    """The effects of an action as event `seq`, or the reason why not.

    Raises Forbidden, Refused; never after a sealed die was drawn.
    """
    require_askable(state, action, by, seq)
    if isinstance(action, do.EngineAction):
        effects = _by_itself(ruleset, state, action, by, seq, dice)
    elif isinstance(action, do.ForcePass):
        effects = _force_pass(ruleset, state, action, by, seq, dice)
    elif isinstance(action, do.Answer) and isinstance(action.choice, do.RollChoice):
        return _answer_roll(ruleset, state, action, by, seq, dice)
    else:
        return _ruled(ruleset, state, action, by, seq, dice)
    _finish(dice)
    return effects


def _by_itself(
    ruleset: Ruleset[R], state: State[R], action: do.EngineAction, by: By, seq: int, dice: Dice
) -> Effects:
    """What no rulebook is needed for."""
    match action:
        case do.Rewind():
            return _rewind(ruleset, state, action, by, seq)
        case do.Contribute():
            return _contribute(state, action, by)
        case do.NoteAction():
            return _note(action, by)
        case do.AssignControl() | do.AddSeat() | do.ChangeSeat() | do.RemoveSeat():
            return _seated(ruleset, state, action, seq)
        case do.EndEncounter():
            return _end(state, action, dice)
        case do.Reveal():
            return _reveal(state, action, seq, dice)
        case do.Erase():
            return _erase(action, seq)


def require_askable(state: State[R], action: do.Action, by: By, seq: int) -> None:
    """Role, control, the moment and open decisions allow the action; the rules come after.

    Raises Forbidden, then the Refused of the moment, then Refused("unknown_combatant").
    """
    require_role(action, by)
    require_seated(state, action, by)
    require_timed(state, action, by)
    require_control(state, action, by)
    require_moment(state, action, seq)
    decisions.require_nothing_pending(state, action, by)
    require_known(state, action, by)


def base_of(action: do.Action, seq: int) -> int:
    """The seq whose rule state event `seq` continues.

    Raises Refused("unknown_event") for a rewind to a seq that is not behind the head.
    """
    if not isinstance(action, do.Rewind):
        return seq - 1
    if action.to >= seq:
        raise Refused("unknown_event", seq=action.to, head=seq - 1)
    return action.to


def _ruled(
    ruleset: Ruleset[R], state: State[R], action: do.Action, by: By, seq: int, dice: Dice
) -> Effects:
    """What the rules make of it, with whatever dice it takes."""
    if isinstance(dice, SuppliedDice):
        return awaited_dice.decided(ruleset, state, action, by, seq, dice)
    try:
        return ruleset.decide(state, action, by, seq, dice)
    except Refused as refusal:
        if dice.draws:
            raise RuntimeError(f"{ruleset.slug} refused {refusal.code} after a draw") from refusal
        raise


def _answer_roll(
    ruleset: Ruleset[R], state: State[R], action: do.Answer, by: By, seq: int, dice: Dice
) -> Effects:
    if isinstance(dice, SuppliedDice):
        return awaited_dice.answered(ruleset, state, action, by, seq, dice)
    decisions.require_open(state, action.decision_id, by)
    return _ruled(ruleset, state, action, by, seq, dice)


def _force_pass(
    ruleset: Ruleset[R], state: State[R], action: do.ForcePass, by: By, seq: int, dice: Dice
) -> Effects:
    """The GM closes a decision; a declared action whose dice never come is void."""
    decision = decisions.require_open(state, action.decision_id, by)
    if decision.kind != "roll":
        return _ruled(ruleset, state, action, by, seq, dice)
    return (fx.DecisionClosed(decision_id=decision.id, how="forced"),)


def _seated(ruleset: Ruleset[R], state: State[R], action: do.SeatAction, seq: int) -> Effects:
    """A seat is another; the table's dice may be asked of somebody else, or of nobody any more."""
    effects = (seats.seated(state, action),)
    return (*effects, *awaited_dice.looked_at_again(ruleset, state, effects, seq))


def _rewind(ruleset: Ruleset[R], state: State[R], action: do.Rewind, by: By, seq: int) -> Effects:
    """`state.rule` is that of `action.to` already, but seats are what they are now.

    Dice that were asked for are asked for again as they were; what its seat could not ask any more
    is void. Raises Refused("rewind_not_allowed").
    """
    if by.role == "player":
        require_own(state.linear, by, action.to, seq)
    effects = (fx.Rewound(to=action.to, decisions=decisions.reissue(state.rule, seq)),)
    again = awaited_dice.looked_at_again(ruleset, state, effects, seq)
    is_void = len(again) == 1
    return (*effects, *again) if is_void else effects


def _contribute(state: State[R], action: do.Contribute, by: By) -> Effects:
    who = by.seat if by.seat is not UNSET else by.id
    if any(known.seat == who for known in state.linear.contributions):
        raise Refused("already_contributed", seat=who)
    return (fx.Contributed(seat=who, value=action.value),)


def _note(action: do.NoteAction, by: By) -> Effects:
    """A note without any text is one whose text was erased, or a mark in the log."""
    if action.gm_text is not UNSET and by.role != "gm":
        raise Forbidden("gm_only", action="note", field="gm_text")
    return (fx.Noted(text=action.text, gm_text=action.gm_text),)


def _end(state: State[R], action: do.EndEncounter, dice: Dice) -> Effects:
    if action.winner is not UNSET and action.winner not in [s.id for s in state.rule.sides]:
        allowed = [side.id for side in state.rule.sides]
        raise Refused("unknown_side", side=action.winner, allowed=allowed)
    ended = fx.EncounterEnded(winner=action.winner, opened=action.open, reason=action.reason)
    effects: Effects = (*decisions.close_all(state.rule), ended)
    if action.reveal == "now":
        effects = (*effects, fx.SeedRevealed(seed=dice.seed.hex(), opened=action.open))
    return effects


def _reveal(state: State[R], action: do.Reveal, seq: int, dice: Dice) -> Effects:
    """The seed once, parts as often as more of them open. Raises Refused("nothing_to_reveal")."""
    is_known = state.linear.seed is not UNSET
    opens = WIDER.index(action.open) > WIDER.index(opened_at(state.linear, seq))
    if not opens and (is_known or not action.seed):
        raise Refused("nothing_to_reveal")
    if action.seed and not is_known:
        return (fx.SeedRevealed(seed=dice.seed.hex(), opened=action.open),)
    return (fx.PartsOpened(opened=action.open),)


def _erase(action: do.Erase, seq: int) -> Effects:
    for wanted in action.seqs:
        if wanted >= seq:
            raise Refused("unknown_event", seq=wanted, head=seq - 1)
    return (fx.Erased(seqs=tuple(sorted(set(action.seqs)))),)


def _finish(dice: Dice) -> None:
    """No die was needed. Raises Refused("too_many_faces")."""
    if isinstance(dice, SuppliedDice):
        dice.finish()
