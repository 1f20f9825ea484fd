"""A ruleset as a record of functions and types: nothing to extend, nothing registers itself."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import (
    Any,
    Final,
    Generic,
    NamedTuple,
    Protocol,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from msgspec import Struct

from service.engine.battle.actors import Actor
from service.engine.battle.setup import Header
from service.engine.battle.state import RuleState, State, TableOptions
from service.engine.battle.terms import Terms
from service.engine.battle.turn import TurnHolder, turn_of_combatant
from service.engine.dice.dice import Dice
from service.engine.examples import NO_EXAMPLES, RequestExamples
from service.engine.inspection import Inspection
from service.engine.log.event import Event
from service.engine.map_check import MapReport
from service.engine.ruleset.consistency import Contradictions, no_contradictions
from service.engine.ruleset.legal_nodes import LegalNode, NodeSource
from service.engine.ruleset.roll_places import NOTHING_RETOLD, Retelling
from service.engine.ruleset.shown_sheets import SheetContradictions, no_sheet_contradictions
from service.engine.scene import Prints, Scenes
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.actions import Action, Answer, CreateEncounter
from service.engine.vocabulary.catalogue import Message, Rule, Sentence, Term
from service.engine.vocabulary.choices import Choice
from service.engine.vocabulary.content_names import NO_CONTENT, ContentNames
from service.engine.vocabulary.effects import DecisionOpened, Effect, EncounterCreated
from service.engine.vocabulary.values import By
from service.errors import Refused, WarlogError

R = TypeVar("R", bound=RuleState)
S = TypeVar("S", bound=Struct)
R_contra = TypeVar("R_contra", bound=RuleState, contravariant=True)

Answers = Mapping[str, Choice]
"""Whose answer is taken as given in a preview, by combatant."""

NO_ANSWERS: Final[Answers] = MappingProxyType({})


AmountRules = Callable[[Mapping[str, object], str], tuple[str, ...]]
"""Ids of further rules that set the amount of a line of a breakdown, by what the line shows and by
its path from the effect on. A log may have been forged: any value may be of any type.
"""


def no_amount_rules(_line: Mapping[str, object], _path: str) -> tuple[str, ...]:
    """Lines whose rule says the amount itself."""
    return ()


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Everything a ruleset says in words, in English and Russian."""

    rules: tuple[Rule, ...]
    terms: tuple[Term, ...]
    messages: tuple[Message, ...]
    sentences: tuple[Sentence, ...] = ()
    """How effects are told; what has none here is told as in every ruleset."""
    length: int = 1
    """Units of coordinates in the length that people count in: places are told in it."""
    amount_rules: AmountRules = no_amount_rules
    """What explanations add to the rules of a line whose own rule does not say its amount."""


class Previews(Protocol[R_contra]):
    """What an action would do, where those who are asked answer like this."""

    def __call__(
        self, state: State[R_contra], action: Action, by: By, answers: Answers = NO_ANSWERS, /
    ) -> "Preview":
        """The preview. Raises what deciding the action would, and Refused("not_asked")."""


LegalOf = Callable[[State[R], str, By], tuple[NodeSource, ...]]
"""What somebody may do now, by id, in the battle as this caller knows it: a node for each type of
action, several where its fields exclude one another, from sources that work them out when asked.
"""


def nothing_freed(_action: Action, _shown: Sequence[Effect]) -> bool:
    """Every action that binds stays."""
    return False


def nothing_legal(_state: State[Any], _actor: str, _by: By) -> tuple[NodeSource, ...]:
    """What units and sides may do where combatants alone act."""
    return ()


Fact = Mapping[str, Any]
"""An effect as JSON values, as its reader may see it."""


