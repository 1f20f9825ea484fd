"""How far the weapons of a shooter reach, and who has cover against it."""

from collections.abc import Iterator

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.state import State, scope_of
from service.engine.geometry.segments import squared_distance
from service.engine.kit.perception import knows_numbers
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.values import Word
from service.errors import Refused
from service.rulesets.melody_d6.content import content_of, weapon_of
from service.rulesets.melody_d6.ground import ground_of
from service.rulesets.melody_d6.inspections.pairs import (
    Claim,
    WarriorQuery,
    blocking,
    claim,
    edge_distance,
    require_present,
)
from service.rulesets.melody_d6.maps import Ground
from service.rulesets.melody_d6.occupancy import are_near, is_engaged, spot_of
from service.rulesets.melody_d6.rules.geometry import counted_radii
from service.rulesets.melody_d6.rules.shooting import (
    Aim,
    cover_line,
    long_range_line,
    require_shootable,
)
from service.rulesets.melody_d6.state import BattleState, Combatant, is_masked, is_on_table
from service.rulesets.melody_d6.weapons import Weapon, is_ranged


class RangeOfWeapon(Struct, frozen=True, kw_only=True):
    """One weapon against one target."""

    weapon: str
    """Id of the weapon."""
    in_range: bool
    """Whether the target is in its range (ML-SHOOT-1)."""
    is_long: bool
    """Whether that is long range (ML-SHOOT-3)."""


class RangeRow(Struct, frozen=True, kw_only=True):
    """What a shooter has against one target."""

    target: str
    """Id of the target."""
    distance_u: int
    """Between the edges of both bases, rounded up, or between their centres where the table
    measures so (ML-GEO-2)."""
    blocked_by: tuple[str, ...]
    """Ids of the features that block the line of sight, by id; none: it is free (ML-GEO-6)."""
    in_sight: Claim
    """Whether it is near enough to be seen (ML-GEO-7)."""
    cover: tuple[str, ...]
    """Ids of the features that give it cover, by id; none: no cover (ML-SHOOT-4)."""
    refused: Word | UnsetType = UNSET
    """Why no weapon could shoot at it: the first of the target checks but that of range, as far as
    the caller may know (ML-SHOOT-1); absent if nothing forbids it."""
    weapons: tuple[RangeOfWeapon, ...]
    """The shooter's ranged weapons, in its order."""


class RangeTable(Struct, frozen=True, kw_only=True):
    """The ranges of one shooter's weapons, and the cover of all against it."""

    combatant: str
    """Id of the shooter."""
    targets: tuple[RangeRow, ...]
    """Everybody of other sides on the table, in the order of entry."""


def inspect_ranges(state: State[BattleState], query: WarriorQuery, viewer: Viewer) -> RangeTable:
    """The ranges of a shooter and the cover of its enemies.

    Raises Refused("unknown_combatant") or ("actor_incapacitated").
    """
    rule, ground = state.rule, ground_of(state)
    shooter, content = require_present(rule, query.combatant), content_of(state)
    carried = (weapon_of(content, each) for each in shooter.weapons)
    weapons = tuple(each for each in carried if each is not None and is_ranged(each))
    is_known = knows_numbers(shooter, scope_of(rule), viewer)
    return RangeTable(
        combatant=shooter.id,
        targets=tuple(
            _range_row(rule, ground, shooter, target, weapons, is_known)
            for target in rule.combatants
            if target.side != shooter.side and is_on_table(target)
        ),
    )


def _range_row(
    rule: BattleState,
    ground: Ground,
    shooter: Combatant,
    target: Combatant,
    weapons: tuple[Weapon, ...],
    is_known: bool,
) -> RangeRow:
    blocked_by = blocking(ground, shooter, target)
    in_sight = claim(are_near(rule, shooter, target, shooter.sight), is_known)
    return RangeRow(
        target=target.id,
        distance_u=edge_distance(rule, shooter, target),
        blocked_by=blocked_by,
        in_sight=in_sight,
        cover=tuple(_covering(rule, ground, shooter, target)),
        refused=_refusal_of_shot(rule, shooter, target, in_sight != "no", not blocked_by),
        weapons=tuple(_reach(rule, each, shooter, target) for each in weapons),
    )


def _refusal_of_shot(
    rule: BattleState, shooter: Combatant, target: Combatant, is_in_sight: bool, has_line: bool
) -> str | UnsetType:
    aim = Aim(
        is_friendly=False,
        is_gone=False,
        is_masked=is_masked(target),
        is_engaged=lambda: is_engaged(rule, target),
        is_in_sight=lambda: is_in_sight,
        has_line=lambda: has_line,
        is_in_range=lambda: True,
        sight=shooter.sight,
        longest=0,
    )
    try:
        require_shootable(target.id, aim)
    except Refused as refusal:
        return refusal.code
    return UNSET


def _reach(
    rule: BattleState, weapon: Weapon, shooter: Combatant, target: Combatant
) -> RangeOfWeapon:
    longest = weapon.range or 0
    squared = squared_distance(spot_of(shooter), spot_of(target))
    radii = counted_radii(rule.options.measure, shooter.base_radius, target.base_radius)
    return RangeOfWeapon(
        weapon=weapon.id,
        in_range=are_near(rule, shooter, target, longest),
        is_long=long_range_line(squared, longest, radii) is not None,
    )


def _covering(
    rule: BattleState, ground: Ground, shooter: Combatant, target: Combatant
) -> Iterator[str]:
    """The features that give a target cover against a shooter, by id."""
    start, end = spot_of(shooter), spot_of(target)
    radius = counted_radii(rule.options.measure, target.base_radius)
    for each in ground.obstacles:
        if each.is_cover and not each.is_high and cover_line(start, end, radius, (each.polygon,)):
            yield each.id
