"""Movement, and the steps beside other actions."""

from msgspec import UNSET

from service.engine.battle.roster import existing, is_out
from service.engine.geometry.segments import Spot, leg_length
from service.engine.kit.streams import stream_for
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.actions import Move, Step
from service.rulesets.seeker_d100.deciding.actor import require_actor
from service.rulesets.seeker_d100.deciding.checks import (
    Weight,
    emit_check,
    finish_action,
    roll_check,
    spend_action,
    weigh_check,
)
from service.rulesets.seeker_d100.deciding.resolution import Resolution
from service.rulesets.seeker_d100.evolve import BattleEffects
from service.rulesets.seeker_d100.places import (
    place_at,
    spot_at,
    spot_of,
)
from service.rulesets.seeker_d100.rules.checks import is_success
from service.rulesets.seeker_d100.rules.cover import SK_COVER_1
from service.rulesets.seeker_d100.rules.movement import (
    SK_MOVE_1,
    SK_MOVE_3,
    SK_MOVE_4,
    STEP_M,
    demanded_modifier,
    movement_skill,
    require_step,
    require_way,
)
from service.rulesets.seeker_d100.state import BattleState, Combatant


def require_move(rule: BattleState, action: Move) -> int:
    """The length of a movement in metres, if it is allowed on what the caller may know.

    Raises Refused.
    """
    mover = require_actor(rule, action)
    path = tuple(spot_at(point) for point in action.path)
    return require_way(spot_of(mover), path, action.gait)


def move(resolution: Resolution, action: Move) -> None:
    """The effects of a movement, after the test that it may need. Raises Refused."""
    length_m = require_move(resolution.view.rule, action)
    effects = resolution.effects
    spend_action(effects, action.combatant)
    mover = existing(effects.rule, action.combatant)
    if _test_succeeds(resolution, mover, action):
        path = tuple(place_at(spot_at(point), mover.place) for point in action.path)
        _go(effects, mover, action.gait, path, length_m)
    finish_action(resolution, mover.id, "move")


def _test_succeeds(resolution: Resolution, mover: Combatant, action: Move) -> bool:
    """Whether the movement happens: it needs no test, or its test succeeds (SK-MOVE-3)."""
    effects = resolution.effects
    weight = weigh_movement(mover, action)
    if weight is None:
        return True
    if mover.movement_test is not UNSET:
        effects.emit(
            own.ConditionLost(
                rule=SK_MOVE_3, combatant=mover.id, condition="movement_test", cause="used"
            )
        )
    check = roll_check(resolution, mover, weight, "movement", stream_for(effects.rule, mover.id))
    emit_check(effects, check, mover.id, rule=SK_MOVE_3, kind="movement")
    return is_success(check.result.level)


def weigh_movement(mover: Combatant, action: Move) -> Weight | None:
    """The test that the game master demands, with this action or beforehand; None: no test."""
    modifier = mover.movement_test if action.test is UNSET else action.test.modifier
    if modifier is UNSET:
        return None
    return weigh_check(mover, movement_skill(mover.dexterity), demanded_modifier(modifier))


def _go(
    effects: BattleEffects, mover: Combatant, manner: str, path: tuple[Place, ...], length_m: int
) -> None:
    rules = {"step": SK_MOVE_4, "cover": SK_COVER_1}
    effects.emit(
        fx.Moved(
            rule=rules.get(manner, SK_MOVE_1),
            combatant=mover.id,
            manner=manner,
            start=mover.place,
            path=path,
            end=path[-1],
            cost=length_m,
        )
    )


def go_to(effects: BattleEffects, combatant: str, to: Spot, manner: str) -> None:
    """Move a combatant straight to a spot."""
    mover = existing(effects.rule, combatant)
    end = place_at(to, mover.place)
    _go(effects, mover, manner, (end,), leg_length(spot_of(mover), to))


def place_of_action(mover: Combatant, step: object) -> Spot:
    """The spot an action is taken from, after a step before it. Raises Refused("step_too_far")."""
    here = spot_of(mover)
    if not isinstance(step, Step):
        return here
    to = spot_at(step.to)
    require_step(here, to)
    return to if step.when == "before" else here


def step_before(effects: BattleEffects, combatant: str, step: object) -> None:
    """Take the step of an action, if it is to come before."""
    if isinstance(step, Step) and step.when == "before":
        go_to(effects, combatant, spot_at(step.to), "step")


def step_after(effects: BattleEffects, combatant: str, step: object) -> None:
    """Take the step of an action, if it is to come after and its combatant is able to.

    Nobody steps who is out, held or holding, or whom the game master has put too far away since.
    """
    if not isinstance(step, Step) or step.when != "after":
        return
    mover = existing(effects.rule, combatant)
    is_bound = mover.held_by is not UNSET or mover.holding is not UNSET
    to = spot_at(step.to)
    if not is_out(mover) and not is_bound and leg_length(spot_of(mover), to) <= STEP_M:
        go_to(effects, combatant, to, "step")
