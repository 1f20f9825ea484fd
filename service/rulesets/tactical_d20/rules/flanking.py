"""TD-FLANK: two creatures on opposite sides of a third."""

from itertools import product
from typing import Final

from msgspec import UNSET

from service.engine.geometry.points import Point
from service.engine.geometry.spaces import Space, cells_of
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.tactical_d20.rules.control import does_control
from service.rulesets.tactical_d20.rules.geometry import are_sides_opposite, centre_of
from service.rulesets.tactical_d20.rules.ground import Fighter, Ground
from service.rulesets.tactical_d20.rules.reports import FlankingReport
from service.rulesets.tactical_d20.rules.words import (
    FlankPartner,
    FlankPartnerSide,
    LineOptions,
)

TD_FLANK_1: Final = "TD-FLANK-1"

FLANKING_BONUS: Final = 2


def flanking_modifier(report: FlankingReport) -> Modifier | None:
    """TD-FLANK-1: two points on a melee attack on a target that is flanked, never more.

    The line names the first partner in the order of entry.
    Source: «бонус +2 к проверкам атаки», «не может превышать +2».
    """
    if report.partner is UNSET:
        return None
    return Modifier(rule=TD_FLANK_1, amount=FLANKING_BONUS, combatants=(report.partner,))


def flanking_report(
    ground: Ground,
    attacker: Fighter,
    target: Fighter,
    others: tuple[Fighter, ...],
    options: LineOptions,
) -> FlankingReport:
    """Who flanks the target with the attacker: the first of `others`, in the order given.

    The attacker and the target themselves are passed over if they are among them.
    """
    if not counts_as_flanker(ground, attacker, target, options):
        return FlankingReport()
    for partner in others:
        if (
            partner.id not in (attacker.id, target.id)
            and is_partner(partner, target, options.flank_partner_side)
            and are_opposite(attacker.space, partner.space, target.space, options.flank_partner)
            and counts_as_flanker(ground, partner, target, options)
        ):
            return FlankingReport(partner=partner.id)
    return FlankingReport()


def counts_as_flanker(
    ground: Ground, fighter: Fighter, target: Fighter, options: LineOptions
) -> bool:
    """TD-FLANK-2: only creatures that control at least one cell of the target's space count.

    Asked of the attacker and of the partner.
    Source: «считаются только те существа, которые контролируют занятую противником клетку».
    """
    return may_flank(fighter.reach_ft) and does_control(
        ground, fighter, target.space, target.elevation_ft, options.diagonal_rule
    )


def is_partner(partner: Fighter, target: Fighter, side: FlankPartnerSide) -> bool:
    """Whether a creature's side lets it help: hostile to the target, or any with `any`."""
    return side == "any" or partner.side != target.side


def may_flank(reach_ft: int) -> bool:
    """TD-FLANK-3: a creature whose greatest reach is 0 neither flanks nor helps to.

    Source: «Существа с зоной досягаемости 0 футов не могут брать противников в тиски».
    """
    return reach_ft > 0


def are_opposite(attacker: Space, partner: Space, target: Space, by: FlankPartner) -> bool:
    """TD-FLANK-4: the segment between the two passes through opposite sides of the target.

    Between the centres of their spaces, sides with their corners (TD-GEO-7), or between further
    points of them (TD-FLANK-5).
    Source: «через центры пространства», «через противоположные стороны либо углы».
    """
    starts, ends = attacker_points(attacker), partner_points(partner, by)
    return any(are_sides_opposite(start, end, target) for start, end in product(starts, ends))


def attacker_points(attacker: Space) -> tuple[Point, ...]:
    """TD-FLANK-5: an attacker of more than one cell flanks from any of them, too.

    The centre of its space first, then those of its cells. The exception is the attacker's own.
    Source: «если берущий в тиски занимает более одной клетки, он получает бонус, если любая из
    занятых им клеток».
    """
    if attacker.size == 1:
        return (centre_of(attacker),)
    return (centre_of(attacker), *(centre_of(Space(x, y)) for x, y in cells_of(attacker)))


def partner_points(partner: Space, by: FlankPartner) -> tuple[Point, ...]:
    """Where a partner stands for flanking: the centre of its space, its cells with `any_cell`."""
    return attacker_points(partner) if by == "any_cell" else (centre_of(partner),)
