"""Effects on open decisions."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Raw, Struct, UnsetType

from service.engine.battle.open_decisions import Decision, Declared, How, Suspended
from service.engine.visibility.audience import (
    BEARER,
    DECISION,
    EVERYONE,
    GM,
    GM_WORD,
)
from service.engine.vocabulary.choices import Choice
from service.engine.vocabulary.effects.effect import Effect
from service.engine.vocabulary.recorded_words import (
    RecordedDecisionId,
    RecordedSubjectId,
    RecordedWord,
)
from service.engine.vocabulary.values import (
    Roll,
)


class DecisionOpened(Effect, frozen=True, kw_only=True, tag="decision_opened"):
    """A question is open.

    It opens a new group on top of the stack, unless it `joins` the top one: told openly, that would
    betray questions that others do not see, so `first` is always true. `declared` is the action
    that waits for the table's dice, with the faces so far; `suspended` the one that waits until
    the group is complete.
    """

    decision: Annotated[Decision, EVERYONE]
    """The question, and who may answer it."""
    first: Annotated[bool, EVERYONE] = True
    """Always true: whether it is the first of its group would tell of questions that others do not
    see."""
    joins: Annotated[bool | UnsetType, GM] = UNSET
    """True where it belongs to the group on top of the stack; absent where it opens a group of its
    own."""
    declared: Annotated[Declared | UnsetType, GM] = UNSET
    """Action that waits for the table's dice, with the faces so far; absent where none does."""
    suspended: Annotated[Suspended | UnsetType, GM] = UNSET
    """Action that waits until its group is complete; stated with the first question of the group,
    absent otherwise."""


class AnswerAsked(DecisionOpened, frozen=True, kw_only=True, tag="decision_opened"):
    """One question of several: who may not know of it sees nothing, not even that there is one."""

    decision: Annotated[Decision, EVERYONE, BEARER]
    """The question, and who may answer it."""


class Sealed(Struct, frozen=True, kw_only=True):
    """How a question was closed and with which choice, while others of its group are open."""

    how: Annotated[How, GM]
    """How it was closed: `answered`, `passed`, `forced` by the game master or `timeout`."""
    choice: Annotated[Raw, GM]
    """The choice with its fields; of a forced decision `pass`."""


class DecisionClosed(Effect, frozen=True, kw_only=True, tag="decision_closed"):
    """A question is closed; how and with which choice is stated once its group is complete.

    Until then both are `sealed`. `full` is a choice that says more than its name. `roll` are the
    faces that it brought where the action waits for more: no other effect names them.
    """

    decision_id: Annotated[RecordedDecisionId, EVERYONE, DECISION]
    """Decision that is closed."""
    how: Annotated[How | UnsetType, EVERYONE] = UNSET
    """How: `answered`, `passed`, `forced` by the game master, `timeout`, or `void` where nobody can
    answer any more. Absent while others of its group are open."""
    choice: Annotated[RecordedWord | UnsetType, EVERYONE] = UNSET
    """Name of the choice; absent where the decision is void, where a `roll` is forced, or while
    others of its group are open."""
    sealed: Annotated[Sealed | UnsetType, GM] = UNSET
    """How it was closed and with which choice, kept from everyone but the game master until the
    group is complete; absent once both are stated."""
    full: Annotated[Choice | UnsetType, EVERYONE] = UNSET
    """The whole choice, where it says more than its name; absent otherwise."""
    roll: Annotated[Roll | UnsetType, EVERYONE] = UNSET
    """Faces that an answered `roll` brought where the action waits for more dice; absent otherwise,
    since the effects of the action show them."""


class ActionStopped(Effect, frozen=True, kw_only=True, tag="action_stopped"):
    """An action that waited goes no further, since the game master changed what it rests on.

    What it has done so far stays. `rule` and `code` are those with which it would be refused now to
    whoever asked for it, on what that seat knows.
    """

    combatant: Annotated[RecordedSubjectId, EVERYONE]
    """Combatant whose action it is."""
    code: Annotated[RecordedWord, EVERYONE]
    """Code of the refusal, such as `out_of_reach`."""


class WindowSkipped(Effect, frozen=True, kw_only=True, tag="window_skipped"):
    """A question nobody was eligible to answer was not asked; only the GM knows of it."""

    AUDIENCE: ClassVar[str] = GM_WORD

    kind: Annotated[RecordedWord, GM]
    """Kind of question that was not asked, such as `reaction` (SK-REACT-2)."""
    why: Annotated[RecordedWord, GM]
    """`nobody_eligible`, or `reactions_none` where the option `reactions` is `none`."""
