"""Actions that wait for the table's dice: asked for, gone on with, looked at again.

How this works. The rules run until they need a face that is not there. What a player declared is
kept, its faces with it, and run again from the beginning with every answer (`decisions.py`). Where
the game master's word, a change of seats or a rewind may change what it needs, it is run once more
as it stands.

Where the service rolls nothing is asked for. A battle that goes on from one of supplied dice may
wait for some all the same: whoever answers has the service roll them, behind the faces that the
table brought before.
"""

from contextlib import suppress
from typing import TypeVar

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle import decisions
from service.engine.battle.linear_steps import evolve_linear
from service.engine.battle.open_decisions import Decision
from service.engine.battle.state import RuleState, State
from service.engine.dice.dice import Dice, DiceAfterFaces, EarlierFace, NeedFaces, SuppliedDice
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.streams import PUBLIC_STREAM
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By
from service.errors import Forbidden, Refused

R = TypeVar("R", bound=RuleState)
Effects = tuple[fx.Effect, ...]


def decide(
    ruleset: Ruleset[R], state: State[R], action: do.Action, by: By, seq: int, dice: Dice
) -> Effects:
    """The effects that the rules decide, their dice drawn or taken from the table."""
    if isinstance(dice, SuppliedDice):
        return _decide_supplied(ruleset, state, action, by, seq, dice)
    return _decide_drawing(ruleset, state, action, by, seq, dice)


def answer(
    ruleset: Ruleset[R], state: State[R], action: do.Answer, by: By, seq: int, dice: Dice
) -> Effects:
    """The effects of an answer to a question for dice, which come from the table or are drawn."""
    if isinstance(dice, SuppliedDice):
        return _answer_supplied(ruleset, state, action, by, seq, dice)
    return _answer_drawing(ruleset, state, action, by, seq, dice)


def _decide_supplied(
    ruleset: Ruleset[R], state: State[R], action: do.Action, by: By, seq: int, dice: SuppliedDice
) -> Effects:
    """Let the rules decide: a player is asked for the faces first, the GM brings them all.

    Where the GM's word lets an action go on that waits for more dice, those it has come first.
    Raises Refused("faces_not_taken"), ("too_few_faces"), ("too_many_faces") and what the rules do.
    """
    has_none = by.role == "player" or by.kind == "system"
    if has_none and dice.supplied:
        raise Refused("faces_not_taken", supplied=dice.supplied, role=by.role)
    is_word = isinstance(action, do.Adjust)
    if is_word:
        dice.use_first(_earlier_faces(ruleset, state, seq))
    try:
        effects = ruleset.decide(state, action, by, seq, dice)
        _require_all_used(ruleset, state.rule, effects, dice)
    except NeedFaces as need:
        if has_none:
            declared = decisions.declare(action, by)
            awaiting = _awaiting_action(ruleset, state, action)
            return (
                _as_own_effect(
                    ruleset, decisions.ask_for_faces(state, need, declared, awaiting, seq)
                ),
            )
        raise _too_few(need, dice.supplied) from need
    if is_word:
        return (*effects, *_judged_again(ruleset, state, effects, seq, dice.earlier))
    return effects


def _answer_supplied(
    ruleset: Ruleset[R], state: State[R], action: do.Answer, by: By, seq: int, dice: SuppliedDice
) -> Effects:
    """The faces asked for are here: run the declared action again with all of them.

    Where no faces were asked for, the ruleset says so in its own words.
    """
    decision = decisions.require_open(state, action.decision_id, by)
    group = decisions.group_of(state.rule, decision)
    if group.declared is UNSET:
        return _decide_supplied(ruleset, state, action, by, seq, dice)
    decisions.require_faces(decision, dice.supplied)
    declared = group.declared
    waiting: do.Action = msgspec.json.decode(declared.action, type=ruleset.action)
    closed = _answered(decision)
    resumed = _without(ruleset, state, closed)
    dice.use_first(decisions.earlier_faces(declared))
    try:
        effects = ruleset.decide(resumed, waiting, declared.by, seq, dice)
        dice.finish()
    except NeedFaces as need:
        roll = dice.set_aside(PUBLIC_STREAM if decision.stream is UNSET else decision.stream)
        further = decisions.declare_further(declared, roll, seq)
        awaiting = _awaiting_action(ruleset, resumed, waiting)
        question = decisions.ask_for_faces(resumed, need, further, awaiting, seq)
        return (replace(closed, roll=roll), _as_own_effect(ruleset, question))
    return (closed, *effects)


