"""What a combatant may do now, as far as a viewer knows: a domain for every parameter.

Nodes and domains: `engine/ruleset/legal_nodes.py`. A path lists every other cell where it
may end, with its cost, one path to it and the postures possible there.
"""

from collections.abc import Callable, Iterator
from functools import partial

from service.engine.battle.state import State
from service.engine.geometry.arcs import FACINGS
from service.engine.geometry.spaces import Space
from service.engine.kit.walks import Reached
from service.engine.ruleset.legal_nodes import (
    CellsDomain,
    DomainCell,
    LegalNode,
    NodeSource,
    NodeUse,
    Params,
    is_allowed,
    node,
    one_of,
    points,
    with_params,
)
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.values import By
from service.rulesets.crossfire_d6 import actions as ask
from service.rulesets.crossfire_d6.deciding.attack_line import require_attack
from service.rulesets.crossfire_d6.deciding.hiding import require_hide
from service.rulesets.crossfire_d6.deciding.turns import acting, actions_of
from service.rulesets.crossfire_d6.fighters import is_ranged, space_of
from service.rulesets.crossfire_d6.maps import board_of
from service.rulesets.crossfire_d6.reach import reachable
from service.rulesets.crossfire_d6.rules.ground import Posture
from service.rulesets.crossfire_d6.rules.position import has_cover_here
from service.rulesets.crossfire_d6.rules.range import FEET_PER_CELL
from service.rulesets.crossfire_d6.state import BattleState, Combatant
from service.rulesets.crossfire_d6.terrain import UNIT, Cell

View = State[BattleState]
"""The battle as somebody may know it."""

_POSTURES: tuple[Posture, ...] = ("open", "in_cover", "blocked")


def legal_actions(view: View, combatant: str, _: By) -> tuple[NodeSource, ...]:
    """One node for every type of action that this combatant may take now."""
    if (
        view.rule.status != "running"
        or view.rule.pending
        or not is_allowed(lambda: acting(view.rule, combatant))
    ):
        return ()
    actor = acting(view.rule, combatant)
    return tuple(NodeSource(use, partial(make, view, actor)) for use, make in _NODES)


def _move(view: View, actor: Combatant) -> Iterator[LegalNode]:
    if actions_of(actor) < 1:
        return
    board = board_of(view)
    reached = reachable(view.rule, board, actor)
    if not reached:
        return
    cells = tuple([_end(each, _postures_at(view, actor, each)) for each in reached])
    params: Params = {
        "path": CellsDomain(
            cells=cells,
            unit=UNIT,
            budget_ft=actor.speed_ft,
            metric=view.rule.options.diagonal_rule,
        ),
        "facing": one_of(FACINGS, optional=True),
    }
    path = tuple(Cell(x=x, y=y) for x, y in reached[0].path)
    yield node(params, ask.Move(combatant=actor.id, path=path))


def _end(reached: Reached, postures: list[Posture]) -> DomainCell:
    return DomainCell(
        x=reached.cell[0],
        y=reached.cell[1],
        cost_ft=FEET_PER_CELL * reached.cost,
        path=points(reached.path),
        params={"posture": one_of(postures, optional=True)},
    )


def _postures_at(view: View, actor: Combatant, reached: Reached) -> list[Posture]:
    ground = board_of(view).ground
    has_cover = has_cover_here(Space(*reached.cell, actor.size), ground)
    return list(_POSTURES) if has_cover else ["open"]


def _change_posture(view: View, actor: Combatant) -> Iterator[LegalNode]:
    ground = board_of(view).ground
    possible = _POSTURES if has_cover_here(space_of(actor), ground) else ("open",)
    others: list[Posture] = [each for each in possible if each != actor.posture]
    if others and actions_of(actor):
        example = ask.ChangePosture(combatant=actor.id, posture=others[0])
        yield node({"posture": one_of(others)}, example)


def _set_facing(view: View, actor: Combatant) -> Iterator[LegalNode]:
    example = ask.SetFacing(combatant=actor.id, facing=actor.facing)
    yield node({"facing": one_of(FACINGS)}, example)


def _ranged(view: View, actor: Combatant) -> Iterator[LegalNode]:
    attacks = _allowed_attacks(
        view,
        actor,
        lambda weapon, target: ask.RangedAttack(combatant=actor.id, weapon=weapon, target=target),
        [weapon.id for weapon in actor.weapons if is_ranged(weapon)],
    )
    extra: Params = {}
    if view.rule.options.allow_reckless_fire:
        extra = {"reckless": one_of([False, True], optional=True)}
    yield from _attack_nodes(attacks, extra)


def _melee(view: View, actor: Combatant) -> Iterator[LegalNode]:
    attacks = _allowed_attacks(
        view,
        actor,
        lambda weapon, target: ask.MeleeAttack(combatant=actor.id, weapon=weapon, target=target),
        [weapon.id for weapon in actor.weapons if weapon.kind != "ranged"],
    )
    yield from _attack_nodes(attacks, {})


Attack = ask.RangedAttack | ask.MeleeAttack


def _allowed_attacks(
    view: View, actor: Combatant, make: Callable[[str, str], Attack], weapons: list[str]
) -> list[Attack]:
    """The attacks that are allowed, by weapon and target."""
    if not actions_of(actor):
        return []
    enemies = [each.id for each in view.rule.combatants if each.side != actor.side]
    attacks = (make(weapon, target) for weapon in weapons for target in enemies)
    return [attack for attack in attacks if is_allowed(partial(require_attack, view, attack))]


def _attack_nodes(attacks: list[Attack], extra: Params) -> Iterator[LegalNode]:
    if not attacks:
        return
    weapons = list(dict.fromkeys(attack.weapon for attack in attacks))
    choices = [
        with_params(
            weapon, {"target": one_of(a.target for a in attacks if a.weapon == weapon), **extra}
        )
        for weapon in weapons
    ]
    yield node({"weapon": one_of(choices)}, attacks[0])


def _hide(view: View, actor: Combatant) -> Iterator[LegalNode]:
    attempts = (ask.Hide(combatant=actor.id, against=each.id) for each in view.rule.combatants)
    allowed = [each for each in attempts if is_allowed(partial(require_hide, view, each))]
    if allowed:
        yield node({"against": one_of(each.against for each in allowed)}, allowed[0])


def _bearing(view: View, actor: Combatant) -> Iterator[LegalNode]:
    if "prone" not in actor.conditions:
        yield node({}, ask.GoProne(combatant=actor.id))
    elif actions_of(actor):
        yield node({}, ask.StandUp(combatant=actor.id))


def _end_turn(view: View, actor: Combatant) -> Iterator[LegalNode]:
    yield node({}, do.EndTurn(combatant=actor.id))


_NODES: tuple[tuple[NodeUse, Callable[[View, Combatant], Iterator[LegalNode]]], ...] = (
    ("approach", _move),
    ("other", _change_posture),
    ("other", _set_facing),
    ("attack", _ranged),
    ("attack", _melee),
    ("other", _hide),
    ("other", _bearing),
    ("other", _end_turn),
)
