"""Combatants coming in: what they state is completed and checked, and they are put down."""

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.roster import combatant_of
from service.engine.battle.state import State
from service.engine.kit.combatants import require_newcomer
from service.engine.kit.grid import require_once
from service.engine.vocabulary.client_ids import require_distinct
from service.errors import Malformed, Refused
from service.rulesets.tactical_d20 import effects as own
from service.rulesets.tactical_d20.creatures import space_of
from service.rulesets.tactical_d20.deciding.turns import REGAINED, left_of
from service.rulesets.tactical_d20.evolve import BattleEffects
from service.rulesets.tactical_d20.ground import ground_of
from service.rulesets.tactical_d20.occupancy import held_cell
from service.rulesets.tactical_d20.rules.defaults import felled_condition
from service.rulesets.tactical_d20.rules.movement import off_edge, walls_in
from service.rulesets.tactical_d20.rules.words import CoverGrade
from service.rulesets.tactical_d20.state import (
    FULL_HEALTH,
    MAX_COMBATANTS,
    BattleState,
    Combatant,
    band_of,
)


def require_entry(battle: State[BattleState], combatant: Combatant, path: str) -> None:
    """A combatant may come in: a new id, a side of the battle, whole weapons, a free place.

    Raises Refused("duplicate_combatant"), ("too_many_combatants"), ("unknown_side"), ("off_map"),
    ("cell_impassable"), ("cell_occupied"); Malformed for what its sheet states amiss.
    """
    require_newcomer(battle.rule, combatant, MAX_COMBATANTS, path)
    _require_sheet(combatant, path)
    require_room(battle, combatant)


def _require_sheet(combatant: Combatant, path: str) -> None:
    if combatant.health_max < combatant.health < FULL_HEALTH:
        raise Malformed(path=f"{path}.health", allowed=f"{combatant.health_max} at most")
    _require_weapons(combatant, path)
    require_distinct([area.id for area in combatant.areas], f"{path}.areas")
    require_once(combatant.conditions, f"{path}.conditions")
    require_once(combatant.senses, f"{path}.senses")
    require_once([each.versus for each in combatant.cover_overrides], f"{path}.cover_overrides")
    require_once(
        [each.versus for each in combatant.concealment_overrides], f"{path}.concealment_overrides"
    )


def _require_weapons(combatant: Combatant, path: str) -> None:
    """A ranged weapon states its increment, and a melee one alone may state a reach."""
    require_distinct([weapon.id for weapon in combatant.weapons], f"{path}.weapons")
    for index, weapon in enumerate(combatant.weapons):
        where = f"{path}.weapons[{index}]"
        is_ranged = weapon.kind == "ranged"
        if is_ranged == (weapon.range_increment_ft is UNSET):
            allowed = "5 and more for a ranged weapon, absent for a melee one"
            raise Malformed(path=f"{where}.range_increment_ft", allowed=allowed)
        if is_ranged and weapon.reach_ft is not UNSET:
            raise Malformed(path=f"{where}.reach_ft", allowed="absent for a ranged weapon")


def require_room(battle: State[BattleState], combatant: Combatant) -> None:
    """The space of a combatant is on the map, without walls, and holds nobody who is not dead.

    Raises Refused("off_map"), ("cell_impassable") or ("cell_occupied"), checked in this order.
    """
    require_ground(battle, combatant)
    held = held_cell(battle.rule, combatant)
    if held is not None:
        raise Refused("cell_occupied", x=held[0], y=held[1])


def require_ground(battle: State[BattleState], combatant: Combatant) -> None:
    """The space of a combatant is on the map, without wall cells, and no wall runs through it.

    Raises Refused("off_map") or ("cell_impassable"), checked in this order.
    """
    space, ground = space_of(combatant), ground_of(battle)
    edge = off_edge(space, ground.bounds)
    if edge is not None:
        raise Refused("off_map", x=space.x, y=space.y, bounds=list(edge))
    walls = walls_in(ground.walls, space)
    if walls:
        features = [list(feature) for feature in walls]
        raise Refused("cell_impassable", x=space.x, y=space.y, features=features)


def completed(combatant: Combatant, number: int) -> Combatant:
    """A combatant as the battle keeps it: numbered, with what it left out, without ties.

    Whoever comes in with no health left is unconscious or dead (TD-SD-3).
    """
    health, most = min(combatant.health, combatant.health_max), combatant.health_max
    state = felled_condition(health, most)
    fallen = () if state is None else (state,)
    return replace(
        combatant,
        number=number,
        health=health,
        band=band_of(health, most),
        conditions=tuple(dict.fromkeys((*combatant.conditions, *fallen))),
        cover_overrides=(),
        concealment_overrides=(),
    )


def enter(effects: BattleEffects, combatant: Combatant, number: int) -> None:
    """Add the combatant; its ties to others follow when all of them are there."""
    effects.emit(own.CombatantAdded(combatant=completed(combatant, number)))


def tie(effects: BattleEffects, combatant: Combatant) -> None:
    """Add what the game master has overruled of its cover and its concealment.

    Raises Refused("unknown_combatant") for an attacker that is not there.
    """
    for link in _links(combatant):
        if combatant_of(effects.rule, link.other) is None:
            raise Refused("unknown_combatant", combatant=link.other)
        effects.emit(link)


def _links(combatant: Combatant) -> tuple[own.LinkChanged, ...]:
    return (
        *(
            cover_link(combatant.id, override.versus, override.grade)
            for override in combatant.cover_overrides
        ),
        *(
            concealment_link(combatant.id, override.versus, override.percent)
            for override in combatant.concealment_overrides
        ),
    )


def cover_link(target: str, attacker: str, grade: CoverGrade | None) -> own.LinkChanged:
    """The game master's word on a target's cover against an attacker; None: there is none."""
    return own.LinkChanged(
        link="cover_override",
        combatant=target,
        other=attacker,
        tied=grade is not None,
        value=UNSET if grade is None else grade,
    )


def concealment_link(target: str, attacker: str, percent: int | None) -> own.LinkChanged:
    """The game master's word on a target's concealment from an attacker; None: there is none."""
    return own.LinkChanged(
        link="concealment_override",
        combatant=target,
        other=attacker,
        tied=percent is not None,
        amount=UNSET if percent is None else percent,
    )


def carries_battle(combatant: Combatant) -> bool:
    """Whether a combatant comes in with the state of a battle in progress."""
    is_fresh = all(left_of(combatant, resource) for resource in REGAINED)
    return not is_fresh or bool(combatant.cover_overrides or combatant.concealment_overrides)
