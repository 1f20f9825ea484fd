"""What a Melody is sung at: the checks of a target, a point or an aim, and whom it then reaches."""

from typing import NamedTuple

from msgspec import UNSET

from service.engine.battle.roster import require_combatant
from service.engine.battle.state import State
from service.engine.geometry.segments import Spot
from service.engine.geometry.templates import Coverage, PlacedTemplate
from service.engine.vocabulary.effects import Shape
from service.engine.vocabulary.values import Place
from service.errors import Refused
from service.rulesets.melody_d6.actions import Sing
from service.rulesets.melody_d6.content import content_of, template_of
from service.rulesets.melody_d6.ground import ground_of
from service.rulesets.melody_d6.melodies import Melody
from service.rulesets.melody_d6.occupancy import are_near, spot_of
from service.rulesets.melody_d6.points import Point
from service.rulesets.melody_d6.rules.geometry import has_line_of_sight, is_within_distance
from service.rulesets.melody_d6.rules.songs import ML_SING_11
from service.rulesets.melody_d6.rules.targets import (
    Candidate,
    Stated,
    handling_order,
    require_direction,
    require_stated,
    require_target_side,
)
from service.rulesets.melody_d6.rules.templates import coverage_of, is_clear_of, is_spared
from service.rulesets.melody_d6.shapes import laid, shape_of
from service.rulesets.melody_d6.state import BattleState, Combatant, is_on_table

MODEL = "model"
"""The kind of a shape that goes with a warrior."""


def require_aim(view: State[BattleState], singer: Combatant, melody: Melody, action: Sing) -> None:
    """What the Melody is sung at is stated and can be reached, on what the singer's side knows.

    Raises Refused("target_required"), ("point_required"), ("aim_required"), ("zero_direction"),
    ("target_gone"), ("target_wrong_side"), ("off_table"), ("out_of_range") or
    ("no_line_of_sight"), checked in this order.
    """
    stated = Stated(
        target=action.target is not UNSET,
        point=action.point is not UNSET,
        aim=action.aim is not UNSET,
    )
    require_stated(melody.targeting, stated)
    if melody.targeting == "ray" and action.aim is not UNSET:
        require_direction(spot_of(singer), (action.aim.x, action.aim.y))
    elif melody.targeting == "model" and action.target is not UNSET:
        _require_target(view, singer, melody, require_combatant(view.rule, action.target))
    elif melody.targeting == "point" and action.point is not UNSET:
        _require_point(view, singer, melody, action.point)


def _require_target(
    view: State[BattleState], singer: Combatant, melody: Melody, target: Combatant
) -> None:
    rule = view.rule
    if not is_on_table(target):
        raise Refused("target_gone", rule=ML_SING_11, target=target.id)
    require_target_side(melody.target_side, is_friend=target.side == singer.side)
    if not are_near(rule, singer, target, melody.range):
        raise Refused("out_of_range", rule=ML_SING_11, longest=melody.range)
    _require_line(view, singer, melody, spot_of(target))


def _require_point(
    view: State[BattleState], singer: Combatant, melody: Melody, point: Point
) -> None:
    rule, spot = view.rule, (point.x, point.y)
    ground = ground_of(view)
    if not (0 <= point.x <= ground.width and 0 <= point.y <= ground.height):
        raise Refused("off_table", rule=ML_SING_11, x=point.x, y=point.y)
    radius, measure = singer.base_radius, rule.options.measure
    if not is_within_distance(spot_of(singer), spot, melody.range, radius, measure):
        raise Refused("out_of_range", rule=ML_SING_11, longest=melody.range)
    _require_line(view, singer, melody, spot)


def _require_line(view: State[BattleState], singer: Combatant, melody: Melody, spot: Spot) -> None:
    if not melody.needs_los:
        return
    obstacles = ground_of(view).obstacles
    high = (each.polygon for each in obstacles if each.is_high)
    if not has_line_of_sight(spot_of(singer), spot, high):
        raise Refused("no_line_of_sight", rule=ML_SING_11)


def shape_at(battle: State[BattleState], melody: Melody, action: Sing, origin: Spot) -> Shape:
    """The template of a Melody as it is laid, `origin` being where the singer stood.

    Without one a shape of the kind `model` at the singer: where a hidden friend stands is untold.
    """
    template = template_of(content_of(battle), melody)
    point = action.point if melody.targeting == "point" else action.aim
    if template is None or point is UNSET:
        return Shape(kind=MODEL, origin=Place(x=origin[0], y=origin[1]))
    spot = point.x, point.y
    return shape_of(template, spot if melody.targeting == "point" else origin, spot)


class Reached(NamedTuple):
    """A warrior whom a Melody reaches, and how far it is under the template."""

    combatant: str
    coverage: Coverage


def reached(rule: BattleState, shape: Shape, action: Sing) -> tuple[Reached, ...]:
    """Whom a Melody reaches, in the order of entry: the one it is for, or all under its template.

    Of those on the table. The one it is for counts as fully reached.
    """
    template = laid(shape)
    if template is not None:
        return under(rule, template, action.combatant)
    return tuple(
        Reached(each.id, "full")
        for each in rule.combatants
        if each.id == action.target and is_on_table(each)
    )


def under(rule: BattleState, template: PlacedTemplate, singer: str) -> tuple[Reached, ...]:
    """Everybody on the table who is under a template in full or in part, in the order of entry."""
    covered = {
        each.id: (each.number, coverage)
        for each in rule.combatants
        if is_on_table(each)
        and not is_spared(template, is_singer=each.id == singer)
        and not is_clear_of(coverage := coverage_of(template, spot_of(each), each.base_radius))
    }
    order = handling_order(Candidate(number, each) for each, (number, _) in covered.items())
    return tuple(Reached(each, covered[each][1]) for each in order)
