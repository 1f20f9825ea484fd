"""What a shot from ambush brings with it: witnesses, the masking, panic (ML-AMB)."""

from collections.abc import Sequence

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.engine.geometry.polygons import Polygon
from service.engine.kit.streams import stream_for
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.deciding import panic
from service.rulesets.melody_d6.deciding.mask_loss import lose_mask
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.ground import ground_of
from service.rulesets.melody_d6.occupancy import spot_of
from service.rulesets.melody_d6.rules.ambush import (
    ML_AMB_3,
    ML_AMB_4,
    ML_AMB_5,
    Onlooker,
    is_noticed,
    is_own_deed,
    is_panic_due,
    is_witness,
    may_stay_unnoticed,
)
from service.rulesets.melody_d6.rules.geometry import sees
from service.rulesets.melody_d6.rules.masking import is_given_away_by_attack
from service.rulesets.melody_d6.rules.mobility import ML_TEST_1, passes_mobility
from service.rulesets.melody_d6.rules.wounds import D6
from service.rulesets.melody_d6.state import BattleState, Combatant, is_on_table


def follow(
    resolution: Resolution, shooter: str, target: str, *, is_killed: bool, is_quiet: bool
) -> None:
    """What follows a shot that was declared while masked, in this order (ML-AMB-2 to -6)."""
    may_stay = may_stay_unnoticed(is_killed=is_killed, is_quiet=is_quiet)
    is_seen = may_stay and is_noticed(_tests(resolution, shooter, target))
    if is_given_away_by_attack("shoot", is_unnoticed=may_stay and not is_seen):
        rule = resolution.rule
        is_own_turn = existing(rule, shooter).side == rule.turn_side
        own_deed = is_own_deed(is_own_turn=is_own_turn)
        lose_mask(resolution.effects, shooter, "attacked", fleeting=own_deed)
    if is_seen:
        resolution.effects.emit(
            own.ConditionGained(
                rule=ML_AMB_4, combatant=shooter, condition="exposed", cause="noticed"
            )
        )
    unit = existing(resolution.rule, target).unit
    if is_panic_due(len(panic.steady_members(resolution.rule, unit))):
        panic.take_test(resolution, unit, rules=(ML_AMB_5,))


def _tests(resolution: Resolution, shooter: str, target: str) -> tuple[bool, ...]:
    """The Mobility tests of all witnesses, in upload order; all of them roll."""
    seen_by = witnesses(resolution.state, shooter, target)
    return tuple([_passes(resolution, each, shooter) for each in seen_by])


def witnesses(battle: State[BattleState], shooter: str, target: str) -> tuple[str, ...]:
    """Who has seen both the target where it stood and the shooter, in upload order."""
    rule = battle.rule
    victim, hunter = existing(rule, target), existing(rule, shooter)
    high = tuple(each.polygon for each in ground_of(battle).obstacles if each.is_high)

    def onlooker(warrior: Combatant) -> Onlooker:
        return Onlooker(
            is_of_targets_side=warrior.side == victim.side,
            is_target=warrior.id == target,
            is_on_table=is_on_table(warrior),
            is_hidden=warrior.hidden,
            sees_target=_sees(rule, warrior, victim, high),
            sees_shooter=_sees(rule, warrior, hunter, high),
        )

    return tuple(each.id for each in rule.combatants if is_witness(onlooker(each)))


def _sees(rule: BattleState, warrior: Combatant, other: Combatant, high: Sequence[Polygon]) -> bool:
    radii = warrior.base_radius + other.base_radius
    here, there = spot_of(warrior), spot_of(other)
    return sees(here, there, warrior.sight, radii, rule.options.measure, high)


def _passes(resolution: Resolution, witness: str, shooter: str) -> bool:
    """The Mobility test of a witness: with a success it notices the shooter.

    Only those see it who may know of both.
    """
    rule = resolution.rule
    mobility = existing(rule, witness).mobility
    stream = stream_for(rule, witness, shooter)
    roll = resolution.dice.roll(1, D6, "mobility", stream=stream, combatant=witness)
    is_passed = passes_mobility(roll.total, mobility, six_fails=rule.options.mobility_six_fails)
    resolution.effects.emit(
        own.CheckResolved(
            rule=ML_TEST_1,
            check="mobility",
            combatant=witness,
            versus=shooter,
            outcome="success" if is_passed else "failure",
            roll=roll,
            needed=mobility,
            rules=(ML_AMB_3,),
        )
    )
    return is_passed
