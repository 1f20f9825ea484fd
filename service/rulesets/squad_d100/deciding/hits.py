"""What a hit does: the armour test, the damage dice of a penetration, and the wound."""

from typing import NamedTuple

from msgspec import UNSET, UnsetType

from service.engine.battle.roster import existing
from service.engine.kit.streams import stream_for
from service.rulesets.squad_d100.attack_effects import ArmourTest
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.deciding.wounds import (
    Doer,
    RolledDamage,
    inflict,
    roll_damage,
)
from service.rulesets.squad_d100.evolve import BattleEffects
from service.rulesets.squad_d100.rules.armour import (
    ArmourOptions,
    ArmourRuling,
    armour_ruling,
    ruling_rules,
)
from service.rulesets.squad_d100.rules.wounds import SQ_WOUND_3, harm_of
from service.rulesets.squad_d100.state import BattleState, Combatant, Options, is_down
from service.rulesets.squad_d100.weapons import Damage


class Means(NamedTuple):
    """What does the harm: a weapon, a grenade or bare hands of `attacker`, or an object's blast."""

    ap_class: int
    damage: Damage
    attacker: str | UnsetType = UNSET
    item: str | UnsetType = UNSET
    is_burning: bool = False
    cause: str = "attack"
    damage_rule: str = SQ_WOUND_3


def armour_options(options: Options) -> ArmourOptions:
    """What the table has chosen about armour."""
    return ArmourOptions(options.ap_equal, options.unarmoured, options.universal_table)


def rule_on(
    options: Options, means: Means, victim: Combatant, natural: int, *, is_critical: bool
) -> ArmourRuling:
    """What a hit with this natural die does to the armour of `victim`."""
    return armour_ruling(
        natural,
        means.ap_class,
        victim.armour_class,
        armour_options(options),
        is_critical=is_critical,
    )


def armour_test(means: Means, victim: Combatant, ruling: ArmourRuling) -> ArmourTest:
    """A ruling as effects tell it."""
    return ArmourTest(
        target=victim.id,
        attacker=means.attacker,
        armour_class=victim.armour_class,
        reason=ruling.reason,
        swapped=UNSET if ruling.swapped is None else ruling.swapped,
        column=UNSET if ruling.column is None else ruling.column,
        zone=ruling.zone,
        rules=ruling_rules(ruling),
    )


def hurt_by_hit(
    resolution: Resolution, means: Means, attacker: str, victim: str, ruling: ArmourRuling
) -> None:
    """The wound of a single hit; its damage dice are rolled for a penetration alone."""
    effects = resolution.effects
    damage = RolledDamage(0)
    if ruling.zone == "penetration":
        stream = stream_for(effects.rule, attacker, victim)
        damage = roll_damage(means.damage, stream, resolution.dice, roller=attacker)
    hurt_by(effects, means, victim, ruling, damage)


def hurt_by(
    effects: BattleEffects, means: Means, victim: str, ruling: ArmourRuling, damage: RolledDamage
) -> None:
    """The wound of a hit whose damage is rolled already; in a penetration alone it counts."""
    is_penetration = ruling.zone == "penetration"
    doer = Doer(
        means.cause,
        combatant=means.attacker,
        item=means.item,
        roll=damage.roll if is_penetration else UNSET,
        is_burning=means.is_burning,
    )
    inflict(effects, victim, harm_of(ruling.zone, damage.amount, means.damage_rule), doer)


def is_standing(rule: BattleState, combatant: str) -> bool:
    """Whether a combatant of the battle is not down."""
    return not is_down(existing(rule, combatant))
