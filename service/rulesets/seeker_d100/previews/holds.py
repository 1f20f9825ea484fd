"""The preview of an attempt to break free: both checks and the exact odds."""

from msgspec import UNSET
from msgspec.structs import replace

from service.engine.battle.roster import combatant_of, existing
from service.engine.battle.state import scope_of
from service.engine.kit.perception import knows_numbers
from service.engine.kit.previews import Asker, odds_by_count
from service.engine.ruleset.definition import Odds, Preview
from service.rulesets.seeker_d100.actions import BreakFree
from service.rulesets.seeker_d100.deciding.checks import weigh_check
from service.rulesets.seeker_d100.deciding.holds import require_break_free
from service.rulesets.seeker_d100.facts import CheckFacts, Facts, weighed
from service.rulesets.seeker_d100.previews.percentile_odds import (
    PAIRS,
    break_free_odds,
    face_levels,
)
from service.rulesets.seeker_d100.rules.checks import CheckRoll
from service.rulesets.seeker_d100.rules.escape import break_free_chance, breaks_free
from service.rulesets.seeker_d100.rules.words import D100
from service.rulesets.seeker_d100.state import BattleState, Options


def preview_break_free(asker: Asker[BattleState], action: BreakFree) -> Preview:
    """The preview of an attempt to break free. Raises Refused as deciding it would."""
    view = asker.view
    holder = require_break_free(view.rule, action)
    held = existing(view.rule, action.combatant)
    ours = weigh_check(held, break_free_chance(held.strength, held.skills.unarmed))
    facts = weighed(Facts(), ours)
    options = view.rule.options
    if options.break_free_versus == "grapple_roll" and held.held_by is not UNSET:
        against = CheckRoll(held.held_by.natural, held.held_by.level)
        rolled = CheckFacts(natural=against.natural, level=against.level)
        facts = replace(facts, against=rolled)
        return Preview(legal=True, facts=facts, odds=_odds_with(ours.chance, against, options))
    facing = combatant_of(view.rule, holder)
    if facing is None or not knows_numbers(facing, scope_of(view.rule), asker.viewer):
        return Preview(legal=True, facts=facts, unknown=("against",))
    theirs = weigh_check(facing, facing.skills.unarmed)
    facts = replace(facts, against=weighed(CheckFacts(), theirs))
    odds = _odds_against(ours.chance, theirs.chance, options)
    return Preview(legal=True, facts=facts, odds=odds)


def _odds_against(chance: int, holder: int, options: Options) -> tuple[Odds, ...]:
    """The odds of breaking free against a roll that the holder has yet to make."""
    odds = break_free_odds(chance, holder, doubles=options.doubles, die=options.opposed_die)
    counts = (
        ("success", odds.acting + odds.acting_critical),
        ("failure", odds.answering + odds.answering_critical),
        ("stalemate", odds.stalemate),
    )
    return odds_by_count(counts, PAIRS)


def _odds_with(chance: int, holder: CheckRoll, options: Options) -> tuple[Odds, ...]:
    """The odds of breaking free against the roll that made the hold."""
    levels = enumerate(face_levels(chance, doubles=options.doubles), 1)
    winners = [
        breaks_free(CheckRoll(face, level), holder, options.opposed_die).winner
        for face, level in levels
    ]
    counts = (
        ("success", winners.count("acting")),
        ("failure", winners.count("answering")),
        ("stalemate", winners.count("stalemate")),
    )
    return odds_by_count(counts, D100)
