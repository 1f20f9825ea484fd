"""What hits, blasts and fire do to a body: HP, counters of wounds, and whether it goes down."""

from typing import Final, NamedTuple

from msgspec import UNSET, UnsetType

from service.engine.battle.roster import existing
from service.engine.dice.dice import Dice
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Roll
from service.rulesets.squad_d100.attack_effects import Hurt
from service.rulesets.squad_d100.evolve import BattleEffects
from service.rulesets.squad_d100.rules.wounds import (
    NOTE_DAMAGE,
    SQ_WOUND_1,
    SQ_WOUND_2,
    SQ_WOUND_3,
    SQ_WOUND_4,
    SQ_WOUND_5,
    SQ_WOUND_6,
    Harm,
    WoundKind,
    harm_of_wound,
    hp_after,
    is_down,
    wound_wording,
)
from service.rulesets.squad_d100.state import Combatant, band_of
from service.rulesets.squad_d100.weapons import Damage, DamageDice


class Doer(NamedTuple):
    """Who or what does harm: a combatant with an item, an explosion or fire.

    `roll` are the damage dice that this harm names or tells again, `rule` what gives a wound
    without a hit.
    """

    cause: str
    combatant: str | UnsetType = UNSET
    item: str | UnsetType = UNSET
    roll: Roll | UnsetType = UNSET
    is_burning: bool = False
    rule: str | UnsetType = UNSET


class RolledDamage(NamedTuple):
    """Damage as it was rolled; no roll where it is a number."""

    amount: int
    roll: Roll | UnsetType = UNSET


def roll_damage(
    damage: Damage, stream: int, dice: Dice, *, roller: str | UnsetType = UNSET
) -> RolledDamage:
    """The damage of one hit or blast, its dice drawn if it has any."""
    if not isinstance(damage, DamageDice):
        return RolledDamage(damage)
    roll = dice.roll(damage.count, damage.sides, "damage", stream=stream, combatant=roller)
    return RolledDamage(max(0, roll.total + damage.bonus), roll)


def wound(
    effects: BattleEffects,
    combatant: str,
    kind: WoundKind,
    cause: str,
    *,
    is_burning: bool,
    rule: str | UnsetType = UNSET,
) -> None:
    """A wound without a hit, by this rule, such as that of fire, and what follows for the body."""
    doer = Doer(cause, is_burning=is_burning, rule=rule)
    inflict(effects, combatant, harm_of_wound(kind), doer)


def inflict(effects: BattleEffects, combatant: str, harm: Harm, doer: Doer) -> None:
    """Take the harm off a body: HP (0 is stated, too), then the wound, then it goes down."""
    victim = existing(effects.rule, combatant)
    health = hp_after(victim.health, harm.hp_loss)
    is_armed = doer.combatant is not UNSET
    effects.emit(
        Hurt(
            rule=doer.rule,
            combatant=combatant,
            amount=harm.hp_loss,
            health=health,
            band=band_of(health, victim.health_max),
            breakdown=harm.lines,
            cause=doer.cause,
            roll=UNSET if is_armed else doer.roll,
            source=fx.Source(combatant=doer.combatant, item=doer.item, roll=doer.roll)
            if is_armed
            else UNSET,
            wound=UNSET if harm.wound is None else harm.wound,
            wording=UNSET
            if harm.wound is None
            else wound_wording(
                harm.wound, is_robot=victim.kind == "robot", is_burning=doer.is_burning
            ),
            rules=_rules_of(harm),
        )
    )
    if harm.wound is not None:
        _count(effects, victim, harm.wound)
    go_down(effects, combatant, doer.cause)


def go_down(effects: BattleEffects, combatant: str, cause: str | UnsetType) -> None:
    """Whoever has no HP left is down, once."""
    victim = existing(effects.rule, combatant)
    if is_down(victim.health) and "down" not in victim.conditions:
        effects.emit(fx.Felled(rule=SQ_WOUND_6, combatant=combatant, state="down", cause=cause))


_COUNTERS: Final[dict[WoundKind, str]] = {"heavy": "heavy_wounds", "light": "light_wounds"}


def _count(effects: BattleEffects, victim: Combatant, kind: WoundKind) -> None:
    counter = _COUNTERS[kind]
    now = getattr(victim, counter) + 1
    effects.emit(fx.StatChanged(rule=SQ_WOUND_4, combatant=victim.id, stat=counter, now=now))


def _rules_of(harm: Harm) -> tuple[str, ...]:
    """What the wound costs, then how it is called."""
    if harm.wound is None:
        return ()
    cost = SQ_WOUND_2 if harm.wound == "light" else SQ_WOUND_1
    is_penetration = any(line.note == NOTE_DAMAGE for line in harm.lines)
    return (*((SQ_WOUND_3,) if is_penetration else ()), cost, SQ_WOUND_5)
