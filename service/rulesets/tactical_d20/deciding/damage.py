"""Damage dice, what damage does to a combatant, and what the game master's word on health does."""

from typing import Final, Literal, NamedTuple

from msgspec import UNSET, UnsetType

from service.engine.battle.roster import existing
from service.engine.dice.dice import Dice
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Roll
from service.rulesets.tactical_d20 import effects as own
from service.rulesets.tactical_d20.evolve import BattleEffects
from service.rulesets.tactical_d20.rules.defaults import (
    TD_SD_2,
    TD_SD_3,
    damage_dealt,
    damage_pool,
    felled_condition,
)
from service.rulesets.tactical_d20.rules.words import Outcome
from service.rulesets.tactical_d20.state import Combatant, band_of
from service.rulesets.tactical_d20.weapons import DamageDice

LEAST_HEALTH: Final = -10_000


class Harm(NamedTuple):
    """What dice and bonus come to; no roll where no die is due.

    `rules` are those that made more or less of them, `half` what a save leaves of it.
    """

    roll: Roll | UnsetType
    bonus: int
    amount: int
    rules: tuple[str, ...] = ()
    half: int | None = None

    @property
    def dealt(self) -> int:
        """The points that are taken off."""
        return self.amount if self.half is None else self.half


def roll_harm(damage: DamageDice, outcome: Outcome, roller: str, stream: int, dice: Dice) -> Harm:
    """The damage of a hit, its dice drawn; a critical one has twice the dice and the bonus."""
    count, bonus = damage_pool(damage.count, damage.bonus, outcome)
    roll = dice.roll(count, damage.sides, "damage", stream=stream, combatant=roller)
    return Harm(
        roll=roll if roll.faces else UNSET,
        bonus=bonus,
        amount=damage_dealt(roll.faces, bonus),
        rules=(TD_SD_2,) if outcome == "critical" else (),
    )


def wound(
    effects: BattleEffects, target: str, harm: Harm, attacker: str, item: str | UnsetType
) -> None:
    """Take the damage off the target's health (0 is stated, too); it falls if it must."""
    victim = existing(effects.rule, target)
    health = health_after(victim.health, harm.dealt)
    effects.emit(
        own.Hurt(
            rule=TD_SD_3,
            combatant=target,
            amount=harm.dealt,
            health=health,
            band=band_of(health, victim.health_max),
            cause="attack",
            source=fx.Source(combatant=attacker, item=item, roll=harm.roll),
            reports=(_report(harm, attacker),),
        )
    )
    fall(effects, target, "attack")


def health_after(health: int, amount: int) -> int:
    """Hit points left after damage; a state holds no fewer than -10,000."""
    return max(health - amount, LEAST_HEALTH)


def _report(harm: Harm, attacker: str) -> own.Report:
    facts = {
        "roll": 0 if harm.roll is UNSET else harm.roll.total,
        "bonus": harm.bonus,
        "damage": harm.amount,
    }
    if harm.half is not None:
        facts["half"] = harm.half
    return own.Report(combatant=attacker, about="damage", rules=harm.rules or UNSET, facts=facts)


def fall(effects: BattleEffects, combatant: str, cause: str | UnsetType) -> None:
    """Unconscious at 0 health and less, dead as far below 0 as its maximum is above (TD-SD-3)."""
    victim = existing(effects.rule, combatant)
    state = felled_condition(victim.health, victim.health_max)
    if state is not None and not {state, "dead"} & set(victim.conditions):
        effects.emit(fx.Felled(rule=TD_SD_3, combatant=combatant, state=state, cause=cause))


def set_health(effects: BattleEffects, combatant: str, health: int) -> None:
    """The game master's word: health is this. Falling follows from it, and so does coming round.

    Who was down by its health and is no longer loses `unconscious` and `dead`.
    """
    before = existing(effects.rule, combatant)
    band = band_of(health, before.health_max)
    change = health - before.health
    if change < 0:
        effects.emit(
            own.Hurt(combatant=combatant, amount=-change, health=health, band=band, cause="gm")
        )
    else:
        effects.emit(
            fx.Healed(combatant=combatant, amount=change, health=health, band=band, cause="gm")
        )
    _come_round(effects, before)
    fall(effects, combatant, UNSET)


def _come_round(effects: BattleEffects, before: Combatant) -> None:
    """Take away what the health `before` had made of a combatant and its health now does not."""
    after = existing(effects.rule, before.id)
    was = felled_condition(before.health, before.health_max)
    state = felled_condition(after.health, after.health_max)
    conditions: tuple[Literal["dead", "unconscious"], ...] = ("dead", "unconscious")
    for condition in conditions:
        stays = state is not None and condition in ("unconscious", state)
        if was is not None and condition in after.conditions and not stays:
            effects.emit(
                own.ConditionLost(combatant=before.id, condition=condition, cause="recovered")
            )
