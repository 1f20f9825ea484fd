"""Warriors and units coming in: what they state is checked and completed.

How this works. A warrior is judged by itself and against those before it; whether units are whole
and masked warriors could have masked is judged once all are there.
"""

from collections.abc import Sequence

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.state import State
from service.engine.geometry.polygons import is_strictly_inside
from service.engine.kit.combatants import require_newcomer
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.content import content_of
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.ground import ground_of
from service.rulesets.melody_d6.maps import Ground
from service.rulesets.melody_d6.misfits import misfit, require_once
from service.rulesets.melody_d6.occupancy import (
    base_of,
    enemies_of,
    may_detect,
    others_on_table,
)
from service.rulesets.melody_d6.rules.detection import is_detected_on_way
from service.rulesets.melody_d6.rules.masking import is_masking_place
from service.rulesets.melody_d6.rules.movement import is_on_ground, overlaps
from service.rulesets.melody_d6.sheets import FULL
from service.rulesets.melody_d6.state import (
    MAX_COMBATANTS,
    BattleState,
    Combatant,
    Condition,
    Unit,
    band_of,
    is_masked,
    is_on_table,
    members_of,
)

MOST_MEMBERS = 20
"""Members of a squad at most, and units of a side."""


def require_entry(battle: State[BattleState], combatant: Combatant, path: str) -> None:
    """A warrior may come in: a new id, a side of the battle, a sheet that fits, a free place.

    Raises Refused("duplicate_combatant"), ("too_many_combatants"), ("unknown_side"),
    ("invalid_setup"); Malformed for an id that is a word of the service.
    """
    require_newcomer(battle.rule, combatant, MAX_COMBATANTS, path)
    require_sheet(battle, combatant, path)
    entered = completed(combatant, 0)
    if is_on_table(entered):
        require_room(battle.rule, ground_of(battle), entered, path)


def require_sheet(battle: State[BattleState], combatant: Combatant, path: str) -> None:
    """The numbers of a sheet fit together, and what it names is in the content and in play."""
    content = content_of(battle)
    if combatant.health_max < combatant.health < FULL:
        raise misfit("number_range", f"{path}.health", most=combatant.health_max)
    require_once(combatant.conditions, f"{path}.conditions")
    _require_known(combatant.weapons, [each.id for each in content.weapons], f"{path}.weapons")
    if combatant.singer is not UNSET:
        known = [each.id for each in content.melodies]
        _require_known(combatant.singer.melodies, known, f"{path}.singer.melodies")
        rerolls, most = combatant.rerolls_left, combatant.singer.rerolls_per_round
        if rerolls is not UNSET and rerolls > most:
            raise misfit("number_range", f"{path}.rerolls_left", most=most)


def _require_known(names: Sequence[str], known: Sequence[str], path: str) -> None:
    """Each id once, and all of them there."""
    require_once(names, path)
    for index, name in enumerate(names):
        if name not in known:
            raise misfit("unknown_reference", f"{path}[{index}]", id=name)


def require_room(rule: BattleState, ground: Ground, combatant: Combatant, path: str) -> None:
    """The whole base is on the table, its centre in no high feature, and it overlaps no other.

    Raises Refused("invalid_setup"): `out_of_bounds`, `in_high_terrain` or `base_overlap`, checked
    in this order.
    """
    where, base = f"{path}.place", base_of(combatant)
    if not is_on_ground(base, ground):
        raise misfit("out_of_bounds", where)
    if any(
        each.is_high and is_strictly_inside(each.polygon, base.spot) for each in ground.obstacles
    ):
        raise misfit("in_high_terrain", where)
    for other in others_on_table(rule, combatant):
        if overlaps(base, base_of(other)):
            raise misfit("base_overlap", where, id=other.id)


def require_masking(rule: BattleState, ground: Ground, combatant: Combatant, path: str) -> None:
    """Who deploys masked stands where it may mask, and no alert enemy would detect it there.

    ML-MASK-3 and ML-MASK-9. Raises Refused("invalid_setup"), `mask_not_possible`.
    """
    if not (is_masked(combatant) and is_on_table(combatant)):
        return
    near, measure = rule.options.mask_near, rule.options.measure
    base = base_of(combatant)
    is_found = any(
        may_detect(each)
        and is_detected_on_way((base.spot,), base.radius, base_of(each), each.mobility, measure)
        for each in enemies_of(rule, combatant.side)
    )
    if is_found or not is_masking_place(base, ground.obstacles, near, measure):
        raise misfit("mask_not_possible", path, id=combatant.id)


