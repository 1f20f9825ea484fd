"""Walking: step by step, with an offer to every enemy nearby before each step.

How this works. A walk is allowed on what the asker knows, and then done in the battle as it is.
Where enemies control the walker's space, the steps so far are walked and the walk waits for their
answers; then it goes on from there. A hidden wall, or somebody unseen in the way, ends it in the
last cell before in which one may end, and is known to everyone from then on. So does whatever the
game master puts in its way while it waits, unless the version judges the rest of the walk again.
"""

from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from service.engine.battle.roster import combatant_of, existing, is_out
from service.engine.battle.state import State
from service.engine.geometry.points import Cell
from service.engine.geometry.spaces import Space, cells_of, moved
from service.engine.geometry.strides import is_step, steps_of
from service.engine.visibility.audience import EVERYONE, SubjectId
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Place
from service.rulesets.tactical_d20.actions import Move
from service.rulesets.tactical_d20.creatures import is_known_to_side, space_of
from service.rulesets.tactical_d20.deciding.discovery import lay_open, reveal
from service.rulesets.tactical_d20.deciding.opportunities import (
    ResumedAction,
    Watch,
    offer,
    passed_for_walk,
)
from service.rulesets.tactical_d20.deciding.resolution import Resolution
from service.rulesets.tactical_d20.deciding.turns import (
    acting,
    require_move_action,
    spend_move_action,
)
from service.rulesets.tactical_d20.evolve import BattleEffects
from service.rulesets.tactical_d20.ground import ground_of, hidden_changes
from service.rulesets.tactical_d20.occupancy import area_of, occupied_by_others
from service.rulesets.tactical_d20.readings import Readings
from service.rulesets.tactical_d20.rules.movement import (
    Occupied,
    Walk,
    entered_by,
    length_of,
    require_walk,
    walls_against,
)
from service.rulesets.tactical_d20.state import BattleState, Combatant, is_dead
from service.rulesets.tactical_d20.terrain import TerrainChange


class WalkMade(Struct, frozen=True, kw_only=True):
    """How much of a walk that waits is done; its path may enter a cell twice."""

    steps: Annotated[int, EVERYONE] = 0
    """Steps made."""
    diagonals: Annotated[int, EVERYONE] = 0
    """Diagonal ones among them: every second one may count two cells."""
    place: Annotated[Place | UnsetType, EVERYONE] = UNSET
    """Where the last of them led; absent in versions that do not read it."""
    passed: Annotated[tuple[SubjectId, ...] | UnsetType, EVERYONE] = UNSET
    """Enemies who have passed for the rest of the walk; absent if none."""

    @property
    def shape(self) -> tuple[Cell, ...]:
        """Steps as long as those made: so many straight ones and so many diagonal ones."""
        return ((1, 1),) * self.diagonals + ((1, 0),) * (self.steps - self.diagonals)


_MADE: Final = msgspec.json.Decoder(WalkMade)


class _Trip(Struct, frozen=True, kw_only=True):
    """How far a walk comes: `steps` of the path, the combatants `met`, the hidden `ground` met."""

    steps: int
    met: tuple[str, ...] = ()
    ground: tuple[TerrainChange, ...] = ()

    @property
    def cause(self) -> str:
        """Why it ends where it does: something hidden was met, or what has been put there since."""
        return "contact" if self.met or self.ground else "blocked"


def require_move(state: State[BattleState], action: Move) -> int:
    """All preconditions of a walk on what the asker may know; its length in feet.

    Raises Refused with the code of the first that fails.
    """
    return _require(state, action, WalkMade())


def require_rest(state: State[BattleState], action: Move, made: WalkMade) -> None:
    """All preconditions of the rest of a walk, its action given back, on what its asker may know.

    Raises Refused with the code of the first that fails.
    """
    mover = acting(state.rule, action.combatant)
    if made.place is not UNSET:
        state.terms.read_as(Readings).walker(mover.place, made.place)
    _require(state, action, made)


