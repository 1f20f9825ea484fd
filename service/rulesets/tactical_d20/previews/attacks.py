"""The preview of an attack: what it is made of, who is asked before, and its exact odds.

How this works. Everything is weighed on what the caller may know, as deciding it would. What
depends on numbers that are hidden from the caller is named in `unknown` and left out, and then
there are no odds. Who is in a guessed cell is the game master's, and so is all that follows.
"""

from fractions import Fraction

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.state import State, scope_of
from service.engine.kit.perception import knows_numbers
from service.engine.kit.previews import Asker, odds_of
from service.engine.ruleset.definition import Odds, Preview
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.breakdown import total
from service.rulesets.tactical_d20.actions import Attack, AttackCell
from service.rulesets.tactical_d20.creatures import fighter_of
from service.rulesets.tactical_d20.deciding.aim import Aim, aim_into
from service.rulesets.tactical_d20.deciding.attack_line import (
    found_in,
    require_attack,
    require_guess,
)
from service.rulesets.tactical_d20.deciding.attack_modifiers import Weight, attack_lines, weigh
from service.rulesets.tactical_d20.effects import Against
from service.rulesets.tactical_d20.previews.facts import Facts
from service.rulesets.tactical_d20.previews.opportunities import (
    are_asked_unknown,
    asked_before_shot,
    shown,
    stated,
)
from service.rulesets.tactical_d20.previews.wounds import blow_of, felled_odds
from service.rulesets.tactical_d20.rules.flanking import TD_FLANK_1, are_opposite, is_partner
from service.rulesets.tactical_d20.rules.odds import AttackChances, attack_chances
from service.rulesets.tactical_d20.state import BattleState, Combatant

View = State[BattleState]
"""The battle as somebody may know it."""


def preview_attack(asker: Asker[BattleState], action: Attack) -> Preview:
    """The preview of an attack on somebody. Raises Refused as deciding it would."""
    return preview_aim(asker.view, require_attack(asker.view, action), asker.viewer)


def preview_aim(view: View, aim: Aim, viewer: Viewer) -> Preview:
    """The preview of an attack that is allowed, out of turn or not."""
    target = aim.target
    if target is None:
        raise ValueError("an attack on nobody is one at a cell")
    weight = weigh(view, aim, target)
    unknown = unknown_numbers(view, aim, target, viewer)
    facts = _attackers_facts(view, aim, weight, viewer, is_certain="partners" not in unknown)
    if "needed" not in unknown:
        facts = _with_targets(view, facts, weight, target, viewer)
    if unknown:
        return _told(view, aim, facts, (), unknown, viewer)
    chances = attack_chances(weight.bonus, weight.ac, weight.concealment.percent)
    facts = replace(facts, felled=felled_odds(view, target, viewer, blow_of(aim, chances).at_least))
    odds = _odds(chances, is_concealed=weight.concealment.percent > 0)
    return _told(view, aim, facts, odds, (), viewer)


def preview_guess(asker: Asker[BattleState], action: AttackCell) -> Preview:
    """The preview of an attack at a cell. Raises Refused as deciding it would."""
    view, viewer = asker.view, asker.viewer
    aim = require_guess(view, action)
    lines = attack_lines(view.rule, aim, None)
    facts = replace(
        _circumstances(aim),
        base=aim.weapon.attack_bonus,
        pool=aim.weapon.attack_bonus + total(lines),
        breakdown=lines if _may_see_breakdown(view, aim.attacker, viewer) else UNSET,
    )
    if not viewer.is_gm:
        return _told(view, aim, facts, (), ("target",), viewer)
    found = found_in(view, aim)
    if found is None or found.cover is not None:
        return _told(view, aim, facts, (odds_of("miss", Fraction(1)),), (), viewer)
    there = found.creature
    weight = weigh(view, aim_into(aim, there), there)
    chances = attack_chances(weight.bonus, weight.ac, weight.concealment.percent)
    missed = chances._replace(miss=chances.miss + chances.miss_concealment)
    return _told(view, aim, facts, _odds(missed, is_concealed=False), (), viewer)


