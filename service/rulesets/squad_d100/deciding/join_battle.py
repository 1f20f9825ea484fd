"""Combatants coming in: what they state is completed and checked, and they are put down."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.roster import combatant_of
from service.engine.battle.state import State
from service.engine.geometry.points import Cell
from service.engine.kit.combatants import require_newcomer
from service.engine.kit.grid import require_once
from service.engine.vocabulary.client_ids import require_distinct
from service.engine.vocabulary.values import Place
from service.errors import Malformed, Refused
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.evolve import BattleEffects
from service.rulesets.squad_d100.ground import ground_of
from service.rulesets.squad_d100.rules.glyphs import UNITS
from service.rulesets.squad_d100.rules.ground import cells_of_terrain, is_inside, is_passable
from service.rulesets.squad_d100.rules.reserved import SQ_MAP_4, reserved_place
from service.rulesets.squad_d100.rules.words import Character
from service.rulesets.squad_d100.sheets import FULL
from service.rulesets.squad_d100.state import (
    MAX_COMBATANTS,
    BattleState,
    Combatant,
    band_of,
    is_down,
)
from service.rulesets.squad_d100.weapons import Weapon, is_automatic, rounds_of

_NAMES: Final[Mapping[Character, str]] = {
    unit.character: unit.name
    for unit in UNITS.values()
    if unit.character is not None and unit.name is not None
}


def require_entry(battle: State[BattleState], combatant: Combatant, path: str) -> None:
    """A combatant may come in: a new id, a side of the battle, whole weapons, a free cell or none.

    Raises Refused("duplicate_combatant"), ("too_many_combatants"), ("unknown_side"),
    ("map_duplicate_named"), ("out_of_map"), ("cell_blocked"), ("cell_occupied"); Malformed for
    what its sheet states amiss.
    """
    require_newcomer(battle.rule, combatant, MAX_COMBATANTS, path)
    require_sheet(combatant, path)
    _require_character(battle.rule, combatant, path)
    require_room(battle, completed(combatant, 0))


def require_sheet(combatant: Combatant, path: str) -> None:
    """The numbers of a sheet fit together, and its items have different ids. Raises Malformed."""
    if combatant.health_max < combatant.health < FULL:
        raise Malformed(path=f"{path}.health", allowed=f"{combatant.health_max} at most")
    items = [*(each.id for each in combatant.weapons), *(each.id for each in combatant.grenades)]
    require_distinct(items, f"{path}.weapons")
    require_once(combatant.conditions, f"{path}.conditions")
    named = [each.by for each in combatant.suppressions]
    require_once(named, f"{path}.suppressions")
    for index, weapon in enumerate(combatant.weapons):
        if rounds_of(weapon) > weapon.magazine:
            where = f"{path}.weapons[{index}].rounds"
            raise Malformed(path=where, allowed=f"{weapon.magazine} at most")


def _require_character(rule: BattleState, combatant: Combatant, path: str) -> None:
    """A named combatant states its character, which is in a battle once; no other states one."""
    if (combatant.kind == "named") is (combatant.character is UNSET):
        raise Malformed(path=f"{path}.character", allowed="one for named, else absent")
    if combatant.character is UNSET:
        return
    if any(each.character == combatant.character for each in rule.combatants):
        raise Refused("map_duplicate_named", character=combatant.character)


def require_room(battle: State[BattleState], combatant: Combatant) -> None:
    """The cell of a combatant is on the map, passable, and nobody else stands there.

    Raises Refused("out_of_map"), ("cell_blocked") or ("cell_occupied"), checked in this order.
    """
    if combatant.place is UNSET:
        return
    require_ground(battle, combatant.place)
    if not is_down(combatant):
        require_free(battle.rule, combatant)


def require_ground(battle: State[BattleState], place: Place) -> None:
    """A cell is on the map and passable. Raises Refused("out_of_map") or ("cell_blocked")."""
    ground, cell = ground_of(battle), (place.x, place.y)
    if not is_inside(ground, cell):
        raise Refused("out_of_map", x=place.x, y=place.y)
    if not is_passable(ground, cell):
        raise Refused("cell_blocked", x=place.x, y=place.y)


def require_free(rule: BattleState, combatant: Combatant) -> None:
    """Nobody else stands in the cell of a combatant. Raises Refused("cell_occupied")."""
    place = combatant.place
    if place is UNSET:
        return
    others = [each for each in rule.combatants if each.id != combatant.id]
    if (place.x, place.y) in held_cells(others):
        raise Refused("cell_occupied", x=place.x, y=place.y)


def held_cells(combatants: Sequence[Combatant]) -> frozenset[Cell]:
    """The cells that those of them hold who are not down."""
    return frozenset(
        (each.place.x, each.place.y)
        for each in combatants
        if each.place is not UNSET and not is_down(each)
    )


def completed(combatant: Combatant, number: int) -> Combatant:
    """A combatant as the battle keeps it: numbered, with what it left out, outside of its turn.

    Whoever comes in without health is down (SQ-WOUND-6), and has no turn in this round.
    """
    health = min(combatant.health, combatant.health_max)
    others = tuple(each for each in combatant.conditions if each != "down")
    return replace(
        combatant,
        number=number,
        name=_name_of(combatant),
        health=health,
        band=band_of(health, combatant.health_max),
        conditions=others if health else ("down",),
        sits_out=combatant.sits_out or not health,
        weapons=tuple(_loaded(each) for each in combatant.weapons),
        mp_left=UNSET,
        suppressions=(),
    )


def _name_of(combatant: Combatant) -> str | UnsetType:
    """What it is called: as it says, or as the legend calls its character."""
    if combatant.name is not UNSET or combatant.character is UNSET:
        return combatant.name
    return _NAMES[combatant.character]


def _loaded(weapon: Weapon) -> Weapon:
    return replace(weapon, automatic=is_automatic(weapon), rounds=rounds_of(weapon))


def enter(effects: BattleEffects, combatant: Combatant, number: int) -> None:
    """Add the combatant; who pins it down follows when all of them are there."""
    effects.emit(own.CombatantAdded(combatant=completed(combatant, number)))


def pin_down(effects: BattleEffects, combatant: Combatant) -> None:
    """Add what suppresses the combatant, what is due first.

    Raises Refused("unknown_combatant") for a suppressor that is not there.
    """
    due = [each for each in combatant.suppressions if each.due]
    for each in (*due, *(each for each in combatant.suppressions if not each.due)):
        if each.by is not UNSET and combatant_of(effects.rule, each.by) is None:
            raise Refused("unknown_combatant", combatant=each.by)
        effects.emit(own.Suppressed(combatant=combatant.id, by=each.by))
        if due and each is due[-1]:
            effects.emit(own.SuppressionDue(combatant=combatant.id))


def put_on_reserved(effects: BattleEffects) -> None:
    """Whoever has no cell yet is put on a reserved one, by number (SQ-MAP-4).

    Raises Refused("no_reserved_cell").
    """
    waiting = [each for each in effects.rule.combatants if each.place is UNSET]
    if not waiting:
        return
    reserved = cells_of_terrain(ground_of(effects.state), "reserved")
    for each in sorted(waiting, key=lambda combatant: combatant.number):
        x, y = reserved_place(reserved, held_cells(effects.rule.combatants), each.id)
        effects.emit(
            own.Moved(rule=SQ_MAP_4, combatant=each.id, manner="placed", end=Place(x=x, y=y))
        )


def carries_battle(combatant: Combatant) -> bool:
    """Whether a combatant comes in with the state of a battle in progress."""
    return bool(
        combatant.suppressions
        or combatant.mp_left is not UNSET
        or combatant.phase != "movement"
        or combatant.sprinted
        or combatant.shooting_used
        or combatant.sits_out
        or "watch" in combatant.conditions
    )