def _decide_drawing(
    ruleset: Ruleset[R], state: State[R], action: do.Action, by: By, seq: int, dice: Dice
) -> Effects:
    """Let the rules decide where the service rolls.

    Where the GM's word lets an action go on that waits for dice, the faces that it has come first.
    Raises what the rules do.
    """
    group = state.rule.pending[-1] if state.rule.pending else None
    if not isinstance(action, do.Adjust) or group is None or group.declared is UNSET:
        return _drawn(ruleset, state, action, by, seq, dice)
    mixed = DiceAfterFaces(_earlier_faces(ruleset, state, seq), dice)
    effects = _drawn(ruleset, state, action, by, seq, mixed)
    return (*effects, *_judged_again(ruleset, state, effects, seq, mixed.earlier))


def _answer_drawing(
    ruleset: Ruleset[R], state: State[R], action: do.Answer, by: By, seq: int, dice: Dice
) -> Effects:
    """The service rolls the dice that were asked for: the declared action happens.

    Where none were asked for, the ruleset says so in its own words.
    """
    decision = decisions.require_open(state, action.decision_id, by)
    declared = decisions.group_of(state.rule, decision).declared
    if declared is UNSET:
        return _drawn(ruleset, state, action, by, seq, dice)
    waiting: do.Action = msgspec.json.decode(declared.action, type=ruleset.action)
    closed = _answered(decision)
    resumed = _without(ruleset, state, closed)
    mixed = DiceAfterFaces(decisions.earlier_faces(declared), dice)
    return (closed, *_drawn(ruleset, resumed, waiting, declared.by, seq, mixed))


def _drawn(
    ruleset: Ruleset[R], state: State[R], action: do.Action, by: By, seq: int, dice: Dice
) -> Effects:
    """What the rules decide; they refuse nothing once a die is drawn."""
    try:
        return ruleset.decide(state, action, by, seq, dice)
    except Refused as refusal:
        if dice.draws:
            raise RuntimeError(f"{ruleset.slug} refused {refusal.code} after a draw") from refusal
        raise


def taken_over(ruleset: Ruleset[R], state: State[R], by: By) -> R:
    """The rule half for a battle that this game master goes on with.

    An action that waits for dice is his, and so is the question; it is void where the rules refuse
    it to somebody who sees everything.
    """
    group = state.rule.pending[-1] if state.rule.pending else None
    if group is None or group.declared is UNSET:
        return state.rule
    [decision] = group.decisions
    closed = fx.DecisionClosed(decision_id=decision.id, how="void")
    resumed = _without(ruleset, state, closed)
    waiting: do.Action = msgspec.json.decode(group.declared.action, type=ruleset.action)
    dice = SuppliedDice((), decision.opened_by, earlier=decisions.earlier_faces(group.declared))
    try:
        ruleset.decide(resumed, waiting, by, decision.opened_by, dice)
    except NeedFaces as need:
        declared = decisions.declare_again(replace(group.declared, by=by), dice.taken)
        awaiting = _awaiting_action(ruleset, resumed, waiting)
        asked = decisions.ask_for_faces(resumed, need, declared, awaiting, decision.opened_by)
        question = _as_own_effect(ruleset, asked).decision
        own = replace(group, decisions=(replace(question, id=decision.id),), declared=declared)
        return replace(state.rule, pending=(*state.rule.pending[:-1], own))
    except (Refused, Forbidden):
        return resumed.rule
    return resumed.rule


def _answered(decision: Decision) -> fx.DecisionClosed:
    """The dice are here."""
    return fx.DecisionClosed(decision_id=decision.id, how="answered", choice="roll")


def _without(ruleset: Ruleset[R], state: State[R], closed: fx.DecisionClosed) -> State[R]:
    """The state in which a question is closed."""
    rule = ruleset.evolve(state.rule, closed)
    return State(rule=rule, linear=state.linear, terms=state.terms)


def reconsider(ruleset: Ruleset[R], state: State[R], effects: Effects, seq: int) -> Effects:
    """The effects of a change of seats or a rewind on an action that waits for dice."""
    earlier = _earlier_faces(ruleset, state, seq)
    further, _ = _reconsider(ruleset, state, effects, seq, earlier)
    return further


def _judged_again(
    ruleset: Ruleset[R],
    state: State[R],
    effects: Effects,
    seq: int,
    earlier: tuple[EarlierFace, ...],
) -> Effects:
    """The effects of the game master's word on an action that waits for dice.

    One that the rules refuse now says so, if this version tells of it.
    """
    further, stopped = _reconsider(ruleset, state, effects, seq, earlier)
    if stopped is None or not ruleset.tells_stops:
        return further
    return (*further, stopped)


