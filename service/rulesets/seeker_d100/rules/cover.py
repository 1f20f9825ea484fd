"""SK-COVER: covers, which of them lies between, and diving behind one."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from service.engine.geometry.segments import Spot, is_near_segment, leg_length
from service.errors import Refused
from service.rulesets.seeker_d100.rules.geometry import do_segments_meet, is_on_segment
from service.rulesets.seeker_d100.rules.words import BodyPart, CoverDegree

SK_COVER_1: Final = "SK-COVER-1"

COVER_REACH_M: Final = 3
"""How near a cover must be to be taken, and how far one moves to it, in metres."""

ALL_PARTS: Final[tuple[BodyPart, ...]] = ("head", "left_arm", "right_arm", "left_leg", "right_leg")


class CoverSegment(Struct, frozen=True, kw_only=True):
    """A straight piece of cover between two points, which may be the same.

    `exposed` are the parts of the body that it leaves open to called shots.
    """

    id: str
    start: Spot
    end: Spot
    degree: CoverDegree
    armour: int
    exposed: tuple[BodyPart, ...] = ALL_PARTS


def is_between(cover: CoverSegment, origin: Spot, target: Spot) -> bool:
    """Whether a cover lies on the line from `origin` to `target`; touching it is enough.

    One on which `origin` itself lies does not.
    """
    return do_segments_meet(origin, target, cover.start, cover.end) and not is_on_segment(
        origin, cover.start, cover.end
    )


def covers_between(
    origin: Spot, target: Spot, covers: Iterable[CoverSegment]
) -> tuple[CoverSegment, ...]:
    """All covers that lie between two points."""
    return tuple(cover for cover in covers if is_between(cover, origin, target))


def cover_between(
    origin: Spot, target: Spot, covers: Iterable[CoverSegment]
) -> CoverSegment | None:
    """The cover whose armour counts between two points, if any lies there."""
    return best_cover(covers_between(origin, target, covers))


def degree_of(covers: Iterable[CoverSegment]) -> CoverDegree | None:
    """The degree of these covers together: large if one of them is, None without any."""
    degrees = {cover.degree for cover in covers}
    if not degrees:
        return None
    return "large" if "large" in degrees else "partial"


def exposed_by(covers: Iterable[CoverSegment]) -> tuple[BodyPart, ...]:
    """The parts of the body that every one of these covers leaves open; all without any."""
    segments = tuple(covers)
    return tuple(part for part in ALL_PARTS if all(part in cover.exposed for cover in segments))


def best_cover(covers: Iterable[CoverSegment]) -> CoverSegment | None:
    """The cover with the most armour; of equal ones a large before a partial one, then by id."""
    return min(
        covers, key=lambda each: (-each.armour, each.degree == "partial", each.id), default=None
    )


def is_cover_near(place: Spot, cover: CoverSegment) -> bool:
    """Whether a cover is near enough to be taken."""
    return is_near_segment(place, cover.start, cover.end, COVER_REACH_M)


def require_cover_destination(origin: Spot, place: Spot, to: Spot, cover: CoverSegment) -> None:
    """SK-COVER-1: a plain dodge check takes one behind a near cover before the attack strikes.

    `to` is at most three metres from `place`, and the cover lies between the origin of the
    attack (the attacker of a bullet, the burst point of an explosive) and `to`. A failure
    leaves one where one stands. Raises Refused("bad_cover_destination").
    Source: «в пределах трех метров от укрытия и знает, что огонь или взрыв неизбежны, сделайте
    бросок на Уклонение».
    """
    length_m = leg_length(place, to)
    if length_m > COVER_REACH_M or not is_between(cover, origin, to):
        raise Refused(
            "bad_cover_destination",
            rule=SK_COVER_1,
            cover=cover.id,
            x=to[0],
            y=to[1],
            length_m=length_m,
            longest_m=COVER_REACH_M,
        )


def require_cover_in_reach(place: Spot, cover: str, segment: CoverSegment | None) -> None:
    """SK-COVER-2: without cover within three metres no dodge is rolled.

    `segment` is the cover of that id, None if there is no such cover.
    Raises Refused("no_cover_in_reach").
    Source: «Если укрытия нет, Уклонение не принесет никакой пользы».
    """
    if segment is None or not is_cover_near(place, segment):
        raise Refused("no_cover_in_reach", rule="SK-COVER-2", cover=cover, longest_m=COVER_REACH_M)
