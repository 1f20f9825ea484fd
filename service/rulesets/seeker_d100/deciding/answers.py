"""Answers of the victims of an attack; the last one resumes it."""

from service.engine.battle.decision_groups import close
from service.engine.battle.decisions import require_open
from service.engine.vocabulary.actions import ForcePass
from service.rulesets.seeker_d100.actions import Answer
from service.rulesets.seeker_d100.deciding.attack_resolution import resume
from service.rulesets.seeker_d100.deciding.reaction_choices import READERS, require_choice
from service.rulesets.seeker_d100.deciding.resolution import Resolution


def answer(resolution: Resolution, action: Answer | ForcePass) -> None:
    """The effects of an answer, sealed while others are open; the last one resumes the attack."""
    state = resolution.state
    decision = require_open(state, action.decision_id, resolution.by)
    if isinstance(action, Answer):
        require_choice(resolution.view, state, decision, action.choice)
    resumed = close(resolution.effects, decision, action, READERS)
    if resumed is not None:
        resume(resolution, resumed)
