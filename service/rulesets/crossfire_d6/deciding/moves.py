"""Walking, postures, facing, lying down and getting up.

How this works. A walk is allowed on what the asker knows, and then done step by step in the
battle as it is. Something solid or somebody unseen in the way ends it before that step: the walk
is not `complete`, and what was met is known to everyone (so is the walker, if somebody was met).
Hidden ground that is merely entered is known from then on, too, unless the walker is hidden.
Nobody comes to rest on a body.
"""

from msgspec import UNSET, Struct
from msgspec.structs import replace

from service.engine.battle.roster import existing
from service.engine.battle.state import State
from service.engine.geometry.features import FeatureKeys, features_of, features_within, is_any_on
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space, cells_of, moved
from service.engine.geometry.strides import steps_of, stride
from service.engine.kit.grid import border_of
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place
from service.errors import Refused
from service.rulesets.crossfire_d6 import effects as own
from service.rulesets.crossfire_d6.actions import ChangePosture, GoProne, Move, SetFacing, StandUp
from service.rulesets.crossfire_d6.deciding.hidden_ground import lay_open
from service.rulesets.crossfire_d6.deciding.resolution import Resolution
from service.rulesets.crossfire_d6.deciding.turns import (
    able,
    acting,
    require_action_left,
    spend_action,
    whose_turn,
)
from service.rulesets.crossfire_d6.evolve import BattleEffects
from service.rulesets.crossfire_d6.fighters import (
    occupied_by_others,
    pin_options,
    space_of,
    streak_of,
)
from service.rulesets.crossfire_d6.maps import board_of, public_board
from service.rulesets.crossfire_d6.rules.facing import (
    CF_FACE_2,
    CF_FACE_3,
    facing_after_move,
    require_own_turn,
)
from service.rulesets.crossfire_d6.rules.ground import Ground
from service.rulesets.crossfire_d6.rules.movement import (
    Occupied,
    Walk,
    can_step,
    require_length,
    require_walk,
)
from service.rulesets.crossfire_d6.rules.position import (
    CF_POS_2,
    has_cover_here,
    posture_change_cost,
    require_cover_here,
)
from service.rulesets.crossfire_d6.rules.suppression import CF_PIN_1, has_moved
from service.rulesets.crossfire_d6.state import BattleState, Combatant
from service.rulesets.crossfire_d6.terrain import TerrainChange


class _Trip(Struct, frozen=True, kw_only=True):
    """How far a walk came: `steps` of the path, the combatants `met`, the hidden `ground` found."""

    steps: int
    met: tuple[str, ...]
    ground: tuple[TerrainChange, ...]


def require_move(state: State[BattleState], action: Move) -> int:
    """All preconditions of a move on what the asker may know; the length in feet.

    Raises Refused with the code of the first that fails.
    """
    rule = state.rule
    mover = acting(rule, action.combatant)
    require_action_left(mover)
    walk = Walk(
        space=space_of(mover),
        path=tuple((cell.x, cell.y) for cell in action.path),
        posture="open" if action.posture is UNSET else action.posture,
        speed_ft=mover.speed_ft,
        is_prone="prone" in mover.conditions,
        diagonal_rule=rule.options.diagonal_rule,
    )
    ground = board_of(state).ground
    return require_walk(walk, ground, occupied_by_others(rule, mover.id))


def move(resolution: Resolution, action: Move) -> None:
    """The effects of a move."""
    view, state, effects = resolution.view, resolution.state, resolution.effects
    require_move(view, action)
    spend_action(effects, existing(state.rule, action.combatant))
    trip = _travelled(state, action)
    _walk(effects, action, trip)
    for combatant in trip.met:
        _reveal(effects, combatant)
    if trip.met:
        _reveal(effects, action.combatant)
    lay_open(effects, trip.ground)
    known_board = board_of if view.rule.secrets else public_board
    _take_posture(effects, known_board(effects.state).ground, action)
    _face(effects, action)
    emit_live_suppression(effects, existing(state.rule, action.combatant))


