"""What may be done now: by a combatant, a unit or a side, or all that a caller may do.

What a unit, a side or several combatants do together stands once, with the unit or the side; what a
combatant does stands with the combatant. So does the answer to a question: with the combatant that
it is about, else with the side that is asked. Dice that are awaited are not among them, since their
faces come beside the action.
"""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from service.engine.battle.actors import Actor
from service.engine.battle.linear import seat_of
from service.engine.battle.permission import is_to_resume
from service.engine.battle.roster import require_combatant
from service.engine.battle.state import Combatant, RuleState, State, UnitMember, controls
from service.engine.kit.resolution import perceive_as
from service.engine.ruleset.definition import LegalActions, Ruleset
from service.engine.ruleset.legal_nodes import LegalNode, NodeSource
from service.engine.vocabulary.values import By
from service.errors import Refused

R = TypeVar("R", bound=RuleState)


def legal_of(ruleset: Ruleset[R], state: State[R], actor: Actor, by: By) -> tuple[LegalNode, ...]:
    """What somebody may do, as far as the caller knows the battle.

    Whoever names several combatants may name those that the caller controls.
    Raises Refused("unknown_combatant"), ("unknown_unit") or ("unknown_side").
    """
    return tuple(_all_of(sources_of(ruleset, state, actor, by)))


def sources_of(
    ruleset: Ruleset[R], state: State[R], actor: Actor, by: By
) -> tuple[NodeSource, ...]:
    """The same, worked out where it is looked at. Raises as `legal_of`."""
    view = perceive_as(state, by)
    _require_known(view.rule, actor)
    return _sources(ruleset, view, actor, by)


def sources_for(ruleset: Ruleset[R], state: State[R], by: By) -> tuple[NodeSource, ...]:
    """All that a caller may do, as `legal_for` orders it, worked out where it is looked at."""
    view = perceive_as(state, by)
    return tuple(
        source for actor in _actors(view, by) for source in _sources(ruleset, view, actor, by)
    )


def legal_for(ruleset: Ruleset[R], state: State[R], by: By) -> tuple[LegalActions, ...]:
    """All that a caller may do: of each side, unit and combatant for which it may act, in this
    order; whoever can do nothing is left out.
    """
    if by.role == "observer":
        return ()
    view = perceive_as(state, by)
    legal = (
        (actor, tuple(_all_of(_sources(ruleset, view, actor, by)))) for actor in _actors(view, by)
    )
    return tuple(
        LegalActions(combatant=actor.combatant, unit=actor.unit, side=actor.side, actions=nodes)
        for actor, nodes in legal
        if nodes
    )


def _all_of(sources: Iterable[NodeSource]) -> Iterator[LegalNode]:
    return (node for source in sources for node in source.make())


def _sources(ruleset: Ruleset[R], view: State[R], actor: Actor, by: By) -> tuple[NodeSource, ...]:
    if is_to_resume(view):
        return ()
    if isinstance(actor.combatant, str):
        return ruleset.legal_actions(view, actor.combatant, by)
    if isinstance(actor.unit, str):
        return ruleset.legal_of_unit(view, actor.unit, by)
    return ruleset.legal_of_side(view, str(actor.side), by)


def _actors(view: State[RuleState], by: By) -> Iterator[Actor]:
    """Whom a caller may act for."""
    controlled = [each for each in view.rule.combatants if controls(by, view.linear, each)]
    sides = {each.side for each in controlled}.union(_sides_played(view, by))
    yield from (Actor(side=side.id) for side in view.rule.sides if side.id in sides)
    units = dict.fromkeys(each.unit for each in controlled if isinstance(each, UnitMember))
    yield from (Actor(unit=unit) for unit in units)
    yield from (Actor(combatant=each.id) for each in controlled)


def _sides_played(view: State[RuleState], by: By) -> tuple[str, ...]:
    """The sides that a caller plays as a whole."""
    if by.role == "gm":
        return tuple(side.id for side in view.rule.sides)
    seat = None if not isinstance(by.seat, str) else seat_of(view.linear, by.seat)
    return () if seat is None else seat.sides


def _require_known(rule: RuleState, actor: Actor) -> None:
    if isinstance(actor.combatant, str):
        require_combatant(rule, actor.combatant)
    elif isinstance(actor.unit, str):
        if not any(_is_of(each, actor.unit) for each in rule.combatants):
            raise Refused("unknown_unit", unit=actor.unit)
    else:
        sides = [side.id for side in rule.sides]
        if actor.side not in sides:
            raise Refused("unknown_side", side=actor.side, allowed=sides)


def _is_of(combatant: Combatant, unit: str) -> bool:
    return isinstance(combatant, UnitMember) and combatant.unit == unit
