"""What an action would do, as far as the asker may know; nothing is drawn.

An attack tells its breakdown, pool and exact odds, hiding its odds, a move its cost. What
depends on numbers that are hidden from the asker is named in `unknown` and left out.
"""

from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.fold import EffectBuilder
from service.engine.battle.roster import existing
from service.engine.battle.state import State, scope_of, viewer_of
from service.engine.kit.perception import knows_numbers, perceive
from service.engine.kit.previews import odds_of, rehearse
from service.engine.ruleset.definition import NO_ANSWERS, Answers, Odds, Preview, require_asked
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.breakdown import Modifier
from service.engine.vocabulary.values import By, Place
from service.errors import Refused
from service.rulesets.crossfire_d6 import actions as ask
from service.rulesets.crossfire_d6.decide import GameMasterAction, decide
from service.rulesets.crossfire_d6.deciding.attack_line import Aim, require_attack, sight_taken
from service.rulesets.crossfire_d6.deciding.attack_modifiers import AttackPool, fighters_in, weigh
from service.rulesets.crossfire_d6.deciding.attacks import is_obscured, line_of, meet_ground
from service.rulesets.crossfire_d6.deciding.hiding import require_hide
from service.rulesets.crossfire_d6.deciding.moves import require_move
from service.rulesets.crossfire_d6.evolve import evolve
from service.rulesets.crossfire_d6.fighters import suppression_against
from service.rulesets.crossfire_d6.rules.crossfire import CF_XFIRE_2
from service.rulesets.crossfire_d6.rules.defaults import CF_SD_2
from service.rulesets.crossfire_d6.rules.facing import Direction
from service.rulesets.crossfire_d6.rules.flanking import CF_FLANK_1
from service.rulesets.crossfire_d6.rules.ground import Position, Posture
from service.rulesets.crossfire_d6.rules.odds import AUTOMATIC_CRITICAL, attack_odds, hide_odds
from service.rulesets.crossfire_d6.state import BattleState
from service.rulesets.crossfire_d6.terrain import Cell

View = State[BattleState]
"""The battle as somebody may know it."""
FactsByName = dict[str, object]

_DEPENDS = {"shooters": CF_XFIRE_2, "partners": CF_FLANK_1}
"""What other people's hidden numbers decide, and the line it would be."""


class Facts(Struct, frozen=True, kw_only=True):
    """An attack, a try to hide, or a move; nothing of the others' numbers that are hidden.

    An attack: `mode` to `needed`, where `pool` are the dice to be rolled, `breakdown` what made
    them of `base`, and `line` the cells at both ends. Hiding: `suppression` by the aggressor,
    `pool` against `against_pool`. A move: `cost_ft` of `budget_ft`, its `end` and the `posture`
    there.
    """

    mode: Literal["ranged", "melee"] | UnsetType = UNSET
    """Kind of attack; absent where the action is none."""
    distance_ft: int | UnsetType = UNSET
    """Feet between attacker and target, of an attack."""
    attacked_from: Direction | UnsetType = UNSET
    """Where the attack comes from, as the target looks (CF-FACE-5)."""
    obscured: bool | UnsetType = UNSET
    """Whether the shot has poor visibility, even if that costs no dice (CF-OBSC-1)."""
    automatic: bool | UnsetType = UNSET
    """Whether the attack is a critical hit without a roll (CF-HELP-1)."""
    position: Position | UnsetType = UNSET
    """The target's position against this attacker; absent in melee without `cover_vs_melee`."""
    line: tuple[Place, Place] | UnsetType = UNSET
    """Cells at the attacker's and at the target's end of the line used, lean cells included
    (CF-GEO-5); absent where `position` is."""
    ally_in_danger: str | UnsetType = UNSET
    """Id of the ally whom a miss of reckless fire may hit; absent without one."""
    breakdown: tuple[Modifier, ...] | UnsetType = UNSET
    """What changes `base` into `pool`, without lines whose numbers the caller may not know; absent
    where the option `breakdowns` hides it."""
    base: int | UnsetType = UNSET
    """Attack dice of the weapon, before modifiers; absent where nothing is rolled."""
    pool: int | UnsetType = UNSET
    """Six-sided dice to roll: of an attack, or of the hider's agility; absent where the caller may
    not know it."""
    needed: int | UnsetType = UNSET
    """Total that an attack must reach to hit (CF-SD-3); absent where the caller may not know it."""
    suppression: int | UnsetType = UNSET
    """Dice of suppression that the enemy gains against the hider now (CF-PIN-6)."""
    against_pool: int | UnsetType = UNSET
    """Dice of intellect that the enemy rolls against the hider; absent where the caller may not
    know it."""
    cost_ft: int | UnsetType = UNSET
    """Feet of movement that the path costs."""
    budget_ft: int | UnsetType = UNSET
    """Feet of movement that the combatant has for a move."""
    end: Cell | UnsetType = UNSET
    """The cell where the path ends."""
    posture: Posture | UnsetType = UNSET
    """Posture taken at the end of the path."""


