"""ML-MASK: who may mask and where, and by what masking is lost."""

from collections.abc import Iterable
from typing import Final, Literal

from service.engine.geometry.polygons import is_near_vertex
from service.errors import Refused
from service.rulesets.melody_d6.rules.geometry import Measure, counted_radii, is_near_feature
from service.rulesets.melody_d6.rules.movement import Base
from service.rulesets.melody_d6.terrain import Obstacle

ML_MASK_1: Final = "ML-MASK-1"
ML_MASK_2: Final = "ML-MASK-2"
ML_MASK_3: Final = "ML-MASK-3"
ML_MASK_4: Final = "ML-MASK-4"
ML_MASK_5: Final = "ML-MASK-5"
ML_MASK_6: Final = "ML-MASK-6"
ML_MASK_7: Final = "ML-MASK-7"
ML_MASK_8: Final = "ML-MASK-8"
ML_MASK_15: Final = "ML-MASK-15"

MaskLeavingCover = Literal["lost", "kept"]

Attack = Literal["shoot", "charge", "fight"]
"""What gives a masked warrior away."""

UnmaskCause = Literal[
    "attacked",
    "sang",
    "charged",
    "left_cover",
    "detected_roll",
    "detected_auto",
    "engaged",
    "voluntary",
    "melody",
    "panic",
    "gm",
]
"""By what masking is lost (section 5)."""


def require_points(fp: int, cost: int) -> int:
    """ML-MASK-1: masking costs a side `mask_fp_cost` FP, once for any members of the active unit.

    One declaration per activation; staying masked costs nothing. The FP that are left. Raises
    Refused("insufficient_fp").
    Source: «Используя свои FP, Вы можете замаскировать свой отряд или воина-одиночку».
    """
    if fp < cost:
        raise Refused("insufficient_fp", rule=ML_MASK_1, fp=fp, needed=cost)
    return fp - cost


def require_undeclared(*, is_declared: bool) -> None:
    """The activation has had no masking yet. Raises Refused("mask_already_declared")."""
    if is_declared:
        raise Refused("mask_already_declared", rule=ML_MASK_1)


def is_movement_over(*, has_moved: bool, has_masked: bool) -> bool:
    """ML-MASK-2: masking is declared at the end of a movement and is the end of it.

    Who has not moved ends a movement on the spot; who has masked moves no more in this activation.
    Source: «если он завершает движение возле».
    """
    return has_moved or has_masked


def is_masking_place(
    base: Base, obstacles: Iterable[Obstacle], near: int, measure: Measure
) -> bool:
    """ML-MASK-3: one masks within `near` u of a feature: of any edge, or of a corner alone.

    Measured from the edge of the base, inclusive, by the feature's `mask_mode`; inside of one whose
    edges serve counts, too.
    Source: «возле низкой стены, колонны, камня, угла здания, обломков или любого подобного места».
    """
    return any(_serves(base, each, near, measure) for each in obstacles)


def _serves(base: Base, obstacle: Obstacle, near: int, measure: Measure) -> bool:
    spot, radius = base
    match obstacle.mask_mode:
        case "edge":
            return is_near_feature(obstacle.polygon, spot, near, radius, measure)
        case "corner":
            reach = near + counted_radii(measure, radius)
            return is_near_vertex(obstacle.polygon, spot, reach)
        case "none":
            return False


def becomes_masked(*, is_on_table: bool, is_fleeing: bool) -> bool:
    """ML-MASK-4: whoever declared it is masked after the guard window, if it can be still.

    The FP stay spent. Source: «объявляет, что его боец маскируется».
    """
    return is_on_table and not is_fleeing


def require_no_masked_target(target: str, *, is_masked: bool) -> None:
    """ML-MASK-5: a masked warrior is no target of shooting, on guard neither, whatever sticks out.

    Melodies, templates and charges reach it. Raises Refused("target_masked").
    Source: «не могут быть целью стрельбы».
    """
    if is_masked:
        raise Refused("target_masked", rule=ML_MASK_5, target=target)


def is_given_away_by_attack(attack: Attack, *, is_unnoticed: bool) -> bool:
    """ML-MASK-6: shooting, charging and fighting give the position away, and masking is lost.

    Only a shot that ML-AMB lets go `is_unnoticed` does not.
    Source: «не может атаковать стрелять, не выдавая свою позицию».
    """
    return not (attack == "shoot" and is_unnoticed)


def is_given_away_by_song(*, singing_reveals: bool) -> bool:
    """ML-MASK-7: singing gives the position away at the declaration, if `singing_reveals`.

    Default, not in the seed.
    """
    return singing_reveals


def require_no_attack(combatant: str, *, attacked: bool) -> None:
    """ML-MASK-8: whoever attacks may not mask in its own turn, neither before nor after.

    Raises Refused("attacked_this_turn").
    Source: «Боец, который нападает, не может маскироваться в свой ход».
    """
    if attacked:
        raise Refused("attacked_this_turn", rule=ML_MASK_8, combatant=combatant)


def require_masked_before(combatant: str, *, masked_this_turn: bool) -> None:
    """Whoever has masked in this turn attacks nobody. Raises Refused("masked_this_turn")."""
    if masked_this_turn:
        raise Refused("masked_this_turn", rule=ML_MASK_8, combatant=combatant)


def is_mask_lost_at(*, is_place: bool, leaving_cover: MaskLeavingCover) -> bool:
    """ML-MASK-15: masking lasts until it is lost, as by an end point that is no place to mask.

    So by a move or a push, unless `mask_leaving_cover` = `kept`. The other causes are its own
    attack, detection, engagement, panic, `unmask`, `reveal` and the game master.
    Source: «может маскироваться в течение нескольких ходов».
    """
    return not is_place and leaving_cover == "lost"
