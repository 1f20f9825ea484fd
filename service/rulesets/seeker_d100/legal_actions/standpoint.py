"""The moment at which a combatant acts, as all nodes of its actions share it."""

from typing import NamedTuple

from service.engine.battle.state import State
from service.engine.geometry.segments import Spot
from service.engine.ruleset.legal_nodes import Domain, is_allowed
from service.rulesets.seeker_d100.actions import EndTurn, Step
from service.rulesets.seeker_d100.deciding.stances import require_stance
from service.rulesets.seeker_d100.places import point_at, spot_of
from service.rulesets.seeker_d100.reach import step
from service.rulesets.seeker_d100.state import BattleState, Combatant


class Standpoint(NamedTuple):
    """The battle as the viewer knows it, who acts, from where, and whether a step is allowed."""

    view: State[BattleState]
    actor: Combatant
    here: Spot
    may_step: bool

    @property
    def rule(self) -> BattleState:
        """The state as the viewer knows it."""
        return self.view.rule


def standpoint_of(view: State[BattleState], actor: Combatant) -> Standpoint:
    """The standpoint of a combatant that has the turn."""
    here = spot_of(actor)
    return Standpoint(view, actor, here, _may_step(view.rule, actor, here))


def _may_step(rule: BattleState, actor: Combatant, here: Spot) -> bool:
    ending = EndTurn(combatant=actor.id, step=Step(to=point_at(here)))
    return is_allowed(lambda: require_stance(rule, ending))


def step_param(standpoint: Standpoint) -> dict[str, Domain]:
    """The step beside an action that may be taken from anywhere."""
    return {"step": step(standpoint.here)} if standpoint.may_step else {}
