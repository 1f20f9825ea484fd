"""CF-FACE: where combatants look."""

from functools import lru_cache
from typing import Final, Literal

from service.engine.geometry.arcs import Heading, Quarter, quarter_of
from service.engine.geometry.points import vector
from service.engine.geometry.spaces import Space
from service.errors import Refused
from service.rulesets.crossfire_d6.rules.geometry import centre_of

CF_FACE_2: Final = "CF-FACE-2"
CF_FACE_3: Final = "CF-FACE-3"
CF_FACE_5: Final = "CF-FACE-5"

WeaponArc = Literal["any", "front", "rear", "left", "right"]

Direction = Literal["front", "side", "rear"]
"""From where an attack comes, as the target sees it."""


def facing_after_move(present: Heading, wanted: Heading | None) -> Heading:
    """CF-FACE-2: the facing may be changed at any time during one's movement; it may stay.

    Source: "в любое время во время движения".
    """
    return present if wanted is None else wanted


def require_own_turn(actor: str, whose_turn: str | None) -> None:
    """CF-FACE-3: also without moving, at any moment of one's own turn, at no cost at all.

    Not on another's turn. Raises Refused("not_your_turn").
    Source: "На это не требуется ни действия, ни бесплатного действия".
    """
    if actor != whose_turn:
        raise Refused("not_your_turn", rule=CF_FACE_3, **turn_facts(actor, whose_turn))


def turn_facts(actor: str, whose_turn: str | None) -> dict[str, object]:
    """What a refusal out of turn tells: who asked, and whose turn it is if that is known."""
    facts: dict[str, object] = {"combatant": actor}
    return facts if whose_turn is None else facts | {"turn": whose_turn}


def require_arc(arc: WeaponArc, attacker: Space, facing: Heading, target: Space) -> None:
    """CF-FACE-4: attacks work in any direction unless the weapon has an arc.

    Then the target's centre must lie in that quarter of the attacker's facing.
    Raises Refused("outside_arc").
    Source: "хвост дракона совершает атаку конусом со стороны спины".
    """
    if arc == "any":
        return
    quarter = quarter_of(vector(centre_of(attacker), centre_of(target)), facing)
    if arc != quarter:
        raise Refused("outside_arc", rule="CF-FACE-4", arc=arc, facing=facing, quarter=quarter)


@lru_cache(maxsize=4096)
def attacked_from(target: Space, facing: Heading, attacker: Space) -> Direction:
    """CF-FACE-5: every attack records whether it comes from the front, the side or the rear.

    No dice by itself; the limit of 45 degrees belongs to front and rear.
    Source: "определяет, атакует ли вас кто-то сзади".
    """
    quarter: Quarter = quarter_of(vector(centre_of(target), centre_of(attacker)), facing)
    return quarter if quarter in ("front", "rear") else "side"
