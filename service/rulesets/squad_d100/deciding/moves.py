"""Walking: a path that is judged whole, and then done step by step.

How this works. The path is judged on what the walker's side may know, then walked in the battle as
it is: each step is paid and made, fire burns, watchers look. It ends before a cell that somebody
unknown holds, who is known to everyone from then on, and before one that has become known to be
held on the way; what is left of it is neither made nor paid. So it does when the walker goes down.
"""

from service.engine.battle.state import State
from service.engine.geometry.points import Cell
from service.rulesets.squad_d100.actions import Move
from service.rulesets.squad_d100.deciding.courses import Course
from service.rulesets.squad_d100.deciding.cover_duty import cover_field, footing_of
from service.rulesets.squad_d100.deciding.discovery import reveal
from service.rulesets.squad_d100.deciding.phases import moving
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.deciding.turns import settle
from service.rulesets.squad_d100.deciding.vigilance import look
from service.rulesets.squad_d100.deciding.wounds import wound
from service.rulesets.squad_d100.ground import ground_of
from service.rulesets.squad_d100.lookout import Lookout
from service.rulesets.squad_d100.occupancy import cell_of, is_known_to, occupant
from service.rulesets.squad_d100.rules.duty import require_nearer_cover
from service.rulesets.squad_d100.rules.fire import SQ_FIRE_1, wound_on_entering
from service.rulesets.squad_d100.rules.ground import terrain_at
from service.rulesets.squad_d100.rules.movement import (
    price_rule,
    require_points,
    require_step,
    step_price,
)
from service.rulesets.squad_d100.rules.poses import require_upright
from service.rulesets.squad_d100.state import BattleState, is_down, is_kneeling, points_left


def require_move(view: State[BattleState], action: Move) -> int:
    """All preconditions of a walk on what its walker's side may know; its price in MP.

    Raises Refused with the code of the first that fails.
    """
    rule = view.rule
    mover = moving(rule, action.combatant)
    require_upright(is_kneeling(mover), rule.options.kneel_move, mover.id)
    path = path_of(action)
    here, left = cell_of(mover), points_left(mover)
    footing = footing_of(view, mover)
    field = cover_field(view, mover, (here, *path))
    for step, there in enumerate(path):
        price = require_step(footing, here, there, step)
        left = require_points(left, price, price_rule(here, there))
        require_nearer_cover(field, here, there, step)
        here = there
    return points_left(mover) - left


def path_of(action: Move) -> tuple[Cell, ...]:
    """The cells of the path, in order."""
    return tuple((cell.x, cell.y) for cell in action.path)


def move(resolution: Resolution, action: Move) -> None:
    """The effects of a walk."""
    require_move(resolution.view, action)
    effects = resolution.effects
    path = path_of(action)
    _walk(Course(resolution, action.combatant, len(path)), path)
    settle(effects)


def _walk(course: Course, path: tuple[Cell, ...]) -> None:
    mover = course.mover
    ground, here = ground_of(course.effects.state), cell_of(mover)
    lookout = Lookout(course.effects.rule, mover, ground)
    for there in path:
        if _is_stopped(course, there):
            return
        course.step(there, step_price(here, there))
        burn = wound_on_entering(
            terrain_at(ground, there) == "fire", course.effects.rule.options.fire_effect
        )
        if burn is not None:
            course.tell("fire")
            wound(course.effects, mover.id, burn, "fire", is_burning=True, rule=SQ_FIRE_1)
        if not is_down(course.mover):
            look(course, lookout.called(ground, there), there)
        if is_down(course.mover):
            return
        here = there
    course.tell("contact")


def _is_stopped(course: Course, there: Cell) -> bool:
    """Whether somebody holds a cell after all; whoever was unknown is known from then on."""
    holder = occupant(course.effects.rule, there)
    if holder is None or holder.id == course.mover.id:
        return False
    is_known = is_known_to(holder, course.mover.side)
    course.stop("blocked" if is_known else "contact")
    if not is_known:
        reveal(course.effects, holder.id, "contact")
    return True
