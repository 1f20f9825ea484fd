"""What a warrior may do with its weapons: shoot, fight, shoot on guard between enemy actions."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from service.engine.ruleset.legal_nodes import (
    Domain,
    LegalNode,
    is_allowed,
    node,
    one_of,
    with_params,
)
from service.rulesets.melody_d6.actions import Fight, GuardShoot, Shoot
from service.rulesets.melody_d6.content import content_of, weapon_of
from service.rulesets.melody_d6.deciding.fights import require_fight
from service.rulesets.melody_d6.deciding.guard_shots import require_unasked
from service.rulesets.melody_d6.deciding.shots import require_shoot
from service.rulesets.melody_d6.legal_actions.ways import View
from service.rulesets.melody_d6.occupancy import enemies_of, opponents, spot_of
from service.rulesets.melody_d6.rules.geometry import is_within_distance
from service.rulesets.melody_d6.state import Combatant, is_on_guard
from service.rulesets.melody_d6.weapons import is_ranged

S = TypeVar("S", Shoot, GuardShoot)


def weapons_of(view: View, actor: Combatant, *, ranged: bool) -> tuple[str, ...]:
    """The weapons that a warrior carries to shoot with, or to fight with."""
    content = content_of(view)
    carried = (weapon_of(content, each) for each in actor.weapons)
    return tuple(each.id for each in carried if each is not None and is_ranged(each) == ranged)


def shoot_node(view: View, actor: Combatant) -> Iterator[LegalNode]:
    """Shoot, in the action phase."""
    yield from _shots(
        view,
        actor,
        lambda weapon, target: Shoot(combatant=actor.id, weapon=weapon, target=target),
        lambda shot: require_shoot(view, shot),
    )


def guard_shot_node(view: View, actor: Combatant) -> Iterator[LegalNode]:
    """Shoot on guard, unasked."""
    if not is_on_guard(actor):
        return
    yield from _shots(
        view,
        actor,
        lambda weapon, target: GuardShoot(combatant=actor.id, weapon=weapon, target=target),
        lambda shot: require_unasked(view, shot),
    )


def _shots(
    view: View,
    actor: Combatant,
    make: Callable[[str, str], S],
    require: Callable[[S], object],
) -> Iterator[LegalNode]:
    here, measure = spot_of(actor), view.rule.options.measure
    enemies = [
        each.id
        for each in enemies_of(view.rule, actor.side)
        if is_within_distance(
            here, spot_of(each), actor.sight, actor.base_radius + each.base_radius, measure
        )
    ]
    shots = [
        make(weapon, enemy) for weapon in weapons_of(view, actor, ranged=True) for enemy in enemies
    ]
    allowed = [shot for shot in shots if is_allowed(partial(require, shot))]
    if allowed:
        pairs = [(shot.weapon, shot.target) for shot in allowed]
        yield node({"weapon": by_weapon(pairs)}, allowed[0])


def by_weapon(pairs: Sequence[tuple[str, str]]) -> Domain:
    """Weapons, each with its targets."""
    weapons = dict.fromkeys(weapon for weapon, _ in pairs)
    return one_of(
        with_params(weapon, {"target": one_of(target for each, target in pairs if each == weapon)})
        for weapon in weapons
    )


def fight_node(view: View, actor: Combatant) -> Iterator[LegalNode]:
    """Fight, in the action phase, with or without naming the weapon."""
    blows = [Fight(combatant=actor.id, target=enemy.id) for enemy in opponents(view.rule, actor)]
    allowed = [blow for blow in blows if is_allowed(partial(require_fight, view, blow))]
    if allowed:
        weapons = weapons_of(view, actor, ranged=False)
        params: dict[str, Domain] = {"target": one_of(blow.target for blow in allowed)}
        if weapons:
            params["weapon"] = one_of(weapons, optional=True)
        yield node(params, allowed[0])
