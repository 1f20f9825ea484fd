"""What a preview tells besides odds: which of these, depends on the action and on who asks."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from service.engine.breakdown import Modifier
from service.engine.vocabulary import Place
from service.rulesets.crossfire_d6.rules.facing import Direction
from service.rulesets.crossfire_d6.rules.ground import Position, Posture
from service.rulesets.crossfire_d6.terrain import Cell


class Facts(Struct, frozen=True, kw_only=True):
    """An attack, a try to hide, or a move; nothing of the others' numbers that are hidden.

    An attack: `mode` to `needed` (CF-SD-1), where `pool` are the dice to be rolled, `breakdown`
    what made them of `base`, and `line` the cells at both ends. Hiding: `suppression` by the
    aggressor, `pool` against `against_pool`. A move: `cost_ft` of `budget_ft`, its `end` and the
    `posture` there.
    """

    mode: Literal["ranged", "melee"] | UnsetType = UNSET
    distance_ft: int | UnsetType = UNSET
    attacked_from: Direction | UnsetType = UNSET
    obscured: bool | UnsetType = UNSET
    automatic: bool | UnsetType = UNSET
    position: Position | UnsetType = UNSET
    line: tuple[Place, Place] | UnsetType = UNSET
    ally_in_danger: str | UnsetType = UNSET
    breakdown: tuple[Modifier, ...] | UnsetType = UNSET
    base: int | UnsetType = UNSET
    pool: int | UnsetType = UNSET
    needed: int | UnsetType = UNSET
    suppression: int | UnsetType = UNSET
    against_pool: int | UnsetType = UNSET
    cost_ft: int | UnsetType = UNSET
    budget_ft: int | UnsetType = UNSET
    end: Cell | UnsetType = UNSET
    posture: Posture | UnsetType = UNSET
