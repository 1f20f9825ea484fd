"""The end of an attack for one victim in exact chances, given the victim's answer."""

from fractions import Fraction
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.state import scope_of
from service.engine.geometry.segments import Spot
from service.engine.kit.perception import knows_numbers
from service.engine.kit.previews import odds_of
from service.engine.ruleset.definition import Odds
from service.engine.visibility.scope import Viewer
from service.rulesets.seeker_d100.deciding.assault import Assault
from service.rulesets.seeker_d100.deciding.attack_result import behind, covers_against
from service.rulesets.seeker_d100.equipment import worn_by
from service.rulesets.seeker_d100.evolve import BattleEffects
from service.rulesets.seeker_d100.facts import VictimFacts
from service.rulesets.seeker_d100.places import spot_of
from service.rulesets.seeker_d100.previews.chances import (
    Chances,
    attack_chances,
    avoided_chances,
    counter_chance,
    kill_chance,
    mixed_chances,
    odds_of_attack,
    success_chance,
)
from service.rulesets.seeker_d100.previews.foreseen_answers import ForeseenAnswer
from service.rulesets.seeker_d100.rules.area import is_in_area
from service.rulesets.seeker_d100.rules.armour import (
    Armour,
    armour_lines,
    does_cover_downgrade,
    does_worn_downgrade,
)
from service.rulesets.seeker_d100.rules.cover import CoverSegment
from service.rulesets.seeker_d100.state import Combatant


class Threat(NamedTuple):
    """An attack to come: the battle as the caller knows it, the attack, its chance, the covers.

    `chance` in per cent; None: the caller may not know it.
    """

    effects: BattleEffects
    assault: Assault
    chance: int | None
    covers: tuple[CoverSegment, ...]
    viewer: Viewer


class VictimOdds(NamedTuple):
    """The preview of one victim: its facts, its odds, and the names of what stays unknown."""

    facts: VictimFacts
    odds: tuple[Odds, ...]
    unknown: tuple[str, ...]


def victim_odds(threat: Threat, victim: Combatant, reply: ForeseenAnswer) -> VictimOdds:
    """The end of the attack for a victim that answers like this."""
    armour = _armour(threat, victim, spot_of(victim))
    is_armour_known = victim.body_armour is UNSET or knows_numbers(
        victim, scope_of(threat.effects.rule), threat.viewer
    )
    unknown = () if is_armour_known else ("armour",)
    facts = VictimFacts(
        combatant=victim.id,
        answer=reply.facts,
        armour=armour_lines(armour) if is_armour_known else UNSET,
        unknown=unknown,
    )
    if threat.chance is None or not reply.is_known:
        missing = ("attack",) if threat.chance is None else ()
        missing = missing if reply.is_known else (*missing, "answer")
        return VictimOdds(replace(facts, unknown=(*missing, *unknown)), (), missing)
    odds = odds_of_attack(_chances(threat, threat.chance, reply))
    facts = _with_consequences(replace(facts, odds=odds), threat, threat.chance, victim, reply)
    return VictimOdds(facts, odds, ())


def _armour(threat: Threat, victim: Combatant, place: Spot) -> Armour:
    """All armour that counts for a victim at a place."""
    rule = threat.effects.rule
    worn = worn_by(victim, threat.assault.part, rule.options)
    return behind(worn, covers_against(rule, threat.assault, place, threat.covers))


def _chances(threat: Threat, chance: int, reply: ForeseenAnswer) -> Chances:
    options = threat.effects.rule.options
    usual = attack_chances(chance, reply.against, options)
    if reply.dive is None or reply.to is None:
        return usual
    dived = usual if _is_struck_at(threat, reply.to) else avoided_chances(usual)
    return mixed_chances(dived, success_chance(reply.dive, options), usual)


def _is_struck_at(threat: Threat, place: Spot) -> bool:
    """Whether the attack strikes a victim that is at this spot when it comes."""
    assault = threat.assault
    return assault.radius is None or is_in_area(assault.centre, place, assault.radius)


def _with_consequences(
    facts: VictimFacts, threat: Threat, chance: int, victim: Combatant, reply: ForeseenAnswer
) -> VictimFacts:
    """The facts with the chances of an instant kill, a successful dive and a counter-attack."""
    options, assault = threat.effects.rule.options, threat.assault
    is_harmful = assault.kind in ("attack", "called_shot")
    is_decided = facts.armour is not UNSET or options.body_vs_lethality == "none"
    if is_harmful and assault.arm.lethality is not None and is_decided:
        death = _death(threat, chance, victim, reply, assault.arm.lethality)
        facts = replace(facts, instant_kill=odds_of("instant_kill", death))
    if reply.dive is not None:
        dive = success_chance(reply.dive, options)
        facts = replace(facts, in_cover=odds_of("in_cover", dive))
    if reply.against is not None and reply.against.answered == "resist_counter":
        countered = counter_chance(chance, reply.against, options)
        facts = replace(facts, counter=odds_of("counter", countered))
    return facts


def _death(
    threat: Threat, chance: int, victim: Combatant, reply: ForeseenAnswer, rating: int
) -> Fraction:
    options = threat.effects.rule.options

    def at(place: Spot) -> Fraction:
        armour = _armour(threat, victim, place)
        is_stopped = does_worn_downgrade(armour, options.body_vs_lethality) or does_cover_downgrade(
            armour, options.cover_vs_lethality
        )
        if is_stopped or not _is_struck_at(threat, place):
            return Fraction(0)
        return kill_chance(chance, rating, reply.against, options)

    here = at(spot_of(victim))
    if reply.dive is None or reply.to is None:
        return here
    dive = success_chance(reply.dive, options)
    return dive * at(reply.to) + (1 - dive) * here
