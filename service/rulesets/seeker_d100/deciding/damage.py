"""Wounds: damage dice, lethality, armour, and the consequences of a loss of health."""

from typing import Final, NamedTuple

from msgspec import UNSET

from service.engine.battle.roster import existing, is_out
from service.engine.battle.state import scope_of
from service.engine.kit.streams import stream_for
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.breakdown import Modifier
from service.engine.vocabulary.rolls import told_again
from service.engine.vocabulary.values import Roll
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.deciding.checks import (
    lines_of,
    lose_aim,
    roll_d100,
)
from service.rulesets.seeker_d100.deciding.holds import end_answers_and_hold
from service.rulesets.seeker_d100.deciding.resolution import Resolution
from service.rulesets.seeker_d100.equipment import Arm
from service.rulesets.seeker_d100.evolve import BattleEffects
from service.rulesets.seeker_d100.rules.armour import (
    SK_ARM_6,
    SK_ARM_7,
    Armour,
    armour_lines,
    armour_total,
    damage_after,
    does_cover_downgrade,
    does_worn_downgrade,
    floor_line,
)
from service.rulesets.seeker_d100.rules.attack import SK_ATK_3
from service.rulesets.seeker_d100.rules.checks import CheckRoll
from service.rulesets.seeker_d100.rules.damage import (
    SK_DMG_1,
    SK_DMG_4,
    bonus_rules,
    critical_line,
    doubled_damage,
    felled_by,
    health_after,
    rolled_damage,
)
from service.rulesets.seeker_d100.rules.lethality import (
    SK_LETH_2,
    SK_LETH_3,
    SK_LETH_4,
    SK_LETH_5,
    KilledBy,
    die_rules,
    digit_damage,
    digits_of,
    killed_before_roll,
    lethal_line,
    lethal_loss,
    lethal_terms,
    lethality_outcome,
)
from service.rulesets.seeker_d100.state import Combatant, Options, band_of


class Strike(NamedTuple):
    """An attack or counter-attack that hits: the attacker's id, the weapon, the roll."""

    attacker: str
    arm: Arm
    roll: CheckRoll


class Wound(NamedTuple):
    """What a strike costs one victim: the amount after armour, and the lines that lead to it."""

    victim: str
    amount: int
    roll: Roll | None
    lines: tuple[Modifier, ...]
    reports: tuple[own.Report, ...]


def roll_damage(resolution: Resolution, strike: Strike, victims: tuple[str, ...]) -> Roll | None:
    """The damage dice of an ordinary weapon, rolled once for all victims; None for other weapons.

    Their stream is that of those who may know the attacker if everybody may know one of the
    victims, otherwise that of those who may know the attacker and the victims.
    """
    effects = resolution.effects
    damage = strike.arm.damage
    if damage is None:
        return None
    scope = scope_of(effects.rule)
    is_open = any(scope.subject(victim) == EVERYONE_WORD for victim in victims)
    named = (strike.attacker,) if is_open else (strike.attacker, *victims)
    return resolution.dice.roll(
        damage.count,
        damage.sides,
        "damage",
        stream=stream_for(effects.rule, *named),
        combatant=strike.attacker,
    )


def emit_shared_damage(resolution: Resolution, strike: Strike, roll: Roll) -> Roll:
    """Emit the damage roll that an area's victims share; its form for repetition in each wound."""
    resolution.effects.emit(
        own.Rolled(rule=SK_ATK_3, purpose="damage", combatant=strike.attacker, roll=roll)
    )
    return told_again(roll, resolution.seq)


