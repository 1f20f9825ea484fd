"""Fights between engaged warriors: allowed on what the asker knows, then fought (ML-FIGHT-1)."""

from typing import NamedTuple

from msgspec import UNSET, UnsetType

from service.engine.battle.roster import existing, require_combatant
from service.engine.battle.state import State
from service.engine.kit.streams import stream_for
from service.engine.vocabulary.values import Roll
from service.errors import Refused
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Fight
from service.rulesets.melody_d6.attack_effects import AttackAgainst, AttackResolved, Detail
from service.rulesets.melody_d6.content import content_of, weapon_of
from service.rulesets.melody_d6.deciding.discovery import attack_begins
from service.rulesets.melody_d6.deciding.harm import Doer, Wounding, damage, roll_wounds, shake
from service.rulesets.melody_d6.deciding.mask_loss import lose_mask
from service.rulesets.melody_d6.deciding.requirements import (
    require_acting,
    require_action,
    require_weapon,
)
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.occupancy import opponents
from service.rulesets.melody_d6.rules.fights import (
    BARE_HANDS,
    ML_FIGHT_1,
    FightOutcome,
    defender_melee,
    fight_outcome,
)
from service.rulesets.melody_d6.rules.masking import require_masked_before
from service.rulesets.melody_d6.rules.turns import ML_TURN_4
from service.rulesets.melody_d6.rules.wounds import D6, Hit
from service.rulesets.melody_d6.state import BattleState, Combatant, is_stunned
from service.rulesets.melody_d6.weapons import Weapon, is_ranged


class Fighter(NamedTuple):
    """One of two who fight: what is added to its die, and what it strikes with."""

    warrior: Combatant
    melee: int
    weapon: Weapon | None

    @property
    def hit(self) -> Hit:
        """What a won fight does."""
        weapon = self.weapon
        return BARE_HANDS if weapon is None else Hit(weapon.strength, weapon.pen, weapon.damage)

    @property
    def item(self) -> str | UnsetType:
        """Id of its weapon, if it has one."""
        return UNSET if self.weapon is None else self.weapon.id


def require_fight(view: State[BattleState], action: Fight) -> None:
    """All preconditions of a fight (row 9).

    Raises Refused("unknown_combatant"), ("unknown_weapon"), what `require_acting` does, then
    ("action_spent"), ("masked_this_turn"), ("not_engaged") or ("weapon_not_melee"), checked in this
    order.
    """
    rule = view.rule
    target = require_combatant(rule, action.target)
    attacker = require_combatant(rule, action.combatant)
    weapon = None if action.weapon is UNSET else require_weapon(view, attacker, action.weapon)
    require_acting(rule, attacker.id, "action")
    require_action(attacker)
    require_masked_before(attacker.id, masked_this_turn=attacker.masked_this_turn)
    if target not in opponents(rule, attacker):
        raise Refused("not_engaged", rule=ML_FIGHT_1, combatant=attacker.id, target=target.id)
    if weapon is not None and is_ranged(weapon):
        raise Refused("weapon_not_melee", rule=ML_FIGHT_1, weapon=weapon.id)


def fight(resolution: Resolution, action: Fight) -> None:
    """A fight: the attacker's action; whoever wins wounds the other. Raises Refused."""
    require_fight(resolution.view, action)
    effects, attacker = resolution.effects, action.combatant
    effects.emit(own.ResourceChanged(rule=ML_TURN_4, combatant=attacker, resource="action", now=0))
    attack_begins(effects, attacker)
    effects.emit(own.ConditionGained(rule=ML_FIGHT_1, combatant=attacker, condition="attacked"))
    lose_mask(effects, attacker, "attacked", fleeting=True)
    _blows(resolution, *fighters(effects.state, action))


def fighters(battle: State[BattleState], action: Fight) -> tuple[Fighter, Fighter]:
    """Attacker and defender of a fight as they now are."""
    attacker = existing(battle.rule, action.combatant)
    defender = existing(battle.rule, action.target)
    named = first_melee(battle, attacker)
    if action.weapon is not UNSET:
        named = weapon_of(content_of(battle), action.weapon)
    return (
        Fighter(attacker, attacker.melee, named),
        Fighter(
            defender,
            defender_melee(defender.melee, is_stunned=is_stunned(defender)),
            first_melee(battle, defender),
        ),
    )


def first_melee(battle: State[BattleState], warrior: Combatant) -> Weapon | None:
    """The first melee weapon that a warrior carries, if it has one."""
    content = content_of(battle)
    carried = (weapon_of(content, each) for each in warrior.weapons)
    return next((each for each in carried if each is not None and not is_ranged(each)), None)


def _blows(resolution: Resolution, attacker: Fighter, defender: Fighter) -> None:
    """Both dice, the attacker's first; then the wound dice and saves of the loser."""
    ids = (attacker.warrior.id, defender.warrior.id)
    stream, dice = stream_for(resolution.rule, *ids), resolution.dice
    roll = dice.roll(1, D6, "attack", stream=stream, combatant=ids[0])
    answer = dice.roll(1, D6, "defence", stream=stream, combatant=ids[1])
    outcome = fight_outcome(roll.total + attacker.melee, answer.total + defender.melee)
    if outcome == "stalemate":
        _tell(resolution, attacker, defender, (roll, answer), outcome, None)
        return
    winner, loser = (attacker, defender) if outcome == "hit" else (defender, attacker)
    wounding = roll_wounds(
        resolution, loser.warrior.id, winner.hit, 1, stream=stream, roller=winner.warrior.id
    )
    _tell(resolution, attacker, defender, (roll, answer), outcome, wounding)
    shake(resolution.effects, loser.warrior.id)
    doer = Doer("attack", combatant=winner.warrior.id, item=winner.item)
    damage(resolution, loser.warrior.id, wounding.unsaved * winner.hit.damage, doer)


def _tell(
    resolution: Resolution,
    attacker: Fighter,
    defender: Fighter,
    rolls: tuple[Roll, Roll],
    outcome: FightOutcome,
    wounding: Wounding | None,
) -> None:
    against = AttackAgainst(
        target=defender.warrior.id,
        roll=rolls[1],
        base=defender.melee,
        item=defender.item if outcome == "stopped" else UNSET,
    )
    detail = Detail(
        attacker=attacker.warrior.id,
        item=attacker.item,
        mode="fight",
        roll=rolls[0],
        base=attacker.melee,
        pool=attacker.melee,
        hits=int(outcome == "hit"),
        against=against,
        wounds=UNSET if wounding is None else wounding.wounds,
        saves=UNSET if wounding is None else wounding.saves,
    )
    resolution.effects.emit(
        AttackResolved(rule=ML_FIGHT_1, target=defender.warrior.id, outcome=outcome, detail=detail)
    )
