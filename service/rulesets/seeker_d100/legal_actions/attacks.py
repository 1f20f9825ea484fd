"""The attacks that are allowed: by weapon, target or point, part of the body, and step.

How this works. Whether a target may be attacked with a weapon is asked of the rules once, from
where the attacker stands or, if that is too far, from a step nearer. Everything else that an attack
may state does not depend on the target, but for the parts of the body that cover hides.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from service.engine.kit.action_nodes import (
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
from service.rulesets.seeker_d100.deciding.declaration import require_attack
from service.rulesets.seeker_d100.legal_actions.moment import Sight, spot
from service.rulesets.seeker_d100.reach import (
    disc,
    is_struck_from,
    step_after,
    striking_points,
    striking_step,
)
from service.rulesets.seeker_d100.rule_inputs import Arm, arm_of, bare_hands, covers_of, point_of
from service.rulesets.seeker_d100.rules.cover import ALL_PARTS, Cover, covers_between, exposed_by
from service.rulesets.seeker_d100.rules.geometry import Point
from service.rulesets.seeker_d100.rules.resist import is_melee_skill
from service.rulesets.seeker_d100.rules.words import Part
from service.rulesets.seeker_d100.state import Combatant

Stepped = Step | UnsetType
Params = dict[str, Domain]


class Mark(NamedTuple):
    """Somebody who may be attacked, with the step that this takes or allows."""

    target: Combatant
    step: Stepped
    params: Params


class Entry(NamedTuple):
    """A weapon with all that may be stated beside it, and an action that does."""

    weapon: str
    params: Params
    example: AttackAction


def attack_nodes(sight: Sight) -> Iterator[LegalNode]:
    """The attacks that a combatant who has the turn may make."""
    arms = [arm_of(each, sight.rule.options) for each in sight.actor.weapons if not each.dropped]
    marked = [(arm, tuple(_marks(sight, arm, _attack(sight, arm)))) for arm in arms]
    covers = covers_of(sight.rule, sight.blobs)
    yield from _armed(entry for arm, marks in marked for entry in _attacks(sight, arm, marks))
    yield from _armed(
        entry for arm, marks in marked for entry in _called_shots(sight, arm, marks, covers)
    )
    hands = bare_hands(sight.actor, sight.rule.options)._replace(delivery="melee", range_m=None)
    yield from _disarms(sight, hands)
    yield from _grapples(sight, hands)


def _armed(found: Iterator[Entry]) -> Iterator[LegalNode]:
    entries = tuple(found)
    if entries:
        members = [with_params(each.weapon, each.params) for each in entries]
        yield node({"weapon": one_of(members)}, entries[0].example)


def _marks(
    sight: Sight, arm: Arm, make: Callable[[Combatant, Stepped], AttackAction | None]
) -> Iterator[Mark]:
    """Whom an attack may be aimed at, enemies first. `make` gives the attack to be asked about."""
    others = sorted(sight.rule.combatants, key=lambda each: each.side == sight.actor.side)
    for other in others:
        there = point_of(other)
        is_struck = is_struck_from(sight.here, there, arm, sight.rule.options)
        points: tuple[Point, ...] | None = ()
        if sight.may_step:
            points = striking_points(sight.here, there, arm, sight.rule.options)
        if not is_struck and not points:
            continue
        stepped = Step(to=spot(points[0])) if points and not is_struck else UNSET
        action = make(other, stepped)
        if action is None or not _is_allowed(sight, action):
            continue
        params: Params = {}
        if sight.may_step:
            params["step"] = striking_step(sight.here, points, is_needed=not is_struck)
        yield Mark(other, stepped, params)


def _is_allowed(sight: Sight, action: AttackAction) -> bool:
    return is_allowed(lambda: require_attack(sight.rule, sight.blobs, action))


def _attack(sight: Sight, arm: Arm) -> Callable[[Combatant, Stepped], AttackAction]:
    def make(target: Combatant, step: Stepped) -> AttackAction:
        return Attack(combatant=sight.actor.id, weapon=arm.item, target=target.id, step=step)

    return make


def _targets(marks: tuple[Mark, ...]) -> Domain:
    return one_of(with_params(each.target.id, each.params) for each in marks)


def _rounds(arm: Arm) -> Params:
    """Rounds and radius, where the weapon leaves a choice."""
    params: Params = {}
    most = arm.shots.max if arm.ammo is None else min(arm.shots.max, arm.ammo)
    if most > arm.shots.min:
        params["shots"] = int_range(arm.shots.min, most, optional=True)
    if arm.radius is not None:
        params["radius"] = int_range(arm.radius.min, arm.radius.max, optional=True)
    return params


def _attacks(sight: Sight, arm: Arm, marks: tuple[Mark, ...]) -> Iterator[Entry]:
    params = _rounds(arm)
    if is_melee_skill(arm.skill):
        params["intent"] = one_of(("counter", "block"), optional=True)
    if marks:
        example = _attack(sight, arm)(marks[0].target, marks[0].step)
        yield Entry(arm.item, {"target": _targets(marks), **params}, example)
    at_point = Attack(combatant=sight.actor.id, weapon=arm.item, point=spot(sight.here))
    if arm.delivery == "explosive" and _is_allowed(sight, at_point):
        yield Entry(arm.item, {**_at_point(sight, arm), **params}, at_point)


def _at_point(sight: Sight, arm: Arm) -> Params:
    params: Params = {"point": disc(sight.here, arm.range_m)}
    if sight.may_step:
        params["step"] = step_after(sight.here)
    return params


def _called_shots(
    sight: Sight, arm: Arm, marks: tuple[Mark, ...], covers: tuple[Cover, ...]
) -> Iterator[Entry]:
    if arm.delivery == "explosive":
        yield from _over_cover(sight, arm, marks)
        return
    parts = [(mark, _open_parts(sight, arm, mark, covers)) for mark in marks]
    called = [(mark, open_) for mark, open_ in parts if open_]
    if not called:
        return
    first, open_ = called[0]
    example = CalledShot(
        combatant=sight.actor.id,
        weapon=arm.item,
        target=first.target.id,
        part=open_[0],
        step=first.step,
    )
    if _is_allowed(sight, example):
        members = [
            with_params(mark.target.id, {"part": one_of(open_), **_calling_step(sight, arm, mark)})
            for mark, open_ in called
        ]
        yield Entry(arm.item, {"target": one_of(members), **_rounds(arm)}, example)


def _open_parts(sight: Sight, arm: Arm, mark: Mark, covers: tuple[Cover, ...]) -> tuple[Part, ...]:
    """The parts that a shot from here may be called at; blows meet no cover."""
    if arm.delivery == "melee":
        return ALL_PARTS
    if mark.step is not UNSET:
        return ()
    return exposed_by(covers_between(sight.here, point_of(mark.target), covers))


def _calling_step(sight: Sight, arm: Arm, mark: Mark) -> Params:
    """From elsewhere a shot meets other cover, so it is made from here."""
    if arm.delivery == "melee" or not sight.may_step:
        return mark.params
    return {"step": step_after(sight.here)}


def _over_cover(sight: Sight, arm: Arm, marks: tuple[Mark, ...]) -> Iterator[Entry]:
    over: Params = {"over_cover": one_of([True]), **_rounds(arm)}
    if marks:
        example = CalledShot(
            combatant=sight.actor.id,
            weapon=arm.item,
            target=marks[0].target.id,
            over_cover=True,
            step=marks[0].step,
        )
        yield Entry(arm.item, {"target": _targets(marks), **over}, example)
    at_point = CalledShot(
        combatant=sight.actor.id, weapon=arm.item, point=spot(sight.here), over_cover=True
    )
    if _is_allowed(sight, at_point):
        yield Entry(arm.item, {**_at_point(sight, arm), **over}, at_point)


def _disarms(sight: Sight, hands: Arm) -> Iterator[LegalNode]:
    def make(target: Combatant, step: Stepped) -> Disarm | None:
        items = target.held_items
        if not items:
            return None
        return Disarm(combatant=sight.actor.id, target=target.id, item=items[0], step=step)

    marks = tuple(_marks(sight, hands, make))
    example = make(marks[0].target, marks[0].step) if marks else None
    if example is not None:
        members = [
            with_params(
                mark.target.id,
                {"item": one_of(dict.fromkeys(mark.target.held_items)), **mark.params},
            )
            for mark in marks
        ]
        yield node({"target": one_of(members)}, example)


def _grapples(sight: Sight, hands: Arm) -> Iterator[LegalNode]:
    def make(target: Combatant, step: Stepped) -> Grapple:
        return Grapple(combatant=sight.actor.id, target=target.id, step=step)

    marks = tuple(_marks(sight, hands, make))
    if marks:
        yield node({"target": _targets(marks)}, make(marks[0].target, marks[0].step))
