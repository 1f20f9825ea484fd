"""ML-SING-12: what a Melody is sung at, and in which order it reaches its targets."""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from service.engine.geometry.segments import Spot
from service.errors import Refused
from service.rulesets.melody_d6.rules.songs import ML_SING_11

ML_SING_12: Final = "ML-SING-12"

Targeting = Literal["model", "point", "ray"]
"""One warrior, a template placed with its centre on a point, or one that starts at the singer."""

TargetSide = Literal["enemy", "friend", "any"]


class Stated(NamedTuple):
    """Which fields a request to sing has."""

    target: bool
    point: bool
    aim: bool


def require_stated(targeting: Targeting, stated: Stated) -> None:
    """A Melody at one warrior names a target, a template at a point that, one from the singer an
    aim. Fields that it does not need are not read.

    Raises Refused("target_required"), ("point_required") or ("aim_required").
    """
    match targeting:
        case "model" if not stated.target:
            raise Refused("target_required", rule=ML_SING_11)
        case "point" if not stated.point:
            raise Refused("point_required", rule=ML_SING_11)
        case "ray" if not stated.aim:
            raise Refused("aim_required", rule=ML_SING_11)
        case _:
            pass


def require_direction(origin: Spot, aim: Spot) -> None:
    """A template that starts at the singer points somewhere. Raises Refused("zero_direction")."""
    if origin == aim:
        raise Refused("zero_direction", rule=ML_SING_11)


def require_target_side(target_side: TargetSide, *, is_friend: bool) -> None:
    """The target is of the side that the Melody is for; the singer is a friend of its own.

    Raises Refused("target_wrong_side").
    """
    if target_side != "any" and is_friend != (target_side == "friend"):
        raise Refused("target_wrong_side", rule=ML_SING_11, allowed=target_side)


class Candidate(NamedTuple):
    """A warrior who may be a target, with its number in the order of entry."""

    number: int
    combatant: str


def handling_order(candidates: Iterable[Candidate]) -> tuple[str, ...]:
    """ML-SING-12: targets are handled one at a time in the order of entry (E20).

    Who has left the table before it is its turn is skipped then. Default, not in the source text.
    """
    return tuple(each.combatant for each in sorted(candidates))
