"""Combatants as the rules see them, and what a viewer may know of a battle.

What does not count. Ground that only the game master knows is left out wherever others are
concerned: elevation, and the lines of those who merely take part in a crossfire. A combatant
counts as a shooter, a flanking partner or a near ally only if all who may know of the attack may
know of it. So what everyone sees rolled never depends on a secret (default, not in the source
text).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from operator import attrgetter
from typing import Final

from msgspec import UNSET

from service.engine.battle.roster import existing, is_out
from service.engine.battle.state import MOST_ENTRIES
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space, cells_of
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.visibility.scope import Scope, narrow
from service.engine.vocabulary.breakdown import Modifier
from service.engine.vocabulary.values import Place
from service.rulesets.crossfire_d6.rules.ground import Board, Fighter, Ground, Position
from service.rulesets.crossfire_d6.rules.movement import Occupied
from service.rulesets.crossfire_d6.rules.position import Sight, best_sight, position_against
from service.rulesets.crossfire_d6.rules.range import distance_ft, longest_shot_ft
from service.rulesets.crossfire_d6.rules.suppression import PinOptions, Streak, suppression_modifier
from service.rulesets.crossfire_d6.state import BattleState, Combatant, Crowd, Options, Weapon

MOST_GROUNDS: Final = 64
"""Grounds kept for the sights on them, the last ones asked of; a large one takes megabytes."""

SIGHTS_PER_GROUND: Final = 512
"""Sights kept of each."""


_OUTLINE: Final = attrgetter("place", "conditions", "posture", "side", "size", "weapons")
"""What of a combatant its `Fighter` is made of."""


def space_of(combatant: Combatant) -> Space:
    """The cells it occupies."""
    return Space(combatant.place.x, combatant.place.y, combatant.size)


def elevation_at(place: Place, heights: Mapping[Cell, int]) -> int:
    """The elevation in feet of who stands there: its own, else that of its north-west cell."""
    if place.elevation is not UNSET:
        return place.elevation
    return heights.get((place.x, place.y), 0)


def is_ranged(weapon: Weapon) -> bool:
    """Whether one can shoot with it; its increment is stated then."""
    return weapon.kind != "melee"


def longest_of(weapon: Weapon, options: Options) -> int:
    """The maximum range of a weapon in feet; 0 if one cannot shoot with it."""
    if not is_ranged(weapon) or weapon.range_increment_ft is UNSET:
        return 0
    stated_ft = None if weapon.max_range_ft is UNSET else weapon.max_range_ft
    return longest_shot_ft(weapon.range_increment_ft, stated_ft, options.default_max_increments)


def fighter_of(rule: BattleState, combatant: Combatant, heights: Mapping[Cell, int]) -> Fighter:
    """A combatant as the rules see it: the few values that rules about several of them need.

    It is the same object as long as none of these values changes: other lookups compare by it.
    """
    seen, options = rule.lookups.fighters, rule.options
    elevation_ft = elevation_at(combatant.place, heights)
    before = seen.get(combatant.id)
    if before is not None:
        earlier, terms, fighter = before
        is_alike = elevation_ft == fighter.elevation_ft and terms is options
        if is_alike and (earlier is combatant or _OUTLINE(earlier) == _OUTLINE(combatant)):
            return fighter
        anew = _fighter(combatant, options, elevation_ft)
        fighter = fighter if anew == fighter else anew
    else:
        if len(seen) >= MOST_ENTRIES:
            seen.clear()
        fighter = _fighter(combatant, options, elevation_ft)
    seen[combatant.id] = (combatant, options, fighter)
    return fighter


def _fighter(combatant: Combatant, options: Options, elevation_ft: int) -> Fighter:
    longest = reach = 0
    for weapon in combatant.weapons:
        if weapon.ready:
            longest = max(longest, longest_of(weapon, options))
            reach = reach if weapon.kind == "ranged" else max(reach, weapon.reach_ft)
    return Fighter(
        id=combatant.id,
        side=combatant.side,
        space=space_of(combatant),
        elevation_ft=elevation_ft,
        posture=combatant.posture,
        is_helpless="helpless" in combatant.conditions,
        is_dead="dead" in combatant.conditions,
        longest_shot_ft=longest,
        reach_ft=reach,
    )


def fighters_of(rule: BattleState, board: Board) -> tuple[Fighter, ...]:
    """All fighters, in the order of entry; the same tuple as long as none of them changes."""
    before, combatants, options = rule.lookups.crowd, rule.combatants, rule.options
    is_alike = before.board is board and before.options is options
    if is_alike and len(before.combatants) == len(combatants):
        # Most of them are as they were: to see that takes no call.
        known = zip(combatants, before.combatants, before.fighters, strict=True)
        fighters = tuple(
            [
                fighter if earlier is each else fighter_of(rule, each, board.heights)
                for each, earlier, fighter in known
            ]
        )
    else:
        fighters = tuple([fighter_of(rule, each, board.heights) for each in combatants])
    if fighters == before.fighters:
        fighters = before.fighters
    rule.lookups.crowd = Crowd(board, options, combatants, fighters)
    return fighters


def distance_between(fighter: Fighter, other: Fighter, options: Options) -> int:
    """The distance of two fighters in feet."""
    return distance_ft(
        fighter.space,
        fighter.elevation_ft,
        other.space,
        other.elevation_ft,
        options.diagonal_rule,
    )


def sight_of(rule: BattleState, ground: Ground, attacker: Fighter, target: Fighter) -> Sight:
    """The position of the target against the attacker on this ground, the overruled included."""
    return sight_between(ground, attacker, target, rule.options, overriding_of(rule))


def sight_between(
    ground: Ground,
    attacker: Fighter,
    target: Fighter,
    options: Options,
    overriding: tuple[Combatant, ...],
) -> Sight:
    """As `sight_of`, from all that it depends on; `overriding` are those of `overriding_of`."""
    sight = _sights_on(ground)(attacker, target, intervening=options.intervening_cover)
    if not overriding:
        return sight
    return position_against(
        sight,
        _override_among(overriding, target.id, attacker.id),
        _override_among(overriding, attacker.id, target.id),
    )


@lru_cache(maxsize=MOST_GROUNDS)
def _sights_on(ground: Ground) -> Callable[..., Sight]:
    """The sights on one ground by its two fighters, kept because most shots ask the same again."""
    return lru_cache(maxsize=SIGHTS_PER_GROUND)(partial(best_sight, ground))


def override_of(combatant: Combatant, versus: str) -> Position | None:
    """The game master's word on a combatant's position against an enemy."""
    if not combatant.overrides:
        return None
    return next((each.position for each in combatant.overrides if each.versus == versus), None)


def overriding_of(rule: BattleState) -> tuple[Combatant, ...]:
    """The combatants with a position that the game master has overruled."""
    return tuple([each for each in rule.combatants if each.overrides])


def _override_among(
    overriding: tuple[Combatant, ...], combatant: str, versus: str
) -> Position | None:
    return next((override_of(each, versus) for each in overriding if each.id == combatant), None)


def occupied_by_others(rule: BattleState, mover: str) -> Occupied:
    """The cells of everybody but the mover, as far as this state knows them."""
    others = tuple(combatant for combatant in rule.combatants if combatant.id != mover)
    return Occupied(
        standing=frozenset(_cells(each for each in others if not is_out(each))),
        bodies=frozenset(_cells(each for each in others if is_out(each))),
    )


def _cells(combatants: Iterable[Combatant]) -> Iterator[Cell]:
    for combatant in combatants:
        yield from cells_of(space_of(combatant))


def streak_of(combatant: Combatant) -> Streak:
    """How long it has stayed, and where that began."""
    origin = combatant.pin_origin
    place = (combatant.place.x, combatant.place.y) if origin is UNSET else (origin.x, origin.y)
    return Streak(origin=place, count=combatant.pin_count)


def pin_options(options: Options) -> PinOptions:
    """The encounter's options about suppression."""
    return PinOptions(
        cap=None if options.pin_cap is UNSET else options.pin_cap,
        min_move_ft=options.pin_min_move_ft,
        measured_from=options.pin_measured_from,
        return_memory=options.pin_return_memory,
        diagonal_rule=options.diagonal_rule,
    )


