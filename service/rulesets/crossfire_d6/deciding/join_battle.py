"""Combatants coming in: what they state is completed and checked, and they are put down."""

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.roster import combatant_of
from service.engine.battle.state import State
from service.engine.geometry.spaces import Space, holds
from service.engine.kit.combatants import require_newcomer
from service.engine.vocabulary.client_ids import require_distinct
from service.errors import Malformed, Refused
from service.rulesets.crossfire_d6 import effects as own
from service.rulesets.crossfire_d6.deciding.wounds import band_of, fallen_state
from service.rulesets.crossfire_d6.evolve import BattleEffects
from service.rulesets.crossfire_d6.fighters import is_ranged, space_of
from service.rulesets.crossfire_d6.maps import board_of, public_board
from service.rulesets.crossfire_d6.rules.movement import solids_in
from service.rulesets.crossfire_d6.rules.position import has_cover_here, require_cover_here
from service.rulesets.crossfire_d6.state import MAX_COMBATANTS, BattleState, Combatant
from service.rulesets.crossfire_d6.terrain import FARTHEST, Cell


def require_entry(battle: State[BattleState], combatant: Combatant, path: str) -> None:
    """A combatant may come in: a new id, a side of the battle, whole weapons, a free place.

    In or behind cover it needs cover there, be it the game master's secret.
    Raises Refused("duplicate_combatant"), ("too_many_combatants"), ("unknown_side"),
    ("cell_occupied"), ("cell_impassable"), ("off_map"), ("no_cover_here"); Malformed for its
    weapons.
    """
    require_newcomer(battle.rule, combatant, MAX_COMBATANTS, path)
    _require_weapons(combatant, path)
    require_room(battle, combatant)
    if not has_cover_here(space_of(combatant), public_board(battle).ground):
        require_cover_here(space_of(combatant), combatant.posture, board_of(battle).ground)


def _require_weapons(combatant: Combatant, path: str) -> None:
    require_distinct([weapon.id for weapon in combatant.weapons], f"{path}.weapons")
    for index, weapon in enumerate(combatant.weapons):
        if is_ranged(weapon) and weapon.range_increment_ft is UNSET:
            where = f"{path}.weapons[{index}].range_increment_ft"
            raise Malformed(path=where, allowed="1 and more for a weapon one can shoot with")


def require_room(battle: State[BattleState], combatant: Combatant) -> None:
    """The space of a combatant is on the map, and free of others and of solid ground.

    Raises Refused("cell_occupied"), ("cell_impassable") or ("off_map"), checked in this order.
    """
    space = space_of(combatant)
    _require_free(battle.rule, combatant, space)
    if max(abs(space.x), abs(space.y)) > FARTHEST:
        raise Refused("off_map", x=space.x, y=space.y)
    ground = board_of(battle).ground
    solid = solids_in(ground, space)
    if solid:
        raise Refused("cell_impassable", x=solid[0].x, y=solid[0].y)
    if ground.bounds is not None and not holds(ground.bounds, space):
        raise Refused("off_map", x=space.x, y=space.y, bounds=list(ground.bounds))


def _require_free(rule: BattleState, combatant: Combatant, space: Space) -> None:
    right, bottom = space.x + space.size, space.y + space.size
    for other in rule.combatants:
        place = other.place
        if (
            place.x < right
            and space.x < place.x + other.size
            and place.y < bottom
            and space.y < place.y + other.size
            and other.id != combatant.id
        ):
            raise Refused("cell_occupied", x=max(space.x, place.x), y=max(space.y, place.y))


def completed(combatant: Combatant, number: int) -> Combatant:
    """A combatant as the battle keeps it: numbered, with what it left out, without ties.

    A combatant without health is helpless or dead from the start.
    """
    starting = combatant.health_max or max(combatant.health, 1)
    origin = combatant.pin_origin
    whole = replace(
        combatant,
        number=number,
        health_max=starting,
        band=band_of(combatant.health, starting),
        pin_origin=Cell(x=combatant.place.x, y=combatant.place.y) if origin is UNSET else origin,
        hidden_from=(),
        overrides=(),
        shot_at=(),
    )
    state = fallen_state(whole)
    fallen = () if state is None else (("dead",) if state == "dead" else ("helpless",))
    return replace(whole, conditions=tuple(dict.fromkeys((*combatant.conditions, *fallen))))


def enter(effects: BattleEffects, combatant: Combatant, number: int) -> None:
    """Add the combatant; its ties to others follow when all of them are there."""
    effects.emit(own.CombatantAdded(combatant=completed(combatant, number)))


def tie(effects: BattleEffects, combatant: Combatant) -> None:
    """Add its ties: enemies hidden from, positions overruled, targets shot at in this round.

    Raises Refused("unknown_combatant") for a tie to a combatant that is not there.
    """
    for link in _links(combatant):
        if combatant_of(effects.rule, link.other) is None:
            raise Refused("unknown_combatant", combatant=link.other)
        effects.emit(link)


def _links(combatant: Combatant) -> tuple[own.LinkChanged, ...]:
    me = combatant.id
    return (
        *(
            own.LinkChanged(
                link="hidden_from",
                combatant=me,
                other=each.combatant,
                tied=True,
                amount=each.offset,
            )
            for each in combatant.hidden_from
        ),
        *(
            own.LinkChanged(
                link="position_override",
                combatant=me,
                other=each.versus,
                tied=True,
                value=each.position,
            )
            for each in combatant.overrides
        ),
        *(
            own.LinkChanged(link="shot_at", combatant=me, other=other, tied=True)
            for other in combatant.shot_at
        ),
    )


def carries_battle(combatant: Combatant) -> bool:
    """Whether a combatant comes in with the state of a battle in progress."""
    return bool(
        combatant.pin_count
        or combatant.hidden_from
        or combatant.shot_at
        or combatant.overrides
        or combatant.previous_streak is not UNSET
        or combatant.actions_left is not UNSET
    )
