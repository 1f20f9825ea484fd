"""What an action would do, as far as the asker may know; nothing is drawn.

An attack tells its breakdown, pool and exact odds, hiding its odds, a move its cost. What
depends on numbers that are hidden from the asker is named in `unknown` and left out.
"""

import msgspec
from msgspec import UNSET

from service.engine.battle.state import State, scope_of, viewer_of
from service.engine.kit.combatants import existing
from service.engine.kit.perception import knows_numbers, perceive
from service.engine.kit.previews import odds_of, rehearsed
from service.engine.ruleset import NO_ANSWERS, Answers, Odds, Preview, require_asked
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.values import By
from service.errors import Refused
from service.rulesets.crossfire_d6 import actions as ask
from service.rulesets.crossfire_d6.decide import Ruling, decide
from service.rulesets.crossfire_d6.deciding.attack_line import Aim, require_attack
from service.rulesets.crossfire_d6.deciding.attack_modifiers import Weighed, counting, weighed
from service.rulesets.crossfire_d6.deciding.attacks import is_obscured, line_of
from service.rulesets.crossfire_d6.deciding.hidden_ground import sight_taken
from service.rulesets.crossfire_d6.deciding.hiding import require_hide
from service.rulesets.crossfire_d6.deciding.moves import require_move
from service.rulesets.crossfire_d6.fighters import suppression_against
from service.rulesets.crossfire_d6.rules.crossfire import CF_XFIRE_2
from service.rulesets.crossfire_d6.rules.defaults import CF_SD_2
from service.rulesets.crossfire_d6.rules.flanking import CF_FLANK_1
from service.rulesets.crossfire_d6.rules.odds import AUTOMATIC_CRITICAL, attack_odds, hide_odds
from service.rulesets.crossfire_d6.state import BattleState

Seen = State[BattleState]
Facts = dict[str, object]

_DEPENDS = {"shooters": CF_XFIRE_2, "partners": CF_FLANK_1}
"""What other people's hidden numbers decide, and the line it would be."""


def preview(state: Seen, action: do.Action, by: By, answers: Answers = NO_ANSWERS) -> Preview:
    """The preview of an action, on what the asker may know.

    Role, control and the moment are allowed already. Nobody is asked anything by these rules.
    Raises the same Refused or Malformed as `decide`, Refused("no_preview") for what the engine
    decides by itself, and Refused("not_asked").
    """
    require_asked(answers, ())
    viewer = viewer_of(by, state.rule, state.linear)
    seen = perceive(state, viewer)
    match action:
        case ask.RangedAttack() | ask.MeleeAttack():
            found = _attack(seen, action, viewer)
        case ask.Hide():
            found = _hide(seen, action, viewer)
        case ask.Move():
            found = _move(seen, action)
        case _ if isinstance(action, ask.Deed | Ruling):
            found = Preview(legal=True, facts={})
        case _:
            raise Refused("no_preview", action=str(action.__struct_config__.tag))
    return rehearsed(found, decide, seen, action, by)


def _attack(seen: Seen, action: ask.RangedAttack | ask.MeleeAttack, viewer: Viewer) -> Preview:
    aim = require_attack(seen, action)
    needs_line = aim.mode == "ranged" or seen.rule.options.cover_vs_melee
    sight = sight_taken(seen.rule, seen.blobs, aim) if needs_line else None
    drawn = weighed(seen.rule, seen.blobs, aim, sight)
    unknown = _unknown(seen, aim, viewer)
    facts = {**_circumstances(drawn), **_numbers(seen, drawn, unknown, viewer)}
    odds = () if unknown else _attack_odds(seen.rule, drawn)
    return Preview(legal=True, facts=facts, odds=odds, unknown=unknown)


def _unknown(seen: Seen, aim: Aim, viewer: Viewer) -> tuple[str, ...]:
    """What decides the attack and is hidden: the target's numbers, and those of third sides."""
    if "helpless" in aim.target.conditions and aim.mode == "melee":
        return ()
    scope = scope_of(seen.rule)
    unknown = []
    if not knows_numbers(aim.target, scope, viewer):
        unknown = ["needed", "suppression"] if aim.mode == "ranged" else ["needed"]
    pair = (aim.attacker.id, aim.target.id)
    others = (
        existing(seen.rule, each.id)
        for each in counting(seen.rule, seen.blobs, aim)
        if each.id not in pair and each.side != aim.target.side
    )
    if any(not knows_numbers(each, scope, viewer) for each in others):
        unknown.append("shooters" if aim.mode == "ranged" else "partners")
    return tuple(unknown)


def _circumstances(drawn: Weighed) -> Facts:
    """What can be seen of an attack without knowing any number."""
    aim, sight = drawn.aim, drawn.sight
    facts: Facts = {
        "mode": aim.mode,
        "distance_ft": aim.distance_ft,
        "attacked_from": drawn.attacked_from,
        "obscured": is_obscured(drawn),
        "automatic": drawn.is_automatic,
    }
    if sight is not None:
        facts["position"] = sight.position
        facts["line"] = msgspec.to_builtins(line_of(sight))
    if aim.is_reckless and drawn.near:
        facts["ally_in_danger"] = drawn.near[0].id
    return facts


def _numbers(seen: Seen, drawn: Weighed, unknown: tuple[str, ...], viewer: Viewer) -> Facts:
    facts: Facts = {}
    doubtful = {_DEPENDS[each] for each in unknown if each in _DEPENDS}
    is_pool_known = not doubtful and "suppression" not in unknown
    if not is_pool_known:
        doubtful.add(CF_SD_2)
    if viewer.is_gm or seen.rule.options.breakdowns != "none":
        lines = [line for line in drawn.breakdown if line.rule not in doubtful]
        facts["breakdown"] = msgspec.to_builtins(lines)
    if drawn.is_automatic:
        return facts
    facts["base"] = drawn.aim.weapon.attack_dice
    if is_pool_known:
        facts["pool"] = drawn.pool
    if "needed" not in unknown:
        facts["needed"] = drawn.needed
    return facts


def _attack_odds(rule: BattleState, drawn: Weighed) -> tuple[Odds, ...]:
    odds = (
        AUTOMATIC_CRITICAL
        if drawn.is_automatic
        else attack_odds(drawn.pool, drawn.needed, rule.options.natural_crit_sixes)
    )
    return (
        odds_of("miss", odds.miss),
        odds_of("hit", odds.hit),
        odds_of("critical", odds.critical),
    )


def _hide(seen: Seen, action: ask.Hide, viewer: Viewer) -> Preview:
    hider, aggressor = require_hide(seen, action)
    options = seen.rule.options
    facts: Facts = {
        "suppression": suppression_against(hider, aggressor.id, options),
        "pool": hider.agi_pool,
    }
    if not knows_numbers(aggressor, scope_of(seen.rule), viewer):
        return Preview(legal=True, facts=facts, unknown=("against_pool",))
    facts["against_pool"] = aggressor.int_pool
    success = hide_odds(hider.agi_pool, aggressor.int_pool, tie_succeeds=options.hide_tie_succeeds)
    odds = (odds_of("success", success), odds_of("failure", 1 - success))
    return Preview(legal=True, facts=facts, odds=odds)


def _move(seen: Seen, action: ask.Move) -> Preview:
    cost_ft = require_move(seen, action)
    posture = "open" if action.posture is UNSET else action.posture
    facts: Facts = {
        "cost_ft": cost_ft,
        "budget_ft": existing(seen.rule, action.combatant).speed_ft,
        "end": msgspec.to_builtins(action.path[-1]),
        "posture": posture,
    }
    return Preview(legal=True, facts=facts)