def ordinary_wound(
    effects: BattleEffects, strike: Strike, victim: str, roll: Roll, armour: Armour
) -> Wound:
    """Damage of an ordinary weapon: dice and bonus, doubled by a critical roll, less all armour."""
    bonus = 0 if strike.arm.damage is None else strike.arm.damage.bonus
    damage = rolled_damage(roll.faces, bonus)
    dealt = doubled_damage(
        damage, strike.roll.level, critical_doubles=effects.rule.options.critical_doubles_damage
    )
    lines = _lines(effects, strike, critical_line(damage, dealt), armour, dealt)
    reports = (_bonus_report(strike, roll.total, bonus, damage),) if bonus else ()
    return Wound(victim, damage_after(dealt, armour_total(armour)), roll, lines, reports)


def _lines(
    effects: BattleEffects, strike: Strike, critical: Modifier | None, armour: Armour, dealt: int
) -> tuple[Modifier, ...]:
    """The lines that lead from the rolled damage to the amount.

    The line saying that armour took more than there was is left out while the attacker is
    unseen: it would give away the roll.
    """
    floor = floor_line(armour, dealt) if _is_attacker_public(effects, strike) else None
    return lines_of(critical, *armour_lines(armour), floor)


def _bonus_report(strike: Strike, rolled: int, bonus: int, damage: int) -> own.Report:
    return own.Report(
        combatant=strike.attacker,
        about="damage",
        rules=bonus_rules(rolled, bonus),
        facts={"roll": rolled, "bonus": bonus, "damage": damage},
    )


def lethal_wound(resolution: Resolution, strike: Strike, victim: str, armour: Armour) -> Wound:
    """The effect of a lethal weapon on one victim, with its die if one is needed (SK-LETH-7)."""
    effects = resolution.effects
    options = effects.rule.options
    terms = lethal_terms(_rating(strike), strike.roll.level, options.lethality_critical)
    killed, roll = _roll_lethality(resolution, strike, victim, terms.rating)
    rating = _rating(strike) if killed == "attack_roll" else terms.rating
    doubling = (SK_LETH_5,) if terms.is_doubled else ()
    rules = (*_die_rules(roll, options), *(() if killed is None else (_RULES[killed],)))
    if killed != "attack_roll":
        rules = (*doubling, *rules)
    softened = None if killed is None else _downgrading_rule(armour, options)
    if killed is not None and softened is None:
        amount = lethal_loss(existing(effects.rule, victim).health)
        return Wound(victim, amount, roll, (), (_report(strike, killed, rules, rating, roll),))
    if roll is None:
        roll = roll_d100(
            "digits", _stream(effects, strike, victim), strike.attacker, resolution.dice
        )
        _emit_digits(effects, strike, victim, roll)
        roll = told_again(roll, resolution.seq)
    damage = digit_damage(roll.total, is_doubled=terms.is_doubled)
    amount = damage_after(damage, armour_total(armour))
    line = lethal_line(digit_damage(roll.total, is_doubled=False), damage)
    lines = _lines(effects, strike, line, armour, damage)
    rules = (*rules, *(() if softened is None else (softened,)), _RULES["digits"])
    rules = (*rules, *(each for each in doubling if each not in rules))
    return Wound(victim, amount, roll, lines, (_report(strike, "digits", rules, rating, roll),))


def _die_rules(roll: Roll | None, options: Options) -> tuple[str, ...]:
    return () if roll is None else die_rules(roll.total, doubles=options.doubles)


def _rating(strike: Strike) -> int:
    return strike.arm.lethality or 0


def _is_attacker_public(effects: BattleEffects, strike: Strike) -> bool:
    """Whether everybody may know the attacker."""
    return scope_of(effects.rule).subject(strike.attacker) == EVERYONE_WORD


def _stream(effects: BattleEffects, strike: Strike, victim: str) -> int:
    return stream_for(effects.rule, strike.attacker, victim)


