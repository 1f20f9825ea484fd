"""What a combatant may do now, as far as a viewer knows: a domain for every parameter.

Nodes and domains: `engine/ruleset/legal_nodes.py`. A path lists every other cell where it
may end for at most 120 movement points, with its cost and one path to it. Snap shots with two hands
have a node beside that of those with one. While the table's dice are awaited nothing is listed.
"""

from service.engine.battle.state import State
from service.engine.ruleset.legal_nodes import NodeSource, is_allowed
from service.engine.vocabulary.values import By
from service.rulesets.squad_d100.deciding.phases import acting
from service.rulesets.squad_d100.legal_actions.movement import movement_sources
from service.rulesets.squad_d100.legal_actions.shots import shooting_sources
from service.rulesets.squad_d100.state import BattleState


def legal_actions(view: State[BattleState], combatant: str, by: By) -> tuple[NodeSource, ...]:
    """One node for every type of action that this combatant may take now, for `snap_shots` two."""
    is_running = view.rule.status == "running" and not view.rule.pending
    if is_running and is_allowed(lambda: acting(view.rule, combatant)):
        actor = acting(view.rule, combatant)
        shooting = shooting_sources(view, actor, is_gm=by.role == "gm")
        return (*movement_sources(view, actor), *shooting)
    return ()