def _travelled(state: State[BattleState], action: Move) -> _Trip:
    """The walk in the battle as it is."""
    rule, mover = state.rule, existing(state.rule, action.combatant)
    space = space_of(mover)
    ground = board_of(state).ground
    occupied = occupied_by_others(rule, action.combatant)
    path = tuple((cell.x, cell.y) for cell in action.path)
    entered: list[TerrainChange] = []
    here = space
    for index, step in enumerate(steps_of((space.x, space.y), path)):
        hidden = _in_the_way(rule, here, step)
        if not can_step(ground, here, step) or _is_taken(here, step, occupied.standing):
            met = _unseen_in(rule, here, step)
            return _halted(space, path[:index], occupied, met, (*entered, *hidden))
        entered += () if mover.hidden else hidden
        here = moved(here, step)
    if _is_on(here, occupied.bodies):
        met = tuple(
            each.id
            for each in rule.combatants
            if each.hidden and each.id != action.combatant and _is_on(here, _cells_of(each))
        )
        return _halted(space, path[:-1], occupied, met, tuple(entered))
    return _Trip(steps=len(path), met=(), ground=tuple(entered))


def _halted(
    start: Space,
    path: tuple[Cell, ...],
    occupied: Occupied,
    met: tuple[str, ...],
    ground: tuple[TerrainChange, ...],
) -> _Trip:
    """A walk cut short comes to rest in the last cell of its path that holds no body."""
    steps = len(path)
    while steps and _is_on(Space(*path[steps - 1], start.size), occupied.bodies):
        steps -= 1
    return _Trip(steps=steps, met=met, ground=ground)


def _in_the_way(rule: BattleState, here: Space, step: Cell) -> tuple[TerrainChange, ...]:
    """The hidden ground that a step enters, passes over or would squeeze past."""
    shape, at = stride(here.size, step), (here.x, here.y)
    return tuple(
        secret
        for secret in rule.secrets
        if _is_on_shape(secret, shape.way, at)
        or (_is_solid(secret) and _is_on_shape(secret, shape.corners, at))
    )


def _is_on_shape(secret: TerrainChange, shape: FeatureKeys, at: Cell) -> bool:
    cell, border = secret.cell, secret.border
    if cell is not UNSET:
        return is_any_on(features_of(((cell.x, cell.y),)), shape, at)
    if border is UNSET:
        return False
    side = border_of(border.axis, border.x, border.y)
    return bool(features_within(features_of((), (side,)), shape, at))


def _is_solid(secret: TerrainChange) -> bool:
    part = secret.border if secret.cell is UNSET else secret.cell
    return part is not UNSET and part.kind == "solid"


def _is_taken(here: Space, step: Cell, standing: frozenset[Cell]) -> bool:
    return any((here.x + x, here.y + y) in standing for x, y in stride(here.size, step).entered)


def _unseen_in(rule: BattleState, here: Space, step: Cell) -> tuple[str, ...]:
    """The hidden combatants that stand in the cells a step enters."""
    entered = frozenset((here.x + x, here.y + y) for x, y in stride(here.size, step).entered)
    return tuple(each.id for each in rule.combatants if each.hidden and entered & _cells_of(each))


def _cells_of(combatant: Combatant) -> frozenset[Cell]:
    return frozenset(cells_of(space_of(combatant)))


def _is_on(space: Space, cells: frozenset[Cell]) -> bool:
    return not cells.isdisjoint(cells_of(space))


def _walk(effects: BattleEffects, action: Move, trip: _Trip) -> None:
    mover = existing(effects.rule, action.combatant)
    start = mover.place
    path = tuple(Place(x=cell.x, y=cell.y) for cell in action.path[: trip.steps])
    steps = steps_of((start.x, start.y), tuple((place.x, place.y) for place in path))
    is_complete = trip.steps == len(action.path)
    effects.emit(
        fx.Moved(
            combatant=mover.id,
            manner="walk",
            start=start,
            path=path,
            end=replace(start, x=path[-1].x, y=path[-1].y) if path else start,
            cost=require_length(steps, mover.speed_ft, effects.rule.options.diagonal_rule),
            complete=is_complete,
            cause=UNSET if is_complete else "contact",
        )
    )