def require_unit(units: Sequence[Unit], combatant: Combatant, path: str) -> None:
    """A warrior's unit is there, and of its side. Raises Refused("invalid_setup")."""
    if not any(each.id == combatant.unit and each.side == combatant.side for each in units):
        raise misfit("unknown_reference", f"{path}.unit", id=combatant.unit)


def require_units(rule: BattleState, units: Sequence[Unit], path: str) -> None:
    """Units have different ids, sides of the battle, and as many members as their kind takes.

    At most 20 of a side. Raises Refused("invalid_setup"): `unknown_reference`, `number_range`,
    `unit_empty` or `lone_needs_one`, unit by unit.
    """
    sides = [each.id for each in rule.sides]
    for index, unit in enumerate(units):
        where = f"{path}[{index}]"
        if unit.side not in sides:
            raise misfit("unknown_reference", f"{where}.side", id=unit.side)
        if sum(each.side == unit.side for each in units[: index + 1]) > MOST_MEMBERS:
            raise misfit("number_range", where, most=MOST_MEMBERS)
        members = len(members_of(rule, unit.id))
        if not members:
            raise misfit("unit_empty", where, id=unit.id)
        require_size(unit, members, where)


def require_size(unit: Unit, members: int, path: str) -> None:
    """A lone warrior is one, a squad 20 at most. Raises Refused("invalid_setup")."""
    if unit.kind == "lone" and members > 1:
        raise misfit("lone_needs_one", path, id=unit.id)
    if members > MOST_MEMBERS:
        raise misfit("number_range", path, id=unit.id, most=MOST_MEMBERS)


def require_songs(rule: BattleState, combatant: Combatant, path: str) -> None:
    """What a sheet says to affect the warrior is in play. Raises Refused("invalid_setup")."""
    _require_known(combatant.songs, [song.id for song in rule.songs], f"{path}.songs")


def completed(combatant: Combatant, number: int) -> Combatant:
    """A warrior as the battle keeps it: numbered, with what it left out and what follows from it.

    Who comes in without health is out; who is off the table holds no other condition.
    """
    health = combatant.health_max if combatant.health == FULL else combatant.health
    stated = combatant.conditions
    gone: tuple[Condition, ...] = ()
    if not health or "out" in stated:
        gone = ("out",)
    elif "fled" in stated:
        gone = ("fled",)
    if not health or "out" in stated:
        health = 0
    return replace(
        combatant,
        number=number,
        health=health,
        band=band_of(health, combatant.health_max, is_gone=bool(gone)),
        conditions=gone or _conditions(combatant),
        hoarse_until=0 if gone else combatant.hoarse_until,
        songs=() if gone else combatant.songs,
    )


def _conditions(combatant: Combatant) -> tuple[Condition, ...]:
    """The stated conditions, and those that follow from other fields of the sheet."""
    fields: list[tuple[Condition, bool]] = [
        ("hoarse", bool(combatant.hoarse_until)),
        ("melody", bool(combatant.songs)),
    ]
    derived = tuple(condition for condition, _ in fields)
    held = [each for each in combatant.conditions if each not in derived]
    return (*held, *(condition for condition, holds in fields if holds))


def enter(effects: BattleEffects, combatant: Combatant, number: int) -> None:
    """Put a warrior into the battle; its unit follows, unless it is there."""
    effects.emit(own.CombatantAdded(combatant=completed(combatant, number)))


def carries_battle(combatant: Combatant) -> bool:
    """Whether a warrior comes in with the state of a battle in progress; masked it may deploy."""
    stated = [each for each in combatant.conditions if each != "masked"]
    return bool(
        stated
        or combatant.masked_this_turn
        or combatant.moved
        or combatant.acted
        or combatant.stunned_anew
        or combatant.hoarse_until
        or combatant.rerolls_left is not UNSET
        or combatant.songs
    )
