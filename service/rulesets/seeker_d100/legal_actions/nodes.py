"""Nodes and domains, and what all of a combatant's actions have in common."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from service.engine.vocabulary import actions as do
from service.errors import Refused
from service.rulesets.seeker_d100.actions import EndTurn, Step
from service.rulesets.seeker_d100.deciding.stances import require_calm
from service.rulesets.seeker_d100.reach import Domain, step
from service.rulesets.seeker_d100.rule_inputs import Blobs, point_of
from service.rulesets.seeker_d100.rules.geometry import Point
from service.rulesets.seeker_d100.state import BattleState, Combatant
from service.rulesets.seeker_d100.terrain import Point as Spot

Node = Mapping[str, object]


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
    try:
        require_calm(rule, ending)
    except Refused:
        return False
    return True


def spot(point: Point) -> Spot:
    """A point as actions state it."""
    return Spot(x=point[0], y=point[1])


def node(params: Mapping[str, Domain], example: do.Action) -> Node:
    """What may be asked in one action, with an example."""
    builtins: Mapping[str, object] = msgspec.to_builtins(example)
    return {"type": builtins["type"], "params": params, "example": builtins}


def one_of(values: Iterable[object], *, optional: bool = False) -> Domain:
    """One of these."""
    listed: Domain = {"one_of": list(values)}
    return {**listed, "optional": True} if optional else listed


def with_params(value: object, params: Mapping[str, Domain]) -> object:
    """A member that brings parameters; alone if it brings none."""
    return {"value": value, "params": params} if params else value


def int_range(least: int, most: int, *, optional: bool = False) -> Domain:
    """A whole number between these."""
    bounds: Domain = {"int_range": {"min": least, "max": most}}
    return {**bounds, "optional": True} if optional else bounds


def beside(sight: Sight) -> dict[str, Domain]:
    """The step beside an action that may be taken from anywhere."""
    return {"step": step(sight.here)} if sight.may_step else {}
