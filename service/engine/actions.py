"""Actions every ruleset takes, named alike; each ruleset adds its own to the union.

`WHO` says which role may ask (`permission.py`), `combatant` is who acts.
"""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.audience import (
    BEARER,
    CHOICE,
    DECISION,
    EVERYONE,
    GM_TEXT,
    HEALTH,
    NUMBERS,
    TEXT,
    SubjectId,
)
from service.engine.state import Combatant, Seat, TableOptions
from service.engine.vocabulary import (
    Amount,
    DecisionId,
    DiceMode,
    Digest,
    LongText,
    Metadata,
    NameText,
    Opened,
    Place,
    Role,
    SeatId,
    Seq,
    Side,
    SideId,
    Word,
)

Who = Literal["gm", "player"]


class Action(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """What somebody asks for. `WHO` = `player` means players and the GM."""

    WHO: ClassVar[Who] = "gm"


class CombatantAction(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action of a combatant in its turn."""

    WHO: ClassVar[Who] = "player"

    combatant: Annotated[SubjectId, EVERYONE]


class CreateEncounter(
    Action, frozen=True, kw_only=True, tag="create_encounter", forbid_unknown_fields=True
):
    """Event 1: the terms of the battle. The ruleset narrows options, combatants and ground."""

    ruleset: Annotated[str, EVERYONE]
    version: Annotated[str, EVERYONE]
    dice: Annotated[DiceMode, EVERYONE] = "sealed"
    commitment: Annotated[Digest, EVERYONE]
    seed: Annotated[Literal["os", "given"], EVERYONE]
    sides: Annotated[tuple[Side, ...], EVERYONE]
    seats: Annotated[tuple[Seat, ...], EVERYONE] = ()
    options: Annotated[TableOptions, EVERYONE]
    combatants: Annotated[tuple[Combatant, ...], EVERYONE] = ()
    map: Annotated[Digest | UnsetType, EVERYONE] = UNSET
    content: Annotated[Digest | UnsetType, EVERYONE] = UNSET
    reveal_by_days: Annotated[int, EVERYONE] = 180
    title: Annotated[NameText | UnsetType, TEXT] = UNSET
    metadata: Annotated[Metadata | UnsetType, TEXT] = UNSET


class AddCombatant(Action, frozen=True, kw_only=True, tag="add_combatant"):
    """Bring a combatant in, before or during the battle."""

    combatant: Annotated[Combatant, EVERYONE, BEARER]


class RemoveCombatant(Action, frozen=True, kw_only=True, tag="remove_combatant"):
    """Take a combatant out."""

    combatant: Annotated[SubjectId, EVERYONE]


class AssignControl(Action, frozen=True, kw_only=True, tag="assign_control"):
    """Say what a seat controls: all combatants of `sides`, and `combatants` by name."""

    seat: Annotated[SeatId, EVERYONE]
    sides: Annotated[Annotated[tuple[SideId, ...], Meta(max_length=500)], EVERYONE] = ()
    combatants: Annotated[Annotated[tuple[SubjectId, ...], Meta(max_length=500)], EVERYONE] = ()


class AddSeat(Action, frozen=True, kw_only=True, tag="add_seat", forbid_unknown_fields=True):
    """Give a participant a seat: `gm` (a co-GM), `player` or `observer`."""

    seat: Annotated[Seat, EVERYONE]


class ChangeSeat(Action, frozen=True, kw_only=True, tag="change_seat", forbid_unknown_fields=True):
    """Change role, control, name or metadata of a seat; what is absent stays as it is."""

    seat: Annotated[SeatId, EVERYONE]
    role: Annotated[Role | UnsetType, EVERYONE] = UNSET
    sides: Annotated[Annotated[tuple[SideId, ...], Meta(max_length=16)] | UnsetType, EVERYONE] = (
        UNSET
    )
    combatants: Annotated[
        Annotated[tuple[SubjectId, ...], Meta(max_length=500)] | UnsetType, EVERYONE
    ] = UNSET
    name: Annotated[NameText | UnsetType, TEXT] = UNSET
    metadata: Annotated[Metadata | UnsetType, GM_TEXT] = UNSET


class RemoveSeat(Action, frozen=True, kw_only=True, tag="remove_seat", forbid_unknown_fields=True):
    """Take a seat away for good; no other seat is ever given its id."""

    seat: Annotated[SeatId, EVERYONE]


class StartEncounter(Action, frozen=True, kw_only=True, tag="start_encounter"):
    """Freeze the options and begin round 1 (or the round a prepared battle is in)."""


class EndEncounter(Action, frozen=True, kw_only=True, tag="end_encounter"):
    """End the battle, and reveal the seed now or later; `open` says whose parts open."""

    reveal: Annotated[Literal["now", "later"], EVERYONE] = "later"
    open: Annotated[Opened, EVERYONE] = "none"
    winner: Annotated[SideId | UnsetType, EVERYONE] = UNSET
    reason: Annotated[LongText | UnsetType, TEXT] = UNSET


class Reveal(Action, frozen=True, kw_only=True, tag="reveal"):
    """After the end: reveal the seed, and open parts to those who could not read them."""

    seed: Annotated[bool, EVERYONE] = True
    open: Annotated[Opened, EVERYONE] = "none"


class Erase(Action, frozen=True, kw_only=True, tag="erase"):
    """Empty the free text of these events for good."""

    seqs: Annotated[Annotated[tuple[Seq, ...], Meta(min_length=1, max_length=1000)], EVERYONE]


class Contribute(Action, frozen=True, kw_only=True, tag="contribute"):
    """Mix 32 bytes of one's own into the dice, once each, before the start."""

    WHO: ClassVar[Who] = "player"

    value: Annotated[Digest, EVERYONE]


class NoteAction(Action, frozen=True, kw_only=True, tag="note"):
    """Leave a remark in the log; `gm_text` only by the GM."""

    WHO: ClassVar[Who] = "player"

    text: Annotated[LongText | UnsetType, TEXT] = UNSET
    gm_text: Annotated[LongText | UnsetType, GM_TEXT] = UNSET


class Rewind(Action, frozen=True, kw_only=True, tag="rewind"):
    """Continue from the rule state of seq `to`; to an undone seq it is a redo."""

    WHO: ClassVar[Who] = "player"

    to: Annotated[Seq, EVERYONE]


class Choice(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """What an answer chooses; rulesets add their own choices."""


class RollChoice(Choice, frozen=True, kw_only=True, tag="roll"):
    """The dice were rolled: the faces stand beside the action, as `dice`."""


class PassChoice(Choice, frozen=True, kw_only=True, tag="pass"):
    """Decline; `reason` says whether somebody chose so or time ran out."""

    reason: Annotated[Literal["choice", "timeout"], EVERYONE] = "choice"


class Answer(Action, frozen=True, kw_only=True, tag="answer"):
    """Answer a pending decision. Rulesets narrow `choice` to their union."""

    WHO: ClassVar[Who] = "player"

    decision_id: Annotated[DecisionId, EVERYONE, DECISION]
    choice: Annotated[Choice, CHOICE]


class ForcePass(Action, frozen=True, kw_only=True, tag="force_pass"):
    """Close a decision for somebody who does not answer."""

    decision_id: Annotated[DecisionId, EVERYONE, DECISION]
    reason: Annotated[LongText | UnsetType, TEXT] = UNSET


class Change(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """One thing the GM overrules."""

    combatant: Annotated[SubjectId, EVERYONE]


class SetHp(Change, frozen=True, kw_only=True, tag="hp"):
    """Health has this value."""

    value: Annotated[Amount, HEALTH]


class SetPlace(Change, frozen=True, kw_only=True, tag="place"):
    """Stand there."""

    place: Annotated[Place, EVERYONE]


class SetCondition(Change, frozen=True, kw_only=True, tag="condition"):
    """A condition holds, or does not."""

    condition: Annotated[Word, EVERYONE]
    holds: Annotated[bool, EVERYONE] = True


class SetResource(Change, frozen=True, kw_only=True, tag="resource"):
    """A resource has this value."""

    resource: Annotated[Word, EVERYONE]
    value: Annotated[Amount, EVERYONE]


class SetStat(Change, frozen=True, kw_only=True, tag="stat"):
    """A number of the sheet has this value."""

    stat: Annotated[Word, EVERYONE]
    value: Annotated[Amount, NUMBERS]


class RevealCombatant(Change, frozen=True, kw_only=True, tag="reveal"):
    """Everyone sees it from now on."""


class HideCombatant(Change, frozen=True, kw_only=True, tag="hide"):
    """Only its side sees it from now on."""


SharedChange = (
    SetHp | SetPlace | SetCondition | SetResource | SetStat | RevealCombatant | HideCombatant
)


class EndTurn(CombatantAction, frozen=True, kw_only=True, tag="end_turn"):
    """The combatant's turn is over."""
