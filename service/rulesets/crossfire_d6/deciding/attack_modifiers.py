"""The dice of an attack: every modifier in the order of the breakdown, and the pool."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Final

from msgspec import UNSET, Struct

from service.engine.battle.state import scope_of
from service.engine.kit.combatants import existing
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.crossfire_d6.deciding.attack_line import Aim
from service.rulesets.crossfire_d6.fighters import (
    attack_audience,
    counts_in,
    distance_between,
    fighters_of,
    sight_between,
    spoken_of,
    suppression_line,
)
from service.rulesets.crossfire_d6.lookups import Allies
from service.rulesets.crossfire_d6.maps import public_board
from service.rulesets.crossfire_d6.rules.allies import (
    NearAlly,
    ally_modifier,
    near_allies,
    without_ignored,
)
from service.rulesets.crossfire_d6.rules.cover import (
    cover_modifier,
    stacked_cover_penalty,
    visibility_modifier,
)
from service.rulesets.crossfire_d6.rules.crossfire import (
    crossfire_modifier,
    participants,
    shooters_on,
)
from service.rulesets.crossfire_d6.rules.defaults import attack_pool
from service.rulesets.crossfire_d6.rules.elevation import (
    melee_elevation_modifier,
    ranged_elevation_modifier,
)
from service.rulesets.crossfire_d6.rules.facing import Direction, attacked_from
from service.rulesets.crossfire_d6.rules.flanking import flanking_modifier
from service.rulesets.crossfire_d6.rules.ground import Fighter, Ground, Position
from service.rulesets.crossfire_d6.rules.helpless import is_automatic_critical
from service.rulesets.crossfire_d6.rules.point_blank import point_blank_modifier
from service.rulesets.crossfire_d6.rules.position import Sight
from service.rulesets.crossfire_d6.rules.prone import (
    prone_melee_modifier,
    prone_ranged_modifier,
)
from service.rulesets.crossfire_d6.rules.range import range_modifier
from service.rulesets.crossfire_d6.rules.unaware import unaware_modifier
from service.rulesets.crossfire_d6.state import BattleState, Combatant, Options

_IS_HIDDEN: Final = attrgetter("hidden")


class Weighed(Struct, frozen=True, kw_only=True):
    """An attack ready to be rolled: `pool` dice, unless it hits by itself."""

    aim: Aim
    sight: Sight | None
    attacked_from: Direction
    is_automatic: bool
    breakdown: tuple[Modifier, ...]
    pool: int
    needed: int
    near: tuple[NearAlly, ...] = ()


class _Field(Struct, frozen=True, kw_only=True):
    """The battle round an attack: those who count in it, and the whole of it."""

    rule: BattleState
    blobs: Mapping[str, object]
    fighters: tuple[Fighter, ...]


def weighed(
    rule: BattleState, blobs: Mapping[str, object], aim: Aim, sight: Sight | None
) -> Weighed:
    """The breakdown and the pool of an attack along a line; melee may have none."""
    direction = attacked_from(aim.mark.space, aim.target.facing, aim.shooter.space)
    field = _Field(rule=rule, blobs=blobs, fighters=counting(rule, blobs, aim))
    near = _near(field, aim) if aim.mode == "ranged" else ()
    is_automatic = is_automatic_critical(
        is_melee=aim.mode == "melee", is_helpless="helpless" in aim.target.conditions
    )
    if is_automatic:
        lines: tuple[Modifier, ...] = ()
        pool = 0
    else:
        if aim.mode == "ranged" and sight is not None:
            found = _ranged(field, aim, sight, near)
        else:
            found = _melee(field, aim, sight, direction)
        lines = tuple([line for line in found if line is not None])
        if aim.attacker.ignored_rules:
            lines = without_ignored(lines, frozenset(aim.attacker.ignored_rules))
        lines = stacked_cover_penalty(lines, rule.options.cover_penalty_mode)
        pool, floor = attack_pool(aim.weapon.attack_dice, lines, rule.options.pool_floor)
        lines = lines if floor is None else (*lines, floor)
    return Weighed(
        aim=aim,
        sight=sight,
        attacked_from=direction,
        is_automatic=is_automatic,
        breakdown=lines,
        pool=pool,
        needed=needed_against(aim),
        near=near,
    )


def needed_against(aim: Aim) -> int:
    """The defence that the total has to reach."""
    target = aim.target
    return target.ranged_defence if aim.mode == "ranged" else target.melee_defence


def counting(rule: BattleState, blobs: Mapping[str, object], aim: Aim) -> tuple[Fighter, ...]:
    """The two of an attack, and whoever is known to all who may know of it."""
    if not any(map(_IS_HIDDEN, rule.combatants)):
        return fighters_of(rule, blobs)
    scope = scope_of(rule)
    audience = attack_audience(rule, aim.attacker.id, aim.target.id)
    pair = (aim.attacker.id, aim.target.id)
    return tuple(
        fighter
        for fighter in fighters_of(rule, blobs)
        if fighter.id in pair or counts_in(scope, audience, fighter.id)
    )


def _ranged(
    field: _Field, aim: Aim, sight: Sight, near: tuple[NearAlly, ...]
) -> tuple[Modifier | None, ...]:
    """The lines of a ranged attack, in the order of the breakdown."""
    options, target = field.rule.options, aim.target
    increment = aim.weapon.range_increment_ft
    return (
        None if increment is UNSET else range_modifier(aim.distance_ft, increment),
        point_blank_modifier(aim.distance_ft, options.point_blank_ft),
        ranged_elevation_modifier(
            aim.shooter.elevation_ft, aim.mark.elevation_ft, options.ranged_elevation_min_ft
        ),
        _cover(sight),
        ally_modifier(near, is_reckless=aim.is_reckless),
        visibility_modifier(
            is_smoke_on_line=sight.is_smoke_on_line,
            is_target_dark=sight.is_target_dark,
            is_target_invisible="invisible" in target.conditions,
        ),
        prone_ranged_modifier(is_prone="prone" in target.conditions),
        suppression_line(target, aim.attacker.id, options),
        _crossfire(field, aim, sight),
    )


def _melee(
    field: _Field, aim: Aim, sight: Sight | None, direction: Direction
) -> tuple[Modifier | None, ...]:
    """The lines of a melee attack, in the order of the breakdown."""
    options, target = field.rule.options, aim.target
    return (
        melee_elevation_modifier(
            aim.shooter.elevation_ft, aim.mark.elevation_ft, options.melee_elevation_min_ft
        ),
        None if sight is None else _cover(sight),
        prone_melee_modifier(is_prone="prone" in target.conditions),
        unaware_modifier(
            is_unaware="unaware" in target.conditions,
            attacked_from=direction,
            rear_is_unaware=options.rear_is_unaware,
        ),
        flanking_modifier(
            aim.shooter,
            aim.mark,
            field.fighters,
            membership=options.flanking_membership,
            distance_of=lambda partner: distance_between(partner, aim.mark, options),
        ),
    )


def _cover(sight: Sight) -> Modifier | None:
    return cover_modifier(sight.position, sight.features, is_intervening=sight.is_intervening)


def _near(field: _Field, aim: Aim) -> tuple[NearAlly, ...]:
    options = field.rule.options
    near_ft = options.ally_near_ft
    allies = []
    for fighter, away_ft in _allies(field, aim):
        if away_ft <= near_ft:
            sheet = existing(field.rule, fighter.id)
            allies.append(
                NearAlly(
                    id=fighter.id,
                    number=sheet.number,
                    distance_ft=away_ft,
                    ranged_defence=sheet.ranged_defence,
                )
            )
    return near_allies(tuple(allies), near_ft)


def _allies(field: _Field, aim: Aim) -> Allies:
    """Who else of the attacker's side is alive, and how far from the target in feet."""
    table, options, mark = field.rule.lookups.allies, field.rule.options, aim.mark
    pair, inputs = (aim.shooter.id, mark.id), (field.fighters, aim.shooter, mark, options)
    known = table.find(pair, inputs)
    if known is not None:
        return known
    allies = tuple(
        (each, distance_between(each, mark, options))
        for each in field.fighters
        if each.side == aim.shooter.side and each.id not in pair and not each.is_dead
    )
    return table.keep(pair, inputs, allies)


