"""What an attack's chance is made of, and whom it strikes."""

from typing import NamedTuple

from msgspec import UNSET

from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.seeker_d100.deciding.checks import gm_line
from service.rulesets.seeker_d100.deciding.declaration import Blow
from service.rulesets.seeker_d100.rule_inputs import point_of
from service.rulesets.seeker_d100.rules.aim import aim_modifier
from service.rulesets.seeker_d100.rules.area import Bystander, area_victims
from service.rulesets.seeker_d100.rules.attack import attack_skill
from service.rulesets.seeker_d100.rules.called import called_modifier, called_victims
from service.rulesets.seeker_d100.rules.checks import chance_of
from service.rulesets.seeker_d100.rules.cover import Cover, covers_between, degree_of
from service.rulesets.seeker_d100.rules.grapple import held_modifier
from service.rulesets.seeker_d100.rules.order import attack_breakdown
from service.rulesets.seeker_d100.rules.words import AttackSkill
from service.rulesets.seeker_d100.state import BattleState, Combatant, is_dead, is_held


class Weight(NamedTuple):
    """A skill, the lines that change it, and the chance they come to."""

    skill: int
    lines: tuple[Modifier, ...]
    chance: int


def skill_of(combatant: Combatant, skill: AttackSkill) -> int:
    """A skill of a combatant in per cent."""
    value: int = getattr(combatant.skills, skill)
    return value


def covers_before(blow: Blow, covers: tuple[Cover, ...]) -> tuple[Cover, ...]:
    """The covers that decide the penalty of a called shot together: none against blows."""
    if blow.arm.delivery == "melee":
        return ()
    return covers_between(blow.origin, blow.centre, covers)


def weigh(rule: BattleState, blow: Blow, covers: tuple[Cover, ...]) -> Weight:
    """The chance of an attack, with these covers on the ground."""
    options, attacker = rule.options, blow.attacker
    called = None
    if blow.kind == "called_shot":
        degree = degree_of(covers_before(blow, covers))
        called = called_modifier(degree, options.called_open_penalty)
    lines = attack_breakdown(
        aim=aim_modifier(None if attacker.aim is UNSET else attacker.aim.round, rule.round),
        called=called,
        held=held_modifier(
            blow.kind,
            blow.arm.skill,
            is_held=blow.target is not None and is_held(blow.target),
            bonus=options.held_bonus,
        ),
        gm=gm_line(attacker),
    )
    skill = skill_of(attacker, attack_skill(blow.kind, blow.arm.skill))
    return Weight(skill, lines, chance_of(skill, lines))


def victims_of(rule: BattleState, blow: Blow) -> tuple[str, ...]:
    """Whom an attack strikes, in victim order."""
    if blow.radius is None:
        return () if blow.target is None else (blow.target.id,)
    living = (
        Bystander(each.id, each.number, point_of(each))
        for each in rule.combatants
        if not is_dead(each)
    )
    struck = area_victims(
        living,
        centre=blow.centre,
        radius_m=blow.radius,
        delivery=blow.arm.delivery,
        shooter=blow.attacker.id,
        target=None if blow.target is None else blow.target.id,
    )
    if blow.kind == "called_shot":
        return called_victims(struck, blow.arm.delivery)
    return struck
