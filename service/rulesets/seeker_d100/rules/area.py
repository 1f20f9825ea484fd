"""SK-AREA: attacks with a radius, whom they hit and in which order."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from service.errors import Refused
from service.rulesets.seeker_d100.rules.called import SK_CALL_6
from service.rulesets.seeker_d100.rules.geometry import Point, is_within, squared_distance
from service.rulesets.seeker_d100.rules.words import Delivery, Metres

SK_AREA_1: Final = "SK-AREA-1"


class Bystander(NamedTuple):
    """Somebody who may be in the area; `number` is the order of coming into being."""

    id: str
    number: int
    place: Point


def chosen_radius(stated: int | None, allowed: Metres | None) -> int | None:
    """SK-AREA-1: a weapon with a radius hits everybody within it; a range leaves a choice.

    The radius in metres: what is stated within what the weapon allows, else the smallest; None
    for a weapon without one. Raises Refused("bad_radius").
    Source: «Радиус 1-3 м».
    """
    if stated is None:
        return None if allowed is None else allowed.min
    if allowed is None:
        raise Refused("bad_radius", rule=SK_AREA_1, radius=stated)
    if not allowed.min <= stated <= allowed.max:
        raise Refused(
            "bad_radius",
            rule=SK_AREA_1,
            radius=stated,
            smallest=allowed.min,
            largest=allowed.max,
        )
    return stated


def spares_shooter(delivery: Delivery) -> bool:
    """SK-AREA-2: bullets spare the shooter, explosives spare nobody.

    One attack roll serves for all; on a miss nobody is hit; friends are hit like enemies.
    Default, not in the source text.
    """
    return delivery != "explosive"


def area_rule(delivery: Delivery, *, is_called: bool) -> str:
    """The rule by which an attack with a radius strikes those it does."""
    return SK_CALL_6 if is_called and spares_shooter(delivery) else "SK-AREA-2"


def is_in_area(centre: Point, place: Point, radius_m: int) -> bool:
    """Whether a place is within the radius; the rim is."""
    return is_within(centre, place, radius_m)


def victim_order(
    bystanders: Iterable[Bystander], *, centre: Point, target: str | None
) -> tuple[str, ...]:
    """SK-AREA-3: the target named first, then by distance from the centre, then by number.

    Source: «первую цель».
    """
    return tuple(
        each.id
        for each in sorted(
            bystanders,
            key=lambda each: (
                each.id != target,
                squared_distance(centre, each.place),
                each.number,
            ),
        )
    )


def area_victims(
    bystanders: Iterable[Bystander],
    *,
    centre: Point,
    radius_m: int,
    delivery: Delivery,
    shooter: str,
    target: str | None,
) -> tuple[str, ...]:
    """Whom an attack with a radius strikes, in victim order.

    Hand in those whom it can harm: the dead are nobody's victims.
    """
    struck = (
        each
        for each in bystanders
        if is_in_area(centre, each.place, radius_m)
        and not (each.id == shooter and spares_shooter(delivery))
    )
    return victim_order(struck, centre=centre, target=target)