def _require(state: State[BattleState], action: Move, made: WalkMade) -> int:
    rule = state.rule
    mover = acting(rule, action.combatant)
    require_move_action(mover)
    walk = Walk(
        space=space_of(mover),
        path=_path(action)[made.steps :],
        made=made.shape,
        speed_ft=mover.speed_ft,
        is_prone="prone" in mover.conditions,
        is_spinning="spinning" in mover.conditions,
        diagonal_rule=rule.options.diagonal_rule,
    )
    ground = ground_of(state)
    occupied = occupied_by_others(rule, mover, area_of(walk.space, walk.path))
    return require_walk(walk, ground.bounds, ground.walls, occupied)


def move(resolution: Resolution, action: Move) -> None:
    """The effects of a walk, as far as it comes before somebody is asked."""
    require_move(resolution.view, action)
    effects = resolution.effects
    spend_move_action(effects, action.combatant)
    _walk(resolution, action, WalkMade())


def made_of(resumed: ResumedAction) -> WalkMade:
    """How much of a walk that waited is done."""
    if resumed.remainder is UNSET:
        raise ValueError("a walk that waits keeps the steps that it has made")
    return _MADE.decode(resumed.remainder)


def go_on(resolution: Resolution, action: Move, resumed: ResumedAction) -> None:
    """The rest of a walk whose questions are closed, in the battle as that has left it.

    It is dropped if its walker is gone, out, put elsewhere, or can walk no further as it is.
    """
    made = made_of(resumed)
    mover = combatant_of(resolution.rule, action.combatant)
    if mover is not None and _can_go_on(mover, _path(action), made.steps):
        passed = (*(made.passed or ()), *passed_for_walk(resumed))
        made = replace(made, passed=passed or UNSET)
        _walk(resolution, action, made, answered=made.steps)


def _can_go_on(mover: Combatant, path: tuple[Cell, ...], made: int) -> bool:
    is_upright = "prone" not in mover.conditions or len(path) == 1
    is_steady = "spinning" not in mover.conditions
    [step] = steps_of((mover.place.x, mover.place.y), path[made : made + 1])
    return not is_out(mover) and is_upright and is_steady and is_step(step)


def _walk(
    resolution: Resolution, action: Move, made: WalkMade, *, answered: int | None = None
) -> None:
    """Walk on behind the steps made; before step `answered` everybody has been asked already."""
    effects = resolution.effects
    mover, path = existing(effects.rule, action.combatant), _path(action)
    trip = _travelled(effects.state, mover, path[made.steps :])
    asked = [each for each in effects.rule.combatants if each.id not in (made.passed or ())]
    watch = Watch(effects.state, mover, asked)
    for steps in range(trip.steps):
        if made.steps + steps == answered:
            continue
        enemies = watch.enemies_at(path[made.steps + steps - 1] if steps else _cell_of(mover))
        if enemies:
            leg = path[made.steps : made.steps + steps]
            if leg:
                _go(effects, mover, leg, made, "opportunity")
            further = _further(mover, leg, made)
            if effects.state.terms.read_as(Readings).is_judged_again:
                further = replace(further, place=_stopped(mover, leg).place)
            offer(resolution, enemies, action, remainder=further)
            return
    leg = path[made.steps : made.steps + trip.steps]
    is_whole = made.steps + trip.steps == len(path)
    _go(effects, mover, leg, made, UNSET if is_whole else trip.cause)
    for combatant in trip.met:
        reveal(effects, combatant, "contact")
    lay_open(effects, trip.ground)


def _cell_of(mover: Combatant) -> Cell:
    return mover.place.x, mover.place.y


def _path(action: Move) -> tuple[Cell, ...]:
    return tuple((cell.x, cell.y) for cell in action.path)


