"""SK-CALL: shots at a part of the body, and grenades over cover."""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypeVar

from service.engine.geometry.segments import Spot
from service.engine.vocabulary.breakdown import Modifier
from service.errors import Refused
from service.rulesets.seeker_d100.rules.cover import (
    ALL_PARTS,
    CoverSegment,
    cover_between,
    exposed_by,
)
from service.rulesets.seeker_d100.rules.words import ArmouredPart, BodyPart, CoverDegree, Delivery

SK_CALL_4: Final = "SK-CALL-4"
SK_CALL_5: Final = "SK-CALL-5"
SK_CALL_6: Final = "SK-CALL-6"

CalledIgnores = Literal["uncovering", "all"]
"""Which armour a called shot ignores: the pieces that do not protect the part, or every one."""

_PENALTIES: Final[dict[CoverDegree, int]] = {"partial": -20, "large": -40}

V = TypeVar("V")


def called_modifier(degree: CoverDegree | None, open_penalty: int) -> Modifier | None:
    """The penalty of a called shot; `degree` is that of the covers that lie between, if any."""
    return open_modifier(open_penalty) if degree is None else cover_modifier(degree)


def cover_modifier(degree: CoverDegree) -> Modifier:
    """SK-CALL-1: a called shot at a target in partial cover costs 20, in large cover 40.

    Several covers count together and do not add up: the greatest degree is the target's.
    Source: «ЧАСТИЧНОЕ УКРЫТИЕ (-20%)», «БОЛЬШОЕ УКРЫТИЕ (-40%)».
    """
    return Modifier(rule="SK-CALL-1", amount=_PENALTIES[degree], note=f"{degree}_cover")


def require_called_part(part: str) -> BodyPart:
    """SK-CALL-2: head, arms and legs may be called, the torso may not.

    Raises Refused("bad_body_part").
    Source: «(голове, руке, ноге)».
    """
    for body_part in ALL_PARTS:
        if part == body_part:
            return body_part
    raise Refused("bad_body_part", rule="SK-CALL-2", part=part, allowed=list(ALL_PARTS))


def require_exposed(part: BodyPart, covers: Sequence[CoverSegment]) -> None:
    """What any of the covers between hides cannot be called. Raises Refused("part_not_exposed").

    The first that hides it is named, and what all of them leave open.
    """
    hiding = next((cover for cover in covers if part not in cover.exposed), None)
    if hiding is not None:
        raise Refused(
            "part_not_exposed",
            rule="SK-CALL-2",
            part=part,
            cover=hiding.id,
            allowed=list(exposed_by(covers)),
        )


def require_called_form(delivery: Delivery, *, has_part: bool) -> None:
    """Explosives are called over cover, everything else at a part of the body.

    Exactly one of both is stated, which the form of the action sees to.
    Raises Refused("invalid_field").
    """
    if has_part == (delivery == "explosive"):
        stated, allowed = ("part", "over_cover") if has_part else ("over_cover", "part")
        raise Refused(
            "invalid_field", rule="SK-CALL-1", field=stated, delivery=delivery, allowed=[allowed]
        )


def open_modifier(penalty: int) -> Modifier | None:
    """SK-CALL-3: where no cover lies between, the option `called_open_penalty` says the penalty.

    Source: «Точное попадание сложнее стандартной атаки, поэтому имеет штраф»; the number is a
    default, not in the source text.
    """
    return Modifier(rule="SK-CALL-3", amount=penalty) if penalty else None


def does_protect(parts: tuple[ArmouredPart, ...], part: BodyPart, ignores: CalledIgnores) -> bool:
    """SK-CALL-4: whether a piece of armour on these parts counts against a shot at `part`.

    Cover never does.
    Source: «выстрелить кому-нибудь в ногу, игнорируя броню».
    """
    return ignores == "uncovering" and part in parts


def cover_beyond(burst: Spot, victim: Spot, covers: Iterable[CoverSegment]) -> CoverSegment | None:
    """SK-CALL-5: thrown over cover, a grenade meets only what lies between burst and victim.

    The cover between thrower and burst point decides the penalty of SK-CALL-1 alone.
    Source: «бросить гранату через укрытие, чтобы взорвать на той стороне».
    """
    return cover_between(burst, victim, covers)


def called_victims(victims: Sequence[V], delivery: Delivery) -> tuple[V, ...]:
    """SK-CALL-6: called automatic fire hits the first target only; an explosive hits them all.

    `victims` in victim order (SK-AREA-3).
    Source: «Точное попадание поражает только первую цель».
    """
    return tuple(victims) if delivery == "explosive" else tuple(victims[:1])
