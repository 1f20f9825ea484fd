"""What a combatant may do now, as far as a viewer knows: a domain for every parameter.

Nodes and domains: `engine/ruleset/legal_nodes.py`. Points and radii are in metres, each leg of a
path is rounded up by itself. The example is a complete action that is accepted now. A combatant
that is asked has one node: `answer`, with the `decision`.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from service.engine.battle.decisions import open_question
from service.engine.battle.roster import existing
from service.engine.battle.state import State, viewer_of
from service.engine.ruleset.legal_nodes import (
    FARTHEST,
    Domain,
    LegalNode,
    NodeSource,
    NodeUse,
    Params,
    PathBounds,
    PathDomain,
    int_range,
    is_allowed,
    node,
    object_of,
    one_of,
    ready,
    with_params,
)
from service.engine.vocabulary.values import By
from service.rulesets.seeker_d100 import actions as ask
from service.rulesets.seeker_d100.deciding.holds import require_break_free, require_release
from service.rulesets.seeker_d100.deciding.moves import require_move
from service.rulesets.seeker_d100.deciding.stances import StanceAction, require_stance
from service.rulesets.seeker_d100.equipment import resisting_weapons
from service.rulesets.seeker_d100.legal_actions.attacks import attack_nodes
from service.rulesets.seeker_d100.legal_actions.decisions import answer_node
from service.rulesets.seeker_d100.legal_actions.standpoint import (
    Standpoint,
    standpoint_of,
    step_param,
)
from service.rulesets.seeker_d100.places import point_at
from service.rulesets.seeker_d100.rules.movement import longest_way_m
from service.rulesets.seeker_d100.rules.words import Gait
from service.rulesets.seeker_d100.state import BattleState, Combatant
from service.rulesets.seeker_d100.terrain import UNIT

_GAITS: Final[tuple[Gait, ...]] = ("jog", "run", "dash")
_LONGEST_PATH: Final = 100
_MOST_ADDED: Final = 1000


def legal_actions(view: State[BattleState], combatant: str, by: By) -> tuple[NodeSource, ...]:
    """One node for every type of action that this combatant may take now."""
    if view.rule.status != "running":
        return ()
    actor = existing(view.rule, combatant)
    viewer = viewer_of(by, view.rule, view.linear)
    decision = open_question(view.rule, combatant, viewer)
    if decision is not None:
        return ready(answer_node(view, actor, decision))
    if view.rule.pending or not _has_turn(view.rule, actor):
        return ()
    standpoint = standpoint_of(view, actor)
    return tuple(NodeSource(use, partial(make, standpoint, by)) for use, make in _NODES)


def _has_turn(rule: BattleState, actor: Combatant) -> bool:
    """Whether the combatant may act at all: then it may at least end its turn."""
    return is_allowed(lambda: require_stance(rule, ask.EndTurn(combatant=actor.id)))


def _attacks(standpoint: Standpoint, _: By) -> Iterator[LegalNode]:
    yield from attack_nodes(standpoint)


def _move(standpoint: Standpoint, by: By) -> Iterator[LegalNode]:
    x, y = standpoint.here
    path = (point_at((x + 1 if x < FARTHEST else x - 1, y)),)
    example = ask.Move(combatant=standpoint.actor.id, gait="jog", path=path)
    if not is_allowed(lambda: require_move(standpoint.rule, example)):
        return
    gaits = one_of(with_params(gait, {"path": _way(standpoint, gait)}) for gait in _GAITS)
    params: dict[str, Domain] = {"gait": gaits}
    if by.role == "gm":
        added = int_range(-_MOST_ADDED, _MOST_ADDED, optional=True)
        params["test"] = object_of({"modifier": added}, optional=True)
    yield node(params, example)


def _way(standpoint: Standpoint, gait: Gait) -> PathDomain:
    x, y = standpoint.here
    return PathDomain(
        path=PathBounds(
            x=x,
            y=y,
            unit=UNIT,
            budget=longest_way_m(gait),
            longest=_LONGEST_PATH,
            metric="legs_rounded_up",
        )
    )


def _stances(standpoint: Standpoint, _: By) -> Iterator[LegalNode]:
    name = standpoint.actor.id
    for make in (ask.TakeAim, ask.Dodge):
        yield from _stance_node(standpoint, step_param(standpoint), make(combatant=name))
    weapons = resisting_weapons(standpoint.actor, standpoint.rule.options)
    if weapons:
        intents = one_of(("counter", "block"), optional=True)
        params: Params = {"weapon": one_of(weapons), "intent": intents, **step_param(standpoint)}
        yield from _stance_node(standpoint, params, ask.Resist(combatant=name, weapon=weapons[0]))


def _stance_node(
    standpoint: Standpoint, params: Params, example: StanceAction
) -> Iterator[LegalNode]:
    """The node of a stance, if its example is allowed."""
    if is_allowed(lambda: require_stance(standpoint.rule, example)):
        yield node(params, example)


def _holds(standpoint: Standpoint, _: By) -> Iterator[LegalNode]:
    escape = ask.BreakFree(combatant=standpoint.actor.id)
    if is_allowed(lambda: require_break_free(standpoint.rule, escape)):
        yield node(step_param(standpoint), escape)
    release = ask.Release(combatant=standpoint.actor.id)
    if is_allowed(lambda: require_release(standpoint.rule, release)):
        yield node(step_param(standpoint), release)


def _end_turn(standpoint: Standpoint, _: By) -> Iterator[LegalNode]:
    yield node(step_param(standpoint), ask.EndTurn(combatant=standpoint.actor.id))


_NODES: tuple[tuple[NodeUse, Callable[[Standpoint, By], Iterator[LegalNode]]], ...] = (
    ("attack", _attacks),
    ("other", _stances),
    ("approach", _move),
    ("other", _holds),
    ("other", _end_turn),
)