def _stopped(mover: Combatant, leg: tuple[Cell, ...]) -> Combatant:
    """The walker at the end of a leg of its walk."""
    if not leg:
        return mover
    x, y = leg[-1]
    return replace(mover, place=replace(mover.place, x=x, y=y))


def _further(mover: Combatant, leg: tuple[Cell, ...], made: WalkMade) -> WalkMade:
    """The steps made after one more leg."""
    steps = steps_of((mover.place.x, mover.place.y), leg)
    diagonals = sum(1 for dx, dy in steps if dx and dy)
    return replace(made, steps=made.steps + len(leg), diagonals=made.diagonals + diagonals)


def _go(
    effects: BattleEffects,
    mover: Combatant,
    leg: tuple[Cell, ...],
    made: WalkMade,
    cause: str | UnsetType,
) -> None:
    """One leg of a walk; `cause` says why it does not lead to the end of the path."""
    rule = effects.rule.options.diagonal_rule
    before = ((1, 1),) * made.diagonals
    steps = steps_of((mover.place.x, mover.place.y), leg)
    effects.emit(
        fx.Moved(
            combatant=mover.id,
            manner="walk",
            start=mover.place,
            path=tuple(Place(x=x, y=y) for x, y in leg),
            end=_stopped(mover, leg).place,
            cost=length_of((*before, *steps), rule) - length_of(before, rule),
            complete=cause is UNSET,
            cause=cause,
        )
    )


def _travelled(battle: State[BattleState], mover: Combatant, path: tuple[Cell, ...]) -> _Trip:
    """How far the rest of a walk leads in the battle as it is."""
    rule = battle.rule
    start = space_of(mover)
    walls = ground_of(battle).walls
    occupied = occupied_by_others(rule, mover, area_of(start, path))
    here = start
    for index, step in enumerate(steps_of((start.x, start.y), path)):
        entered = frozenset(entered_by(here, step))
        blocking = walls_against(walls, here, step)
        if blocking or entered & occupied.hostile:
            in_the_way = _unknown_in(rule, mover, entered)
            stop = _last_stop(rule, mover, path[:index], occupied, in_the_way)
            return replace(stop, ground=hidden_changes(rule, blocking))
        here = moved(here, step)
    return _last_stop(rule, mover, path, occupied, ())


def _last_stop(
    rule: BattleState,
    mover: Combatant,
    path: tuple[Cell, ...],
    occupied: Occupied,
    met: tuple[str, ...],
) -> _Trip:
    """The walk to the last cell of a path in which one may end, and whom it meets with that.

    Beside those whom it has `met` already, whoever alone keeps it from ending in a cell farther on:
    that it does not end there tells of him.
    """
    steps, unknown = len(path), set(met)
    while steps and _is_held(occupied, stop := Space(*path[steps - 1], mover.size)):
        unknown.update(_sole_holders(rule, mover, frozenset(cells_of(stop))))
        steps -= 1
    return _Trip(steps=steps, met=tuple(each.id for each in rule.combatants if each.id in unknown))


def _is_held(occupied: Occupied, space: Space) -> bool:
    return not occupied.held.isdisjoint(cells_of(space))


def _sole_holders(rule: BattleState, mover: Combatant, cells: frozenset[Cell]) -> tuple[str, ...]:
    """Those in these cells of whom the walker's side does not know, unless it knows of another."""
    holders = [
        each
        for each in rule.combatants
        if each.id != mover.id
        and not is_dead(each)
        and not cells.isdisjoint(cells_of(space_of(each)))
    ]
    if any(is_known_to_side(each, mover.side) for each in holders):
        return ()
    return tuple(each.id for each in holders)


def _unknown_in(rule: BattleState, mover: Combatant, cells: frozenset[Cell]) -> tuple[str, ...]:
    """The able ones in these cells of whom the walker's side does not know."""
    return tuple(
        each.id
        for each in rule.combatants
        if not is_known_to_side(each, mover.side)
        and not is_out(each)
        and not cells.isdisjoint(cells_of(space_of(each)))
    )
