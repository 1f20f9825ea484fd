"""What a body suffers: wound dice and saves, wounds lost and healed, stuns, and death.

How this works. Everything that hurts goes through here: shots and fights (`hits.py`), Melodies and
mistakes. The dice of an attack stand with the attack, those of anything else are checks of their
own. Whoever loses a wound leaves guard; whoever has none left is killed, and its song ends.
"""

from typing import NamedTuple

from msgspec import UNSET, UnsetType

from service.engine.battle.roster import existing
from service.engine.kit.streams import stream_for
from service.engine.vocabulary import effects as fx
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.attack_effects import Further
from service.rulesets.melody_d6.deciding.guard import leave_guard
from service.rulesets.melody_d6.deciding.lasting import singer_left, warrior_left
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.rules.guard import is_shaken
from service.rulesets.melody_d6.rules.shooting import ML_SHOOT_5
from service.rulesets.melody_d6.rules.stun import ML_STUN_1
from service.rulesets.melody_d6.rules.wounds import (
    D6,
    ML_SHOOT_6,
    Hit,
    health_after,
    health_healed,
    is_killed,
    save_needed,
    saves_made,
    wound_needed,
    wounds_made,
)
from service.rulesets.melody_d6.state import BattleState, band_of, is_on_table


class Doer(NamedTuple):
    """Who or what does harm: the cause in a word, a warrior if one does, its weapon or Melody."""

    cause: str
    combatant: str | UnsetType = UNSET
    item: str | UnsetType = UNSET

    @property
    def source(self) -> fx.Source | UnsetType:
        """Whoever did it, as effects tell it."""
        if self.combatant is UNSET:
            return UNSET
        return fx.Source(combatant=self.combatant, item=self.item)


class Wounding(NamedTuple):
    """What dice did to a body: wound dice, saves, and how many wounds were not saved."""

    wounds: Further
    saves: Further | UnsetType
    unsaved: int


def roll_wounds(
    resolution: Resolution, victim: str, hit: Hit, hits: int, *, stream: int, roller: str
) -> Wounding:
    """The dice of this many hits, at least one: all wound dice, then all saves.

    `roller` rolls for wounds, the victim for saves.
    """
    body, dice = existing(resolution.rule, victim), resolution.dice
    needed = wound_needed(hit.strength, body.toughness)
    roll = dice.roll(hits, D6, "wound", stream=stream, combatant=roller)
    made = wounds_made(roll.faces, needed)
    wounds = Further(target=victim, purpose="wound", roll=roll, needed=needed, successes=made)
    save = save_needed(body.armour, hit.pen)
    if save is UNSET or not made:
        return Wounding(wounds, UNSET, made)
    rolled = dice.roll(made, D6, "save", stream=stream, combatant=victim)
    held = saves_made(rolled.faces, save)
    saves = Further(target=victim, purpose="save", roll=rolled, needed=save, successes=held)
    return Wounding(wounds, saves, made - held)


def wound(resolution: Resolution, victim: str, hit: Hit, doer: Doer) -> bool:
    """One hit of a Melody or a mistake: its dice, each a check, and what they do.

    Whether at least one wound was lost.
    """
    stream = stream_for(resolution.rule, victim)
    rolled = roll_wounds(resolution, victim, hit, 1, stream=stream, roller=victim)
    for further in (rolled.wounds, rolled.saves):
        if further is not UNSET:
            resolution.effects.emit(
                own.CheckResolved(
                    rule=ML_SHOOT_6,
                    check=further.purpose,
                    combatant=victim,
                    outcome="success" if further.successes else "failure",
                    roll=further.roll,
                    needed=further.needed,
                    source=doer.source,
                )
            )
    return bool(rolled.unsaved) and damage(resolution, victim, rolled.unsaved * hit.damage, doer)


def damage(resolution: Resolution, victim: str, amount: int, doer: Doer) -> bool:
    """Wounds are lost without a die, and what follows: guard lost, killed.

    Whether at least one was lost: nobody loses any off the table.
    """
    effects, body = resolution.effects, existing(resolution.rule, victim)
    if not is_on_table(body) or amount <= 0:
        return False
    health = health_after(body.health, amount)
    effects.emit(
        fx.Hurt(
            rule=ML_SHOOT_6,
            combatant=victim,
            amount=body.health - health,
            health=health,
            band=band_of(health, body.health_max),
            cause=doer.cause,
            source=doer.source,
        )
    )
    if is_killed(health):
        fall(effects, victim, doer.cause)
    else:
        shake(effects, victim, lost_wounds=amount)
    return True


def fall(effects: BattleEffects, combatant: str, cause: str | UnsetType) -> None:
    """A warrior is killed: its guard and its song end, no song affects it, and it is gone."""
    leave_guard(effects, combatant, "gone")
    singer_left(effects, combatant, "singer_gone")
    warrior_left(effects, combatant)
    effects.emit(own.Felled(rule=ML_SHOOT_6, combatant=combatant, state="out", cause=cause))


def heal(resolution: Resolution, patient: str, amount: int, doer: Doer) -> bool:
    """Wounds are healed, at most those that were lost; whether any was."""
    body = existing(resolution.rule, patient)
    health = health_healed(body.health, body.health_max, amount)
    if not is_on_table(body) or health <= body.health:
        return False
    resolution.effects.emit(
        fx.Healed(
            combatant=patient,
            amount=health - body.health,
            health=health,
            band=band_of(health, body.health_max),
            cause=doer.cause,
        )
    )
    return True


def shake(effects: BattleEffects, victim: str, *, lost_wounds: int = 0) -> None:
    """Whoever is hit, loses a fight or loses wounds leaves guard, as the table wants it."""
    lost_on = effects.rule.options.guard_lost_on
    if is_shaken(lost_on, is_hit=True, lost_wounds=lost_wounds):
        suffer(effects, victim)


def suffer(effects: BattleEffects, victim: str) -> None:
    """A harmful effect ends a guard (ML-GUARD-8)."""
    leave_guard(effects, victim, "suffered")


def stun(resolution: Resolution, victim: str, doer: Doer) -> None:
    """A warrior is stunned; one of the unit that acts just now beyond this activation."""
    effects, body = resolution.effects, existing(resolution.rule, victim)
    is_now = is_active(resolution.rule, body.unit)
    effects.emit(
        own.ConditionGained(
            rule=ML_STUN_1,
            combatant=victim,
            condition="stunned",
            cause=doer.cause,
            until="next_activation" if is_now else UNSET,
        )
    )
    suffer(effects, victim)


def is_active(rule: BattleState, unit: str | UnsetType) -> bool:
    """Whether the activation of this unit is open."""
    return rule.turn_unit is not UNSET and rule.turn_unit == unit


def daze(resolution: Resolution, victim: str, doer: Doer) -> None:
    """A warrior is dazed until the end of its side's turn: it shoots less well."""
    effects = resolution.effects
    effects.emit(
        own.ConditionGained(rule=ML_SHOOT_5, combatant=victim, condition="dazed", cause=doer.cause)
    )
    suffer(effects, victim)
