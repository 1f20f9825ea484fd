"""Decides every action: who may ask, whether the moment allows it, then the rules.

How this works. `decide` is what live play, preview and audit call. It asks `permission.py`, handles
the actions that mean the same in all rulesets itself and hands the others to the ruleset. State
comes in as (rule at the event's base, linear at seq - 1), so that a rewind is decided on the state
it goes back to.
"""

from typing import TypeVar

from msgspec import UNSET

from service.engine.battle import awaited_dice, decisions, seats
from service.engine.battle.awaited_dice import Effects
from service.engine.battle.creation import created_by
from service.engine.battle.linear import WIDER, opened_at
from service.engine.battle.permission import is_to_resume, require_askable
from service.engine.battle.state import RuleState, State
from service.engine.battle.undo import require_own
from service.engine.dice.dice import Dice, SuppliedDice
from service.engine.ruleset.definition import Ruleset, created_type
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.choices import RollChoice
from service.engine.vocabulary.values import By
from service.errors import Refused

R = TypeVar("R", bound=RuleState)


def decide(
    ruleset: Ruleset[R], state: State[R], action: do.Action, by: By, seq: int, dice: Dice
) -> Effects:
    """The effects of an action as event `seq`, or the reason why not.

    Raises Forbidden, Refused; never after a sealed die was drawn.
    """
    require_askable(state, action, by, seq)
    if isinstance(action, do.CreateEncounter) and action.fork_of is not UNSET:
        effects = _fork(ruleset, state, action, by)
    elif isinstance(action, do.StartEncounter) and is_to_resume(state):
        effects = (fx.EncounterStarted(),)
    elif isinstance(action, do.EngineAction):
        effects = _by_itself(ruleset, state, action, by, seq, dice)
    elif isinstance(action, do.ForcePass):
        effects = _force_pass(ruleset, state, action, by, seq, dice)
    elif isinstance(action, do.Answer) and isinstance(action.choice, RollChoice):
        return awaited_dice.answer(ruleset, state, action, by, seq, dice)
    else:
        return awaited_dice.decide(ruleset, state, action, by, seq, dice)
    _finish(dice)
    return effects


def _fork(ruleset: Ruleset[R], state: State[R], action: do.CreateEncounter, by: By) -> Effects:
    """A battle of another log is taken up as it stood there; `state` is that already.

    What it holds is taken as given. Raises Refused("unknown_side") or ("unknown_combatant") for a
    seat that controls what is not there.
    """
    created = created_by(created_type(ruleset), action, by, is_prepared=True)
    sides, combatants = state.rule.sides, state.rule.combatants
    entitled = (seats.entitle(seat, sides, combatants) for seat in action.seats)
    return (created, *(fx.SeatChanged(seat=seat) for seat in entitled))


def _by_itself(
    ruleset: Ruleset[R], state: State[R], action: do.EngineAction, by: By, seq: int, dice: Dice
) -> Effects:
    """The effects of an action that needs no rulebook."""
    match action:
        case do.Rewind():
            return _rewind(ruleset, state, action, by, seq)
        case do.Contribute():
            return _contribute(state, action, by)
        case do.NoteAction():
            return (fx.Noted(text=action.text, gm_text=action.gm_text),)
        case do.AssignControl() | do.AddSeat() | do.ChangeSeat() | do.RemoveSeat():
            return _seated(ruleset, state, action, seq)
        case do.EndEncounter():
            return _end(state, action, dice)
        case do.Reveal():
            return _reveal(state, action, seq, dice)
        case do.Erase():
            return _erase(action, seq)


def base_of(action: do.Action, seq: int) -> int:
    """The seq whose rule state event `seq` continues.

    Raises Refused("unknown_event") for a rewind to a seq that is not behind the head.
    """
    if not isinstance(action, do.Rewind):
        return seq - 1
    if action.to >= seq:
        raise Refused("unknown_event", seq=action.to, head=seq - 1)
    return action.to


def _force_pass(
    ruleset: Ruleset[R], state: State[R], action: do.ForcePass, by: By, seq: int, dice: Dice
) -> Effects:
    """The GM closes a decision; a declared action whose dice never come is void."""
    decision = decisions.require_open(state, action.decision_id, by)
    if decision.kind != "roll":
        return awaited_dice.decide(ruleset, state, action, by, seq, dice)
    return (fx.DecisionClosed(decision_id=decision.id, how="forced"),)


def _seated(ruleset: Ruleset[R], state: State[R], action: do.SeatAction, seq: int) -> Effects:
    """A seat is another; awaited dice may be asked of another seat then, or be void."""
    effects = (seats.seated(state, action),)
    return (*effects, *awaited_dice.reconsider(ruleset, state, effects, seq))


def _rewind(ruleset: Ruleset[R], state: State[R], action: do.Rewind, by: By, seq: int) -> Effects:
    """`state.rule` is that of `action.to` already, but seats are what they are now.

    Dice that were asked for are asked for again as they were; what its seat could not ask any more
    is void. Raises Refused("rewind_not_allowed").
    """
    if by.role == "player":
        require_own(state.linear, by, action.to, seq)
    effects = (fx.Rewound(to=action.to, decisions=decisions.reissue(state.rule, seq)),)
    again = awaited_dice.reconsider(ruleset, state, effects, seq)
    is_void = len(again) == 1
    return (*effects, *again) if is_void else effects


def _contribute(state: State[R], action: do.Contribute, by: By) -> Effects:
    who = by.seat if by.seat is not UNSET else by.id
    if any(contribution.seat == who for contribution in state.linear.contributions):
        raise Refused("already_contributed", seat=who)
    return (fx.Contributed(seat=who, value=action.value),)


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
    for erased in action.seqs:
        if erased >= seq:
            raise Refused("unknown_event", seq=erased, head=seq - 1)
    return (fx.Erased(seqs=tuple(sorted(set(action.seqs)))),)


def _finish(dice: Dice) -> None:
    """No die was needed. Raises Refused("too_many_faces")."""
    if isinstance(dice, SuppliedDice):
        dice.finish()
