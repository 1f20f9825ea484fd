"""Checks with percentile dice, and what every action costs whoever takes it."""

from typing import NamedTuple

from msgspec import UNSET, UnsetType

from service.engine.battle.effect_builder import EffectBuilder
from service.engine.battle.state import scope_of
from service.engine.dice.dice import Dice
from service.engine.kit.combatants import existing
from service.engine.visibility.scope import EVERYONE_WORD, narrow
from service.engine.vocabulary.breakdown import Modifier
from service.engine.vocabulary.values import Roll
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.deciding.turns import end_turn
from service.rulesets.seeker_d100.rules.aim import SK_AIM_2, aim_lost
from service.rulesets.seeker_d100.rules.checks import (
    SK_CHECK_1,
    CheckRoll,
    chance_of,
    check_roll,
    gm_modifier,
    level_rule,
)
from service.rulesets.seeker_d100.rules.turns import SK_TURN_2
from service.rulesets.seeker_d100.rules.words import D100
from service.rulesets.seeker_d100.state import BattleState, Combatant, is_out

Battle = EffectBuilder[BattleState]


class Check(NamedTuple):
    """A percentile roll with what explains it."""

    skill: int
    lines: tuple[Modifier, ...]
    chance: int
    roll: Roll
    result: CheckRoll
    level_rule: str | UnsetType


def gm_line(combatant: Combatant) -> Modifier | None:
    """What the game master adds to this combatant's next roll."""
    return None if combatant.next_roll is UNSET else gm_modifier(combatant.next_roll)


def lines_of(*lines: Modifier | None) -> tuple[Modifier, ...]:
    """The lines that are there."""
    return tuple(line for line in lines if line is not None)


def d100(purpose: str, stream: int, roller: str, dice: Dice) -> Roll:
    """Percentile dice."""
    return dice.roll(1, D100, purpose, stream=stream, combatant=roller)


def rolled(
    told: Battle,
    roller: Combatant,
    skill: int,
    lines: tuple[Modifier, ...],
    purpose: str,
    stream: int,
    dice: Dice,
) -> Check:
    """Roll against a skill and its modifiers; what the game master added is used up."""
    roll = d100(purpose, stream, roller.id, dice)
    if roller.next_roll is not UNSET:
        told.emit(
            own.ConditionLost(
                rule=SK_CHECK_1, combatant=roller.id, condition="next_roll", cause="used"
            )
        )
    chance = chance_of(skill, lines)
    result = check_roll(roll.total, chance, doubles=told.rule.options.doubles)
    return Check(skill, lines, chance, roll, result, level_rule_of(told, roll.total))


def level_rule_of(told: Battle, natural: int) -> str | UnsetType:
    """The rule that made a rolled face critical or a fumble, as the log keeps it."""
    rule = level_rule(natural, doubles=told.rule.options.doubles)
    return UNSET if rule is None else rule


def stream_for(rule: BattleState, *combatants: str) -> int:
    """The stream of those who may know of all of these combatants."""
    scope = scope_of(rule)
    audience = EVERYONE_WORD
    for each in combatants:
        audience = narrow(audience, scope.subject(each))
    return scope.stream_of(audience)


def spend_action(told: Battle, combatant: str) -> None:
    """The action of the round is spent."""
    told.emit(own.ResourceChanged(rule=SK_TURN_2, combatant=combatant, resource="action", now=0))


def lose_aim(told: Battle, combatant: str, *, action: str | None = None, hp_lost: int = 0) -> None:
    """An aim is gone with the action that has just ended, or with health that was lost."""
    aim = existing(told.rule, combatant).aim
    if aim is UNSET:
        return
    cause = aim_lost(aim.round, told.rule.round, action=action, hp_lost=hp_lost)
    if cause is not None:
        told.emit(
            own.ConditionLost(rule=SK_AIM_2, combatant=combatant, condition="aim", cause=cause)
        )


def finish(told: Battle, combatant: str, action: str, dice: Dice, cause: str = "ended") -> None:
    """The action of a turn is over, and with it the turn, by `cause` unless its owner is out."""
    lose_aim(told, combatant, action=action)
    is_felled = is_out(existing(told.rule, combatant))
    end_turn(told, "felled" if is_felled else cause, dice)
