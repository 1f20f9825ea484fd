"""The types of the toy ruleset: what a battle holds, what may be asked, what happens."""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Struct, UnsetType

from service.engine.battle.open_decisions import Chosen, Decision, DecisionGroup
from service.engine.battle.state import Combatant, RuleState, TableOptions
from service.engine.log.event import Event
from service.engine.visibility.audience import (
    BEARER,
    CHOICE,
    EVERYONE,
    GM_WORD,
    NUMBERS,
    TEXT,
    SubjectId,
)
from service.engine.vocabulary import actions as do
from service.engine.vocabulary import changes as alter
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.choices import Choice, PassChoice, RollChoice
from service.engine.vocabulary.values import LongText, Place


class Fighter(Combatant, frozen=True, kw_only=True):
    """A combatant with one number of its own."""

    grit: Annotated[int, NUMBERS] = 0


class Threat(Struct, frozen=True, kw_only=True):
    """Who sweeps; withheld from those who do not know of him."""

    attacker: Annotated[SubjectId, EVERYONE]


class ToyDecision(Decision, frozen=True, kw_only=True):
    """A question, and what it is about."""

    context: Annotated[Threat | UnsetType, EVERYONE] = UNSET


class ToyChosen(Chosen, frozen=True, kw_only=True):
    """An answer that is sealed."""

    decision: Annotated[ToyDecision, EVERYONE, BEARER]


class ToyGroup(DecisionGroup, frozen=True, kw_only=True):
    """Questions asked together."""

    decisions: Annotated[tuple[ToyDecision, ...], EVERYONE]
    closed: Annotated[tuple[ToyChosen, ...] | UnsetType, EVERYONE] = UNSET


class ToyState(RuleState, frozen=True, kw_only=True):
    """Nothing but the core, with fighters in it."""

    combatants: Annotated[tuple[Fighter, ...], EVERYONE] = ()
    pending: Annotated[tuple[ToyGroup, ...], EVERYONE] = ()


class Field(Struct, frozen=True, kw_only=True):
    """The map: squares nobody can stand on."""

    width: int
    walls: tuple[tuple[int, int], ...] = ()


class ToySetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a creation brings."""

    fighters: tuple[Fighter, ...]
    field: Field = Field(width=10)
    options: TableOptions = TableOptions()


class Create(do.CreateEncounter, frozen=True, kw_only=True, tag="create_encounter"):
    """Event 1."""

    combatants: Annotated[tuple[Fighter, ...], EVERYONE] = ()


class AddFighter(do.AddCombatant, frozen=True, kw_only=True, tag="add_combatant"):
    """Bring a fighter in."""

    combatant: Annotated[Fighter, EVERYONE, BEARER]


class Step(do.CombatantAction, frozen=True, kw_only=True, tag="step"):
    """Move by one square."""

    dx: Annotated[int, EVERYONE]
    dy: Annotated[int, EVERYONE]


class Strike(do.CombatantAction, frozen=True, kw_only=True, tag="strike"):
    """Hit somebody with a stick."""

    target: Annotated[SubjectId, EVERYONE]


class Throw(do.CombatantAction, frozen=True, kw_only=True, tag="throw"):
    """Throw a stick at somebody, or at a square, whoever is there."""

    target: Annotated[SubjectId | UnsetType, EVERYONE] = UNSET
    cell: Annotated[Place | UnsetType, EVERYONE] = UNSET


class Sweep(do.CombatantAction, frozen=True, kw_only=True, tag="sweep"):
    """Hit several at once: whoever can is asked for an answer before anything is rolled."""

    targets: Annotated[tuple[SubjectId, ...], EVERYONE]
    cry: Annotated[LongText | UnsetType, TEXT] = UNSET


class Charge(do.CombatantAction, frozen=True, kw_only=True, tag="charge"):
    """Run so many squares east; whoever is in the way may brace, one after the other."""

    squares: Annotated[int, EVERYONE]


class Hide(do.CombatantAction, frozen=True, kw_only=True, tag="hide"):
    """Be known to one's own side alone."""


class Sniff(do.Action, frozen=True, kw_only=True, tag="sniff"):
    """The GM rolls in secret whether the dog notices anything."""

    AUDIENCE: ClassVar[str] = GM_WORD


class DodgeChoice(Choice, frozen=True, kw_only=True, tag="dodge"):
    """Try to get out of the way."""


class ParryChoice(Choice, frozen=True, kw_only=True, tag="parry"):
    """Hold a stick against it."""

    guard: Annotated[Literal["high", "low"], EVERYONE]


class BraceChoice(Choice, frozen=True, kw_only=True, tag="brace"):
    """Stop somebody who charges past."""


ToyChoice = RollChoice | PassChoice | DodgeChoice | ParryChoice | BraceChoice


Waiting = Sweep | Charge
"""What asks before it continues."""


class ToyAnswer(do.Answer, frozen=True, kw_only=True, tag="answer"):
    """Dodge, parry, stand still, or bring the dice."""

    choice: Annotated[ToyChoice, CHOICE]


class Adjust(do.Adjust, frozen=True, kw_only=True, tag="adjust"):
    """The GM overrules."""

    changes: Annotated[tuple[alter.SharedChange, ...], EVERYONE]
    reason: Annotated[LongText | UnsetType, TEXT] = UNSET


ToyAction = (
    AddFighter
    | do.RemoveCombatant
    | do.StartEncounter
    | do.ForcePass
    | do.EndTurn
    | ToyAnswer
    | Adjust
    | Step
    | Strike
    | Throw
    | Sweep
    | Charge
    | Hide
    | Sniff
    | do.EngineAction
)


class FighterAdded(fx.CombatantAdded, frozen=True, kw_only=True, tag="combatant_added"):
    """A fighter is there."""

    combatant: Annotated[Fighter, EVERYONE, BEARER]


class FighterRevealed(fx.Revealed, frozen=True, kw_only=True, tag="revealed"):
    """A fighter everyone knows of now."""

    combatant: Annotated[Fighter, EVERYONE]


class ToyOpened(fx.DecisionOpened, frozen=True, kw_only=True, tag="decision_opened"):
    """A question is open."""

    decision: Annotated[ToyDecision, EVERYONE, BEARER]


class ToyClosed(fx.DecisionClosed, frozen=True, kw_only=True, tag="decision_closed"):
    """A question is closed."""

    full: Annotated[ToyChoice | UnsetType, EVERYONE] = UNSET


ToyEffect = (
    fx.EncounterCreated
    | fx.EncounterStarted
    | fx.EncounterEnded
    | fx.Contributed
    | fx.SeedRevealed
    | fx.PartsOpened
    | FighterAdded
    | fx.CombatantRemoved
    | fx.SeatChanged
    | fx.ControlChanged
    | fx.OrderSet
    | fx.RoundBegan
    | fx.TurnBegan
    | fx.TurnEnded
    | fx.Moved
    | fx.Rolled
    | fx.AttackResolved
    | fx.CheckResolved
    | fx.Hurt
    | fx.Felled
    | FighterRevealed
    | fx.Hidden
    | ToyOpened
    | ToyClosed
    | fx.WindowSkipped
    | fx.Noted
    | fx.Adjusted
    | fx.Rewound
    | fx.Erased
)


class ToyEvent(Event, frozen=True, kw_only=True):
    """An event of this ruleset."""

    action: Annotated[ToyAction | Create, EVERYONE]
    effects: Annotated[tuple[ToyEffect, ...], EVERYONE]
