"""The words that several chapters use, and the table's options about lines."""

from typing import Final, Literal, NamedTuple

from service.engine.geometry.distance import DiagonalRule

AttackMode = Literal["melee", "ranged"]
BorderContact = Literal["along", "interior_only"]
CornerChooser = Literal["defender", "attacker"]
CoverGrade = Literal["none", "partial", "normal", "improved", "total"]
FeatureGrade = Literal["partial", "normal", "improved"]
FlankPartner = Literal["centre", "any_cell"]
FlankPartnerSide = Literal["hostile", "any"]
Gravity = Literal["normal", "zero"]
Light = Literal["dim", "dark"]
Outcome = Literal["hit", "miss", "miss_concealment", "critical"]
PartialCoverMethod = Literal["declared", "line_count"]
Sense = Literal["darkvision", "low_light"]

FEET_PER_CELL: Final = 5

NOTE_NOT_STACKING: Final = "not_stacking"
"""A source of cover or concealment that a better one leaves nothing to."""

NOTE_SPREADS: Final = "spreads"
"""Cover that a spreading effect goes round."""


class LineOptions(NamedTuple):
    """What the table has chosen about distances, lines and flanking."""

    diagonal_rule: DiagonalRule = "alternating"
    border_contact: BorderContact = "along"
    partial_cover_method: PartialCoverMethod = "declared"
    concealment_corner_chooser: CornerChooser = "defender"
    soft_cover_vs_melee: bool = False
    low_obstacle_range_ft: int = 30
    light_on_line: bool = False
    default_concealment_pct: int = 20
    flank_partner: FlankPartner = "centre"
    flank_partner_side: FlankPartnerSide = "hostile"
    fallen_give_cover: bool = True

    @property
    def is_contact_counted(self) -> bool:
        """Whether running along one side of a marked cell is meeting it."""
        return self.border_contact == "along"
