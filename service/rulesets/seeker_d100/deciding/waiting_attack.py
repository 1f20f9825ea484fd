"""An attack that waited for answers: whether it may continue, and where its danger comes from.

How this works. An attack waits declared: its step, its rounds and its action are taken. Meanwhile
the game master may change anything. Where the version says so (`Readings.waiting`), the attack is
judged again when it continues, by the requirements of any attack, as if it were stated now, with
what it has taken given back. What counts is what the seat that asked for it knows now.
"""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.awaited_dice import stopped_by
from service.engine.battle.roster import combatant_of, existing, is_out, with_combatant
from service.engine.battle.state import State
from service.engine.geometry.segments import Spot
from service.engine.kit.resolution import perceive_for
from service.engine.vocabulary.values import By
from service.errors import Refused
from service.rulesets.seeker_d100.actions import Armed, AttackAction, Step
from service.rulesets.seeker_d100.deciding.assault import (
    Assault,
    arm_stated,
    assault_of,
    require_attack,
    rounds_of,
)
from service.rulesets.seeker_d100.deciding.checks import finish_action
from service.rulesets.seeker_d100.deciding.resolution import Resolution
from service.rulesets.seeker_d100.places import place_at, spot_at, spot_of
from service.rulesets.seeker_d100.readings import Readings
from service.rulesets.seeker_d100.rules.waiting import WaitingReading
from service.rulesets.seeker_d100.state import BattleState, Context


def reading_of(battle: State[BattleState]) -> WaitingReading | None:
    """How the version of this battle judges an attack that waited; None: it does not."""
    return battle.terms.read_as(Readings).waiting


def refusal_of(battle: State[BattleState], action: AttackAction, by: By) -> Refused | None:
    """Why an attack that waited goes no further; None if it continues (SK-WAIT-1).

    `by` is who asked for it.
    """
    reading = reading_of(battle)
    if reading is None:
        return None
    rule = _with_cost_given_back(battle.rule, action, reading)
    stated_now = State(rule=rule, linear=battle.linear, terms=battle.terms)
    try:
        require_attack(perceive_for(stated_now, by, action.combatant), action)
    except Refused as refusal:
        return refusal
    return None


def _with_cost_given_back(
    rule: BattleState, action: AttackAction, reading: WaitingReading
) -> BattleState:
    attacker = existing(rule, action.combatant)
    weapons = attacker.weapons
    if isinstance(action, Armed):
        arm = arm_stated(rule, attacker, action.weapon)
        left = reading.rounds_given_back(arm.ammo, rounds_of(arm, action))
        ammo = UNSET if left is None else left
        weapons = tuple(
            replace(each, ammo=ammo) if each.id == arm.item else each for each in weapons
        )
    return with_combatant(
        rule, attacker.id, lambda before: replace(before, actions_left=1, weapons=weapons)
    )


def is_step_due(battle: State[BattleState], action: AttackAction) -> bool:
    """Whether an attack that waited takes its step before it again (SK-WAIT-2)."""
    reading, step = reading_of(battle), action.step
    if reading is None or not isinstance(step, Step) or step.when != "before":
        return False
    here = spot_of(existing(battle.rule, action.combatant))
    return reading.is_step_due(here, spot_at(step.to))


def continued_assault(battle: State[BattleState], action: AttackAction) -> Assault:
    """The attack as it will be made when it continues; nothing is checked."""
    rule, step = battle.rule, action.step
    if isinstance(step, Step) and is_step_due(battle, action):
        to = spot_at(step.to)
        rule = with_combatant(
            rule, action.combatant, lambda before: replace(before, place=place_at(to, before.place))
        )
    return assault_of(rule, action)


def follows(battle: State[BattleState], action: AttackAction, assault: Assault) -> str | UnsetType:
    """Id of the combatant with whom the danger moves while victims answer (SK-COVER-3).

    That of an attack after a step does not: it is made from where the step leads, or not at all.
    """
    if reading_of(battle) is None:
        return UNSET
    if assault.is_explosive:
        return UNSET if assault.target is None else assault.target.id
    is_fixed = isinstance(action.step, Step) and action.step.when == "before"
    return UNSET if is_fixed else assault.attacker.id


def danger_of(battle: State[BattleState], context: Context) -> Spot:
    """Where the danger of a question comes from now, as far as this battle shows (SK-COVER-3)."""
    asked, reading = spot_at(context.origin), reading_of(battle)
    if reading is None:
        return asked
    bearer = None if context.follows is UNSET else combatant_of(battle.rule, context.follows)
    return reading.danger_from(asked, None if bearer is None else spot_of(bearer))


def stop(resolution: Resolution, action: AttackAction, refusal: Refused) -> None:
    """An attack that waited goes no further; the turn ends, unless its action was given back."""
    effects = resolution.effects
    stopped = stopped_by(action, refusal)
    if stopped is not None:
        effects.emit(stopped)
    attacker = existing(effects.rule, action.combatant)
    if is_out(attacker) or not attacker.actions_left:
        finish_action(resolution, attacker.id, str(action.__struct_config__.tag))