def preview(
    state: State[BattleState], action: do.Action, by: By, answers: Answers = NO_ANSWERS
) -> Preview:
    """The preview of an action, on what the asker may know.

    Role, control and the moment are allowed already. Nobody is asked anything by these rules.
    Raises the same Refused or Malformed as `decide`, Refused("no_preview") for what the engine
    decides by itself, and Refused("not_asked").
    """
    require_asked(answers, ())
    viewer = viewer_of(by, state.rule, state.linear)
    view = perceive(state, viewer)
    match action:
        case ask.RangedAttack() | ask.MeleeAttack():
            result = _attack(view, action, viewer)
        case ask.Hide():
            result = _hide(view, action, viewer)
        case ask.Move():
            result = _move(view, action)
        case _ if isinstance(action, ask.Deed | GameMasterAction):
            result = Preview(legal=True, facts={})
        case _:
            raise Refused("no_preview", action=str(action.__struct_config__.tag))
    return rehearse(result, decide, view, action, by)


def _attack(view: View, action: ask.RangedAttack | ask.MeleeAttack, viewer: Viewer) -> Preview:
    effects = EffectBuilder(view, evolve)
    aim = meet_ground(effects, action, require_attack(view, action))
    pool = weigh(effects.rule, aim, sight_taken(effects.state, aim))
    unknown = _unknown(view, aim, viewer)
    facts = {**_circumstances(pool), **_numbers(view, pool, unknown, viewer)}
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


def _circumstances(pool: AttackPool) -> FactsByName:
    """What can be seen of an attack without knowing any number."""
    aim, sight = pool.aim, pool.sight
    facts: FactsByName = {
        "mode": aim.mode,
        "distance_ft": aim.distance_ft,
        "attacked_from": pool.attacked_from,
        "obscured": is_obscured(pool),
        "automatic": pool.is_automatic,
    }
    if sight is not None:
        facts["position"] = sight.position
        facts["line"] = msgspec.to_builtins(line_of(sight))
    if aim.is_reckless and pool.near:
        facts["ally_in_danger"] = pool.near[0].id
    return facts


def _numbers(view: View, pool: AttackPool, unknown: tuple[str, ...], viewer: Viewer) -> FactsByName:
    facts: FactsByName = {}
    doubtful = {_DEPENDS[each] for each in unknown if each in _DEPENDS}
    is_pool_known = not doubtful and "suppression" not in unknown
    if not is_pool_known:
        doubtful.add(CF_SD_2)
    if viewer.is_gm or view.rule.options.breakdowns != "none":
        lines = [line for line in pool.breakdown if line.rule not in doubtful]
        facts["breakdown"] = msgspec.to_builtins(lines)
    if pool.is_automatic:
        return facts
    facts["base"] = pool.aim.weapon.attack_dice
    if is_pool_known:
        facts["pool"] = pool.dice
    if "needed" not in unknown:
        facts["needed"] = pool.needed
    return facts


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


def _hide(view: View, action: ask.Hide, viewer: Viewer) -> Preview:
    hider, aggressor = require_hide(view, action)
    options = view.rule.options
    facts: FactsByName = {
        "suppression": suppression_against(hider, aggressor.id, options),
        "pool": hider.agi_pool,
    }
    if not knows_numbers(aggressor, scope_of(view.rule), viewer):
        return Preview(legal=True, facts=facts, unknown=("against_pool",))
    facts["against_pool"] = aggressor.int_pool
    success = hide_odds(hider.agi_pool, aggressor.int_pool, tie_succeeds=options.hide_tie_succeeds)
    odds = (odds_of("success", success), odds_of("failure", 1 - success))
    return Preview(legal=True, facts=facts, odds=odds)


def _move(view: View, action: ask.Move) -> Preview:
    cost_ft = require_move(view, action)
    posture = "open" if action.posture is UNSET else action.posture
    facts: FactsByName = {
        "cost_ft": cost_ft,
        "budget_ft": existing(view.rule, action.combatant).speed_ft,
        "end": msgspec.to_builtins(action.path[-1]),
        "posture": posture,
    }
    return Preview(legal=True, facts=facts)
