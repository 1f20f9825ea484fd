"""The dice of an attack: every modifier in the order of the breakdown, and the pool."""

from operator import attrgetter
from typing import Final

from msgspec import UNSET, Struct

from service.engine.battle.roster import existing
from service.engine.battle.state import scope_of
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.crossfire_d6.deciding.attack_line import Aim
from service.rulesets.crossfire_d6.fighters import (
    attack_audience,
    counts_in,
    distance_between,
    fighters_of,
    sight_between,
    suppression_line,
)
from service.rulesets.crossfire_d6.rules.conditions import (
    is_automatic_critical,
    prone_melee_modifier,
    prone_ranged_modifier,
    unaware_modifier,
)
from service.rulesets.crossfire_d6.rules.cover import (
    NearAlly,
    ally_modifier,
    cover_modifier,
    near_allies,
    stacked_cover_penalty,
    visibility_modifier,
    without_ignored,
)
from service.rulesets.crossfire_d6.rules.crossfire import (
    crossfire_modifier,
    participants,
    shooters_on,
)
from service.rulesets.crossfire_d6.rules.defaults import attack_pool
from service.rulesets.crossfire_d6.rules.facing import Direction, attacked_from
from service.rulesets.crossfire_d6.rules.flanking import flanking_modifier
from service.rulesets.crossfire_d6.rules.ground import Fighter, Ground, Position
from service.rulesets.crossfire_d6.rules.position import Sight
from service.rulesets.crossfire_d6.rules.range import (
    melee_elevation_modifier,
    point_blank_modifier,
    range_modifier,
    ranged_elevation_modifier,
)
from service.rulesets.crossfire_d6.state import BattleState, Combatant, Company, Options

_IS_HIDDEN: Final = attrgetter("hidden")


class AttackPool(Struct, frozen=True, kw_only=True):
    """An attack ready to be rolled: so many `dice`, unless it hits by itself.

    `near` are the allies whom a reckless miss may strike.
    """

    aim: Aim
    sight: Sight | None
    attacked_from: Direction
    is_automatic: bool
    breakdown: tuple[Modifier, ...]
    dice: int
    needed: int
    near: tuple[NearAlly, ...] = ()


Fighters = tuple[Fighter, ...]


def weigh(rule: BattleState, aim: Aim, sight: Sight | None) -> AttackPool:
    """The breakdown and the pool of an attack along a line; melee may have none."""
    direction = attacked_from(aim.target_at.space, aim.target.facing, aim.attacker_at.space)
    needed = needed_against(aim)
    fighters = fighters_in(rule, aim)
    near: tuple[NearAlly, ...] = ()
    is_automatic = is_automatic_critical(
        is_melee=aim.mode == "melee", is_helpless="helpless" in aim.target.conditions
    )
    if is_automatic:
        lines: tuple[Modifier, ...] = ()
        dice = 0
    else:
        if aim.mode == "ranged" and sight is not None:
            company = _company(rule, fighters, aim, sight)
            near = _near(rule, company, aim)
            all_lines = _ranged(rule, aim, sight, near, company)
        else:
            all_lines = _melee(rule.options, fighters, aim, sight, direction)
        lines = tuple(filter(None, all_lines))
        if aim.attacker.ignored_rules:
            lines = without_ignored(lines, frozenset(aim.attacker.ignored_rules))
        lines = stacked_cover_penalty(lines, rule.options.cover_penalty_mode)
        dice, floor = attack_pool(aim.weapon.attack_dice, lines, rule.options.pool_floor)
        lines = lines if floor is None else (*lines, floor)
    return AttackPool(
        aim=aim,
        sight=sight,
        attacked_from=direction,
        is_automatic=is_automatic,
        breakdown=lines,
        dice=dice,
        needed=needed,
        near=near,
    )


def needed_against(aim: Aim) -> int:
    """The defence that the total has to reach."""
    target = aim.target
    return target.ranged_defence if aim.mode == "ranged" else target.melee_defence


def fighters_in(rule: BattleState, aim: Aim) -> Fighters:
    """The two fighters of an attack, and all that everyone who may know of it knows, too."""
    if not any(map(_IS_HIDDEN, rule.combatants)):
        return fighters_of(rule, aim.board)
    scope = scope_of(rule)
    audience = attack_audience(rule, aim.attacker.id, aim.target.id)
    pair = (aim.attacker.id, aim.target.id)
    return tuple(
        fighter
        for fighter in fighters_of(rule, aim.board)
        if fighter.id in pair or counts_in(scope, audience, fighter.id)
    )


