"""The answer of a victim to an attack, as far as the caller may know it."""

from typing import NamedTuple

from msgspec import UNSET

from service.engine.battle.roster import is_out
from service.engine.battle.state import scope_of
from service.engine.geometry.segments import Spot
from service.engine.kit.perception import knows_numbers
from service.engine.visibility.scope import Viewer
from service.rulesets.seeker_d100.actions import (
    AnyChoice,
    DodgeChoice,
    ResistChoice,
    TakeCoverChoice,
)
from service.rulesets.seeker_d100.deciding.assault import Assault
from service.rulesets.seeker_d100.deciding.checks import weigh_check
from service.rulesets.seeker_d100.deciding.reaction_rolls import answer_skill, is_ready
from service.rulesets.seeker_d100.evolve import BattleEffects
from service.rulesets.seeker_d100.facts import AnswerFacts, weighed
from service.rulesets.seeker_d100.places import spot_at
from service.rulesets.seeker_d100.previews.chances import Opposition
from service.rulesets.seeker_d100.readings import Readings
from service.rulesets.seeker_d100.rules.checks import CheckRoll
from service.rulesets.seeker_d100.rules.resist import resisting
from service.rulesets.seeker_d100.rules.standing import does_answer
from service.rulesets.seeker_d100.rules.words import Answered
from service.rulesets.seeker_d100.state import Combatant, StandingRoll, is_held


class ForeseenAnswer(NamedTuple):
    """An answer to come: an opposed roll, or a dive for cover to the spot `to`.

    `is_known`: whether its chance may be shown; `dive` is the chance of the dive in per cent.
    """

    facts: AnswerFacts
    against: Opposition | None = None
    dive: int | None = None
    to: Spot | None = None
    is_known: bool = True


def foresee_answer(
    effects: BattleEffects,
    assault: Assault,
    victim: Combatant,
    choice: AnyChoice | None,
    viewer: Viewer,
) -> ForeseenAnswer:
    """The answer of a victim that makes this choice, in the order in which answers are taken.

    `choice` None: it declines, where it is asked.
    """
    answer = _foresee(effects, assault, victim, choice, viewer)
    if answer.against is None or answer.against.answered != "dodge":
        return answer
    is_plain = (
        effects.state.terms.read_as(Readings).dodge.plain_rule(assault.arm.delivery) is not None
    )
    return answer._replace(against=answer.against._replace(is_plain=is_plain))


def _foresee(
    effects: BattleEffects,
    assault: Assault,
    victim: Combatant,
    choice: AnyChoice | None,
    viewer: Viewer,
) -> ForeseenAnswer:
    if is_out(victim) or is_held(victim):
        return ForeseenAnswer(AnswerFacts(kind="none"))
    standing = victim.standing_roll
    if standing is not UNSET and does_answer(standing.kind, assault.arm.delivery):
        return _foresee_standing_roll(standing)
    stance = victim.answering
    if stance is not UNSET and is_ready(effects.rule, assault, victim):
        item = None if stance.item is UNSET else stance.item
        return _foresee_roll(effects, victim, stance.kind, item, viewer)
    return (
        foresee_choice(effects, victim, choice, viewer)
        if victim.actions_left
        else ForeseenAnswer(AnswerFacts(kind="none"))
    )


def foresee_choice(
    effects: BattleEffects, victim: Combatant, choice: AnyChoice | None, viewer: Viewer
) -> ForeseenAnswer:
    """The answer of a victim that is asked and makes this choice; None: it declines."""
    match choice:
        case DodgeChoice():
            return _foresee_roll(effects, victim, "dodge", None, viewer)
        case ResistChoice():
            return _foresee_roll(effects, victim, resisting(choice.intent), choice.weapon, viewer)
        case TakeCoverChoice():
            return _foresee_dive(effects, victim, choice, viewer)
        case _:
            return ForeseenAnswer(AnswerFacts(kind="pass"))


def _foresee_standing_roll(standing: StandingRoll) -> ForeseenAnswer:
    roll = CheckRoll(standing.natural, standing.level)
    facts = AnswerFacts(
        kind="standing", answered=standing.kind, natural=roll.natural, level=roll.level
    )
    return ForeseenAnswer(facts, Opposition(standing.kind, None, roll))


def _foresee_roll(
    effects: BattleEffects, victim: Combatant, answered: Answered, item: str | None, viewer: Viewer
) -> ForeseenAnswer:
    facts = AnswerFacts(kind="dodge" if answered == "dodge" else "resist", answered=answered)
    if not knows_numbers(victim, scope_of(effects.rule), viewer):
        return ForeseenAnswer(facts, is_known=False)
    weight = weigh_check(victim, answer_skill(effects, victim, item))
    against = Opposition(answered, weight.chance, None)
    return ForeseenAnswer(weighed(facts, weight), against)


def _foresee_dive(
    effects: BattleEffects, victim: Combatant, choice: TakeCoverChoice, viewer: Viewer
) -> ForeseenAnswer:
    to = spot_at(choice.to)
    facts = AnswerFacts(kind="take_cover", cover=choice.cover, to=choice.to)
    if not knows_numbers(victim, scope_of(effects.rule), viewer):
        return ForeseenAnswer(facts, to=to, is_known=False)
    weight = weigh_check(victim, victim.skills.dodge)
    return ForeseenAnswer(weighed(facts, weight), dive=weight.chance, to=to)