def _crossfire(field: _Field, aim: Aim, sight: Sight) -> Modifier | None:
    rule, options = field.rule, field.rule.options
    is_by_fire = options.crossfire_membership == "fired"
    shooters, pair = rule.lookups.shooters, (aim.shooter.id, aim.mark.id)
    inputs = (
        public_board(rule, field.blobs).ground,
        field.fighters,
        aim.shooter,
        aim.mark,
        sight.position,
        options,
        spoken_of(rule),
        _fired(rule, aim) if is_by_fire else None,
    )
    taking_part = shooters.find(pair, inputs)
    if taking_part is None:
        taking_part = shooters.keep(pair, inputs, _taking_part(*inputs))
    return crossfire_modifier(
        aim.shooter, taking_part, options.crossfire_cap, is_by_fire=is_by_fire
    )


def _taking_part(
    ground: Ground,
    fighters: tuple[Fighter, ...],
    attacker: Fighter,
    mark: Fighter,
    position: Position,
    options: Options,
    spoken: tuple[Combatant, ...],
    fired: frozenset[str] | None,
) -> tuple[Fighter, ...]:
    """Who of the fighters is in crossfire; `position` is the target's against the attacker.

    His own line is known; others shoot over the ground that everyone knows.
    """

    def position_of(shooter: Fighter) -> Position:
        if shooter.id == attacker.id:
            return position
        return sight_between(ground, shooter, mark, options, spoken).position

    shooters = shooters_on(
        mark,
        fighters,
        distance_of=lambda fighter: distance_between(fighter, mark, options),
        position_of=position_of,
        fired=fired,
    )
    return participants(mark, shooters, options.crossfire_count)


def _fired(rule: BattleState, aim: Aim) -> frozenset[str]:
    """Who has shot at the target in this round, the present attacker included."""
    others = (each.id for each in rule.combatants if aim.target.id in each.shot_at)
    return frozenset((aim.attacker.id, *others))
