"""What a combatant may do in its movement phase, as far as a viewer knows."""

from collections.abc import Iterator
from functools import partial

from service.engine.battle.state import State
from service.engine.geometry.points import Cell as At
from service.engine.kit.walks import Reached
from service.engine.ruleset.legal_nodes import (
    LegalNode,
    NodeSource,
    PricedCell,
    PricedCellsDomain,
    is_allowed,
    node,
    one_of_points,
    points,
)
from service.engine.vocabulary import actions as do
from service.rulesets.squad_d100 import actions as ask
from service.rulesets.squad_d100.deciding.cover_duty import (
    cover_field,
    footing_of,
    has_duty,
)
from service.rulesets.squad_d100.deciding.doors import require_toggle
from service.rulesets.squad_d100.deciding.loot import require_pick_up
from service.rulesets.squad_d100.deciding.moves import require_move
from service.rulesets.squad_d100.deciding.phases import acting, require_end_movement
from service.rulesets.squad_d100.deciding.poses import PoseAction, require_pose
from service.rulesets.squad_d100.deciding.sprints import require_sprint
from service.rulesets.squad_d100.deciding.turns import require_end
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.reach import reachable
from service.rulesets.squad_d100.rules.duty import is_nearer
from service.rulesets.squad_d100.rules.movement import neighbours
from service.rulesets.squad_d100.state import BattleState, Combatant, points_left
from service.rulesets.squad_d100.terrain import UNIT, Cell

View = State[BattleState]
"""The battle as somebody may know it."""


def movement_sources(view: View, actor: Combatant) -> tuple[NodeSource, ...]:
    """One node for each type of action of the movement phase, and for the end of the turn."""
    return (
        NodeSource("approach", partial(_move, view, actor)),
        NodeSource("other", partial(_poses, view, actor)),
        NodeSource("other", partial(_toggle_door, view, actor)),
        NodeSource("other", partial(_others, view, actor)),
    )


def _move(view: View, actor: Combatant) -> Iterator[LegalNode]:
    walks = _walks(view, actor)
    if not walks:
        return
    example = ask.Move(combatant=actor.id, path=_cells(walks[0]))
    if not is_allowed(partial(require_move, view, example)):
        return
    path = PricedCellsDomain(
        cells=tuple([_end(each) for each in walks]), unit=UNIT, budget_mp=points_left(actor)
    )
    yield node({"path": path}, example)


def _walks(view: View, actor: Combatant) -> tuple[Reached, ...]:
    """Where the ground, the movement points and the duty of the suppressed let a walk end."""
    here, left = cell_of(actor), points_left(actor)
    footing = footing_of(view, actor)
    walks = reachable(footing, here, left, lambda *_: True)
    if not (walks and has_duty(actor)):
        return walks
    # Cells that no walk reaches may have no way to cover: they would be sought all over the map.
    wanted = (here, *(each.cell for each in walks))
    field = cover_field(view, actor, wanted)
    return reachable(footing, here, left, partial(is_nearer, field))


def _end(reached: Reached) -> PricedCell:
    x, y = reached.cell
    return PricedCell(x=x, y=y, cost_mp=reached.cost, path=points(reached.path))


def _cells(reached: Reached) -> tuple[Cell, ...]:
    return tuple(_cell(each) for each in reached.path)


def _cell(at: At) -> Cell:
    return Cell(x=at[0], y=at[1])


def _poses(view: View, actor: Combatant) -> Iterator[LegalNode]:
    poses: tuple[PoseAction, ...] = (
        ask.Kneel(combatant=actor.id),
        ask.Stand(combatant=actor.id),
    )
    for action in poses:
        if is_allowed(partial(require_pose, view, action)):
            yield node({}, action)


def _toggle_door(view: View, actor: Combatant) -> Iterator[LegalNode]:
    attempts = [
        ask.ToggleDoor(combatant=actor.id, cell=_cell(each)) for each in neighbours(cell_of(actor))
    ]
    allowed = [each for each in attempts if is_allowed(partial(require_toggle, view, each))]
    if allowed:
        cells = one_of_points(((each.cell.x, each.cell.y) for each in allowed), UNIT)
        yield node({"cell": cells}, allowed[0])


def _others(view: View, actor: Combatant) -> Iterator[LegalNode]:
    name = actor.id
    pick_up, sprint = ask.PickUp(combatant=name), ask.Sprint(combatant=name)
    end_movement, end_turn = ask.EndMovement(combatant=name), do.EndTurn(combatant=name)
    if is_allowed(lambda: require_pick_up(view, pick_up)):
        yield node({}, pick_up)
    if is_allowed(lambda: require_sprint(view, sprint)):
        yield node({}, sprint)
    if is_allowed(lambda: require_end_movement(view, acting(view.rule, name))):
        yield node({}, end_movement)
    if is_allowed(lambda: require_end(view, end_turn)):
        yield node({}, end_turn)
