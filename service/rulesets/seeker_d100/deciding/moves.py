"""Movement, and the steps beside other actions."""

from msgspec import UNSET

from service.engine.battle.effect_builder import EffectBuilder
from service.engine.dice.dice import Dice
from service.engine.kit.combatants import existing
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import By, Place
from service.errors import Forbidden
from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.actions import Move, Step
from service.rulesets.seeker_d100.deciding.checks import (
    Battle,
    finish,
    gm_line,
    lines_of,
    rolled,
    spend_action,
    stream_for,
)
from service.rulesets.seeker_d100.deciding.requirements import acting
from service.rulesets.seeker_d100.evolve import evolve
from service.rulesets.seeker_d100.rule_inputs import place_at, point_of, spot_of
from service.rulesets.seeker_d100.rules.checks import OUTCOMES, is_success
from service.rulesets.seeker_d100.rules.cover import SK_COVER_1
from service.rulesets.seeker_d100.rules.geometry import Point, leg_length
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
from service.rulesets.seeker_d100.state import BattleState, Combatant, is_out


def require_move(rule: BattleState, action: Move, by: By) -> int:
    """The length of a movement in metres, if it is allowed on what the asker may know.

    Raises Forbidden("gm_only") for a test that a player states, Refused.
    """
    if action.test is not UNSET and by.role != "gm":
        raise Forbidden("gm_only", action="move", field="test")
    mover = acting(rule, action)
    path = tuple(spot_of(point) for point in action.path)
    return require_way(point_of(mover), path, action.gait)


def move(
    seen: BattleState, rule: BattleState, action: Move, by: By, dice: Dice
) -> tuple[fx.Effect, ...]:
    """Move, if a test that is demanded succeeds. Raises Forbidden, Refused."""
    length_m = require_move(seen, action, by)
    told = EffectBuilder(rule, evolve)
    spend_action(told, action.combatant)
    mover = existing(told.rule, action.combatant)
    if _test_succeeds(told, mover, action, dice):
        path = tuple(place_at(spot_of(point), mover.place) for point in action.path)
        _go(told, mover, action.gait, path, length_m)
    finish(told, mover.id, "move", dice)
    return told.effects


def _test_succeeds(told: Battle, mover: Combatant, action: Move, dice: Dice) -> bool:
    """Whether nothing stands against a movement: no test, or one that succeeds (SK-MOVE-3)."""
    stated = mover.movement_test if action.test is UNSET else action.test.modifier
    if stated is UNSET:
        return True
    if mover.movement_test is not UNSET:
        told.emit(
            own.ConditionLost(
                rule=SK_MOVE_3, combatant=mover.id, condition="movement_test", cause="used"
            )
        )
    check = rolled(
        told,
        mover,
        movement_skill(mover.dexterity),
        lines_of(demanded_modifier(stated), gm_line(mover)),
        "movement",
        stream_for(told.rule, mover.id),
        dice,
    )
    told.emit(
        own.CheckResolved(
            rule=SK_MOVE_3,
            check="movement",
            combatant=mover.id,
            outcome=OUTCOMES[check.result.level],
            roll=check.roll,
            needed=check.chance,
            level=check.result.level,
            level_rule=check.level_rule,
            breakdown=check.lines,
        )
    )
    return is_success(check.result.level)


def _go(
    told: Battle, mover: Combatant, manner: str, path: tuple[Place, ...], length_m: int
) -> None:
    rules = {"step": SK_MOVE_4, "cover": SK_COVER_1}
    told.emit(
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


def go_to(told: Battle, combatant: str, to: Point, manner: str) -> None:
    """A leg to a point."""
    mover = existing(told.rule, combatant)
    end = place_at(to, mover.place)
    _go(told, mover, manner, (end,), leg_length(point_of(mover), to))


def place_of_action(mover: Combatant, step: object) -> Point:
    """From where an action is taken: a step before it counts. Raises Refused("step_too_far")."""
    here = point_of(mover)
    if not isinstance(step, Step):
        return here
    to = spot_of(step.to)
    require_step(here, to)
    return to if step.when == "before" else here


def step_before(told: Battle, combatant: str, step: object) -> None:
    """The step that an action begins with."""
    if isinstance(step, Step) and step.when == "before":
        go_to(told, combatant, spot_of(step.to), "step")


def step_after(told: Battle, combatant: str, step: object) -> None:
    """The step that an action ends with; not by one who cannot take it any more.

    Whoever is out, held or holding, or was put elsewhere too far away, stays.
    """
    if not isinstance(step, Step) or step.when != "after":
        return
    mover = existing(told.rule, combatant)
    is_bound = mover.held_by is not UNSET or mover.holding is not UNSET
    to = spot_of(step.to)
    if not is_out(mover) and not is_bound and leg_length(point_of(mover), to) <= STEP_M:
        go_to(told, combatant, to, "step")
