"""Open decisions as a battle remembers them: questions, groups, and the actions that wait.

`decisions.py` and `decision_groups.py` say how they are asked, answered and closed.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Raw, Struct, UnsetType

from service.engine.visibility.audience import (
    BEARER,
    EVERYONE,
    GM,
    STREAM,
)
from service.engine.vocabulary.recorded_words import (
    RecordedDecisionId,
    RecordedSeatId,
    RecordedSideId,
    RecordedSubjectId,
    RecordedWord,
)
from service.engine.vocabulary.values import (
    By,
    DrawRun,
)

How = Literal["answered", "passed", "forced", "timeout", "void"]
"""How a decision was closed; `void`: nobody can answer it any more."""


class RollRequest(Struct, frozen=True, kw_only=True):
    """Dice the table must roll: `count` dice of `sides` sides for `purpose`."""

    count: Annotated[int, EVERYONE]
    """How many dice to roll."""
    sides: Annotated[int, EVERYONE]
    """Sides of each die."""
    purpose: Annotated[RecordedWord, EVERYONE]
    """What they are rolled for."""


class Declared(Struct, frozen=True, kw_only=True):
    """An action that waits for the table's dice: it cannot be withdrawn any more.

    `draws` name those of `faces` in the events that brought them.
    """

    action: Annotated[Raw, GM]
    """The action as it was asked for, without free text."""
    by: Annotated[By, GM]
    """Who asked for it."""
    faces: Annotated[tuple[int, ...], GM] = ()
    """Faces that it has so far, in the order of drawing."""
    draws: Annotated[tuple[DrawRun, ...], GM] = ()
    """Where the log has those faces, in the same order."""


class Decision(Struct, frozen=True, kw_only=True):
    """A pending question; `side` or `seat` says who may answer, `combatant` whom it is about.

    Neither: the GM. `stream` is that of the dice asked for, where not everyone may know of them.
    `number` counts the questions of a group, from 1; it would tell of those that are not seen.
    """

    id: Annotated[RecordedDecisionId, EVERYONE]
    """Id to answer it by; a rewind gives it a new one."""
    kind: Annotated[RecordedWord, EVERYONE]
    """What is asked: `roll` for dice of the table, `reaction` for an answer to an attack
    (SK-REACT-2), `opportunity` for an attack out of turn in Tactical d20."""
    opened_by: Annotated[int, EVERYONE]
    """Seq of the event that asked."""
    side: Annotated[RecordedSideId | UnsetType, EVERYONE] = UNSET
    """Side asked: any seat that controls it, or `combatant`, may answer. Absent where one seat or
    the game master is asked."""
    seat: Annotated[RecordedSeatId | UnsetType, EVERYONE] = UNSET
    """The one seat asked; absent where a side or the game master is asked."""
    combatant: Annotated[RecordedSubjectId | UnsetType, EVERYONE] = UNSET
    """Combatant that the question is about: whoever controls it may answer. Absent for none."""
    options: Annotated[tuple[RecordedWord, ...], EVERYONE]
    """Names of the choices that may be made."""
    default: Annotated[RecordedWord, EVERYONE]
    """Choice that stands if nobody answers: `pass`, but for a `roll`, which stays open."""
    roll: Annotated[RollRequest | UnsetType, EVERYONE] = UNSET
    """Dice to roll for the answer; absent for any other question."""
    stream: Annotated[int | UnsetType, EVERYONE, STREAM] = UNSET
    """Who may know of the question and of its dice: 1 and up the sides in their order, 255 the game
    master; absent: everyone."""
    number: Annotated[int | UnsetType, GM] = UNSET
    """Place among the questions of its group, from 1; absent outside a group."""


class Suspended(Struct, frozen=True, kw_only=True):
    """An action that goes on once all decisions of its group are closed."""

    action: Annotated[Raw, GM]
    """The action as it was asked for, without free text."""
    by: Annotated[By, GM]
    """Who asked for it."""
    remainder: Annotated[Raw | UnsetType, GM] = UNSET
    """What is left of the action, in the ruleset's own words, such as the rest of a path; absent
    where it goes on from its beginning."""


class Chosen(Struct, frozen=True, kw_only=True):
    """A decision that was answered while others of its group are open: by what, is sealed."""

    decision: Annotated[Decision, EVERYONE, BEARER]
    """The decision as it was asked."""
    how: Annotated[How, GM]
    """How it was closed: `answered`, `passed`, `forced` by the game master or `timeout`."""
    choice: Annotated[Raw, GM]
    """The choice with its fields; of a forced decision `pass`."""


class DecisionGroup(Struct, frozen=True, kw_only=True):
    """Decisions opened together: answered in any order, resumed when all are closed.

    `decisions` are the open ones, `closed` those that were answered. `declared` is the action that
    waits for dice, `suspended` the one that waits for answers, if it is that kind of group.
    """

    decisions: Annotated[tuple[Decision, ...], EVERYONE]
    """Decisions of the group that are open, in the order of asking."""
    declared: Annotated[Declared | UnsetType, GM] = UNSET
    """Action that waits for the table's dice; absent for another kind of group."""
    closed: Annotated[tuple[Chosen, ...] | UnsetType, EVERYONE] = UNSET
    """Decisions of the group that were answered while others are open; absent where there are none.
    """
    suspended: Annotated[Suspended | UnsetType, GM] = UNSET
    """Action that goes on once the group is complete; absent for another kind of group."""


def in_order(group: DecisionGroup) -> tuple[Decision, ...]:
    """All decisions of a group that is not complete, answered or not, in the order of asking."""
    if group.closed is UNSET:
        return group.decisions
    decisions = (*group.decisions, *(chosen.decision for chosen in group.closed))
    return tuple(
        sorted(decisions, key=lambda decision: 0 if decision.number is UNSET else decision.number)
    )
