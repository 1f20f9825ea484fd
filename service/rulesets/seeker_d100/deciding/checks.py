"""Checks with percentile dice, and what all actions cost: the action, the aim, the turn."""

from typing import Literal, NamedTuple

from msgspec import UNSET, UnsetType

from service.engine.battle.roster import existing, is_out
from service.engine.dice.dice import Dice
from service.engine.vocabulary.breakdown import Modifier
from service.engine.vocabulary.values import Roll
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.deciding.resolution import Resolution
from service.rulesets.seeker_d100.deciding.turns import end_turn
from service.rulesets.seeker_d100.evolve import BattleEffects
from service.rulesets.seeker_d100.rules.aim import SK_AIM_2, aim_lost
from service.rulesets.seeker_d100.rules.checks import (
    OUTCOMES,
    SK_CHECK_1,
    CheckRoll,
    chance_of,
    check_roll,
    gm_modifier,
    level_rule,
)
from service.rulesets.seeker_d100.rules.turns import SK_TURN_2
from service.rulesets.seeker_d100.rules.words import D100
from service.rulesets.seeker_d100.state import Combatant


class Weight(NamedTuple):
    """What a check is rolled against: a skill, the lines that change it, the chance they come to.

    Skill and chance in per cent; the chance may lie below 0 or above 100.
    """

    skill: int
    lines: tuple[Modifier, ...]
    chance: int


class Check(NamedTuple):
    """A percentile roll: what it was rolled against, the dice, and how good they are."""

    skill: int
    lines: tuple[Modifier, ...]
    chance: int
    roll: Roll
    result: CheckRoll
    level_rule: str | UnsetType


def weigh_check(roller: Combatant, skill: int, *lines: Modifier | None) -> Weight:
    """A skill with those of these lines that are there; the game master's modifier comes last."""
    present = lines_of(*lines, gm_line(roller))
    return Weight(skill, present, chance_of(skill, present))


def gm_line(combatant: Combatant) -> Modifier | None:
    """The line of the modifier that the game master gave this combatant's next roll, if any."""
    return None if combatant.next_roll is UNSET else gm_modifier(combatant.next_roll)


def lines_of(*lines: Modifier | None) -> tuple[Modifier, ...]:
    """These lines without the absent ones."""
    return tuple(line for line in lines if line is not None)


def roll_d100(purpose: str, stream: int, roller: str, dice: Dice) -> Roll:
    """One d100; the face `00` is 100."""
    return dice.roll(1, D100, purpose, stream=stream, combatant=roller)


def roll_check(
    resolution: Resolution, roller: Combatant, weight: Weight, purpose: str, stream: int
) -> Check:
    """Roll a check; the modifier that the game master gave the roller's next roll is used up."""
    effects = resolution.effects
    roll = roll_d100(purpose, stream, roller.id, resolution.dice)
    if roller.next_roll is not UNSET:
        effects.emit(
            own.ConditionLost(
                rule=SK_CHECK_1, combatant=roller.id, condition="next_roll", cause="used"
            )
        )
    result = check_roll(roll.total, weight.chance, doubles=effects.rule.options.doubles)
    return Check(*weight, roll, result, level_rule_of(effects, roll.total))


def emit_check(
    effects: BattleEffects,
    check: Check,
    combatant: str,
    *,
    rule: str,
    kind: Literal["movement", "take_cover"],
) -> None:
    """The result of a check that no other roll opposes."""
    effects.emit(
        own.CheckResolved(
            rule=rule,
            check=kind,
            combatant=combatant,
            outcome=OUTCOMES[check.result.level],
            roll=check.roll,
            needed=check.chance,
            level=check.result.level,
            level_rule=check.level_rule,
            breakdown=check.lines,
        )
    )


def level_rule_of(effects: BattleEffects, natural: int) -> str | UnsetType:
    """The rule that made this face critical or a fumble; absent if only the chance counted."""
    rule = level_rule(natural, doubles=effects.rule.options.doubles)
    return UNSET if rule is None else rule


def spend_action(effects: BattleEffects, combatant: str) -> None:
    """Spend the combatant's action of the round."""
    effects.emit(own.ResourceChanged(rule=SK_TURN_2, combatant=combatant, resource="action", now=0))


def lose_aim(
    effects: BattleEffects, combatant: str, *, action: str | None = None, hp_lost: int = 0
) -> None:
    """End an aim if the action just taken (None: none) or the hit points lost end it (SK-AIM-2)."""
    aim = existing(effects.rule, combatant).aim
    if aim is UNSET:
        return
    cause = aim_lost(aim.round, effects.rule.round, action=action, hp_lost=hp_lost)
    if cause is not None:
        effects.emit(
            own.ConditionLost(rule=SK_AIM_2, combatant=combatant, condition="aim", cause=cause)
        )


def finish_action(
    resolution: Resolution, combatant: str, action: str, cause: str = "ended"
) -> None:
    """End the action of a turn and the turn with it, by `cause` or because its combatant is out."""
    effects = resolution.effects
    lose_aim(effects, combatant, action=action)
    is_felled = is_out(existing(effects.rule, combatant))
    end_turn(resolution, "felled" if is_felled else cause)
