"""What a combatant may do now, as far as a viewer knows: a domain for every parameter.

Nodes and domains: `engine/ruleset/legal_nodes.py`. A path lists every other cell where it
may end, at most 200 feet away, with its cost and one path to it. Of cells that may be attacked
those within 30 feet are listed. Where more than that is accepted `beyond_ft` says how far.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from msgspec import UNSET, UnsetType

from service.engine.battle.decisions import open_question
from service.engine.battle.open_decisions import Decision
from service.engine.battle.roster import existing
from service.engine.battle.state import State, viewer_of
from service.engine.geometry.corner_lines import lattice_corners
from service.engine.kit.walks import Reached
from service.engine.ruleset.legal_nodes import (
    CellsDomain,
    Domain,
    DomainCell,
    LegalNode,
    ListedValue,
    NodeSource,
    NodeUse,
    Params,
    answers,
    int_range,
    is_allowed,
    node,
    object_of,
    one_of,
    one_of_points,
    points,
    ready,
    with_params,
)
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.choices import PassChoice
from service.engine.vocabulary.values import By
from service.rulesets.tactical_d20 import actions as ask
from service.rulesets.tactical_d20.creatures import space_of, weapon_reach
from service.rulesets.tactical_d20.deciding.attack_line import require_attack, require_guess
from service.rulesets.tactical_d20.deciding.opportunities import require_choice
from service.rulesets.tactical_d20.deciding.postures import PostureAction, require_posture
from service.rulesets.tactical_d20.deciding.turns import (
    acting,
    require_move_action,
    require_standard,
)
from service.rulesets.tactical_d20.ground import ground_of
from service.rulesets.tactical_d20.reach import MOST_CELLS, reachable
from service.rulesets.tactical_d20.rules.movement import ENDLESS
from service.rulesets.tactical_d20.rules.words import FEET_PER_CELL
from service.rulesets.tactical_d20.state import BattleState, Combatant, Opportunity
from service.rulesets.tactical_d20.terrain import FARTHEST, UNIT, Cell, Corner
from service.rulesets.tactical_d20.weapons import Weapon

View = State[BattleState]
"""The battle as somebody may know it."""

GUESS_CELLS: Final = 6
"""Cells around a combatant within which those that it may attack are listed: 30 feet."""


def legal_actions(view: View, combatant: str, by: By) -> tuple[NodeSource, ...]:
    """One node for every type of action that this combatant may take now."""
    if view.rule.status != "running":
        return ()
    actor = existing(view.rule, combatant)
    decision = open_question(view.rule, combatant, viewer_of(by, view.rule, view.linear))
    if decision is not None:
        return ready(_answer(view, actor, decision))
    if view.rule.pending or not is_allowed(lambda: acting(view.rule, combatant)):
        return ()
    return tuple(NodeSource(use, partial(make, view, actor)) for use, make in _NODES)


def _answer(view: View, actor: Combatant, decision: Decision) -> LegalNode:
    """The question to a combatant, with the weapons that may strike."""
    options: list[tuple[ListedValue, ask.AnyChoice]] = [("pass", PassChoice())]
    if "pass_walk" in decision.options:
        options.append(("pass_walk", ask.PassWalkChoice()))
    choices = [ask.OpportunityChoice(weapon=weapon.id) for weapon in actor.weapons]
    possible = [
        each for each in choices if is_allowed(partial(require_choice, view, decision, each))
    ]
    if possible:
        weapons = one_of(choice.weapon for choice in possible)
        options.insert(0, (with_params("opportunity_attack", {"weapon": weapons}), possible[0]))
    example = ask.Answer(decision_id=decision.id, choice=options[0][1])
    context = decision.context if isinstance(decision, Opportunity) else UNSET
    return answers([member for member, _ in options], example, decision, context)


def _move(view: View, actor: Combatant) -> Iterator[LegalNode]:
    if not is_allowed(lambda: require_move_action(actor)):
        return
    walks = reachable(view.rule, ground_of(view), actor)
    if not walks:
        return
    path = CellsDomain(
        cells=tuple([_end(each) for each in walks]),
        unit=UNIT,
        budget_ft=actor.speed_ft,
        metric=view.rule.options.diagonal_rule,
        beyond_ft=_beyond(actor.speed_ft, FEET_PER_CELL * MOST_CELLS),
    )
    yield node({"path": path}, ask.Move(combatant=actor.id, path=_cells(walks[0])))


def _beyond(reach_ft: int, listed_ft: int) -> int | UnsetType:
    """How far what is accepted goes, where it goes beyond what is listed."""
    return reach_ft if reach_ft > listed_ft else UNSET


def _end(reached: Reached) -> DomainCell:
    return DomainCell(
        x=reached.cell[0],
        y=reached.cell[1],
        cost_ft=FEET_PER_CELL * reached.cost,
        path=points(reached.path),
        params={},
    )


def _cells(reached: Reached) -> tuple[Cell, ...]:
    return tuple(Cell(x=x, y=y) for x, y in reached.path)


def _attack(view: View, actor: Combatant) -> Iterator[LegalNode]:
    attempts = [
        ask.Attack(combatant=actor.id, weapon=weapon.id, target=target.id)
        for weapon in actor.weapons
        for target in view.rule.combatants
    ]
    allowed = [each for each in attempts if is_allowed(partial(require_attack, view, each))]
    if allowed:
        targets = {
            weapon: one_of(each.target for each in allowed if each.weapon == weapon)
            for weapon in dict.fromkeys(each.weapon for each in allowed)
        }
        yield node({"weapon": _weapons(view, actor, "target", targets)}, allowed[0])


def _attack_cell(view: View, actor: Combatant) -> Iterator[LegalNode]:
    if not is_allowed(lambda: require_standard(actor)):
        return
    attempts = [
        ask.AttackCell(combatant=actor.id, weapon=weapon.id, cell=cell)
        for weapon in actor.weapons
        for cell in _cells_around(actor, _guessed_cells(actor, weapon))
    ]
    allowed = [each for each in attempts if is_allowed(partial(require_guess, view, each))]
    if allowed:
        aimed = {weapon.id: _range_ft(actor, weapon) for weapon in actor.weapons}
        cells = {
            weapon: one_of_points(
                ((each.cell.x, each.cell.y) for each in allowed if each.weapon == weapon),
                UNIT,
                beyond_ft=_beyond(aimed[weapon], FEET_PER_CELL * GUESS_CELLS),
            )
            for weapon in dict.fromkeys(each.weapon for each in allowed)
        }
        yield node({"weapon": _weapons(view, actor, "cell", cells)}, allowed[0])


def _weapons(view: View, actor: Combatant, name: str, aims: Mapping[str, Domain]) -> Domain:
    """The weapons, each with what it may be aimed at and the corners that may be named."""
    corners = _corners(view, actor)
    return one_of(with_params(weapon, {name: aim, **corners}) for weapon, aim in aims.items())


def _guessed_cells(actor: Combatant, weapon: Weapon) -> int:
    """How many cells around those lie that are listed; a strike beyond its reach is none."""
    return min(_range_ft(actor, weapon) // FEET_PER_CELL, GUESS_CELLS)


def _range_ft(actor: Combatant, weapon: Weapon) -> int:
    """How far a weapon may be aimed at a cell."""
    if weapon.range_increment_ft is UNSET:
        return weapon_reach(actor, weapon)
    return weapon.range_increment_ft * weapon.max_increments


def _cells_around(actor: Combatant, most: int) -> list[Cell]:
    """The cells at most so many away from its space, row by row."""
    place, reach = actor.place, range(-most, actor.size + most)
    return [
        Cell(x=place.x + dx, y=place.y + dy)
        for dy in reach
        for dx in reach
        if max(abs(place.x + dx), abs(place.y + dy)) <= FARTHEST
    ]


def _corners(view: View, actor: Combatant) -> Params:
    """The corners that the attacker may name."""
    corners = one_of_points(lattice_corners(space_of(actor)), UNIT, optional=True)
    if view.rule.options.concealment_corner_chooser == "attacker":
        return {"cover_corner": corners, "concealment_corner": corners}
    return {"cover_corner": corners}


def _area_attack(view: View, actor: Combatant) -> Iterator[LegalNode]:
    if not (actor.areas and is_allowed(lambda: require_standard(actor))):
        return
    bounds = ground_of(view).bounds or ENDLESS
    origin = object_of(
        {
            "x": int_range(bounds.x, bounds.x + bounds.width, unit=UNIT),
            "y": int_range(bounds.y, bounds.y + bounds.height, unit=UNIT),
        }
    )
    example = ask.AreaAttack(
        combatant=actor.id,
        area=actor.areas[0].id,
        origin=Corner(x=actor.place.x, y=actor.place.y),
    )
    yield node({"area": one_of(area.id for area in actor.areas), "origin": origin}, example)


def _postures(view: View, actor: Combatant) -> Iterator[LegalNode]:
    actions: tuple[PostureAction, ...] = (
        ask.DropProne(combatant=actor.id),
        ask.StandUp(combatant=actor.id),
        ask.RightSelf(combatant=actor.id),
    )
    for action in actions:
        if is_allowed(partial(require_posture, view.rule, action)):
            yield node({}, action)


def _end_turn(_: View, actor: Combatant) -> Iterator[LegalNode]:
    yield node({}, do.EndTurn(combatant=actor.id))


_NODES: Final[tuple[tuple[NodeUse, Callable[[View, Combatant], Iterator[LegalNode]]], ...]] = (
    ("approach", _move),
    ("attack", _attack),
    ("other", _attack_cell),
    ("other", _area_attack),
    ("other", _postures),
    ("other", _end_turn),
)
