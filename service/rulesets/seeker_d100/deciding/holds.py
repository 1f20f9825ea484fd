"""Holds: how they begin and end, breaking free and letting go."""

from msgspec import UNSET

from service.engine.battle.effect_builder import EffectBuilder
from service.engine.battle.state import combatant_of
from service.engine.dice.dice import Dice
from service.engine.kit.combatants import existing
from service.engine.vocabulary import effects as fx
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.actions import BreakFree, Release
from service.rulesets.seeker_d100.deciding.checks import (
    Battle,
    Check,
    finish,
    gm_line,
    lines_of,
    rolled,
    spend_action,
    stream_for,
)
from service.rulesets.seeker_d100.deciding.moves import (
    place_of_action,
)
from service.rulesets.seeker_d100.deciding.requirements import acting
from service.rulesets.seeker_d100.evolve import evolve
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
from service.rulesets.seeker_d100.state import BattleState, Combatant, Condition, is_out


def take_hold(told: Battle, held: str, holder: str, roll: CheckRoll) -> None:
    """The holder holds somebody; whatever the held one did about attacks is over (SK-GRAB-1)."""
    told.emit(
        own.LinkChanged(
            rule=SK_GRAB_1,
            link="hold",
            combatant=held,
            other=holder,
            tied=True,
            facts={"natural": roll.natural, "level": roll.level},
        )
    )
    unbind(told, held)


def let_go(told: Battle, held: str, holder: str, cause: str) -> None:
    """A hold is over."""
    told.emit(
        own.LinkChanged(
            rule=SK_GRAB_5,
            link="hold",
            combatant=held,
            other=holder,
            tied=False,
            cause=cause,
        )
    )


def unbind(told: Battle, combatant: str) -> None:
    """What ends when somebody is held or out: its answers to attacks, and its hold on another."""
    who = existing(told.rule, combatant)
    is_held, is_active = who.held_by is not UNSET, not is_out(who)
    if is_standing_over(is_round_over=False, is_held=is_held, is_active=is_active):
        ended: list[tuple[Condition, object]] = [
            ("answering", who.answering),
            ("standing_roll", who.standing_roll),
        ]
        for condition, value in ended:
            if value is not UNSET:
                told.emit(
                    own.ConditionLost(
                        rule=SK_STAND_3,
                        combatant=combatant,
                        condition=condition,
                        cause="held" if is_active else "felled",
                    )
                )
    cause = hold_ended(is_holder_held=is_held, is_holder_active=is_active)
    if who.holding is not UNSET and cause is not None:
        let_go(told, who.holding, combatant, cause)


def require_break_free(rule: BattleState, action: BreakFree) -> str:
    """Who holds the one that would break free. Raises Refused."""
    actor = acting(rule, action)
    place_of_action(actor, action.step)
    return require_held(actor.id, None if actor.held_by is UNSET else actor.held_by.holder)


def break_free(
    seen: BattleState, rule: BattleState, action: BreakFree, dice: Dice
) -> tuple[fx.Effect, ...]:
    """The effects of an attempt to break free: an opposed check the held one must win."""
    require_break_free(seen, action)
    told = EffectBuilder(rule, evolve)
    spend_action(told, action.combatant)
    held = existing(told.rule, action.combatant)
    holder = existing(told.rule, require_held(held.id, _holder_of(held)))
    ours, theirs, verdict = _wrestle(told, held, holder, dice)
    told.emit(
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
        let_go(told, held.id, holder.id, "broken_free")
    finish(told, held.id, "break_free", dice)
    return told.effects


_OUTCOMES = {"acting": "success", "answering": "failure", "stalemate": "stalemate"}


def _holder_of(held: Combatant) -> str | None:
    return None if held.held_by is UNSET else held.held_by.holder


def _wrestle(
    told: Battle, held: Combatant, holder: Combatant, dice: Dice
) -> tuple[Check, Check | None, Verdict]:
    """The held one's roll, the holder's unless that of the grapple counts, and who won."""
    options = told.rule.options
    skill = break_free_chance(held.strength, held.skills.unarmed)
    stream = stream_for(told.rule, held.id)
    ours = rolled(told, held, skill, lines_of(gm_line(held)), "break_free", stream, dice)
    theirs = None
    if options.break_free_versus == "new_roll" or held.held_by is UNSET:
        stream = stream_for(told.rule, held.id, holder.id)
        lines = lines_of(gm_line(holder))
        theirs = rolled(told, holder, holder.skills.unarmed, lines, "break_free", stream, dice)
        against = theirs.result
    else:
        against = CheckRoll(held.held_by.natural, held.held_by.level)
    return ours, theirs, breaks_free(ours.result, against, options.opposed_die)


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
    """Whom the one that would let go holds. Raises Refused."""
    actor = acting(rule, action)
    place_of_action(actor, action.step)
    return require_holding(actor.id, None if actor.holding is UNSET else actor.holding)


def release(
    seen: BattleState, rule: BattleState, action: Release, dice: Dice
) -> tuple[fx.Effect, ...]:
    """The effects of letting go; a holder takes no step (SK-GRAB-3).

    A preview, decided on what its asker knows, may be about somebody held whom he does not see.
    """
    require_release(seen, action)
    told = EffectBuilder(rule, evolve)
    spend_action(told, action.combatant)
    holding = existing(told.rule, action.combatant).holding
    if holding is not UNSET and combatant_of(told.rule, holding) is not None:
        let_go(told, holding, action.combatant, "released")
    finish(told, action.combatant, "release", dice)
    return told.effects
