"""What an attack of a known chance may come to for one victim, by the answer it gives."""

from fractions import Fraction
from typing import NamedTuple

from msgspec import UNSET, to_builtins

from service.engine.battle.state import scope_of
from service.engine.kit.perception import knows_numbers
from service.engine.kit.previews import odds_of
from service.engine.ruleset import Odds
from service.engine.visibility.scope import Viewer
from service.rulesets.seeker_d100.deciding.attack_result import cover_against
from service.rulesets.seeker_d100.deciding.checks import Battle
from service.rulesets.seeker_d100.deciding.declaration import Blow
from service.rulesets.seeker_d100.odds.chances import (
    Chances,
    avoiding,
    chances_of,
    counter_chance,
    kill_chance,
    mixed,
    success_chance,
    told_chances,
)
from service.rulesets.seeker_d100.odds.replies import Facts, Foreseen
from service.rulesets.seeker_d100.rule_inputs import point_of, worn_by
from service.rulesets.seeker_d100.rules.area import is_in_area
from service.rulesets.seeker_d100.rules.armour import (
    Armour,
    armour_lines,
    does_cover_downgrade,
    does_worn_downgrade,
)
from service.rulesets.seeker_d100.rules.cover import Cover
from service.rulesets.seeker_d100.rules.geometry import Point
from service.rulesets.seeker_d100.state import Combatant


class Threat(NamedTuple):
    """An attack on its way: the battle as the asker knows it, the blow, its chance, the covers.

    `chance` in per cent; None: the asker may not know it.
    """

    told: Battle
    blow: Blow
    chance: int | None
    covers: tuple[Cover, ...]
    viewer: Viewer


class Outlook(NamedTuple):
    """What is to be told of one victim."""

    facts: Facts
    odds: tuple[Odds, ...]
    unknown: tuple[str, ...]


def outlook(threat: Threat, victim: Combatant, reply: Foreseen) -> Outlook:
    """How the attack may end for a victim that answers like this."""
    facts: Facts = {"combatant": victim.id, "answer": reply.told()}
    armour = _armour(threat, victim, point_of(victim))
    is_armour_known = victim.body_armour is UNSET or knows_numbers(
        victim, scope_of(threat.told.rule), threat.viewer
    )
    if is_armour_known:
        facts["armour"] = to_builtins(armour_lines(armour))
    unknown = () if is_armour_known else ("armour",)
    if threat.chance is None or not reply.is_known:
        missing = ("attack",) if threat.chance is None else ()
        missing = missing if reply.is_known else (*missing, "answer")
        return Outlook({**facts, "unknown": (*missing, *unknown)}, (), missing)
    odds = told_chances(_chances(threat, threat.chance, reply))
    facts["odds"] = to_builtins(odds)
    facts |= _consequences(threat, threat.chance, victim, reply, is_armour_known=is_armour_known)
    return Outlook({**facts, "unknown": unknown}, odds, ())


def _armour(threat: Threat, victim: Combatant, place: Point) -> Armour:
    """All armour that counts for a victim at a place."""
    worn = worn_by(victim, threat.blow.part, threat.told.rule.options)
    cover = cover_against(threat.blow, place, threat.covers)
    return worn if cover is None else worn._replace(cover=cover.armour)


def _chances(threat: Threat, chance: int, reply: Foreseen) -> Chances:
    options = threat.told.rule.options
    usual = chances_of(chance, reply.against, options)
    if reply.dive is None or reply.to is None:
        return usual
    dived = usual if _is_struck_at(threat, reply.to) else avoiding(usual)
    return mixed(dived, success_chance(reply.dive, options), usual)


def _is_struck_at(threat: Threat, place: Point) -> bool:
    """Whether an attack still strikes a victim that is there by then."""
    blow = threat.blow
    return blow.radius is None or is_in_area(blow.centre, place, blow.radius)


def _consequences(
    threat: Threat, chance: int, victim: Combatant, reply: Foreseen, *, is_armour_known: bool
) -> Facts:
    """The chances of a death at once, of a successful dive, and of a blow in return."""
    options, blow = threat.told.rule.options, threat.blow
    facts: Facts = {}
    is_harmful = blow.kind in ("attack", "called_shot")
    is_decided = is_armour_known or options.body_vs_lethality == "none"
    if is_harmful and blow.arm.lethality is not None and is_decided:
        death = _death(threat, chance, victim, reply, blow.arm.lethality)
        facts["instant_kill"] = to_builtins(odds_of("instant_kill", death))
    if reply.dive is not None:
        dive = success_chance(reply.dive, options)
        facts["in_cover"] = to_builtins(odds_of("in_cover", dive))
    if reply.against is not None and reply.against.answered == "resist_counter":
        countered = counter_chance(chance, reply.against, options)
        facts["counter"] = to_builtins(odds_of("counter", countered))
    return facts


def _death(
    threat: Threat, chance: int, victim: Combatant, reply: Foreseen, rating: int
) -> Fraction:
    options = threat.told.rule.options

    def at(place: Point) -> Fraction:
        armour = _armour(threat, victim, place)
        is_stopped = does_worn_downgrade(armour, options.body_vs_lethality) or does_cover_downgrade(
            armour, options.cover_vs_lethality
        )
        if is_stopped or not _is_struck_at(threat, place):
            return Fraction(0)
        return kill_chance(chance, rating, reply.against, options)

    here = at(point_of(victim))
    if reply.dive is None or reply.to is None:
        return here
    dive = success_chance(reply.dive, options)
    return dive * at(reply.to) + (1 - dive) * here
