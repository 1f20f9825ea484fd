"""The preview of an attack: what its pool is made of, and its exact odds.

What depends on numbers that are hidden from the asker is named in `unknown` and left out.
"""

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.fold import EffectBuilder
from service.engine.battle.roster import existing
from service.engine.battle.state import State, scope_of
from service.engine.kit.perception import knows_numbers
from service.engine.kit.previews import Asker, odds_of
from service.engine.ruleset.definition import Odds, Preview
from service.engine.visibility.scope import Viewer
from service.rulesets.crossfire_d6.actions import AttackAction
from service.rulesets.crossfire_d6.deciding.attack_line import (
    Aim,
    require_attack,
    sight_taken,
)
from service.rulesets.crossfire_d6.deciding.attack_modifiers import AttackPool, fighters_in, weigh
from service.rulesets.crossfire_d6.deciding.attacks import is_obscured, line_of, meet_ground
from service.rulesets.crossfire_d6.evolve import evolve
from service.rulesets.crossfire_d6.previews.facts import Facts
from service.rulesets.crossfire_d6.rules.crossfire import CF_XFIRE_2
from service.rulesets.crossfire_d6.rules.defaults import CF_SD_2
from service.rulesets.crossfire_d6.rules.flanking import CF_FLANK_1
from service.rulesets.crossfire_d6.rules.odds import AUTOMATIC_CRITICAL, attack_odds
from service.rulesets.crossfire_d6.state import BattleState

View = State[BattleState]
"""The battle as somebody may know it."""

_DEPENDS = {"shooters": CF_XFIRE_2, "partners": CF_FLANK_1}
"""What other people's hidden numbers decide, and the line it would be."""


def preview_attack(asker: Asker[BattleState], action: AttackAction) -> Preview:
    """The preview of an attack. Raises Refused as deciding it would."""
    view, viewer = asker.view, asker.viewer
    effects = EffectBuilder(view, evolve)
    aim = meet_ground(effects, action, require_attack(view, action))
    pool = weigh(effects.rule, aim, sight_taken(effects.state, aim))
    unknown = _unknown(view, aim, viewer)
    facts = _with_numbers(_circumstances(pool), view, pool, unknown, viewer)
    odds = () if unknown else _attack_odds(view.rule, pool)
    return Preview(legal=True, facts=facts, odds=odds, unknown=unknown)


def _unknown(view: View, aim: Aim, viewer: Viewer) -> tuple[str, ...]:
    """The hidden numbers that decide the attack: the target's, and those of third sides."""
    if "helpless" in aim.target.conditions and aim.mode == "melee":
        return ()
    scope = scope_of(view.rule)
    unknown = []
    if not knows_numbers(aim.target, scope, viewer):
        unknown = ["needed", "suppression"] if aim.mode == "ranged" else ["needed"]
    pair = (aim.attacker.id, aim.target.id)
    others = (
        existing(view.rule, each.id)
        for each in fighters_in(view.rule, aim)
        if each.id not in pair and each.side != aim.target.side
    )
    if any(not knows_numbers(each, scope, viewer) for each in others):
        unknown.append("shooters" if aim.mode == "ranged" else "partners")
    return tuple(unknown)


def _circumstances(pool: AttackPool) -> Facts:
    """What can be seen of an attack without knowing any number."""
    aim, sight = pool.aim, pool.sight
    return Facts(
        mode=aim.mode,
        distance_ft=aim.distance_ft,
        attacked_from=pool.attacked_from,
        obscured=is_obscured(pool),
        automatic=pool.is_automatic,
        position=UNSET if sight is None else sight.position,
        line=UNSET if sight is None else line_of(sight),
        ally_in_danger=pool.near[0].id if aim.is_reckless and pool.near else UNSET,
    )


def _with_numbers(
    facts: Facts, view: View, pool: AttackPool, unknown: tuple[str, ...], viewer: Viewer
) -> Facts:
    """The same with the numbers that the asker may know."""
    doubtful = {_DEPENDS[each] for each in unknown if each in _DEPENDS}
    is_pool_known = not doubtful and "suppression" not in unknown
    if not is_pool_known:
        doubtful.add(CF_SD_2)
    if viewer.is_gm or view.rule.options.breakdowns != "none":
        lines = tuple(line for line in pool.breakdown if line.rule not in doubtful)
        facts = replace(facts, breakdown=lines)
    if pool.is_automatic:
        return facts
    return replace(
        facts,
        base=pool.aim.weapon.attack_dice,
        pool=pool.dice if is_pool_known else UNSET,
        needed=UNSET if "needed" in unknown else pool.needed,
    )


def _attack_odds(rule: BattleState, pool: AttackPool) -> tuple[Odds, ...]:
    odds = (
        AUTOMATIC_CRITICAL
        if pool.is_automatic
        else attack_odds(pool.dice, pool.needed, rule.options.natural_crit_sixes)
    )
    return (
        odds_of("miss", odds.miss),
        odds_of("hit", odds.hit),
        odds_of("critical", odds.critical),
    )
