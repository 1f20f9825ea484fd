"""What a table may choose among the rules' variants, frozen when the battle starts."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from service.engine.battle import state as core
from service.engine.visibility.audience import EVERYONE
from service.errors import Malformed

Measure = Literal["edge", "centre"]
MaskLeavingCover = Literal["lost", "kept"]
DetectionFrom = Literal["active_unit", "side"]
DampenAtCreation = Literal["difficulty", "result"]
DampenLimit = Literal["per_melody", "per_player"]
DampenWhen = Literal["own_turn", "any_turn"]
ExposedDuration = Literal["battle", "next_turn"]
GuardLostOn = Literal["damage", "hit"]
Initiative = Literal["roll_once", "fixed"]

ShortLength = Annotated[int, Meta(ge=0, le=5000)]
MiddleLength = Annotated[int, Meta(ge=0, le=20_000)]
LongLength = Annotated[int, Meta(ge=0, le=170_000)]
Price = Annotated[int, Meta(ge=0, le=5)]


class Options(core.TableOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table may choose, frozen when the battle starts."""

    measure: Annotated[Measure, EVERYONE] = "edge"
    """Whether distances are measured from edge to edge of bases or between centres (ML-GEO-2)."""
    mask_near: Annotated[ShortLength, EVERYONE] = 1000
    """How near to a feature one can mask, in u (ML-MASK-3)."""
    mask_leaving_cover: Annotated[MaskLeavingCover, EVERYONE] = "lost"
    """Whether masking is lost with a move that ends where one cannot mask (ML-MASK-15)."""
    detection_from: Annotated[DetectionFrom, EVERYONE] = "active_unit"
    """Whose Mobility a detection roll after a move adds: that of the nearest of the active unit,
    or of the whole side (ML-MASK-10)."""
    fp_per_turn: Annotated[Annotated[int, Meta(ge=0, le=20)], EVERYONE] = 3
    """FP that a side has at the start of its turn (ML-FP-1)."""
    mask_fp_cost: Annotated[Price, EVERYONE] = 1
    """FP that masking costs (ML-MASK-1)."""
    ui_fp_cost: Annotated[Price, EVERYONE] = 1
    """FP that a United Impulse costs (ML-UI-1)."""
    ui_radius: Annotated[MiddleLength, EVERYONE] = 3000
    """How near a squad-mate must be for a United Impulse, in u (ML-UI-1)."""
    ui_uncovers_power: Annotated[bool, EVERYONE] = False
    """Whether a Terrible Mistake avoided by a United Impulse uncovers the Monstrous Power of the
    same roll (ML-UI-3)."""
    mp_auto_success: Annotated[bool, EVERYONE] = True
    """Whether Monstrous Power succeeds below the difficulty, too (ML-SING-5)."""
    mp_ignores_resistance: Annotated[bool, EVERYONE] = False
    """Whether nobody resists a Melody sung with Monstrous Power (ML-RES-4)."""
    lasting_dampen_at_creation: Annotated[DampenAtCreation, EVERYONE] = "difficulty"
    """What dampening must reach when a lasting Melody is sung: its difficulty, or its result
    (ML-LAST-5)."""
    lasting_dampen_limit: Annotated[DampenLimit, EVERYONE] = "per_melody"
    """Whether a side may try to dampen each lasting Melody once per round, or one in all
    (ML-LAST-7)."""
    lasting_dampen_when: Annotated[DampenWhen, EVERYONE] = "own_turn"
    """In whose turn a side may try to dampen a lasting Melody (ML-LAST-7)."""
    dampen_range: Annotated[LongLength | UnsetType, EVERYONE] = UNSET
    """How near to the singer one must be to dampen, in u; absent: anywhere (ML-DAMP-1)."""
    exposed_duration: Annotated[ExposedDuration, EVERYONE] = "battle"
    """How long who was exposed cannot mask: for the battle, or until the start of its next turn
    (ML-AMB-4)."""
    guard_after_move: Annotated[bool, EVERYONE] = True
    """Whether who has moved may go on guard (ML-GUARD-2)."""
    guard_lost_on: Annotated[GuardLostOn, EVERYONE] = "damage"
    """Whether only a lost wound ends a guard, or every hit (ML-GUARD-8)."""
    guard_penalty_stacks: Annotated[bool, EVERYONE] = False
    """Whether the penalties of ML-GUARD-11 and ML-GUARD-12 add up."""
    singing_reveals: Annotated[bool, EVERYONE] = True
    """Whether singing gives a masked singer away (ML-MASK-7)."""
    mobility_six_fails: Annotated[bool, EVERYONE] = True
    """Whether a natural 6 always fails a Mobility test (ML-TEST-1)."""
    initiative: Annotated[Initiative, EVERYONE] = "roll_once"
    """Whether dice say which side begins, or the order of the sides (ML-TURN-1)."""
    round_limit: Annotated[Annotated[int, Meta(ge=1, le=100)] | UnsetType, EVERYONE] = UNSET
    """Rounds after which the battle ends; absent: no limit (ML-TURN-6)."""
    detect_on_path: Annotated[bool | UnsetType, EVERYONE] = UNSET
    """Whether automatic detection is asked of the way up to where a guard shoots, before the shot
    (version 3, ML-GUARD-14). Absent: yes in version 3, which states it in the battle; versions
    before ask once the movement is over, and refuse the option."""
    attack_reveals: Annotated[bool, EVERYONE] = True
    """Whether whoever shoots, fights, charges or sings becomes known to everyone at the
    declaration; if not, others learn only whom it struck and how it ended."""


def without_later(options: Options, path: str) -> Options:
    """The options of a battle of version 1 or 2, as they are stated at `path`.

    Raises Malformed for one that a later version brought.
    """
    if options.detect_on_path is not UNSET:
        raise Malformed(
            path=f"{path}.detect_on_path", allowed="no such option before version 3 of melody-d6"
        )
    return options
