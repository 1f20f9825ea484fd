"""Opening and closing doors, and who looks."""

from msgspec.structs import replace

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.engine.vocabulary import effects as fx
from service.rulesets.squad_d100 import effects as own
from service.rulesets.squad_d100.actions import ToggleDoor
from service.rulesets.squad_d100.deciding.courses import Course
from service.rulesets.squad_d100.deciding.discovery import reveal
from service.rulesets.squad_d100.deciding.phases import moving, spend_points
from service.rulesets.squad_d100.deciding.resolution import Resolution
from service.rulesets.squad_d100.deciding.turns import settle
from service.rulesets.squad_d100.deciding.vigilance import look
from service.rulesets.squad_d100.evolve import BattleEffects, evolve
from service.rulesets.squad_d100.ground import ground_of
from service.rulesets.squad_d100.lookout import Lookout
from service.rulesets.squad_d100.occupancy import cell_of, cells_held, occupant
from service.rulesets.squad_d100.rules.doors import SQ_DOOR_1, require_door
from service.rulesets.squad_d100.rules.ground import Ground, is_inside, is_open_door, terrain_at
from service.rulesets.squad_d100.rules.movement import require_points
from service.rulesets.squad_d100.state import BattleState, points_left
from service.rulesets.squad_d100.terrain import TerrainChange


def require_toggle(view: State[BattleState], action: ToggleDoor) -> int:
    """All preconditions of working a door on what the actor's side may know; the price in MP.

    Raises what `moving` does, then Refused("not_a_door"), ("not_adjacent"), ("cell_occupied") or
    ("not_enough_mp").
    """
    rule = view.rule
    actor, cell = moving(rule, action.combatant), (action.cell.x, action.cell.y)
    ground = ground_of(view)
    is_door = is_inside(ground, cell) and terrain_at(ground, cell) == "door"
    require_door(
        cell_of(actor),
        cell,
        is_door=is_door,
        is_closing=is_door and is_open_door(ground, cell),
        is_free=cell not in cells_held(rule, actor),
    )
    require_points(points_left(actor), rule.options.door_cost, SQ_DOOR_1)
    return rule.options.door_cost


def toggle_door(resolution: Resolution, action: ToggleDoor) -> None:
    """The effects of working a door."""
    price = require_toggle(resolution.view, action)
    effects = resolution.effects
    spend_points(effects, action.combatant, price)
    actor = existing(effects.rule, action.combatant)
    here = cell_of(actor)
    lookout = Lookout(effects.rule, actor, ground_of(effects.state))
    _work(effects, action)
    course = Course(resolution, actor.id)
    called = lookout.called(ground_of(effects.state), here)
    look(course, called, here)
    course.tell("vigilance")
    settle(effects)


def after_toggle(battle: State[BattleState], action: ToggleDoor) -> Ground:
    """The ground once a door has been worked, as far as nobody unknown is in the way."""
    battle = replace(battle, rule=evolve(battle.rule, _toggled(battle, action)))
    return ground_of(battle)


def _toggled(battle: State[BattleState], action: ToggleDoor) -> own.TerrainChanged:
    """An open door is closed, a closed one open."""
    is_open = is_open_door(ground_of(battle), (action.cell.x, action.cell.y))
    change = TerrainChange(x=action.cell.x, y=action.cell.y, terrain="door", open=not is_open)
    return own.TerrainChanged(
        rule=SQ_DOOR_1,
        changes=(change,),
        cause="door",
        source=fx.Source(combatant=action.combatant),
    )


def _work(effects: BattleEffects, action: ToggleDoor) -> None:
    """The door is otherwise; one that meets somebody unknown stays open, and he becomes known."""
    cell = (action.cell.x, action.cell.y)
    holder = occupant(effects.rule, cell)
    if holder is not None and is_open_door(ground_of(effects.state), cell):
        reveal(effects, holder.id, "contact")
        return
    effects.emit(_toggled(effects.state, action))