def _reveal(effects: BattleEffects, combatant: str) -> None:
    unseen = existing(effects.rule, combatant)
    if unseen.hidden:
        effects.emit(own.Revealed(combatant=replace(unseen, hidden=False), cause="contact"))


def _take_posture(effects: BattleEffects, ground: Ground, action: Move) -> None:
    """The posture named, if it can be taken where the walk came to rest; else open."""
    mover = existing(effects.rule, action.combatant)
    wanted = "open" if action.posture is UNSET else action.posture
    if wanted != "open" and not has_cover_here(space_of(mover), ground):
        wanted = "open"
    if wanted != mover.posture:
        effects.emit(own.PostureChanged(rule=CF_POS_2, combatant=mover.id, posture=wanted))


def _face(effects: BattleEffects, action: Move) -> None:
    mover = existing(effects.rule, action.combatant)
    wanted = None if action.facing is UNSET else action.facing
    facing = facing_after_move(mover.facing, wanted)
    if facing != mover.facing:
        effects.emit(own.Faced(rule=CF_FACE_2, combatant=mover.id, facing=facing))


def emit_live_suppression(effects: BattleEffects, before: Combatant) -> None:
    """Whether the turns counted against a combatant count where it is now, if that changed."""
    options = pin_options(effects.rule.options)
    after = existing(effects.rule, before.id)
    was, now = (
        0
        if has_moved(streak_of(each).origin, (each.place.x, each.place.y), options)
        else each.pin_count
        for each in (before, after)
    )
    if was != now:
        effects.emit(
            fx.StatChanged(rule=CF_PIN_1, combatant=after.id, stat="live_suppression", now=now)
        )


def require_posture_change(state: State[BattleState], action: ChangePosture) -> None:
    """The preconditions of changing the posture on the spot. Raises Refused."""
    actor = acting(state.rule, action.combatant)
    require_action_left(actor)
    posture_change_cost(actor.posture, action.posture)
    ground = board_of(state).ground
    require_cover_here(space_of(actor), action.posture, ground)


def change_posture(resolution: Resolution, action: ChangePosture) -> None:
    """The effects of changing the posture on the spot: it is a movement and costs an action."""
    require_posture_change(resolution.view, action)
    effects = resolution.effects
    spend_action(effects, existing(effects.rule, action.combatant))
    effects.emit(
        own.PostureChanged(rule=CF_POS_2, combatant=action.combatant, posture=action.posture)
    )


def set_facing(resolution: Resolution, action: SetFacing) -> None:
    """The effect of looking another way: free, in one's own turn. Raises Refused."""
    rule, me = resolution.view.rule, action.combatant
    able(rule, me)
    require_own_turn(me, whose_turn(rule))
    resolution.effects.emit(own.Faced(rule=CF_FACE_3, combatant=me, facing=action.facing))


def go_prone(resolution: Resolution, action: GoProne) -> None:
    """The effect of lying down: free. Raises Refused("nothing_changes") while prone."""
    actor = acting(resolution.view.rule, action.combatant)
    if "prone" in actor.conditions:
        raise Refused("nothing_changes", combatant=actor.id, condition="prone")
    resolution.effects.emit(fx.ConditionGained(combatant=actor.id, condition="prone"))


def stand_up(resolution: Resolution, action: StandUp) -> None:
    """The effects of getting up: an action. Raises Refused("nothing_changes") while upright."""
    actor = acting(resolution.view.rule, action.combatant)
    if "prone" not in actor.conditions:
        raise Refused("nothing_changes", combatant=actor.id, condition="prone")
    require_action_left(actor)
    effects = resolution.effects
    spend_action(effects, actor)
    effects.emit(fx.ConditionLost(combatant=actor.id, condition="prone"))
