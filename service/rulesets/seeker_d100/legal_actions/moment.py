"""The moment in which a combatant acts, and what all of a combatant's actions have in common."""

from typing import NamedTuple

from service.engine.kit.action_nodes import Domain, is_allowed
from service.rulesets.seeker_d100.actions import EndTurn, Step
from service.rulesets.seeker_d100.deciding.stances import require_calm
from service.rulesets.seeker_d100.reach import step
from service.rulesets.seeker_d100.rule_inputs import Blobs, point_of
from service.rulesets.seeker_d100.rules.geometry import Point
from service.rulesets.seeker_d100.state import BattleState, Combatant
from service.rulesets.seeker_d100.terrain import Point as Spot


class Sight(NamedTuple):
    """What is known of the moment: the battle, who acts, from where, and whether it may step."""

    rule: BattleState
    blobs: Blobs
    actor: Combatant
    here: Point
    may_step: bool


def sight_of(rule: BattleState, blobs: Blobs, actor: Combatant) -> Sight:
    """The moment as a combatant finds it who has the turn."""
    here = point_of(actor)
    return Sight(rule, blobs, actor, here, _may_step(rule, actor, here))


def _may_step(rule: BattleState, actor: Combatant, here: Point) -> bool:
    ending = EndTurn(combatant=actor.id, step=Step(to=spot(here)))
    return is_allowed(lambda: require_calm(rule, ending))


def spot(point: Point) -> Spot:
    """A point as actions state it."""
    return Spot(x=point[0], y=point[1])


def beside(sight: Sight) -> dict[str, Domain]:
    """The step beside an action that may be taken from anywhere."""
    return {"step": step(sight.here)} if sight.may_step else {}
