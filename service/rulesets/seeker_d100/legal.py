"""What a combatant may do now, as far as a viewer knows: a domain for every parameter.

A node is `{type, params, example}`; the domains are those of `engine/kit/action_nodes.py`. Points
and radii are in metres, each leg of a path is rounded up by itself. The example is a complete
action that is accepted now. Whoever is asked something has one node: `answer`, with the `decision`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from service.engine.battle.decisions import asked_of
from service.engine.battle.state import State
from service.engine.kit.action_nodes import (
    FARTHEST,
    Domain,
    LegalNode,
    int_range,
    is_allowed,
    node,
    one_of,
    with_params,
)
from service.engine.kit.combatants import require_combatant
from service.engine.kit.perception import perceive
from service.engine.ruleset import LegalActions
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.values import By
from service.rulesets.seeker_d100 import actions as ask
from service.rulesets.seeker_d100.deciding.holds import require_break_free, require_release
from service.rulesets.seeker_d100.deciding.moves import require_move
from service.rulesets.seeker_d100.deciding.stances import Calm, require_calm
from service.rulesets.seeker_d100.legal_actions.attacks import attack_nodes
from service.rulesets.seeker_d100.legal_actions.decisions import answer_node
from service.rulesets.seeker_d100.legal_actions.moment import Sight, beside, sight_of, spot
from service.rulesets.seeker_d100.reach import told
from service.rulesets.seeker_d100.rule_inputs import arm_of
from service.rulesets.seeker_d100.rules.movement import longest_way_m
from service.rulesets.seeker_d100.rules.resist import is_melee_skill
from service.rulesets.seeker_d100.rules.words import Gait
from service.rulesets.seeker_d100.state import BattleState, Combatant

_GAITS: Final[tuple[Gait, ...]] = ("jog", "run", "dash")
_LONGEST_PATH: Final = 100
_MOST_ADDED: Final = 1000
_ANYBODY: Final = By(kind="system", id="legal", role="gm")
"""Whoever asks: of a movement without a test it does not matter."""


def legal_actions(state: State[BattleState], combatant: str, viewer: Viewer) -> LegalActions:
    """One node for every type of action that this combatant may take now.

    Raises Refused("unknown_combatant") for one that the viewer does not know.
    """
    seen = perceive(state, viewer)
    actor = require_combatant(seen.rule, combatant)
    nodes: tuple[LegalNode, ...] = ()
    if seen.rule.status == "running":
        decision = asked_of(state.rule, combatant, viewer)
        if decision is not None:
            nodes = (answer_node(seen.rule, seen.blobs, actor, decision),)
        elif not seen.rule.pending and _has_turn(seen.rule, actor):
            sight = sight_of(seen.rule, seen.blobs, actor)
            nodes = tuple(each for make in _NODES for each in make(sight, viewer))
    return LegalActions(combatant=combatant, actions=nodes)


def _has_turn(rule: BattleState, actor: Combatant) -> bool:
    """Whether anything is open to a combatant: whoever has the turn may at least end it."""
    return is_allowed(lambda: require_calm(rule, ask.EndTurn(combatant=actor.id)))


def _attacks(sight: Sight, _: Viewer) -> Iterator[LegalNode]:
    yield from attack_nodes(sight)


def _move(sight: Sight, viewer: Viewer) -> Iterator[LegalNode]:
    x, y = sight.here
    path = (spot((x + 1 if x < FARTHEST else x - 1, y)),)
    example = ask.Move(combatant=sight.actor.id, gait="jog", path=path)
    if not is_allowed(lambda: require_move(sight.rule, example, _ANYBODY)):
        return
    gaits = one_of(with_params(gait, {"path": _way(sight, gait)}) for gait in _GAITS)
    params = {"gait": gaits}
    if viewer.is_gm:
        added = int_range(-_MOST_ADDED, _MOST_ADDED, optional=True)
        params["test"] = {"optional": True, "params": {"modifier": added}}
    yield node(params, example)


def _way(sight: Sight, gait: Gait) -> Domain:
    budget = longest_way_m(gait)
    return {
        "path": {
            **told(sight.here),
            "budget": budget,
            "longest": _LONGEST_PATH,
            "metric": "legs_rounded_up",
        }
    }


def _calm(sight: Sight, _: Viewer) -> Iterator[LegalNode]:
    name = sight.actor.id
    for make in (ask.TakeAim, ask.Dodge):
        yield from _listed(sight, beside(sight), make(combatant=name))
    arms = (arm_of(each, sight.rule.options) for each in sight.actor.weapons if not each.dropped)
    weapons = [arm.item for arm in arms if is_melee_skill(arm.skill)]
    if weapons:
        intents = one_of(("counter", "block"), optional=True)
        params = {"weapon": one_of(weapons), "intent": intents, **beside(sight)}
        yield from _listed(sight, params, ask.Resist(combatant=name, weapon=weapons[0]))


def _listed(sight: Sight, params: Mapping[str, Domain], example: Calm) -> Iterator[LegalNode]:
    """The node of an action at nobody, if its example is allowed."""
    if is_allowed(lambda: require_calm(sight.rule, example)):
        yield node(params, example)


def _hold(sight: Sight, _: Viewer) -> Iterator[LegalNode]:
    escape = ask.BreakFree(combatant=sight.actor.id)
    if is_allowed(lambda: require_break_free(sight.rule, escape)):
        yield node(beside(sight), escape)
    release = ask.Release(combatant=sight.actor.id)
    if is_allowed(lambda: require_release(sight.rule, release)):
        yield node(beside(sight), release)


def _end_turn(sight: Sight, _: Viewer) -> Iterator[LegalNode]:
    yield node(beside(sight), ask.EndTurn(combatant=sight.actor.id))


_NODES: tuple[Callable[[Sight, Viewer], Iterator[LegalNode]], ...] = (
    _attacks,
    _calm,
    _move,
    _hold,
    _end_turn,
)
