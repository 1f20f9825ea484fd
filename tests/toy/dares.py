"""What one side asks the other in the toy ruleset of sides: a dare.

The side that has the turn dares the other one. Any of those who are asked may stand up, which lifts
their morale; where nobody does, the morale of whoever dared is lifted.
"""

from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from service.engine.battle import decision_groups
from service.engine.battle.decisions import require_open, require_option
from service.engine.battle.fold import EffectBuilder
from service.engine.battle.open_decisions import Decision
from service.engine.battle.roster import require_combatant
from service.engine.battle.state import RuleState, State, controls
from service.engine.visibility.audience import CHOICE, EVERYONE, SubjectId
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.choices import Choice, PassChoice
from service.engine.vocabulary.values import By
from service.errors import Forbidden

R = TypeVar("R", bound=RuleState)


class Dare(do.SideAction, frozen=True, kw_only=True, tag="dare"):
    """Ask the other side whether it is afraid."""


class StandUpChoice(Choice, frozen=True, kw_only=True, tag="stand_up"):
    """One of those who are asked is not afraid."""

    combatant: Annotated[SubjectId, EVERYONE]


DareChoice = StandUpChoice | PassChoice


class Answer(do.Answer, frozen=True, kw_only=True, tag="answer"):
    """Stand up, or stay where one is."""

    choice: Annotated[DareChoice, CHOICE]


class Closed(fx.DecisionClosed, frozen=True, kw_only=True, tag="decision_closed"):
    """A dare was answered."""

    full: Annotated[DareChoice | UnsetType, EVERYONE] = UNSET


READERS: Final[decision_groups.Readers[Dare, DareChoice]] = decision_groups.Readers(
    action=msgspec.json.Decoder(Dare), choice=msgspec.json.Decoder(DareChoice)
)


def dare(effects: EffectBuilder[R], action: Dare, by: By, seq: int) -> None:
    """Ask the first other side."""
    other = next(side.id for side in effects.rule.sides if side.id != action.side)
    question = Decision(
        id=decision_groups.UNNUMBERED,
        kind="dare",
        opened_by=seq,
        side=other,
        options=("stand_up", "pass"),
        default="pass",
    )
    decision_groups.suspend(effects, [question], action, by, seq)


def answer(
    effects: EffectBuilder[R],
    state: State[R],
    action: Answer | do.ForcePass,
    by: By,
) -> str:
    """Close the question; the side whose morale is lifted."""
    decision = require_open(state, action.decision_id, by)
    if isinstance(action, Answer):
        require_option(decision, action.choice)
        if isinstance(action.choice, StandUpChoice):
            _require_own(state, action.choice.combatant, by)
    resumed = decision_groups.close(effects, decision, action, READERS)
    assert resumed is not None
    assert isinstance(resumed.action, Dare)
    asked, dared = str(decision.side), resumed.action.side
    return asked if isinstance(resumed.settled[0].choice, StandUpChoice) else dared


def _require_own(state: State[RuleState], combatant: str, by: By) -> None:
    """Nobody stands up for those of another seat."""
    if not controls(by, state.linear, require_combatant(state.rule, combatant)):
        raise Forbidden("not_your_combatant", combatant=combatant)