def _ranged(
    rule: BattleState, aim: Aim, sight: Sight, near: tuple[NearAlly, ...], company: Company
) -> tuple[Modifier | None, ...]:
    """The lines of a ranged attack, in the order of the breakdown."""
    options, target = rule.options, aim.target
    increment = aim.weapon.range_increment_ft
    return (
        None if increment is UNSET else range_modifier(aim.distance_ft, increment),
        point_blank_modifier(aim.distance_ft, options.point_blank_ft),
        ranged_elevation_modifier(
            aim.attacker_at.elevation_ft,
            aim.target_at.elevation_ft,
            options.ranged_elevation_min_ft,
        ),
        cover_modifier(sight.position, sight.features, is_intervening=sight.is_intervening),
        ally_modifier(near, is_reckless=aim.is_reckless),
        visibility_modifier(
            is_smoke_on_line=sight.is_smoke_on_line,
            is_target_dark=sight.is_target_dark,
            is_target_invisible="invisible" in target.conditions,
        ),
        prone_ranged_modifier(is_prone="prone" in target.conditions),
        suppression_line(target, aim.attacker.id, options),
        crossfire_modifier(
            aim.attacker_at,
            company.shooters,
            options.crossfire_cap,
            is_by_fire=options.crossfire_membership == "fired",
        ),
    )


def _melee(
    options: Options, fighters: Fighters, aim: Aim, sight: Sight | None, direction: Direction
) -> tuple[Modifier | None, ...]:
    """The lines of a melee attack, in the order of the breakdown."""
    target = aim.target
    return (
        melee_elevation_modifier(
            aim.attacker_at.elevation_ft,
            aim.target_at.elevation_ft,
            options.melee_elevation_min_ft,
        ),
        None
        if sight is None
        else cover_modifier(sight.position, sight.features, is_intervening=sight.is_intervening),
        prone_melee_modifier(is_prone="prone" in target.conditions),
        unaware_modifier(
            is_unaware="unaware" in target.conditions,
            attacked_from=direction,
            rear_is_unaware=options.rear_is_unaware,
        ),
        flanking_modifier(
            aim.attacker_at,
            aim.target_at,
            fighters,
            membership=options.flanking_membership,
            distance_of=lambda partner: distance_between(partner, aim.target_at, options),
        ),
    )


def _near(rule: BattleState, company: Company, aim: Aim) -> tuple[NearAlly, ...]:
    near_ft = rule.options.ally_near_ft
    allies = []
    for fighter, away_ft in company.allies:
        if away_ft <= near_ft:
            sheet = existing(rule, fighter.id)
            allies.append(
                NearAlly(
                    id=fighter.id,
                    number=sheet.number,
                    distance_ft=away_ft,
                    ranged_defence=sheet.ranged_defence,
                )
            )
    return near_allies(tuple(allies), near_ft) if allies else ()


def _company(rule: BattleState, fighters: Fighters, aim: Aim, sight: Sight) -> Company:
    options = rule.options
    table, pair = rule.lookups.company, (aim.attacker_at.id, aim.target_at.id)
    inputs = (
        aim.board.ground,
        fighters,
        aim.attacker_at,
        aim.target_at,
        sight.position,
        options,
        aim.overriding,
        _fired(rule, aim) if options.crossfire_membership == "fired" else None,
    )
    company = table.find(pair, inputs)
    if company is not None:
        return company
    allies = _allies(fighters, aim.attacker_at, aim.target_at, options)
    return table.keep(pair, inputs, Company(allies, _taking_part(*inputs)))


def _allies(
    fighters: Fighters, attacker: Fighter, target: Fighter, options: Options
) -> tuple[tuple[Fighter, int], ...]:
    """Who else of the attacker's side is alive, and how far from the target in feet."""
    pair = (attacker.id, target.id)
    return tuple(
        (fighter, distance_between(fighter, target, options))
        for fighter in fighters
        if fighter.side == attacker.side and fighter.id not in pair and not fighter.is_dead
    )


def _taking_part(
    ground: Ground,
    fighters: Fighters,
    attacker: Fighter,
    target: Fighter,
    position: Position,
    options: Options,
    overriding: tuple[Combatant, ...],
    fired: frozenset[str] | None,
) -> tuple[Fighter, ...]:
    """Who of the fighters is in crossfire; `position` is the target's against the attacker.

    His own line is known; others shoot over the ground that everyone knows.
    """

    def position_of(shooter: Fighter) -> Position:
        if shooter.id == attacker.id:
            return position
        return sight_between(ground, shooter, target, options, overriding).position

    shooters = shooters_on(
        target,
        fighters,
        distance_of=lambda fighter: distance_between(fighter, target, options),
        position_of=position_of,
        fired=fired,
    )
    return participants(target, shooters, options.crossfire_count)


def _fired(rule: BattleState, aim: Aim) -> frozenset[str]:
    """Who has shot at the target in this round, the present attacker included."""
    others = (each.id for each in rule.combatants if aim.target.id in each.shot_at)
    return frozenset((aim.attacker.id, *others))
