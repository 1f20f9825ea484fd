"""The facts of a preview."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from service.engine.vocabulary.breakdown import Modifier
from service.engine.vocabulary.values import Place
from service.rulesets.crossfire_d6.rules.facing import Direction
from service.rulesets.crossfire_d6.rules.ground import Position, Posture
from service.rulesets.crossfire_d6.terrain import Cell


class Facts(Struct, frozen=True, kw_only=True):
    """An attack, a try to hide, or a move; nothing of the others' numbers that are hidden.

    An attack: `mode` to `needed`, where `pool` are the dice to be rolled, `breakdown` what made
    them of `base`, and `line` the cells at both ends. Hiding: `suppression` by the aggressor,
    `pool` against `against_pool`. A move: `cost_ft` of `budget_ft`, its `end` and the `posture`
    there.
    """

    mode: Literal["ranged", "melee"] | UnsetType = UNSET
    """Kind of attack; absent where the action is none."""
    distance_ft: int | UnsetType = UNSET
    """Feet between attacker and target, of an attack."""
    attacked_from: Direction | UnsetType = UNSET
    """Where the attack comes from, as the target looks (CF-FACE-5)."""
    obscured: bool | UnsetType = UNSET
    """Whether the shot has poor visibility, even if that costs no dice (CF-OBSC-1)."""
    automatic: bool | UnsetType = UNSET
    """Whether the attack is a critical hit without a roll (CF-HELP-1)."""
    position: Position | UnsetType = UNSET
    """The target's position against this attacker; absent in melee without `cover_vs_melee`."""
    line: tuple[Place, Place] | UnsetType = UNSET
    """Cells at the attacker's and at the target's end of the line used, lean cells included
    (CF-GEO-5); absent where `position` is."""
    ally_in_danger: str | UnsetType = UNSET
    """Id of the ally whom a miss of reckless fire may hit; absent without one."""
    breakdown: tuple[Modifier, ...] | UnsetType = UNSET
    """What changes `base` into `pool`, without lines whose numbers the caller may not know; absent
    where the option `breakdowns` hides it."""
    base: int | UnsetType = UNSET
    """Attack dice of the weapon, before modifiers; absent where nothing is rolled."""
    pool: int | UnsetType = UNSET
    """Six-sided dice to roll: of an attack, or of the hider's agility; absent where the caller may
    not know it."""
    needed: int | UnsetType = UNSET
    """Total that an attack must reach to hit (CF-SD-3); absent where the caller may not know it."""
    suppression: int | UnsetType = UNSET
    """Dice of suppression that the enemy gains against the hider now (CF-PIN-6)."""
    against_pool: int | UnsetType = UNSET
    """Dice of intellect that the enemy rolls against the hider; absent where the caller may not
    know it."""
    cost_ft: int | UnsetType = UNSET
    """Feet of movement that the path costs."""
    budget_ft: int | UnsetType = UNSET
    """Feet of movement that the combatant has for a move."""
    end: Cell | UnsetType = UNSET
    """The cell where the path ends."""
    posture: Posture | UnsetType = UNSET
    """Posture taken at the end of the path."""
