"""The attacks that are allowed: by weapon, target or point, part of the body, and step.

How this works. The rules are asked once per weapon and target, from where the attacker stands or,
if that is too far, from a step nearer. Nothing else that an attack may state depends on the
target, except the parts of the body that cover hides.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from service.engine.geometry.segments import Spot
from service.engine.ruleset.legal_nodes import (
    Domain,
    LegalNode,
    int_range,
    is_allowed,
    node,
    one_of,
    with_params,
)
from service.rulesets.seeker_d100.actions import (
    Attack,
    AttackAction,
    CalledShot,
    Disarm,
    Grapple,
    Step,
)
from service.rulesets.seeker_d100.covers import covers_of
from service.rulesets.seeker_d100.deciding.assault import require_attack
from service.rulesets.seeker_d100.equipment import (
    Arm,
    arm_of,
    bare_hands,
)
from service.rulesets.seeker_d100.legal_actions.standpoint import Standpoint
from service.rulesets.seeker_d100.places import point_at, spot_of
from service.rulesets.seeker_d100.reach import (
    disc,
    is_struck_from,
    step_after,
    striking_points,
    striking_step,
)
from service.rulesets.seeker_d100.rules.cover import (
    ALL_PARTS,
    CoverSegment,
    covers_between,
    exposed_by,
)
from service.rulesets.seeker_d100.rules.resist import is_melee_skill
from service.rulesets.seeker_d100.rules.words import BodyPart
from service.rulesets.seeker_d100.state import Combatant
from service.rulesets.seeker_d100.terrain import UNIT

Stepped = Step | UnsetType
Params = dict[str, Domain]


class TargetOption(NamedTuple):
    """A combatant that may be attacked, the step this takes, and the domains of its parameters."""

    target: Combatant
    step: Stepped
    params: Params


class Entry(NamedTuple):
    """A weapon, the domains of all other parameters, and an example of such an attack."""

    weapon: str
    params: Params
    example: AttackAction


def attack_nodes(standpoint: Standpoint) -> Iterator[LegalNode]:
    """The attacks open to a combatant that has the turn."""
    arms = [
        arm_of(weapon, standpoint.rule.options)
        for weapon in standpoint.actor.weapons
        if not weapon.dropped
    ]
    marked = [
        (arm, tuple(_target_options(standpoint, arm, _attack(standpoint, arm)))) for arm in arms
    ]
    covers = covers_of(standpoint.view)
    yield from _armed(
        entry for arm, options in marked for entry in _attacks(standpoint, arm, options)
    )
    yield from _armed(
        entry
        for arm, options in marked
        for entry in _called_shots(standpoint, arm, options, covers)
    )
    hands = bare_hands(standpoint.actor, standpoint.rule.options)
    yield from _disarms(standpoint, hands)
    yield from _grapples(standpoint, hands)


def _armed(attacks: Iterator[Entry]) -> Iterator[LegalNode]:
    entries = tuple(attacks)
    if entries:
        members = [with_params(entry.weapon, entry.params) for entry in entries]
        yield node({"weapon": one_of(members)}, entries[0].example)


def _target_options(
    standpoint: Standpoint, arm: Arm, make: Callable[[Combatant, Stepped], AttackAction | None]
) -> Iterator[TargetOption]:
    """The combatants that may be attacked, enemies first; `make` builds the attack to be tried."""
    others = sorted(standpoint.rule.combatants, key=lambda each: each.side == standpoint.actor.side)
    for other in others:
        there = spot_of(other)
        is_struck = is_struck_from(standpoint.here, there, arm, standpoint.rule.options)
        points: tuple[Spot, ...] | None = ()
        if standpoint.may_step:
            points = striking_points(standpoint.here, there, arm, standpoint.rule.options)
        if not is_struck and not points:
            continue
        stepped = Step(to=point_at(points[0])) if points and not is_struck else UNSET
        action = make(other, stepped)
        if action is None or not _is_allowed(standpoint, action):
            continue
        params: Params = {}
        if standpoint.may_step:
            params["step"] = striking_step(standpoint.here, points, is_needed=not is_struck)
        yield TargetOption(other, stepped, params)


def _is_allowed(standpoint: Standpoint, action: AttackAction) -> bool:
    return is_allowed(lambda: require_attack(standpoint.view, action))


def _attack(standpoint: Standpoint, arm: Arm) -> Callable[[Combatant, Stepped], AttackAction]:
    def make(target: Combatant, step: Stepped) -> AttackAction:
        return Attack(combatant=standpoint.actor.id, weapon=arm.item, target=target.id, step=step)

    return make


def _targets(options: tuple[TargetOption, ...]) -> Domain:
    return one_of(with_params(option.target.id, option.params) for option in options)


def _rounds(arm: Arm) -> Params:
    """Rounds and radius, where the weapon leaves a choice."""
    params: Params = {}
    most = arm.shots.max if arm.ammo is None else min(arm.shots.max, arm.ammo)
    if most > arm.shots.min:
        params["shots"] = int_range(arm.shots.min, most, optional=True)
    if arm.radius is not None:
        params["radius"] = int_range(arm.radius.min, arm.radius.max, optional=True, unit=UNIT)
    return params


def _attacks(
    standpoint: Standpoint, arm: Arm, options: tuple[TargetOption, ...]
) -> Iterator[Entry]:
    params = _rounds(arm)
    if is_melee_skill(arm.skill):
        params["intent"] = one_of(("counter", "block"), optional=True)
    if options:
        example = _attack(standpoint, arm)(options[0].target, options[0].step)
        yield Entry(arm.item, {"target": _targets(options), **params}, example)
    at_point = Attack(
        combatant=standpoint.actor.id, weapon=arm.item, point=point_at(standpoint.here)
    )
    if arm.delivery == "explosive" and _is_allowed(standpoint, at_point):
        yield Entry(arm.item, {**_at_point(standpoint, arm), **params}, at_point)


def _at_point(standpoint: Standpoint, arm: Arm) -> Params:
    params: Params = {"point": disc(standpoint.here, arm.range_m)}
    if standpoint.may_step:
        params["step"] = step_after(standpoint.here)
    return params


def _called_shots(
    standpoint: Standpoint,
    arm: Arm,
    options: tuple[TargetOption, ...],
    covers: tuple[CoverSegment, ...],
) -> Iterator[Entry]:
    if arm.delivery == "explosive":
        yield from _over_cover(standpoint, arm, options)
        return
    parts = [(option, _open_parts(standpoint, arm, option, covers)) for option in options]
    called = [(option, open_) for option, open_ in parts if open_]
    if not called:
        return
    first, open_ = called[0]
    example = CalledShot(
        combatant=standpoint.actor.id,
        weapon=arm.item,
        target=first.target.id,
        part=open_[0],
        step=first.step,
    )
    if _is_allowed(standpoint, example):
        members = [
            with_params(
                option.target.id, {"part": one_of(open_), **_calling_step(standpoint, arm, option)}
            )
            for option, open_ in called
        ]
        yield Entry(arm.item, {"target": one_of(members), **_rounds(arm)}, example)


def _open_parts(
    standpoint: Standpoint, arm: Arm, option: TargetOption, covers: tuple[CoverSegment, ...]
) -> tuple[BodyPart, ...]:
    """The parts of the target that a shot from here may be called at; all of them hand to hand."""
    if arm.delivery == "melee":
        return ALL_PARTS
    if option.step is not UNSET:
        return ()
    return exposed_by(covers_between(standpoint.here, spot_of(option.target), covers))


def _calling_step(standpoint: Standpoint, arm: Arm, option: TargetOption) -> Params:
    """The step of a called shot, which may only follow: from elsewhere other cover lies between."""
    if arm.delivery == "melee" or not standpoint.may_step:
        return option.params
    return {"step": step_after(standpoint.here)}


def _over_cover(
    standpoint: Standpoint, arm: Arm, options: tuple[TargetOption, ...]
) -> Iterator[Entry]:
    over: Params = {"over_cover": one_of([True]), **_rounds(arm)}
    if options:
        example = CalledShot(
            combatant=standpoint.actor.id,
            weapon=arm.item,
            target=options[0].target.id,
            over_cover=True,
            step=options[0].step,
        )
        yield Entry(arm.item, {"target": _targets(options), **over}, example)
    at_point = CalledShot(
        combatant=standpoint.actor.id,
        weapon=arm.item,
        point=point_at(standpoint.here),
        over_cover=True,
    )
    if _is_allowed(standpoint, at_point):
        yield Entry(arm.item, {**_at_point(standpoint, arm), **over}, at_point)


def _disarms(standpoint: Standpoint, hands: Arm) -> Iterator[LegalNode]:
    def make(target: Combatant, step: Stepped) -> Disarm | None:
        items = target.held_items
        if not items:
            return None
        return Disarm(combatant=standpoint.actor.id, target=target.id, item=items[0], step=step)

    options = tuple(_target_options(standpoint, hands, make))
    example = make(options[0].target, options[0].step) if options else None
    if example is not None:
        members = [
            with_params(
                option.target.id,
                {"item": one_of(dict.fromkeys(option.target.held_items)), **option.params},
            )
            for option in options
        ]
        yield node({"target": one_of(members)}, example)


def _grapples(standpoint: Standpoint, hands: Arm) -> Iterator[LegalNode]:
    def make(target: Combatant, step: Stepped) -> Grapple:
        return Grapple(combatant=standpoint.actor.id, target=target.id, step=step)

    options = tuple(_target_options(standpoint, hands, make))
    if options:
        yield node({"target": _targets(options)}, make(options[0].target, options[0].step))
