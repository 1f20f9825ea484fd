"""Aimed and snap shots, bursts, reactions: allowed on what the asker knows, then fired."""

from typing import assert_never

from msgspec import UNSET

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.errors import Refused
from service.rulesets.squad_d100.actions import Aim, AimedFire, AimedShot, Burst, SnapShots
from service.rulesets.squad_d100.deciding.aim import (
    Mark,
    Volley,
    require_ammunition,
    require_cell,
    require_marks,
    require_weapon,
)
from service.rulesets.squad_d100.deciding.magazines import attack_begins, spend_rounds, use_phase
from service.rulesets.squad_d100.deciding.phases import (
    acting,
    begin_shooting,
    require_shooting_phase,
)
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.deciding.shot_resolution import fire
from service.rulesets.squad_d100.deciding.turns import settle
from service.rulesets.squad_d100.evolve import BattleEffects
from service.rulesets.squad_d100.rules.shots import (
    BURST_ROUNDS,
    SQ_SHOOT_3,
    SQ_SHOOT_4,
    SQ_SHOOT_8,
    Manner,
    burst_dice,
    firing_order,
    require_dual,
    shots_due,
)
from service.rulesets.squad_d100.rules.suppression import require_automatic
from service.rulesets.squad_d100.state import BattleState, Combatant
from service.rulesets.squad_d100.weapons import is_automatic

Shooting = AimedShot | SnapShots | Burst


def shoot(resolution: Resolution, action: Shooting) -> None:
    """The effects of shots."""
    volley = require(resolution.view, action)
    effects = resolution.effects
    begin_volley(effects, volley)
    for shot in volley.shots:
        fire(resolution, volley, shot, rounds=rounds_of_roll(volley))
    settle(effects)


def begin_volley(effects: BattleEffects, volley: Volley) -> None:
    """The phase, the rounds, and the shooter's being known, in this order, before any die."""
    begin_shooting(effects, volley.shooter)
    for weapon, rounds in volley.rounds:
        spend_rounds(effects, volley.shooter, weapon, rounds)
    use_phase(effects, volley.shooter)
    attack_begins(effects, volley.shooter)


def rounds_of_roll(volley: Volley) -> int:
    """How many rounds one roll stands for: all of a burst that is rolled for once, else one."""
    return sum(rounds for _, rounds in volley.rounds) // len(volley.shots)


def require(view: State[BattleState], action: Shooting) -> Volley:
    """All preconditions of shots (2.4). Raises Refused with the code of the first that fails."""
    shooter = acting(view.rule, action.combatant)
    require_shooting_phase(view, shooter)
    match action:
        case AimedShot():
            return _aimed(view, shooter, action)
        case SnapShots():
            return _snap(view, shooter, action)
        case Burst():
            return _burst(view, shooter, action)
        case _:
            assert_never(action)


def _aimed(view: State[BattleState], shooter: Combatant, action: AimedShot) -> Volley:
    weapon = require_weapon(shooter, action.weapon)
    marks = require_marks(view, shooter, (_aim(action),))
    return _loaded(shooter, "aimed", (weapon.id,), marks, action.added)


def _snap(view: State[BattleState], shooter: Combatant, action: SnapShots) -> Volley:
    stated = (action.weapon,) if action.weapons is UNSET else action.weapons
    weapons = [require_weapon(shooter, weapon) for weapon in stated if weapon is not UNSET]
    per_hand = view.rule.options.dual_shots_per_hand
    due = shots_due(is_dual=action.dual, per_hand=per_hand)
    if len(action.targets) != due:
        raise Refused(
            "bad_target_count",
            rule=SQ_SHOOT_8 if action.dual else SQ_SHOOT_3,
            count=len(action.targets),
            allowed=due,
        )
    if action.dual:
        first, second = weapons
        require_dual((first.id, first.kind), (second.id, second.kind))
    marks = require_marks(view, shooter, action.targets)
    hands = firing_order(tuple(weapon.id for weapon in weapons), due)
    return _loaded(shooter, "snap", hands, marks, action.added, is_dual=action.dual)


def _burst(view: State[BattleState], shooter: Combatant, action: Burst) -> Volley:
    weapon = require_weapon(shooter, action.weapon)
    marks = require_marks(view, shooter, (_aim(action),))
    require_ammunition(shooter, ((weapon.id, BURST_ROUNDS),))
    require_automatic(weapon.id, is_automatic=is_automatic(weapon), rule=SQ_SHOOT_4)
    return Volley(
        shooter.id,
        "burst",
        tuple((weapon.id, mark) for mark in marks * burst_dice(view.rule.options.burst_rolls)),
        ((weapon.id, BURST_ROUNDS),),
        action.added,
    )


def _aim(action: AimedFire) -> Aim:
    return Aim(target=action.target, cell=action.cell)


def _loaded(
    shooter: Combatant,
    manner: Manner,
    hands: tuple[str, ...],
    marks: tuple[Mark, ...],
    gm_modifier: int,
    *,
    is_dual: bool = False,
) -> Volley:
    """Shots of one round each, once their weapons have the rounds."""
    rounds = tuple((weapon, hands.count(weapon)) for weapon in dict.fromkeys(hands))
    require_ammunition(shooter, rounds)
    shots = tuple(zip(hands, marks, strict=True))
    return Volley(shooter.id, manner, shots, rounds, gm_modifier=gm_modifier, is_dual=is_dual)


def reaction_shot(
    resolution: Resolution, watcher: str, weapon: str, target: str, manner: Manner
) -> None:
    """The shot of a watcher at an enemy who moves: line and known arcs are looked at already."""
    effects = resolution.effects
    mark = Mark(target, require_cell(existing(effects.rule, target)))
    volley = Volley(watcher, manner, ((weapon, mark),), ((weapon, 1),), is_reaction=True)
    spend_rounds(effects, watcher, weapon, 1)
    attack_begins(effects, watcher)
    fire(resolution, volley, volley.shots[0])
