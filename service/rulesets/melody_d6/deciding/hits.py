"""What a shot is made of, and what its dice do: to hit, wounds, saves (ML-SHOOT)."""

from typing import NamedTuple

from msgspec import UNSET, UnsetType

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.engine.geometry.segments import squared_distance
from service.engine.kit.streams import stream_for
from service.engine.vocabulary.breakdown import total
from service.engine.vocabulary.values import Roll
from service.rulesets.melody_d6.attack_effects import (
    AttackAgainst,
    AttackMode,
    AttackOutcome,
    AttackResolved,
    Detail,
    Further,
)
from service.rulesets.melody_d6.deciding.harm import Doer, Wounding, damage, roll_wounds, shake
from service.rulesets.melody_d6.deciding.influences import lines
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.ground import ground_of
from service.rulesets.melody_d6.lines import Line
from service.rulesets.melody_d6.occupancy import spot_of
from service.rulesets.melody_d6.rules.geometry import counted_radii
from service.rulesets.melody_d6.rules.guard import charged_line, fleeting_line
from service.rulesets.melody_d6.rules.shooting import (
    HIT_NEEDED,
    ML_SHOOT_2,
    HitDie,
    cover_line,
    hit_die,
    long_range_line,
    state_lines,
)
from service.rulesets.melody_d6.rules.wounds import D6, Hit
from service.rulesets.melody_d6.state import BattleState, Combatant, is_on_table
from service.rulesets.melody_d6.weapons import Weapon


class GuardShot(NamedTuple):
    """A shot on guard; `charged`: at the enemy who charges the very guard who shoots."""

    charged: bool


class Shot(NamedTuple):
    """Who shoots at whom with what; `guard` says how where it is a shot on guard."""

    shooter: Combatant
    target: Combatant
    weapon: Weapon
    guard: GuardShot | None = None

    @property
    def mode(self) -> AttackMode:
        """What effects call it."""
        return "shot" if self.guard is None else "guard"


class Weight(NamedTuple):
    """What is added to each die to hit: Accuracy, then the lines in the order of section 5."""

    base: int
    breakdown: tuple[Line, ...]

    @property
    def pool(self) -> int:
        """All of it together."""
        return self.base + total(self.breakdown)


def weigh(battle: State[BattleState], shot: Shot) -> Weight:
    """What is added to each die of a shot, as both now stand."""
    shooter, target, reach = shot.shooter, shot.target, shot.weapon.range
    measure = battle.rule.options.measure
    start, end = spot_of(shooter), spot_of(target)
    radii = counted_radii(measure, shooter.base_radius, target.base_radius)
    covers = (
        each.polygon for each in ground_of(battle).obstacles if each.is_cover and not each.is_high
    )
    present = (
        None if reach is UNSET else long_range_line(squared_distance(start, end), reach, radii),
        cover_line(start, end, counted_radii(measure, target.base_radius), covers),
        *state_lines(
            is_dazed="dazed" in shooter.conditions,
            melodies_by=lines(battle, shooter, "mod_hit_by"),
            melodies_at=lines(battle, target, "mod_hit_at"),
        ),
        *_guard_lines(battle.rule, shot),
    )
    return Weight(shooter.accuracy, tuple(line for line in present if line is not None))


def _guard_lines(rule: BattleState, shot: Shot) -> tuple[Line | None, ...]:
    """What a guard's shot takes off for its target's sake."""
    if shot.guard is None:
        return ()
    is_fleeting = "fleeting" in shot.target.conditions
    return (
        fleeting_line(is_fleeting=is_fleeting),
        charged_line(
            is_charged=shot.guard.charged,
            is_fleeting=is_fleeting,
            stacks=rule.options.guard_penalty_stacks,
        ),
    )


def strike(resolution: Resolution, shot: Shot, *, is_ambush: bool) -> bool:
    """All dice of a shot, told with it, and what they do; whether the target is killed by it."""
    rule, shooter, target = resolution.rule, shot.shooter, shot.target
    weight = weigh(resolution.state, shot)
    stream = stream_for(rule, shooter.id, target.id)
    roll = resolution.dice.roll(
        shot.weapon.shots, D6, "attack", stream=stream, combatant=shooter.id
    )
    dice = tuple(hit_die(face, weight.pool) for face in roll.faces)
    hits = sum(die.is_hit for die in dice)
    hit = Hit(shot.weapon.strength, shot.weapon.pen, shot.weapon.damage)
    wounding: Wounding | None = None
    if hits:
        wounding = roll_wounds(resolution, target.id, hit, hits, stream=stream, roller=shooter.id)
    _tell(resolution, shot, weight, roll, dice, wounding, is_ambush=is_ambush)
    if wounding is not None:
        shake(resolution.effects, target.id)
        doer = Doer("attack", combatant=shooter.id, item=shot.weapon.id)
        damage(resolution, target.id, wounding.unsaved * hit.damage, doer)
    return not is_on_table(existing(resolution.rule, target.id))


def _tell(
    resolution: Resolution,
    shot: Shot,
    weight: Weight,
    roll: Roll,
    dice: tuple[HitDie, ...],
    wounding: Wounding | None,
    *,
    is_ambush: bool,
) -> None:
    hits = sum(die.is_hit for die in dice)
    saves: Further | UnsetType = UNSET if wounding is None else wounding.saves
    detail = Detail(
        attacker=shot.shooter.id,
        item=shot.weapon.id,
        mode=shot.mode,
        roll=roll,
        base=weight.base,
        breakdown=weight.breakdown,
        pool=weight.pool,
        reasons=tuple(die.reason for die in dice),
        hits=hits,
        against=AttackAgainst(target=shot.target.id, needed=HIT_NEEDED),
        wounds=UNSET if wounding is None else wounding.wounds,
        saves=saves,
        ambush=is_ambush,
    )
    outcome: AttackOutcome = "hit" if hits else "miss"
    resolution.effects.emit(
        AttackResolved(rule=ML_SHOOT_2, target=shot.target.id, outcome=outcome, detail=detail)
    )
