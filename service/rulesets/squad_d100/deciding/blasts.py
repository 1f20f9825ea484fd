"""A blast: one damage roll, everybody it reaches, and the objects that it touches (SQ-GREN-4).

How this works. The damage is rolled even if nobody is there, so that it does not tell of hidden
combatants; to those who know of nobody there it concerned nobody, and where it penetrated nobody
whom they know of, nothing has read it.
"""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from service.engine.battle.state import scope_of
from service.engine.geometry.points import Cell
from service.engine.kit.streams import stream_for
from service.engine.visibility.scope import Scope, narrow
from service.engine.visibility.streams import PUBLIC_STREAM
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.rolls import discounted, told_again
from service.engine.vocabulary.values import Place, Roll, Uncounted
from service.rulesets.squad_d100.attack_effects import AreaDetail, AreaResolved, Victim
from service.rulesets.squad_d100.deciding.hits import (
    Means,
    armour_test,
    hurt_by,
    rule_on,
)
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.deciding.wounds import RolledDamage, roll_damage
from service.rulesets.squad_d100.ground import line_options
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.rules.armour import ArmourRuling
from service.rulesets.squad_d100.rules.distance import distance
from service.rulesets.squad_d100.rules.grenades import SQ_GREN_4, Bystander, blast_order
from service.rulesets.squad_d100.rules.ground import Ground, has_shot_line
from service.rulesets.squad_d100.rules.shots import is_critical_success
from service.rulesets.squad_d100.state import BattleState, is_down


class Blast(NamedTuple):
    """A grenade or cargo that goes off: where, how far, what it does, by which natural die."""

    origin: Cell
    radius: int
    means: Means
    natural: int
    roll: Roll | UnsetType = UNSET
    """The d100 of an explosion, named by its blast; a throw has named its own."""


class Struck(NamedTuple):
    """Somebody in a blast, and what it does to his armour."""

    combatant: str
    ruling: ArmourRuling


def is_reached(rule: BattleState, ground: Ground, origin: Cell, radius: int, cell: Cell) -> bool:
    """Whether a blast reaches a cell: near enough, and a clear shot line from its origin."""
    if distance(origin, cell, rule.options.distance_metric) > radius:
        return False
    return has_shot_line(ground, origin, cell, line_options(rule.options))


def reached(rule: BattleState, ground: Ground, origin: Cell, radius: int) -> tuple[str, ...]:
    """Whom a blast strikes, in its order."""
    metric, options = rule.options.distance_metric, line_options(rule.options)
    bystanders = []
    for combatant in rule.combatants:
        if combatant.place is UNSET or is_down(combatant):
            continue
        cell = cell_of(combatant)
        steps = distance(origin, cell, metric)
        if steps <= radius and has_shot_line(ground, origin, cell, options):
            bystanders.append(Bystander(combatant.id, combatant.number, steps))
    return blast_order(bystanders)


def go_off(resolution: Resolution, ground: Ground, blast: Blast) -> None:
    """Let a blast happen to everybody in it; what it touches is left to the explosion queue."""
    effects = resolution.effects
    rule, means = effects.rule, blast.means
    stream = PUBLIC_STREAM if means.attacker is UNSET else stream_for(rule, means.attacker)
    damage = roll_damage(means.damage, stream, resolution.dice, roller=means.attacker)
    struck = _struck(rule, ground, blast)
    damage = _emit_damage(resolution, blast, struck, damage)
    effects.emit(_resolved(rule, blast, struck))
    for each in struck:
        hurt_by(effects, means, each.combatant, each.ruling, damage)


def _struck(rule: BattleState, ground: Ground, blast: Blast) -> tuple[Struck, ...]:
    is_critical = is_critical_success(blast.natural, rule.options.crit_success_max)
    victims = {combatant.id: combatant for combatant in rule.combatants}
    return tuple(
        Struck(
            victim,
            rule_on(
                rule.options, blast.means, victims[victim], blast.natural, is_critical=is_critical
            ),
        )
        for victim in reached(rule, ground, blast.origin, blast.radius)
    )


def _emit_damage(
    resolution: Resolution, blast: Blast, struck: tuple[Struck, ...], damage: RolledDamage
) -> RolledDamage:
    """Emit the damage roll of a blast, if there is one; its form for repetition in each wound."""
    effects = resolution.effects
    if damage.roll is UNSET:
        return damage
    scope, attacker = scope_of(effects.rule), blast.means.attacker
    known = _known(scope, attacker, struck)
    why: Uncounted | None = None
    if not any(each.ruling.zone == "penetration" for each in known):
        why = "unread" if known else "nobody_affected"
    roll = damage.roll if why is None else discounted(damage.roll, why)
    effects.emit(fx.Rolled(rule=SQ_GREN_4, purpose="damage", combatant=attacker, roll=roll))
    return RolledDamage(damage.amount, told_again(damage.roll, resolution.seq))


def _known(scope: Scope, attacker: str | UnsetType, struck: Iterable[Struck]) -> tuple[Struck, ...]:
    """Those struck of whom everybody knows who may know the dice of the blast."""
    audience = scope.stream(PUBLIC_STREAM) if attacker is UNSET else scope.subject(attacker)
    return tuple(
        each for each in struck if narrow(audience, scope.subject(each.combatant)) == audience
    )


def _resolved(rule: BattleState, blast: Blast, struck: tuple[Struck, ...]) -> AreaResolved:
    means, (x, y) = blast.means, blast.origin
    victims = {combatant.id: combatant for combatant in rule.combatants}
    roll = blast.roll
    if roll is not UNSET and not _known(scope_of(rule), means.attacker, struck):
        roll = discounted(roll, "nobody_affected")
    return AreaResolved(
        rule=SQ_GREN_4,
        area=fx.Shape(kind="blast", origin=Place(x=x, y=y), radius=blast.radius),
        outcome="carried_out",
        roll=roll,
        victims=tuple(
            Victim(
                target=each.combatant,
                outcome=each.ruling.zone,
                armour=armour_test(means, victims[each.combatant], each.ruling),
            )
            for each in struck
        ),
        detail=UNSET
        if means.attacker is UNSET
        else AreaDetail(attacker=means.attacker, item=means.item, ap_class=means.ap_class),
    )
