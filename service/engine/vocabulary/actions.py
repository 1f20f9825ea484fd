"""Actions every ruleset takes, named alike; each ruleset adds its own to the union.

How this works. `EngineAction` are those the engine decides by itself, so that no ruleset ever sees
them. `CommonAction` are those every ruleset takes and decides by its own rules; it names the five
whose fields it narrows. `SharedAction` is both, in the order in which they are published. `WHO`
says which role may ask, `LIFE` when: role, moment, open decisions and the documentation all read
them here. Who acts is a combatant, several, a side or a unit; the caller must control each of the
combatants named, and any of a side or a unit.
"""

from typing import Annotated, ClassVar, Literal, TypeAlias, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from service.engine.battle.linear import Seat
from service.engine.battle.state import Combatant, RuleState, TableOptions
from service.engine.visibility.audience import (
    ACTORS,
    BEARER,
    CHOICE,
    DECISION,
    EVERYONE,
    GM_TEXT,
    TEXT,
    SubjectId,
    UnitId,
)
from service.engine.vocabulary import action_life
from service.engine.vocabulary.action_life import ActionLife
from service.engine.vocabulary.choices import Choice
from service.engine.vocabulary.values import (
    DecisionId,
    DiceMode,
    Digest,
    ForkOf,
    LongText,
    Metadata,
    NameText,
    Opened,
    Role,
    SeatId,
    Seq,
    Side,
    SideId,
)

Who = Literal["gm", "player"]