def _told(
    view: View,
    aim: Aim,
    facts: Facts,
    odds: tuple[Odds, ...],
    unknown: tuple[str, ...],
    viewer: Viewer,
) -> Preview:
    """The preview, with those who are asked before a shot."""
    opens: tuple[str, ...] = ()
    if aim.is_shot:
        asked = asked_before_shot(view, aim.attacker)
        facts, opens = replace(facts, asks=stated(asked)), ("reaction",) if asked else ()
        here = aim.attacker.place.x, aim.attacker.place.y
        if are_asked_unknown(view, shown(view, aim.attacker), (here,), viewer):
            unknown = (*unknown, "asks")
    return Preview(
        legal=True,
        facts=facts,
        odds=() if unknown else odds,
        opens=opens,
        unknown=unknown,
    )


def unknown_numbers(view: View, aim: Aim, target: Combatant, viewer: Viewer) -> tuple[str, ...]:
    """The hidden numbers that decide the attack: the target's, and those of third sides."""
    unknown: list[str] = []
    if not knows_numbers(target, scope_of(view.rule), viewer):
        unknown += ("needed", "miss_chance")
    if aim.mode == "melee" and _is_partner_doubtful(view, aim, target, viewer):
        unknown.append("partners")
    return tuple(unknown)


def _is_partner_doubtful(view: View, aim: Aim, target: Combatant, viewer: Viewer) -> bool:
    """Whether somebody stands opposite whose reach the caller may not know."""
    scope, options = scope_of(view.rule), view.rule.options
    here, there = (fighter_of(view.rule, each) for each in (aim.attacker, target))
    return any(
        each.id not in (aim.attacker.id, target.id)
        and not knows_numbers(each, scope, viewer)
        and is_partner(fighter, there, options.flank_partner_side)
        and are_opposite(here.space, fighter.space, there.space, options.flank_partner)
        for each in view.rule.combatants
        for fighter in (fighter_of(view.rule, each),)
    )


def _circumstances(aim: Aim) -> Facts:
    return Facts(mode=aim.mode, distance_ft=aim.distance_ft, damage=aim.weapon.damage)


def _attackers_facts(
    view: View, aim: Aim, weight: Weight, viewer: Viewer, *, is_certain: bool
) -> Facts:
    """The attacker's side; `is_certain`: it is known who flanks with him."""
    facts = replace(_circumstances(aim), base=weight.base)
    if is_certain:
        facts = replace(facts, pool=weight.bonus)
    if not _may_see_breakdown(view, aim.attacker, viewer):
        return facts
    lines = tuple(line for line in weight.breakdown if is_certain or line.rule != TD_FLANK_1)
    flanking = weight.flanking if is_certain and weight.flanking is not None else UNSET
    return replace(facts, breakdown=lines, flanking=flanking)


def _with_targets(
    view: View, facts: Facts, weight: Weight, target: Combatant, viewer: Viewer
) -> Facts:
    """The target's side, whose numbers are known."""
    lines = weight.ac_breakdown if _may_see_breakdown(view, target, viewer) else ()
    against = Against(target=target.id, base=weight.base_ac, needed=weight.ac, breakdown=lines)
    return replace(facts, against=against, cover=weight.cover, concealment=weight.concealment)


def _may_see_breakdown(view: View, combatant: Combatant, viewer: Viewer) -> bool:
    return viewer.may_know(scope_of(view.rule).declared("breakdown", combatant.side))


def _odds(chances: AttackChances, *, is_concealed: bool) -> tuple[Odds, ...]:
    """The odds by outcome; a miss by concealment only where there is any."""
    concealed = (odds_of("miss_concealment", chances.miss_concealment),) if is_concealed else ()
    return (
        odds_of("miss", chances.miss),
        *concealed,
        odds_of("hit", chances.hit),
        odds_of("critical", chances.critical),
    )
