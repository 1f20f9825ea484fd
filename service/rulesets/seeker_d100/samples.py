"""Complete legal actions picked from the domains: for random battles and for clients' tests."""

from collections.abc import Mapping

import msgspec

from service.engine.battle.state import State, scope_of
from service.engine.kit.action_domains import Pick, drawn, picked
from service.engine.log.canonical import encode
from service.engine.log.hashing import blob_digest
from service.engine.visibility.projection import view
from service.engine.visibility.scope import Viewer
from service.rulesets.seeker_d100.actions import AnyAction
from service.rulesets.seeker_d100.legal import legal_actions
from service.rulesets.seeker_d100.state import BattleState


def sample(
    state: State[BattleState], combatant: str, viewer: Viewer, pick: Pick
) -> AnyAction | None:
    """One legal action of a combatant, None if there is none.

    Raises Refused("unknown_combatant") for one that the viewer does not know.
    """
    chosen = picked(legal_actions(state, combatant, viewer).actions, combatant, pick)
    action: AnyAction | None = None if chosen is None else msgspec.convert(chosen, AnyAction)
    return action


def samples(
    state: State[BattleState], combatant: str, viewer: Viewer, count: int
) -> tuple[Mapping[str, object], ...]:
    """So many legal actions, each picked anew; none if there is none.

    The picks follow from what the viewer sees of the battle: the same view, the same samples.
    """
    nodes = legal_actions(state, combatant, viewer).actions
    sight = view(state.rule, scope_of(state.rule), viewer)
    return drawn(nodes, combatant, blob_digest(encode(sight)), count)