class Action(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """What somebody asks for. `WHO` = `player` means players and the GM.

    `BY_SERVICE`: the service may ask for it by itself, such as to reveal a seed nobody else will.
    `ENDS_TURN`: it ends a turn, which the service may do where turns have a limit. `GM_FIELDS`:
    its optional fields that only the game master may state, whoever may ask for the rest.
    """

    WHO: ClassVar[Who] = "gm"
    LIFE: ClassVar[ActionLife] = action_life.IN_BATTLE
    BY_SERVICE: ClassVar[bool] = False
    ENDS_TURN: ClassVar[bool] = False
    GM_FIELDS: ClassVar[tuple[str, ...]] = ()


class FormedAction:
    """A further base of actions whose fields must fit one another, which no schema says."""

    __slots__ = ()

    def require_form(self) -> None:
        """The fields fit one another; asked before everything else. Raises Malformed."""
        raise NotImplementedError


class CombatantAction(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action of a combatant in its turn."""

    WHO: ClassVar[Who] = "player"

    combatant: Annotated[SubjectId, EVERYONE]
    """Combatant that acts."""


class JointAction(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action of several combatants together, all of whom the caller controls."""

    WHO: ClassVar[Who] = "player"

    combatants: Annotated[
        Annotated[tuple[SubjectId, ...], Meta(min_length=1, max_length=500)], EVERYONE, ACTORS
    ]
    """Combatants that act, all of them."""


class SideAction(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action of a whole side; whoever controls it, or any of its combatants, acts for it."""

    WHO: ClassVar[Who] = "player"

    side: Annotated[SideId, EVERYONE]
    """Side that acts."""


class UnitAction(Action, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action of a unit (`UnitMember`); whoever controls any of its members acts for it."""

    WHO: ClassVar[Who] = "player"

    unit: Annotated[UnitId, EVERYONE]
    """Unit that acts."""


class CreateEncounter(
    Action, frozen=True, kw_only=True, tag="create_encounter", forbid_unknown_fields=True
):
    """Event 1: the terms of the battle. The ruleset narrows options, combatants and ground."""

    LIFE: ClassVar[ActionLife] = action_life.CREATION

    ruleset: Annotated[str, EVERYONE]
    """Slug of the ruleset whose rules decide."""
    version: Annotated[str, EVERYONE]
    """Version of the ruleset that decides all events of this encounter."""
    dice: Annotated[DiceMode, EVERYONE] = "sealed"
    """`sealed`: the service draws the dice from the seed. `supplied`: the table rolls its own dice
    and sends the faces."""
    commitment: Annotated[Digest, EVERYONE]
    """SHA-256 of the label `warlog/commit/1` with a zero byte and the 32 bytes of the seed: binds
    the dice before the first draw."""
    seed: Annotated[Literal["os", "given"], EVERYONE]
    """Where the seed came from: `os` made by the service, `given` by the creator."""
    sides: Annotated[tuple[Side, ...], EVERYONE]
    """Sides of the battle, in the order of their dice streams; never changed."""
    seats: Annotated[tuple[Seat, ...], EVERYONE] = ()
    """Seats from the start; more may be added later."""
    options: Annotated[TableOptions, EVERYONE]
    """Options of the ruleset; those left out have their defaults."""
    combatants: Annotated[tuple[Combatant, ...], EVERYONE] = ()
    """Combatants from the start, in the order of their creation."""
    map: Annotated[Digest | UnsetType, EVERYONE] = UNSET
    """Digest of the map; absent without one."""
    content: Annotated[Digest | UnsetType, EVERYONE] = UNSET
    """Digest of the content, such as weapons and armour of the table; absent without any."""
    reveal_by_days: Annotated[int, EVERYONE] = 180
    """Days without any event after which the service ends the battle and reveals the seed, once it
    has started."""
    title: Annotated[NameText | UnsetType, TEXT] = UNSET
    """Title of the encounter; absent where none was given or it was erased."""
    metadata: Annotated[Metadata | UnsetType, TEXT] = UNSET
    """The creator's own JSON object, as a string; no rule reads it. Absent where none was given or
    it was erased."""
    fork_of: Annotated[ForkOf | UnsetType, EVERYONE] = UNSET
    """Event of another encounter that this one continues; absent for a new battle."""
    state: Annotated[RuleState | UnsetType, EVERYONE] = UNSET
    """The battle as it stood at that event, taken as given; absent for a new battle."""


class Configure(Action, frozen=True, kw_only=True, tag="configure"):
    """Change the terms before the start. Rulesets say which: options, map, content."""

    LIFE: ClassVar[ActionLife] = action_life.TERMS


class AddCombatant(Action, frozen=True, kw_only=True, tag="add_combatant"):
    """Bring a combatant in, before or during the battle."""

    LIFE: ClassVar[ActionLife] = action_life.UNTIL_THE_END

    combatant: Annotated[Combatant, EVERYONE, BEARER]
    """The whole sheet of the new combatant; no other may have its id."""


class RemoveCombatant(Action, frozen=True, kw_only=True, tag="remove_combatant"):
    """Take a combatant out."""

    LIFE: ClassVar[ActionLife] = action_life.UNTIL_THE_END

    combatant: Annotated[SubjectId, EVERYONE]
    """Combatant to take out."""


class AssignControl(Action, frozen=True, kw_only=True, tag="assign_control"):
    """Say what a seat controls: all combatants of `sides`, and `combatants` by name."""

    LIFE: ClassVar[ActionLife] = action_life.UNTIL_THE_SEED

    seat: Annotated[SeatId, EVERYONE]
    """Seat that is given control."""
    sides: Annotated[Annotated[tuple[SideId, ...], Meta(max_length=500)], EVERYONE] = ()
    """Sides all of whose combatants it controls, now and later; replaces those it had."""
    combatants: Annotated[Annotated[tuple[SubjectId, ...], Meta(max_length=500)], EVERYONE] = ()
    """Combatants it controls by name; replaces those it had."""


class AddSeat(Action, frozen=True, kw_only=True, tag="add_seat", forbid_unknown_fields=True):
    """Give a participant a seat: `gm` (a co-GM), `player` or `observer`."""

    LIFE: ClassVar[ActionLife] = action_life.UNTIL_THE_SEED

    seat: Annotated[Seat, EVERYONE]
    """The new seat; its id must never have been used in this encounter."""


class ChangeSeat(Action, frozen=True, kw_only=True, tag="change_seat", forbid_unknown_fields=True):
    """Change role, control, name or metadata of a seat; what is absent stays as it is."""

    LIFE: ClassVar[ActionLife] = action_life.UNTIL_THE_SEED

    seat: Annotated[SeatId, EVERYONE]
    """Seat to change."""
    role: Annotated[Role | UnsetType, EVERYONE] = UNSET
    """`gm` may do everything, `player` acts for what it controls, `observer` looks on; absent: as
    before."""
    sides: Annotated[Annotated[tuple[SideId, ...], Meta(max_length=16)] | UnsetType, EVERYONE] = (
        UNSET
    )
    """Sides all of whose combatants it controls; absent: as before."""
    combatants: Annotated[
        Annotated[tuple[SubjectId, ...], Meta(max_length=500)] | UnsetType, EVERYONE
    ] = UNSET
    """Combatants it controls by name; absent: as before."""
    name: Annotated[NameText | UnsetType, TEXT] = UNSET
    """Display name; absent: as before."""
    metadata: Annotated[Metadata | UnsetType, GM_TEXT] = UNSET
    """JSON object of the seat, as a string, for the game master and the seat itself; absent: as
    before."""


class RemoveSeat(Action, frozen=True, kw_only=True, tag="remove_seat", forbid_unknown_fields=True):
    """Take a seat away for good; no other seat is ever given its id."""

    LIFE: ClassVar[ActionLife] = action_life.UNTIL_THE_SEED

    seat: Annotated[SeatId, EVERYONE]
    """Seat to take away."""


class StartEncounter(Action, frozen=True, kw_only=True, tag="start_encounter"):
    """Freeze the options and begin round 1 (or the round a prepared battle is in)."""

    LIFE: ClassVar[ActionLife] = action_life.UNTIL_THE_START


class SetTerrain(Action, frozen=True, kw_only=True, tag="set_terrain"):
    """State ground anew. Rulesets say what ground is."""

    LIFE: ClassVar[ActionLife] = action_life.UNTIL_THE_END


class EndEncounter(Action, frozen=True, kw_only=True, tag="end_encounter"):
    """End the battle, and reveal the seed now or later; `open` says whose parts open."""

    LIFE: ClassVar[ActionLife] = action_life.ON_QUESTIONS
    BY_SERVICE: ClassVar[bool] = True

    reveal: Annotated[Literal["now", "later"], EVERYONE] = "later"
    """`now` reveals the seed with the end; `later` leaves that to `reveal` or to the service after
    `reveal_by_days`."""
    open: Annotated[Opened, EVERYONE] = "none"
    """To whom hidden parts of the log open: `none` to nobody new, `sides` to every seat those of
    all sides, `all` those of the game master too."""
    winner: Annotated[SideId | UnsetType, EVERYONE] = UNSET
    """Side that won; absent for a draw or where nobody is named."""
    reason: Annotated[LongText | UnsetType, TEXT] = UNSET
    """Free text for everyone; absent where none is given or it was erased."""


class Reveal(Action, frozen=True, kw_only=True, tag="reveal"):
    """After the end: reveal the seed, and open parts to those who could not read them."""

    LIFE: ClassVar[ActionLife] = action_life.AFTER_THE_END
    BY_SERVICE: ClassVar[bool] = True

    seed: Annotated[bool, EVERYONE] = True
    """False opens parts without revealing the seed."""
    open: Annotated[Opened, EVERYONE] = "none"
    """To whom hidden parts of the log open: `none` to nobody new, `sides` to every seat those of
    all sides, `all` those of the game master too. What is open stays open."""


class Erase(Action, frozen=True, kw_only=True, tag="erase"):
    """Empty the free text of these events for good."""

    LIFE: ClassVar[ActionLife] = action_life.ALWAYS

    seqs: Annotated[Annotated[tuple[Seq, ...], Meta(min_length=1, max_length=1000)], EVERYONE]
    """Events whose free text is emptied; each must be in the log."""


class Contribute(Action, frozen=True, kw_only=True, tag="contribute"):
    """Mix 32 bytes of one's own into the dice, once each, before the start."""

    WHO: ClassVar[Who] = "player"
    LIFE: ClassVar[ActionLife] = action_life.UNTIL_THE_START

    value: Annotated[Digest, EVERYONE]
    """32 random bytes in hex, mixed into the key of all draws."""


class NoteAction(Action, frozen=True, kw_only=True, tag="note"):
    """Leave a remark in the log; `gm_text` only by the GM.

    One without any text is a mark in the log, or one whose text was erased.
    """

    WHO: ClassVar[Who] = "player"
    LIFE: ClassVar[ActionLife] = action_life.UNTIL_THE_SEED
    GM_FIELDS: ClassVar[tuple[str, ...]] = ("gm_text",)

    text: Annotated[LongText | UnsetType, TEXT] = UNSET
    """Remark for everyone; absent where there is none or it was erased."""
    gm_text: Annotated[LongText | UnsetType, GM_TEXT] = UNSET
    """Remark for the game master alone, by whom alone it may be left; absent where there is none or
    it was erased."""


class Rewind(Action, frozen=True, kw_only=True, tag="rewind"):
    """Continue from the rule state of seq `to`; to an undone seq it is a redo."""

    WHO: ClassVar[Who] = "player"
    LIFE: ClassVar[ActionLife] = action_life.ON_THE_LOG

    to: Annotated[Seq, EVERYONE]
    """Seq after which the battle continues; the game master may go back to any since the start, a
    player over own events alone."""


class Answer(Action, frozen=True, kw_only=True, tag="answer"):
    """Answer a pending decision. Rulesets narrow `choice` to their union."""

    WHO: ClassVar[Who] = "player"
    LIFE: ClassVar[ActionLife] = action_life.ON_QUESTIONS

    decision_id: Annotated[DecisionId, EVERYONE, DECISION]
    """Open decision to answer."""
    choice: Annotated[Choice, CHOICE]
    """One of the decision's `options`, with its fields."""


class ForcePass(Action, frozen=True, kw_only=True, tag="force_pass"):
    """Close a decision for somebody who does not answer."""

    LIFE: ClassVar[ActionLife] = action_life.ON_QUESTIONS

    decision_id: Annotated[DecisionId, EVERYONE, DECISION]
    """Open decision to close."""
    reason: Annotated[LongText | UnsetType, TEXT] = UNSET
    """Free text for everyone; absent where none is given or it was erased."""


class Adjust(Action, frozen=True, kw_only=True, tag="adjust"):
    """Overrule. Rulesets name the changes they take."""

    LIFE: ClassVar[ActionLife] = action_life.UNTIL_THE_END_AT_ONCE


class EndTurn(CombatantAction, frozen=True, kw_only=True, tag="end_turn"):
    """The combatant's turn is over."""

    ENDS_TURN: ClassVar[bool] = True


class EndSideTurn(SideAction, frozen=True, kw_only=True, tag="end_turn"):
    """The side's turn is over: for rulesets in which sides have the turn."""

    ENDS_TURN: ClassVar[bool] = True


SeatAction = AssignControl | AddSeat | ChangeSeat | RemoveSeat
"""What the game master asks about seats."""

LogAction = EndEncounter | Reveal | Erase | Contribute | NoteAction | Rewind
"""What is asked about the log and its dice."""

EngineAction = SeatAction | LogAction
"""What the engine decides by itself, alike in every ruleset."""

Configuring = TypeVar("Configuring", bound=Configure)
Adding = TypeVar("Adding", bound=AddCombatant)
Terrain = TypeVar("Terrain", bound=SetTerrain)
Adjusting = TypeVar("Adjusting", bound=Adjust)
Answering = TypeVar("Answering", bound=Answer)

CommonAction: TypeAlias = (
    Configuring
    | Adding
    | RemoveCombatant
    | StartEncounter
    | Terrain
    | Adjusting
    | Answering
    | ForcePass
)
"""What every ruleset takes and decides by its own rules, with its own five types filled in."""

SharedAction: TypeAlias = (
    Configuring
    | Adding
    | RemoveCombatant
    | SeatAction
    | StartEncounter
    | Terrain
    | Adjusting
    | Answering
    | ForcePass
    | LogAction
)
"""`CommonAction` and `EngineAction` in the order in which they are published."""
