"""What an action would do, as far as the asker may know; nothing is drawn.

Attacks and answers to them tell their chance and exact odds (`previews/`), so do an attempt to
break free and a movement with a test. What depends on numbers that are hidden from the asker is
named in `unknown` and left out.
"""

from msgspec import UNSET, to_builtins

from service.engine.battle.roster import combatant_of, existing
from service.engine.battle.state import State, scope_of, viewer_of
from service.engine.kit.perception import knows_numbers, perceive
from service.engine.kit.previews import odds_by_count, rehearse
from service.engine.ruleset.definition import NO_ANSWERS, Answers, Odds, Preview, require_asked
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.values import By
from service.errors import Refused
from service.rulesets.seeker_d100 import actions as ask
from service.rulesets.seeker_d100.decide import GmAction, decide
from service.rulesets.seeker_d100.deciding.checks import weigh_check
from service.rulesets.seeker_d100.deciding.holds import require_break_free
from service.rulesets.seeker_d100.deciding.moves import require_move, weigh_movement
from service.rulesets.seeker_d100.previews.attack import preview_answer, preview_attack
from service.rulesets.seeker_d100.previews.foreseen_answers import FactDict, weight_facts
from service.rulesets.seeker_d100.previews.percentile_odds import (
    PAIRS,
    break_free_odds,
    check_odds,
    face_levels,
)
from service.rulesets.seeker_d100.rules.checks import CheckRoll
from service.rulesets.seeker_d100.rules.escape import break_free_chance, breaks_free
from service.rulesets.seeker_d100.rules.movement import (
    longest_way_m,
)
from service.rulesets.seeker_d100.rules.words import D100
from service.rulesets.seeker_d100.state import BattleState, Options


def preview(
    state: State[BattleState], action: do.Action, by: By, answers: Answers = NO_ANSWERS
) -> Preview:
    """The preview of an action, on what the asker may know.

    Role, control and the moment are allowed already. `answers` are those of the victims of an
    attack. Raises the same Refused, Forbidden or Malformed as `decide`, Refused("not_asked"), and
    Refused("no_preview") for what the engine decides by itself.
    """
    viewer = viewer_of(by, state.rule, state.linear)
    view = perceive(state, viewer)
    if isinstance(action, ask.AttackAction):
        return preview_attack(view, action, by, viewer, answers)
    require_asked(answers, ())
    match action:
        case ask.Answer() | do.ForcePass():
            return preview_answer(state, view, action, by, viewer)
        case ask.BreakFree():
            sketch = _break_free(view, action, viewer)
        case ask.Move():
            sketch = _move(view, action)
        case _ if isinstance(action, ask.Deed | GmAction):
            sketch = Preview(legal=True, facts={})
        case _:
            raise Refused("no_preview", action=str(action.__struct_config__.tag))
    return rehearse(sketch, decide, view, action, by)


def _break_free(view: State[BattleState], action: ask.BreakFree, viewer: Viewer) -> Preview:
    holder = require_break_free(view.rule, action)
    held = existing(view.rule, action.combatant)
    ours = weigh_check(held, break_free_chance(held.strength, held.skills.unarmed))
    facts = weight_facts(ours)
    options = view.rule.options
    if options.break_free_versus == "grapple_roll" and held.held_by is not UNSET:
        against = CheckRoll(held.held_by.natural, held.held_by.level)
        facts["against"] = {"natural": against.natural, "level": against.level}
        return Preview(legal=True, facts=facts, odds=_odds_with(ours.chance, against, options))
    facing = combatant_of(view.rule, holder)
    if facing is None or not knows_numbers(facing, scope_of(view.rule), viewer):
        return Preview(legal=True, facts=facts, unknown=("against",))
    theirs = weigh_check(facing, facing.skills.unarmed)
    facts["against"] = weight_facts(theirs)
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


def _move(view: State[BattleState], action: ask.Move) -> Preview:
    length_m = require_move(view.rule, action)
    facts: FactDict = {
        "length_m": length_m,
        "budget_m": longest_way_m(action.gait),
        "end": to_builtins(action.path[-1]),
    }
    weight = weigh_movement(existing(view.rule, action.combatant), action)
    if weight is None:
        return Preview(legal=True, facts=facts)
    odds = check_odds(weight.chance, doubles=view.rule.options.doubles)
    counts = (
        ("fumble", odds.fumble),
        ("failure", odds.failure),
        ("success", odds.success),
        ("critical", odds.critical),
    )
    facts |= weight_facts(weight)
    return Preview(legal=True, facts=facts, odds=odds_by_count(counts, D100))
