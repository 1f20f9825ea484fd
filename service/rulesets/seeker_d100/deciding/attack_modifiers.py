"""The chance of an attack and its victims."""

from msgspec import UNSET

from service.rulesets.seeker_d100.deciding.assault import Assault
from service.rulesets.seeker_d100.deciding.checks import Weight, gm_line
from service.rulesets.seeker_d100.places import spot_of
from service.rulesets.seeker_d100.rules.aim import aim_modifier
from service.rulesets.seeker_d100.rules.area import Bystander, area_victims
from service.rulesets.seeker_d100.rules.attack import attack_skill
from service.rulesets.seeker_d100.rules.called import called_modifier, called_victims
from service.rulesets.seeker_d100.rules.checks import chance_of
from service.rulesets.seeker_d100.rules.cover import CoverSegment, covers_between, degree_of
from service.rulesets.seeker_d100.rules.grapple import held_modifier
from service.rulesets.seeker_d100.rules.order import attack_breakdown
from service.rulesets.seeker_d100.rules.words import AttackSkill
from service.rulesets.seeker_d100.state import BattleState, Combatant, is_dead, is_held


def skill_of(combatant: Combatant, skill: AttackSkill) -> int:
    """A skill of a combatant in per cent."""
    value: int = getattr(combatant.skills, skill)
    return value


def covers_before(assault: Assault, covers: tuple[CoverSegment, ...]) -> tuple[CoverSegment, ...]:
    """The covers between attacker and target that count for a called shot; none hand to hand."""
    if assault.arm.delivery == "melee":
        return ()
    return covers_between(assault.origin, assault.centre, covers)


def weigh_attack(rule: BattleState, assault: Assault, covers: tuple[CoverSegment, ...]) -> Weight:
    """The skill, modifiers and chance of an attack; `covers` are all covers on the ground."""
    options, attacker = rule.options, assault.attacker
    called = None
    if assault.kind == "called_shot":
        degree = degree_of(covers_before(assault, covers))
        called = called_modifier(degree, options.called_open_penalty)
    lines = attack_breakdown(
        aim=aim_modifier(None if attacker.aim is UNSET else attacker.aim.round, rule.round),
        called=called,
        held=held_modifier(
            assault.kind,
            assault.arm.skill,
            is_held=assault.target is not None and is_held(assault.target),
            bonus=options.held_bonus,
        ),
        gm=gm_line(attacker),
    )
    skill = skill_of(attacker, attack_skill(assault.kind, assault.arm.skill))
    return Weight(skill, lines, chance_of(skill, lines))


def victims_of(rule: BattleState, assault: Assault) -> tuple[str, ...]:
    """Whom an attack strikes, in victim order."""
    if assault.radius is None:
        return () if assault.target is None else (assault.target.id,)
    living = (
        Bystander(combatant.id, combatant.number, spot_of(combatant))
        for combatant in rule.combatants
        if not is_dead(combatant)
    )
    in_area = area_victims(
        living,
        centre=assault.centre,
        radius_m=assault.radius,
        delivery=assault.arm.delivery,
        attacker=assault.attacker.id,
        target=None if assault.target is None else assault.target.id,
    )
    if assault.kind == "called_shot":
        return called_victims(in_area, assault.arm.delivery)
    return in_area
