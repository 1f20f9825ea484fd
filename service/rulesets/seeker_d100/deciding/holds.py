"""Holds: how they begin and end, breaking free and letting go."""

from msgspec import UNSET

from service.engine.battle.roster import combatant_of, existing, is_out
from service.engine.kit.streams import stream_for
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.actions import BreakFree, Release
from service.rulesets.seeker_d100.deciding.actor import require_actor
from service.rulesets.seeker_d100.deciding.checks import (
    Check,
    finish_action,
    roll_check,
    spend_action,
    weigh_check,
)
from service.rulesets.seeker_d100.deciding.moves import (
    place_of_action,
)
from service.rulesets.seeker_d100.deciding.resolution import Resolution
from service.rulesets.seeker_d100.evolve import BattleEffects
from service.rulesets.seeker_d100.rules.checks import CheckRoll
from service.rulesets.seeker_d100.rules.escape import (
    SK_FREE_1,
    break_free_chance,
    breaks_free,
    escape_rating,
)
from service.rulesets.seeker_d100.rules.grapple import (
    SK_GRAB_1,
    SK_GRAB_5,
    hold_ended,
    require_held,
    require_holding,
)
from service.rulesets.seeker_d100.rules.opposed import Verdict
from service.rulesets.seeker_d100.rules.standing import SK_STAND_3, is_standing_over
from service.rulesets.seeker_d100.state import BattleState, Combatant, Condition


def take_hold(effects: BattleEffects, held: str, holder: str, roll: CheckRoll) -> None:
    """The holder holds `held`, whose own answers to attacks and own hold end (SK-GRAB-1)."""
    effects.emit(
        own.LinkChanged(
            rule=SK_GRAB_1,
            link="hold",
            combatant=held,
            other=holder,
            tied=True,
            facts={"natural": roll.natural, "level": roll.level},
        )
    )
    end_answers_and_hold(effects, held)


def let_go(effects: BattleEffects, held: str, holder: str, cause: str) -> None:
    """The end of a hold, by `cause`."""
    effects.emit(
        own.LinkChanged(
            rule=SK_GRAB_5,
            link="hold",
            combatant=held,
            other=holder,
            tied=False,
            cause=cause,
        )
    )


def end_answers_and_hold(effects: BattleEffects, combatant: str) -> None:
    """The end of a combatant's answers to attacks and of its hold, if it is held or out."""
    me = existing(effects.rule, combatant)
    is_held, is_active = me.held_by is not UNSET, not is_out(me)
    if is_standing_over(is_round_over=False, is_held=is_held, is_active=is_active):
        ended: list[tuple[Condition, object]] = [
            ("answering", me.answering),
            ("standing_roll", me.standing_roll),
        ]
        for condition, value in ended:
            if value is not UNSET:
                effects.emit(
                    own.ConditionLost(
                        rule=SK_STAND_3,
                        combatant=combatant,
                        condition=condition,
                        cause="held" if is_active else "felled",
                    )
                )
    cause = hold_ended(is_holder_held=is_held, is_holder_active=is_active)
    if me.holding is not UNSET and cause is not None:
        let_go(effects, me.holding, combatant, cause)


def require_break_free(rule: BattleState, action: BreakFree) -> str:
    """The id of the holder of the combatant that wants to break free. Raises Refused."""
    actor = require_actor(rule, action)
    place_of_action(actor, action.step)
    return require_held(actor.id, None if actor.held_by is UNSET else actor.held_by.holder)


def break_free(resolution: Resolution, action: BreakFree) -> None:
    """The effects of an attempt to break free: an opposed check, which the held must win.

    In a preview, which is decided on what the caller knows, the holder may be missing; it ends with
    the first roll.
    """
    require_break_free(resolution.view.rule, action)
    effects = resolution.effects
    spend_action(effects, action.combatant)
    held = existing(effects.rule, action.combatant)
    ours = _roll_to_break_free(resolution, held)
    holder = existing(effects.rule, require_held(held.id, _holder_of(held)))
    theirs, verdict = _against_holder(resolution, held, holder, ours)
    effects.emit(
        own.CheckResolved(
            rule=SK_FREE_1,
            check="break_free",
            combatant=held.id,
            outcome=_OUTCOMES[verdict.winner],
            roll=ours.roll,
            needed=ours.chance,
            rating=escape_rating(held.strength, held.skills.unarmed),
            level=ours.result.level,
            level_rule=ours.level_rule,
            breakdown=ours.lines,
            opposed=_opposed(holder, held, theirs),
            why=UNSET if verdict.why is None else verdict.why,
        )
    )
    if verdict.winner == "acting":
        let_go(effects, held.id, holder.id, "broken_free")
    finish_action(resolution, held.id, "break_free")


_OUTCOMES = {"acting": "success", "answering": "failure", "stalemate": "stalemate"}


def _holder_of(held: Combatant) -> str | None:
    return None if held.held_by is UNSET else held.held_by.holder


def _roll_to_break_free(resolution: Resolution, held: Combatant) -> Check:
    skill = break_free_chance(held.strength, held.skills.unarmed)
    stream = stream_for(resolution.rule, held.id)
    return roll_check(resolution, held, weigh_check(held, skill), "break_free", stream)


def _against_holder(
    resolution: Resolution, held: Combatant, holder: Combatant, ours: Check
) -> tuple[Check | None, Verdict]:
    """The holder's roll, unless the grapple's roll counts; and who won."""
    effects = resolution.effects
    options = effects.rule.options
    theirs = None
    if options.break_free_versus == "new_roll" or held.held_by is UNSET:
        stream = stream_for(effects.rule, held.id, holder.id)
        weight = weigh_check(holder, holder.skills.unarmed)
        theirs = roll_check(resolution, holder, weight, "break_free", stream)
        against = theirs.result
    else:
        against = CheckRoll(held.held_by.natural, held.held_by.level)
    return theirs, breaks_free(ours.result, against, options.opposed_die)


def _opposed(holder: Combatant, held: Combatant, theirs: Check | None) -> own.Opposed:
    if theirs is None:
        hold = held.held_by
        if hold is UNSET:
            return own.Opposed(combatant=holder.id)
        return own.Opposed(combatant=holder.id, natural=hold.natural, level=hold.level)
    return own.Opposed(
        combatant=holder.id,
        roll=theirs.roll,
        needed=theirs.chance,
        level=theirs.result.level,
        level_rule=theirs.level_rule,
        breakdown=theirs.lines,
    )


def require_release(rule: BattleState, action: Release) -> str:
    """The id of the combatant that the actor holds. Raises Refused."""
    actor = require_actor(rule, action)
    place_of_action(actor, action.step)
    return require_holding(actor.id, None if actor.holding is UNSET else actor.holding)


def release(resolution: Resolution, action: Release) -> None:
    """The effects of letting go; a holder takes no step (SK-GRAB-3).

    In a preview, which is decided on what the caller knows, the held combatant may be missing.
    """
    require_release(resolution.view.rule, action)
    effects = resolution.effects
    spend_action(effects, action.combatant)
    holding = existing(effects.rule, action.combatant).holding
    if holding is not UNSET and combatant_of(effects.rule, holding) is not None:
        let_go(effects, holding, action.combatant, "released")
    finish_action(resolution, action.combatant, "release")
