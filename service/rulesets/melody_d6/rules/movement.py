"""ML-MOVE: how far a warrior moves, what closes its path, contact, and where a push leads.

How this works. A path is judged whole on what the mover's side knows, check by check in the
catalogue's order (`require_way`), and then looked at once more in the battle as it is: `way_end`
says where it ends there, before the first enemy who is in the way after all.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from service.engine.geometry.polygons import enters_interior, is_strictly_inside
from service.engine.geometry.segments import Spot, is_nearer_segment, is_within
from service.errors import Refused
from service.rulesets.melody_d6.maps import Ground
from service.rulesets.melody_d6.rules.geometry import path_cost, point_on_path
from service.rulesets.melody_d6.terrain import Obstacle

ML_MOVE_1: Final = "ML-MOVE-1"
ML_MOVE_2: Final = "ML-MOVE-2"
ML_MOVE_3: Final = "ML-MOVE-3"
ML_MOVE_4: Final = "ML-MOVE-4"
ML_MOVE_5: Final = "ML-MOVE-5"
ML_MOVE_6: Final = "ML-MOVE-6"
ML_MOVE_7: Final = "ML-MOVE-7"
ML_MOVE_8: Final = "ML-MOVE-8"

CONTACT: Final = 100
"""Edge distance in u up to which warriors are in contact."""

PERMILLE: Final = 1000

Deed = Literal["move", "charge"]


class Base(NamedTuple):
    """A warrior's base on the table: its centre and its radius in u."""

    spot: Spot
    radius: int


class Standing(NamedTuple):
    """Somebody by id, and the base on which it stands."""

    id: str
    base: Base


class Way(Struct, frozen=True, kw_only=True):
    """Who moves from where along which points, the start left out, and how far it may, in u."""

    mover: Base
    path: tuple[Spot, ...]
    allowance: int


class Surroundings(Struct, frozen=True, kw_only=True):
    """What a path is judged against: the ground, and the enemies and friends on the table."""

    ground: Ground
    enemies: tuple[Standing, ...]
    friends: tuple[Standing, ...]


class WayEnd(NamedTuple):
    """Where a path ends in the battle as it is, and whom it meets there.

    `leg` and `permille` as in ML-GEO-9; `met` are the ids of those who are in the way, in their
    order. The whole path is (last leg, 1000) and meets nobody.
    """

    leg: int
    permille: int
    met: tuple[str, ...] = ()


def movement_allowance(move: int, changes: Iterable[int]) -> int:
    """ML-MOVE-1: the path of a move or charge costs at most `move` and all changes of it, in u.

    `changes` are those of the lasting Melodies that affect the warrior at the start of its
    movement. Never below 0; a cost equal to the allowance is legal. Default, not in the seed.
    """
    return max(0, move + sum(changes))


def require_allowance(cost: int, allowance: int) -> None:
    """The cost of a path is at most the allowance. Raises Refused("path_too_long")."""
    if cost > allowance:
        raise Refused("path_too_long", rule=ML_MOVE_1, cost=cost, allowance=allowance)


def is_on_ground(base: Base, ground: Ground) -> bool:
    """ML-MOVE-2: a whole base is on the table; it may touch the edge.

    Default, not in the seed.
    """
    (x, y), radius = base
    return radius <= x <= ground.width - radius and radius <= y <= ground.height - radius


def is_leg_closed(start: Spot, end: Spot, obstacle: Obstacle) -> bool:
    """ML-MOVE-3: a `high` feature closes a leg with a piece of positive length in its interior.

    So does one that the leg ends strictly inside of; running along an edge or touching a corner
    does not. `low` features hinder nobody. Default, not in the seed.
    """
    return obstacle.is_high and (
        enters_interior(obstacle.polygon, start, end) or is_strictly_inside(obstacle.polygon, end)
    )


def is_leg_blocked(start: Spot, end: Spot, radius: int, enemy: Base) -> bool:
    """ML-MOVE-4: an enemy blocks a leg that passes within less than both radii of its centre.

    Exactly both radii is legal. Friends may be passed through. Default, not in the seed.
    """
    return is_nearer_segment(enemy.spot, start, end, radius + enemy.radius)


