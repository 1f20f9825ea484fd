"""Questions about a battle that are no actions: the line between two combatants."""

from typing import Final

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.roster import require_combatant
from service.engine.battle.state import State
from service.engine.geometry.segments import leg_length, squared_distance
from service.engine.inspection import Inspection
from service.engine.kit.inspections import LineQuery
from service.engine.visibility.scope import Viewer
from service.errors import Refused
from service.rulesets.seeker_d100.covers import covers_of
from service.rulesets.seeker_d100.places import spot_of
from service.rulesets.seeker_d100.rules.cover import (
    best_cover,
    covers_between,
    degree_of,
    exposed_by,
)
from service.rulesets.seeker_d100.rules.words import BodyPart, CoverDegree
from service.rulesets.seeker_d100.state import BattleState


class CoverOnLine(Struct, frozen=True, kw_only=True):
    """A cover that lies between."""

    id: str
    """Id of the cover."""
    degree: CoverDegree
    """How much it hides: `partial` or `large` (SK-CALL-1)."""
    armour: int
    """Points of damage it takes off (SK-ARM-5)."""
    exposed: tuple[BodyPart, ...]
    """Parts of a body that it leaves to called shots (SK-CALL-2)."""


class LineAnswer(Struct, frozen=True, kw_only=True):
    """The straight line between two combatants and the covers on it (SK-COVER-1)."""

    attacker: str
    """Id of the combatant at whose end the line begins."""
    target: str
    """Id of the combatant at whose end it ends."""
    distance_m: int
    """Metres between the two, rounded up."""
    distance_sq: int
    """The same in square metres, exact: what ranges and reach are compared with."""
    covers: tuple[CoverOnLine, ...] = ()
    """Covers between the two, by id; one on which the attacker stands is none."""
    degree: CoverDegree | UnsetType = UNSET
    """How much they hide together; absent without any."""
    exposed: tuple[BodyPart, ...] | UnsetType = UNSET
    """Parts that every one of them leaves to called shots; absent without any."""
    counting: str | UnsetType = UNSET
    """Id of the cover whose armour counts; absent without any."""


def line(state: State[BattleState], query: LineQuery, _: Viewer) -> LineAnswer:
    """The line between two combatants. Raises Refused("unknown_combatant"), ("target_self")."""
    attacker, target = (
        require_combatant(state.rule, each) for each in (query.attacker, query.target)
    )
    if attacker.id == target.id:
        raise Refused("target_self", target=target.id)
    start, end = spot_of(attacker), spot_of(target)
    covers = covers_between(start, end, covers_of(state))
    degree, best = degree_of(covers), best_cover(covers)
    return LineAnswer(
        attacker=attacker.id,
        target=target.id,
        distance_m=leg_length(start, end),
        distance_sq=squared_distance(start, end),
        covers=tuple(
            CoverOnLine(
                id=cover.id, degree=cover.degree, armour=cover.armour, exposed=tuple(cover.exposed)
            )
            for cover in covers
        ),
        degree=UNSET if degree is None else degree,
        exposed=exposed_by(covers) if covers else UNSET,
        counting=UNSET if best is None else best.id,
    )


INSPECTIONS: Final = (
    Inspection(
        name="line",
        says="The straight line between two combatants and the covers on it.",
        query=LineQuery,
        answer=LineAnswer,
        inspect=line,
    ),
)
