"""Answers of the victims of an attack; the last one resumes it."""

from service.engine.battle.decision_groups import close
from service.engine.battle.decisions import require_open
from service.engine.dice.dice import Dice, DiceAfterFaces, SuppliedDice
from service.engine.vocabulary.actions import ForcePass
from service.rulesets.seeker_d100.actions import Answer
from service.rulesets.seeker_d100.deciding.attack_resolution import resume
from service.rulesets.seeker_d100.deciding.reaction_choices import READERS, require_choice
from service.rulesets.seeker_d100.deciding.resolution import Resolution
from service.rulesets.seeker_d100.deciding.waiting_attack import reading_of


def answer(resolution: Resolution, action: Answer | ForcePass) -> None:
    """The effects of an answer, sealed while others are open; the last one resumes the attack.

    Where the version judges attacks again, one that has brought dice is not taken back any more:
    what has become of its choice is judged with the attack.
    """
    state = resolution.state
    decision = require_open(state, action.decision_id, resolution.by)
    is_taken = reading_of(state) is not None and _has_dice(resolution.dice)
    if isinstance(action, Answer) and not is_taken:
        require_choice(resolution.view, state, decision, action.choice)
    resumed = close(resolution.effects, decision, action, READERS)
    if resumed is not None:
        resume(resolution, resumed)


def _has_dice(dice: Dice) -> bool:
    """Whether faces are there that were brought for this answer before."""
    return isinstance(dice, SuppliedDice | DiceAfterFaces) and bool(dice.earlier)
