"""What an action of the movement phase would cost, and who would test for it.

Who is told are those on watch of whom the caller knows, each after the step that calls it, as if no
shot stopped the walk before.
"""

from msgspec import UNSET

from service.engine.battle.roster import existing
from service.engine.battle.state import State, scope_of
from service.engine.kit.perception import knows_numbers
from service.engine.kit.previews import Asker, odds_by_count
from service.engine.ruleset.definition import Odds, Preview
from service.engine.visibility.scope import Viewer
from service.rulesets.squad_d100.actions import (
    EndMovement,
    Kneel,
    Move,
    PickUp,
    Sprint,
    Stand,
    ToggleDoor,
)
from service.rulesets.squad_d100.deciding.doors import after_toggle, require_toggle
from service.rulesets.squad_d100.deciding.loot import require_pick_up
from service.rulesets.squad_d100.deciding.moves import path_of, require_move
from service.rulesets.squad_d100.deciding.phases import acting, require_end_movement
from service.rulesets.squad_d100.deciding.poses import require_pose
from service.rulesets.squad_d100.deciding.sprints import require_sprint
from service.rulesets.squad_d100.deciding.vigilance import threshold_of
from service.rulesets.squad_d100.ground import ground_of
from service.rulesets.squad_d100.lookout import Lookout
from service.rulesets.squad_d100.occupancy import cell_of
from service.rulesets.squad_d100.previews.facts import Facts, ForeseenTest
from service.rulesets.squad_d100.rules.shots import D100
from service.rulesets.squad_d100.rules.vigilance import vigilance_outcome
from service.rulesets.squad_d100.state import BattleState, Combatant, points_left

View = State[BattleState]


def preview_move(asker: Asker[BattleState], action: Move) -> Preview:
    """The price of a walk, where it ends, and who would test. Raises what `require_move` does."""
    view = asker.view
    price = require_move(view, action)
    mover = existing(view.rule, action.combatant)
    ground = ground_of(view)
    lookout = Lookout(view.rule, mover, ground)
    tests = tuple(
        _foreseen(view, watcher, asker.viewer, steps)
        for steps, cell in enumerate(path_of(action), 1)
        for watcher in lookout.called(ground, cell)
    )
    facts = Facts(
        price_mp=price, left_mp=points_left(mover), end=action.path[-1], tests=tests or UNSET
    )
    return Preview(legal=True, facts=facts)


def preview_door(asker: Asker[BattleState], action: ToggleDoor) -> Preview:
    """The price of working a door, and who would test. Raises what `require_toggle` does."""
    view = asker.view
    price = require_toggle(view, action)
    actor = existing(view.rule, action.combatant)
    lookout = Lookout(view.rule, actor, ground_of(view))
    ground = after_toggle(view, action)
    tests = tuple(
        _foreseen(view, watcher, asker.viewer) for watcher in lookout.called(ground, cell_of(actor))
    )
    facts = Facts(price_mp=price, left_mp=points_left(actor), tests=tests or UNSET)
    return Preview(legal=True, facts=facts)


def preview_pose(asker: Asker[BattleState], action: Kneel | Stand) -> Preview:
    """The price of another pose. Raises what `require_pose` does."""
    return _priced(asker.view, action.combatant, require_pose(asker.view, action))


def preview_pick_up(asker: Asker[BattleState], action: PickUp) -> Preview:
    """The price of picking up. Raises what `require_pick_up` does."""
    return _priced(asker.view, action.combatant, require_pick_up(asker.view, action))


def preview_sprint(asker: Asker[BattleState], action: Sprint) -> Preview:
    """The points that a sprint gives. Raises what `require_sprint` does."""
    gained = require_sprint(asker.view, action)
    left = points_left(existing(asker.view.rule, action.combatant))
    facts = Facts(price_mp=0, left_mp=left, gained_mp=gained)
    return Preview(legal=True, facts=facts)


def preview_end_of_movement(asker: Asker[BattleState], action: EndMovement) -> Preview:
    """The points that are lost. Raises what `require_end_movement` does."""
    actor = acting(asker.view.rule, action.combatant)
    require_end_movement(asker.view, actor)
    return _priced(asker.view, actor.id, points_left(actor))


def _priced(view: View, combatant: str, points: int) -> Preview:
    facts = Facts(price_mp=points, left_mp=points_left(existing(view.rule, combatant)))
    return Preview(legal=True, facts=facts)


def _foreseen(
    view: View, watcher_id: str, viewer: Viewer, steps: int | None = None
) -> ForeseenTest:
    watcher = existing(view.rule, watcher_id)
    is_known = knows_numbers(watcher, scope_of(view.rule), viewer)
    return ForeseenTest(
        combatant=watcher_id,
        steps=UNSET if steps is None else steps,
        threshold=threshold_of(view.rule, watcher) if is_known else UNSET,
        odds=_odds(view.rule, watcher) if is_known else (),
    )


def _odds(rule: BattleState, watcher: Combatant) -> tuple[Odds, ...]:
    """The exact chances of a watcher's test."""
    needed = threshold_of(rule, watcher)
    noticed = sum(1 for face in range(1, D100 + 1) if vigilance_outcome(face, needed) == "success")
    return odds_by_count((("success", noticed), ("failure", D100 - noticed)), D100)