def _roll_lethality(
    resolution: Resolution, strike: Strike, victim: str, rating: int
) -> tuple[KilledBy | None, Roll | None]:
    """What kills, or None; and the lethality die, if one had to be rolled against `rating`."""
    effects = resolution.effects
    options = effects.rule.options
    killed = killed_before_roll(
        strike.roll.natural,
        strike.roll.level,
        _rating(strike),
        attack_roll_kills=options.attack_roll_kills,
        critical=options.lethality_critical,
    )
    if killed is not None:
        return killed, None
    roll = roll_d100(
        "lethality", _stream(effects, strike, victim), strike.attacker, resolution.dice
    )
    is_kill = lethality_outcome(roll.total, rating) == "success"
    return ("lethality_roll" if is_kill else None), roll


def _downgrading_rule(armour: Armour, options: Options) -> str | None:
    """The rule by which armour turns a kill into the damage of the die's digits, if any does."""
    if does_cover_downgrade(armour, options.cover_vs_lethality):
        return SK_ARM_7
    return SK_ARM_6 if does_worn_downgrade(armour, options.body_vs_lethality) else None


def _emit_digits(effects: BattleEffects, strike: Strike, victim: str, roll: Roll) -> None:
    """Percentile dice rolled for their digits alone; unseen with the attacker."""
    effects.emit(
        own.Rolled(
            rule=SK_ARM_7,
            purpose="digits",
            combatant=strike.attacker,
            target=victim,
            roll=roll,
        )
    )


def _report(
    strike: Strike, value: str, rules: tuple[str, ...], rating: int, roll: Roll | None
) -> own.Report:
    facts = {"rating": rating}
    if roll is not None:
        facts["roll"] = roll.total
    if roll is not None and value == "digits":
        digits = digits_of(roll.total)
        facts |= {"a": digits.tens, "b": digits.ones}
    return own.Report(
        combatant=strike.attacker, about="lethality", value=value, rules=rules, facts=facts
    )


def inflict(effects: BattleEffects, strike: Strike, wound: Wound) -> int:
    """Take the wound off the victim's health, 0 too, and hand back the hit points lost.

    The consequences are left to `apply_loss`: all losses of an area come before any of them.
    While the attacker is unseen, nothing but the reports names the rule of the weapon.
    """
    victim = existing(effects.rule, wound.victim)
    health = health_after(victim.health, wound.amount)
    limit = effects.rule.options.unconscious_at
    is_felled = is_out(victim) or felled_by(victim.health, health, limit) is not None
    effects.emit(
        own.Hurt(
            rule=_rule_of(wound) if _is_attacker_public(effects, strike) else SK_DMG_1,
            combatant=victim.id,
            amount=wound.amount,
            health=health,
            band=band_of(health, victim.health_max, is_out=is_felled),
            breakdown=wound.lines,
            cause="attack",
            source=fx.Source(
                combatant=strike.attacker,
                item=strike.arm.item,
                roll=UNSET if wound.roll is None else wound.roll,
            ),
            reports=wound.reports,
        )
    )
    return victim.health - health


_RULES: Final = {
    "attack_roll": SK_LETH_4,
    "critical": SK_LETH_5,
    "lethality_roll": SK_LETH_2,
    "digits": SK_LETH_3,
}
"""What a lethal weapon did, and by which rule."""


def _rule_of(wound: Wound) -> str:
    values = [report.value for report in wound.reports if report.value is not UNSET]
    return _RULES[values[0]] if values else SK_DMG_1


def apply_loss(effects: BattleEffects, combatant: str, lost: int, cause: str) -> None:
    """The consequences of hit points lost: falling, the end of an aim, of answers and of a hold."""
    victim = existing(effects.rule, combatant)
    state = felled_by(victim.health + lost, victim.health, effects.rule.options.unconscious_at)
    if state is not None and not _is_already(victim, state):
        effects.emit(fx.Felled(rule=SK_DMG_4, combatant=combatant, state=state, cause=cause))
    lose_aim(effects, combatant, hp_lost=lost)
    end_answers_and_hold(effects, combatant)


def _is_already(victim: Combatant, state: str) -> bool:
    return "dead" in victim.conditions or state in victim.conditions