def overlaps(base: Base, other: Base) -> bool:
    """Whether two bases overlap; touching they do not."""
    return is_nearer_segment(other.spot, base.spot, base.spot, base.radius + other.radius)


def is_in_contact(base: Base, enemy: Base) -> bool:
    """ML-MOVE-5: a `move` may not end within 100 u of an enemy, edge to edge, inclusive.

    Always with the real bases. Default, not in the seed.
    """
    return is_within(base.spot, enemy.spot, CONTACT + base.radius + enemy.radius)


def are_engaged(base: Base, enemy: Base) -> bool:
    """ML-MOVE-6: warriors of different sides within 100 u of each other fight: they are engaged.

    Computed from positions, always; a charge must end so with its target.
    Source: «бойцы, которые сражаются».
    """
    return is_in_contact(base, enemy)


def require_way(way: Way, surroundings: Surroundings, *, deed: Deed, target: str = "") -> int:
    """All checks of a path, in the catalogue's order; its cost in u.

    Raises Refused with "path_empty", "off_table", "blocked_by_terrain", "path_blocked",
    "move_into_contact", "base_overlap", "path_too_long" or, for a charge, "not_in_contact" with its
    `target`.
    """
    cost = path_cost(way.mover.spot, way.path)
    if not cost:
        raise Refused("path_empty")
    require_open_way(way, cost, surroundings, deed=deed, target=target)
    return cost


def require_open_way(
    way: Way, cost: int, surroundings: Surroundings, *, deed: Deed, target: str = ""
) -> None:
    """The same checks of a path or the rest of one; `cost` is that of the whole movement, in u.

    Raises Refused as `require_way` does, but for "path_empty".
    """
    _require_on_ground(way, surroundings.ground)
    _require_open_ground(way, surroundings.ground)
    _require_unblocked(way, surroundings.enemies)
    end = Base(way.path[-1], way.mover.radius)
    if deed == "move":
        _require_apart(end, surroundings.enemies)
    _require_free(end, (*surroundings.enemies, *surroundings.friends))
    require_allowance(cost, way.allowance)
    if deed == "charge":
        _require_contact(end, surroundings.enemies, target)


def _require_on_ground(way: Way, ground: Ground) -> None:
    for index, (x, y) in enumerate(way.path):
        if not is_on_ground(Base((x, y), way.mover.radius), ground):
            raise Refused(
                "off_table",
                rule=ML_MOVE_2,
                waypoint=index,
                x=x,
                y=y,
                width=ground.width,
                height=ground.height,
            )


def _require_open_ground(way: Way, ground: Ground) -> None:
    for index, (start, end) in enumerate(legs_of(way)):
        for obstacle in ground.obstacles:
            if is_leg_closed(start, end, obstacle):
                raise Refused("blocked_by_terrain", rule=ML_MOVE_3, leg=index, feature=obstacle.id)


def _require_unblocked(way: Way, enemies: Iterable[Standing]) -> None:
    for index, (start, end) in enumerate(legs_of(way)):
        for enemy in enemies:
            if is_leg_blocked(start, end, way.mover.radius, enemy.base):
                raise Refused("path_blocked", rule=ML_MOVE_4, leg=index, by=enemy.id)


def _require_apart(end: Base, enemies: Iterable[Standing]) -> None:
    for enemy in enemies:
        if is_in_contact(end, enemy.base):
            raise Refused("move_into_contact", rule=ML_MOVE_5, enemy=enemy.id)


def _require_free(end: Base, others: Iterable[Standing]) -> None:
    for other in others:
        if overlaps(end, other.base):
            raise Refused("base_overlap", rule=ML_MOVE_4, other=other.id)


def _require_contact(end: Base, enemies: Iterable[Standing], target: str) -> None:
    if not any(each.id == target and are_engaged(end, each.base) for each in enemies):
        raise Refused("not_in_contact", rule=ML_MOVE_6, target=target, within=CONTACT)