class Ending(NamedTuple):
    """How a roll ended, what it was made for, and the facts that tell it."""

    outcome: str
    purpose: str
    told: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class RollsBeside:
    """Rolls that an action makes for several, each whatever becomes of the others.

    `odds` are those of each, by whose roll it is, of a preview; empty where they are unknown.
    `endings` are how they ended, by the effects of an event. `successes` are those that succeed for
    whoever asked.
    """

    odds: Callable[["Preview"], Mapping[str, tuple["Odds", ...]]]
    endings: Callable[[Sequence[Fact]], Mapping[str, Ending]]
    successes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Luck:
    """How the rolls of an action are held against the odds of its preview.

    `odds` are those of the foremost roll, of a preview that opens no question before it: the
    outcomes that a preview gives, or none. `ending` is the one of them that an event came to, by
    its effects; None where the roll was not made. `successes` are those that succeed for whoever
    asked, for an answer `answered` instead. `beside` are rolls without a foremost one.
    """

    odds: Callable[[Action, "Preview"], tuple["Odds", ...]]
    ending: Callable[[Action, Sequence[Fact]], Ending | None]
    successes: frozenset[str]
    answered: frozenset[str] = frozenset()
    beside: RollsBeside | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset(Generic[R]):
    """A rulebook at one version; all functions are pure.

    `setup` is the type of a creation's own part, `create` makes event 1's action of it and of the
    header (which carries ids, digests and the commitment as values). `blobs` are the immutable
    blobs that a setup or a `configure` brings along: no other action is asked for any. `map` is
    the type of a map as a setup states it, `check_map` says under some options what is wrong with
    one. `initial` makes the blank state that event 1 fills.
    `binds` tells whether a player's action stays once it is declared: one that may ask or roll for
    somebody whom its declarer, that viewer, does not see. It follows from the action and from what
    the viewer may know, never from whether anybody was asked. It is not asked about the actions of
    the game master, who goes back over anything. `frees` says that one which binds may be taken
    back all the same, since what its player is shown of the event says that nobody was asked and
    nothing rolled. `legal_actions` are those of a combatant that exists in the battle as the caller
    knows it, `legal_of_unit` and `legal_of_side` what is done by a unit or a side, or by several
    together. `opened` is the `decision_opened` of `event`: the engine asks for dice in the
    ruleset's own terms, so that an event means the same fresh and read again. `turn` says whose
    turn it is, for timers and views; rulesets in which a side or a unit has it say so.
    """

    slug: str
    version: str
    catalogue: Catalogue
    setup: type[Struct]
    action: Any
    event: type[Event]
    state: type[R]
    create: Callable[[Any, Header], CreateEncounter]
    blobs: Callable[[Any], tuple[Struct, ...]]
    blob: type[Struct]
    map: Any
    check_map: Callable[[Any, Any], MapReport]
    initial: Callable[[EncounterCreated], R]
    decide: Callable[[State[R], Action, By, int, Dice], tuple[Effect, ...]]
    evolve: Callable[[R, Effect], R]
    binds: Callable[[State[R], Viewer, Action], bool]
    legal_actions: LegalOf[R]
    preview: Previews[R]
    scene: Scenes
    prints: Prints | None = None
    """How a scene is written as text where the ruleset has a form of its own."""
    legal_of_unit: LegalOf[R] = nothing_legal
    legal_of_side: LegalOf[R] = nothing_legal
    opened: type[DecisionOpened] = DecisionOpened
    turn: Callable[[R], TurnHolder | None] = turn_of_combatant
    readings: Struct | None = None
    """What versions of this rulebook read differently, as this version reads it; None where they
    read all alike."""
    inspections: tuple[Inspection, ...] = ()
    contradictions: Contradictions = no_contradictions
    """What an effect shows that does not fit the rest of it, for audits that lack parts."""
    sheet_contradictions: SheetContradictions = no_sheet_contradictions
    """What an effect shows that does not fit the sheets that were shown before, for the same."""
    retelling: Retelling = NOTHING_RETOLD
    """Which rolls may tell faces again that were told before, where the service rolls."""
    facts: type[Struct] = Struct
    """What the facts of a preview are."""
    tells_stops: bool = False
    """Whether an action that waited and that the game master's word ends says so, and why."""
    is_ahead: bool = False
    """Whether battles have this version only where they ask for it: those that ask for none have
    the newest one that is not ahead."""
    frees: Callable[[Action, Sequence[Effect]], bool] = nothing_freed
    """Whether an action that binds may be taken back, by the effects that its player is shown."""
    luck: Luck | None = None
    """How rolls are held against their odds; None where they are not."""
    content_names: ContentNames = NO_CONTENT
    """What things of the content are called in what is told of the battle."""
    examples: RequestExamples = NO_EXAMPLES
    """Requests that the OpenAPI document shows."""

    def terms(self, blobs: Mapping[str, object]) -> Terms:
        """The terms of a battle under this version, with these maps and contents by digest."""
        return Terms(blobs=blobs, readings=self.readings)