def suppression_against(target: Combatant, enemy: str, options: Options) -> int:
    """The dice this enemy gains now for shooting at the target."""
    line = suppression_line(target, enemy, options)
    return 0 if line is None else line.amount


def suppression_line(target: Combatant, enemy: str, options: Options) -> Modifier | None:
    """The dice of `suppression_against` as a line of the breakdown, None without any."""
    hidden = next((each.offset for each in target.hidden_from if each.combatant == enemy), 0)
    present = (target.place.x, target.place.y)
    return suppression_modifier(
        streak_of(target), present, hidden, target.pin_resistance, pin_options(options)
    )


def known_to(combatant: Combatant) -> str:
    """Who may know of a combatant: everyone, its side while it is hidden."""
    return combatant.side if combatant.hidden else EVERYONE_WORD


def counts_in(scope: Scope, attack: str, combatant: str) -> bool:
    """Whether all who may know of an attack (its audience) may know of this combatant."""
    return narrow(attack, scope.subject(combatant)) == attack


def attack_audience(rule: BattleState, attacker: str, target: str) -> str:
    """Who may know of an attack and sees its dice; attacking reveals unless the table says not."""
    is_shown = rule.options.attack_reveals
    doer = EVERYONE_WORD if is_shown else known_to(existing(rule, attacker))
    return narrow(doer, known_to(existing(rule, target)))
