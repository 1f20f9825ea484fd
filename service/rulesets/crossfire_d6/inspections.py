"""Questions about a battle that are no actions: the line between two combatants."""

from typing import Final

from msgspec import Struct

from service.engine.battle.roster import require_combatant
from service.engine.battle.state import State
from service.engine.inspection import Inspection
from service.engine.kit.inspections import LineQuery
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.breakdown import GroundPart
from service.engine.vocabulary.values import Place
from service.errors import Refused
from service.rulesets.crossfire_d6.deciding.attack_line import shot_line
from service.rulesets.crossfire_d6.deciding.attacks import line_of
from service.rulesets.crossfire_d6.fighters import distance_between, fighter_of
from service.rulesets.crossfire_d6.maps import public_board
from service.rulesets.crossfire_d6.rules.cover import cover_modifier, ground_part
from service.rulesets.crossfire_d6.rules.ground import Position
from service.rulesets.crossfire_d6.state import BattleState


class LineAnswer(Struct, frozen=True, kw_only=True):
    """The line a shot would use (CF-GEO-5), whatever weapons and turns say."""

    attacker: str
    """Id of the combatant at whose end the line begins."""
    target: str
    """Id of the combatant at whose end it ends."""
    distance_ft: int
    """Feet between the two (CF-RANGE-3)."""
    position: Position
    """The target's position against this attacker (CF-POS-1)."""
    line: tuple[Place, Place]
    """Cells at the attacker's and at the target's end, lean cells included."""
    ground: tuple[GroundPart, ...] = ()
    """Cells and borders that give the cover or close the line."""
    cover_dice: int
    """Dice that cover adds to a shot along the line (CF-COVER-2): 0 or less."""
    smoke_on_line: bool
    """Whether smoke is on the line (CF-OBSC-1)."""
    target_dark: bool
    """Whether the target stands in darkness (CF-OBSC-1)."""
    by_own_posture: bool
    """Whether the attacker's own posture closes the line (CF-POS-6)."""
    higher_ft: int
    """Feet that the attacker stands above the target; negative below (CF-ELEV-1, CF-ELEV-2)."""


def line(state: State[BattleState], query: LineQuery, _: Viewer) -> LineAnswer:
    """The line between two combatants. Raises Refused("unknown_combatant"), ("target_is_self").

    They stand as high as everyone knows the ground, for so high they shoot and strike.
    """
    rule, heights = state.rule, public_board(state).heights
    attacker, target = (require_combatant(rule, each) for each in (query.attacker, query.target))
    if attacker.id == target.id:
        raise Refused("target_is_self", target=target.id)
    start, end = (fighter_of(rule, each, heights) for each in (attacker, target))
    sight = shot_line(state, start, end)
    cover = cover_modifier(sight.position, sight.features, is_intervening=sight.is_intervening)
    return LineAnswer(
        attacker=attacker.id,
        target=target.id,
        distance_ft=distance_between(start, end, rule.options),
        position=sight.position,
        line=line_of(sight),
        ground=tuple(map(ground_part, sight.features)),
        cover_dice=0 if cover is None else cover.amount,
        smoke_on_line=sight.is_smoke_on_line,
        target_dark=sight.is_target_dark,
        by_own_posture=sight.by_own_posture,
        higher_ft=start.elevation_ft - end.elevation_ft,
    )


INSPECTIONS: Final = (
    Inspection(
        name="line",
        says="The line and the cover between two combatants.",
        query=LineQuery,
        answer=LineAnswer,
        inspect=line,
    ),
)
