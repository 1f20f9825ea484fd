"""What an action would do, as far as the asker may know; nothing is drawn.

Attacks and answers to them tell their chance and exact odds (`foreseeing/`), so do an attempt to
break free and a movement with a test. What depends on numbers that are hidden from the asker is
named in `unknown` and left out.
"""

from msgspec import UNSET, to_builtins

from service.engine.battle.state import State, combatant_of, scope_of, viewer_of
from service.engine.kit.combatants import existing
from service.engine.kit.perception import knows_numbers, perceive
from service.engine.kit.previews import odds_by_count, rehearsed
from service.engine.ruleset import NO_ANSWERS, Answers, Odds, Preview, require_asked
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.engine.vocabulary.values import By
from service.errors import Refused
from service.rulesets.seeker_d100 import actions as ask
from service.rulesets.seeker_d100.decide import Ruling, decide
from service.rulesets.seeker_d100.deciding.holds import require_break_free
from service.rulesets.seeker_d100.deciding.moves import require_move
from service.rulesets.seeker_d100.odds.attacks import foreseen_answer, foreseen_attack
from service.rulesets.seeker_d100.odds.replies import Facts, weighed
from service.rulesets.seeker_d100.rules.checks import CheckRoll
from service.rulesets.seeker_d100.rules.escape import break_free_chance, breaks_free
from service.rulesets.seeker_d100.rules.movement import (
    demanded_modifier,
    longest_way_m,
    movement_skill,
)
from service.rulesets.seeker_d100.rules.odds import (
    PAIRS,
    break_free_odds,
    check_odds,
    face_levels,
)
from service.rulesets.seeker_d100.rules.words import D100
from service.rulesets.seeker_d100.state import BattleState, Combatant, Options

Seen = State[BattleState]


def preview(
    state: State[BattleState], action: do.Action, by: By, answers: Answers = NO_ANSWERS
) -> Preview:
    """The preview of an action, on what the asker may know.

    Role, control and the moment are allowed already. `answers` are those of the victims of an
    attack. Raises the same Refused, Forbidden or Malformed as `decide`, Refused("not_asked"), and
    Refused("no_preview") for what the engine decides by itself.
    """
    viewer = viewer_of(by, state.rule, state.linear)
    seen = perceive(state, viewer)
    if isinstance(action, ask.AttackAction):
        return foreseen_attack(seen, action, by, viewer, answers)
    require_asked(answers, ())
    match action:
        case ask.Answer() | do.ForcePass():
            return foreseen_answer(state, seen, action, by, viewer)
        case ask.BreakFree():
            found = _break_free(seen, action, viewer)
        case ask.Move():
            found = _move(seen, action, by)
        case _ if isinstance(action, ask.Deed | Ruling):
            found = Preview(legal=True, facts={})
        case _:
            raise Refused("no_preview", action=str(action.__struct_config__.tag))
    return rehearsed(found, decide, seen, action, by)


def _break_free(seen: Seen, action: ask.BreakFree, viewer: Viewer) -> Preview:
    holder = require_break_free(seen.rule, action)
    held = existing(seen.rule, action.combatant)
    chance, facts = weighed(held, break_free_chance(held.strength, held.skills.unarmed))
    options = seen.rule.options
    if options.break_free_versus == "grapple_roll" and held.held_by is not UNSET:
        against = CheckRoll(held.held_by.natural, held.held_by.level)
        facts["against"] = {"natural": against.natural, "level": against.level}
        return Preview(legal=True, facts=facts, odds=_odds_with(chance, against, options))
    facing = combatant_of(seen.rule, holder)
    if facing is None or not knows_numbers(facing, scope_of(seen.rule), viewer):
        return Preview(legal=True, facts=facts, unknown=("against",))
    against_chance, facts["against"] = weighed(facing, facing.skills.unarmed)
    odds = _odds_against(chance, against_chance, options)
    return Preview(legal=True, facts=facts, odds=odds)


def _odds_against(chance: int, holder: int, options: Options) -> tuple[Odds, ...]:
    """Against a roll of the holder yet to be made."""
    odds = break_free_odds(chance, holder, doubles=options.doubles, die=options.opposed_die)
    counts = (
        ("success", odds.acting + odds.acting_critical),
        ("failure", odds.answering + odds.answering_critical),
        ("stalemate", odds.stalemate),
    )
    return odds_by_count(counts, PAIRS)


def _odds_with(chance: int, holder: CheckRoll, options: Options) -> tuple[Odds, ...]:
    """Against the roll that made the hold."""
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


def _move(seen: Seen, action: ask.Move, by: By) -> Preview:
    length_m = require_move(seen.rule, action, by)
    facts: Facts = {
        "length_m": length_m,
        "budget_m": longest_way_m(action.gait),
        "end": to_builtins(action.path[-1]),
    }
    mover = existing(seen.rule, action.combatant)
    modifier = mover.movement_test if action.test is UNSET else action.test.modifier
    if modifier is UNSET:
        return Preview(legal=True, facts=facts)
    chance, test = _test(mover, modifier)
    odds = check_odds(chance, doubles=seen.rule.options.doubles)
    counts = (
        ("fumble", odds.fumble),
        ("failure", odds.failure),
        ("success", odds.success),
        ("critical", odds.critical),
    )
    return Preview(legal=True, facts={**facts, **test}, odds=odds_by_count(counts, D100))


def _test(mover: Combatant, modifier: int) -> tuple[int, Facts]:
    return weighed(mover, movement_skill(mover.dexterity), demanded_modifier(modifier))
