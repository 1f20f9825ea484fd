"""SK-AREA: attacks with a radius, whom they hit and in which order."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from service.engine.geometry.segments import Spot, is_within, squared_distance
from service.errors import Refused
from service.rulesets.seeker_d100.rules.called import SK_CALL_6
from service.rulesets.seeker_d100.rules.words import Delivery, Metres

SK_AREA_1: Final = "SK-AREA-1"


class Bystander(NamedTuple):
    """Somebody who may be in the area; `number` is the order of coming into being."""

    id: str
    number: int
    place: Spot


def chosen_radius(radius_m: int | None, allowed: Metres | None) -> int | None:
    """SK-AREA-1: a weapon with a radius hits everybody within it; a range leaves a choice.

    The radius in metres: what is stated within what the weapon allows, else the smallest; None
    for a weapon without one. Raises Refused("bad_radius").
    Source: «Радиус 1-3 м».
    """
    if radius_m is None:
        return None if allowed is None else allowed.min
    if allowed is None:
        raise Refused("bad_radius", rule=SK_AREA_1, radius=radius_m)
    if not allowed.min <= radius_m <= allowed.max:
        raise Refused(
            "bad_radius",
            rule=SK_AREA_1,
            radius=radius_m,
            smallest=allowed.min,
            largest=allowed.max,
        )
    return radius_m


def spares_attacker(delivery: Delivery) -> bool:
    """SK-AREA-2: bullets spare the attacker, explosives spare nobody.

    One attack roll serves for all; on a miss nobody is hit; friends are hit like enemies.
    Default, not in the source text.
    """
    return delivery != "explosive"


def area_rule(delivery: Delivery, *, is_called: bool) -> str:
    """The rule that picks the victims of an attack with a radius."""
    return SK_CALL_6 if is_called and spares_attacker(delivery) else "SK-AREA-2"


def is_in_area(centre: Spot, place: Spot, radius_m: int) -> bool:
    """Whether a place is within the radius; the rim is."""
    return is_within(centre, place, radius_m)


def victim_order(
    bystanders: Iterable[Bystander], *, centre: Spot, target: str | None
) -> tuple[str, ...]:
    """SK-AREA-3: the target named first, then by distance from the centre, then by number.

    Source: «первую цель».
    """
    return tuple(
        bystander.id
        for bystander in sorted(
            bystanders,
            key=lambda bystander: (
                bystander.id != target,
                squared_distance(centre, bystander.place),
                bystander.number,
            ),
        )
    )


def area_victims(
    bystanders: Iterable[Bystander],
    *,
    centre: Spot,
    radius_m: int,
    delivery: Delivery,
    attacker: str,
    target: str | None,
) -> tuple[str, ...]:
    """Whom an attack with a radius strikes, in victim order.

    Hand in those whom it can harm: the dead are nobody's victims.
    """
    victims = (
        bystander
        for bystander in bystanders
        if is_in_area(centre, bystander.place, radius_m)
        and not (bystander.id == attacker and spares_attacker(delivery))
    )
    return victim_order(victims, centre=centre, target=target)