def legs_of(way: Way) -> tuple[tuple[Spot, Spot], ...]:
    """The legs of a path, each from its start to its end."""
    return tuple(pairwise((way.mover.spot, *way.path)))


def is_mask_lost_at_declaration(deed: Deed, *, is_lost_at_end: bool) -> bool:
    """ML-MOVE-7: a masked charger loses masking at the declaration of its charge, before windows.

    So does a masked mover whose end point takes masking from it (ML-MASK-15). After that come, in
    this order: the guard window, the place at the end, detection along the path, lasting templates,
    for a charge engagement, and the reveal window. Default, not in the seed.
    """
    return deed == "charge" or is_lost_at_end


def pushed_to(spot: Spot, origin: Spot, distance: int) -> Spot:
    """ML-MOVE-8: a push leads the full distance in u along one axis away from the origin.

    Along x if the target is at least as far from the origin in x as in y, else along y; from the
    very origin nowhere: the spot itself. Default, not in the seed.
    """
    dx, dy = spot[0] - origin[0], spot[1] - origin[1]
    if abs(dx) >= abs(dy):
        return spot[0] + _direction(dx) * distance, spot[1]
    return spot[0], spot[1] + _direction(dy) * distance


def can_stand(base: Base, ground: Ground, others: Iterable[Base]) -> bool:
    """Whether a forced movement can end there: on the table, in no `high` feature, on nobody."""
    return (
        is_on_ground(base, ground)
        and not any(overlaps(base, other) for other in others)
        and not any(
            each.is_high and is_strictly_inside(each.polygon, base.spot)
            for each in ground.obstacles
        )
    )


def _direction(difference: int) -> int:
    return (difference > 0) - (difference < 0)


def way_end(
    way: Way,
    enemies: Sequence[Standing],
    friends: Sequence[Standing],
    since: tuple[int, int] = (0, 0),
) -> WayEnd:
    """Where a path ends in the battle as it is: before the first enemy who blocks it.

    That is the last point, by leg and permille, before the first one that breaks ML-MOVE-4 at
    which the mover overlaps nobody; where nobody blocks it, the last such point of the path. What
    lies before the point `since` it has behind it. Those who stand on its start are no bar to
    standing still.
    """
    radius = way.mover.radius
    breach = _first_breach(way, enemies, since)
    leg, permille, met = breach or (len(way.path) - 1, PERMILLE, ())
    bases = [each.base for each in (*enemies, *friends)]
    seen: Spot | None = None
    for at in _backwards(leg, permille, is_breached=breach is not None):
        spot = point_on_path(way.mover.spot, way.path, *at)
        if spot != seen and not any(overlaps(Base(spot, radius), each) for each in bases):
            return WayEnd(*at, met=met)
        seen = spot
    return WayEnd(0, 0, met=met)


def _backwards(leg: int, permille: int, *, is_breached: bool) -> Iterator[tuple[int, int]]:
    """The points of a path from one on back to its start; without that one if it is breached."""
    for each in range(permille - is_breached, -1, -1):
        yield leg, each
    for earlier in range(leg - 1, -1, -1):
        for each in range(PERMILLE, -1, -1):
            yield earlier, each


def _first_breach(
    way: Way, enemies: Sequence[Standing], since: tuple[int, int]
) -> tuple[int, int, tuple[str, ...]] | None:
    """The first point up to which a path breaks ML-MOVE-4, and with whom it does there."""
    radius = way.mover.radius
    for leg, (start, end) in enumerate(legs_of(way)):
        blocking = [each for each in enemies if is_leg_blocked(start, end, radius, each.base)]
        if not blocking or leg < since[0]:
            continue
        first = since[1] if leg == since[0] else 0
        origin = point_on_path(way.mover.spot, way.path, leg, first)
        for permille in range(first, PERMILLE + 1):
            spot = point_on_path(way.mover.spot, way.path, leg, permille)
            met = [each.id for each in blocking if is_leg_blocked(origin, spot, radius, each.base)]
            if met:
                return leg, permille, tuple(met)
    return None