Rulesets = Mapping[tuple[str, str], Ruleset[RuleState]]
"""Rulesets by slug and version, each slug's versions in the order of their release."""


class LegalActions(Actor, frozen=True, kw_only=True):
    """What a combatant, a unit or a side may do now."""

    actions: tuple[LegalNode, ...]
    """One node for each type of action that is open to it, with a domain for every parameter."""


class Odds(Struct, frozen=True, kw_only=True):
    """An exact chance: decimal strings, and the same in thousandths of a per cent, rounded down."""

    outcome: str
    """Outcome that the chance is for."""
    num: str
    """Numerator of the exact chance, a decimal string."""
    den: str
    """Denominator of the exact chance, a decimal string."""
    percent_milli: int
    """The chance in thousandths of a per cent, rounded down: 100000 is certain."""


class NoFacts(Struct, frozen=True):
    """Nothing to show of an action besides that it is legal."""


NO_FACTS: Final = NoFacts()


class Preview(Struct, frozen=True, kw_only=True):
    """What an action would do, as far as this caller may know; nothing was drawn.

    `breakdown` explains `pool`; `unknown` names what the caller may not know (then no odds).
    `opens` are the kinds of the questions before the roll that `odds` tell of; `follows` those that
    may come in the same event after it, which are no reason to doubt the odds.
    """

    legal: bool
    facts: Struct = NO_FACTS
    """Of the ruleset's type of facts, or none."""
    odds: tuple[Odds, ...] = ()
    opens: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()

    @property
    def questions(self) -> tuple[str, ...]:
        """The kinds of all decisions that the action may open, each once."""
        return tuple(dict.fromkeys((*self.opens, *self.follows)))


def created_type(ruleset: Ruleset[Any]) -> type[EncounterCreated]:
    """The `encounter_created` of a ruleset, with its own options and state."""
    return _member_of(get_type_hints(ruleset.event)["effects"], EncounterCreated)


def creation_type(ruleset: Ruleset[Any]) -> type[CreateEncounter]:
    """The action of event 1 of a ruleset."""
    return _member_of(get_type_hints(ruleset.event)["action"], CreateEncounter)


def _member_of(kinds: Any, base: type[S]) -> type[S]:
    """The one type among these, or in a tuple of them, that extends `base`."""
    if get_origin(kinds) is tuple:
        kinds = get_args(kinds)[0]
    member: type[S] = next(kind for kind in get_args(kinds) if issubclass(kind, base))
    return member


@contextmanager
def refusing(ruleset: Ruleset[Any]) -> Iterator[None]:
    """Refusals raised inside carry this ruleset, which has the sentences for their codes."""
    try:
        yield
    except WarlogError as error:
        error.ruleset = (ruleset.slug, ruleset.version)
        raise


def options_of(ruleset: Ruleset[Any]) -> type[TableOptions]:
    """What a table may choose in a ruleset."""
    kind: type[TableOptions] = get_type_hints(ruleset.state)["options"]
    return kind


def choices_of(ruleset: Ruleset[Any]) -> Any:
    """The union of what an answer may choose in a ruleset."""
    kinds = (kind for kind in ruleset.action.__args__ if issubclass(kind, Answer))
    return get_type_hints(next(kinds))["choice"]


def require_asked(answers: Answers, questioned: Collection[str]) -> None:
    """Answers are taken as given of those alone who would be asked.

    Raises Refused("not_asked").
    """
    for combatant in answers:
        if combatant not in questioned:
            raise Refused("not_asked", combatant=combatant, allowed=list(questioned))