def _reconsider(
    ruleset: Ruleset[R],
    state: State[R],
    effects: Effects,
    seq: int,
    earlier: tuple[EarlierFace, ...],
) -> tuple[Effects, fx.ActionStopped | None]:
    """The further effects of these effects on an action that waits for dice and has `earlier` ones.

    Four ends: it waits on as before (none); it waits for other dice or for another roller (the
    question is void and another is opened); it needs no more dice and happens; or it is void,
    because the rules refuse it now or its seat has lost the sight or the control that it takes.
    A face counts for the kind of roll that it was rolled for, or no more. The second value is what
    may be told of an action that is void.
    """
    rule, linear = state.rule, state.linear
    for effect in effects:
        rule = ruleset.evolve(rule, effect)
        linear = evolve_linear(linear, effect, seq)
    group = rule.pending[-1] if rule.pending else None
    if group is None or group.declared is UNSET:
        return (), None
    declared, [decision] = group.declared, group.decisions
    closed = fx.DecisionClosed(decision_id=decision.id, how="void")
    resumed = State(rule=ruleset.evolve(rule, closed), linear=linear, terms=state.terms)
    waiting: do.Action = msgspec.json.decode(declared.action, type=ruleset.action)
    dice = SuppliedDice((), seq, earlier=earlier)
    try:
        further = ruleset.decide(resumed, waiting, declared.by, seq, dice)
    except NeedFaces as need:
        awaiting = _awaiting_action(ruleset, resumed, waiting)
        again = decisions.declare_again(declared, dice.taken)
        opened = _as_own_effect(
            ruleset, decisions.ask_for_faces(resumed, need, again, awaiting, seq)
        )
        is_as_before = again == declared and decisions.is_asked_alike(decision, opened)
        return () if is_as_before else (closed, opened), None
    except (Refused, Forbidden) as refusal:
        return (closed,), stopped_by(waiting, refusal)
    return (closed, *further), None


def stopped_by(action: do.Action, refusal: Refused | Forbidden) -> fx.ActionStopped | None:
    """What tells that an action which waited is refused now; None for one of no combatant.

    An answer that is void is no action that stops: its question is open again.
    """
    if not isinstance(action, do.CombatantAction):
        return None
    rule = refusal.rule if isinstance(refusal, Refused) and refusal.rule is not None else UNSET
    return fx.ActionStopped(combatant=action.combatant, code=refusal.code, rule=rule)


def _earlier_faces(ruleset: Ruleset[R], state: State[R], seq: int) -> tuple[EarlierFace, ...]:
    """The faces of the action that waits for more, each with what it was rolled for.

    They are kept in the order of drawing, so the rules themselves say what each was for, as the
    battle stands.
    """
    group = state.rule.pending[-1] if state.rule.pending else None
    if group is None or group.declared is UNSET:
        return ()
    [decision] = group.decisions
    closed = fx.DecisionClosed(decision_id=decision.id, how="void")
    before = _without(ruleset, state, closed)
    waiting: do.Action = msgspec.json.decode(group.declared.action, type=ruleset.action)
    dice = SuppliedDice((), seq, earlier=decisions.earlier_faces(group.declared))
    with suppress(NeedFaces, Refused, Forbidden):
        ruleset.decide(before, waiting, group.declared.by, seq, dice)
    return dice.taken


def _require_all_used(ruleset: Ruleset[R], rule: R, effects: Effects, dice: SuppliedDice) -> None:
    """Every face was used.

    Raises Refused("too_many_faces"); `asked` in it names the combatants or seats whose answers the
    action waits for before it takes any dice.
    """
    try:
        dice.finish()
    except Refused as refusal:
        first = _answering_before_dice(ruleset, rule, effects)
        if first:
            refusal.params["asked"] = first
        raise


def _answering_before_dice(ruleset: Ruleset[R], rule: R, effects: Effects) -> list[str]:
    """The combatants, else seats or sides, that have to answer before these effects take dice."""
    if not any(map(_leaves_open, effects)):
        return []
    for effect in effects:
        rule = ruleset.evolve(rule, effect)
    questions = rule.pending[-1].decisions
    return [decisions.addressee(d) if d.combatant is UNSET else d.combatant for d in questions]


def _leaves_open(effect: fx.Effect) -> bool:
    if isinstance(effect, fx.DecisionClosed):
        return effect.sealed is not UNSET
    return isinstance(effect, fx.AnswerAsked)


def _as_own_effect(ruleset: Ruleset[R], question: fx.DecisionOpened) -> fx.DecisionOpened:
    """A question for dice as the ruleset's own effect."""
    return ruleset.opened(decision=question.decision, declared=question.declared)


def _awaiting_action(ruleset: Ruleset[R], state: State[R], action: do.Action) -> do.Action:
    """The action that awaits the dice: for an answer, the suspended action that goes on with it."""
    top = state.rule.pending[-1] if state.rule.pending else None
    if top is None or top.suspended is UNSET or not isinstance(action, do.Answer):
        return action
    waiting: do.Action = msgspec.json.decode(top.suspended.action, type=ruleset.action)
    return waiting


def _too_few(need: NeedFaces, supplied: int) -> Refused:
    """The refusal for dice that are missing: which, and how many are needed as far as is known."""
    return decisions.faces_missing(need.purpose, need.sides, supplied + need.count, supplied)
