"""What a ruleset gives the suites of this folder: the one record that its tests must provide.

`tests/rulesets/<slug>/rig.py` defines it as `RIG`; `tests/kit/rigs.py` finds it there. Everything
that a suite needs to know of a rulebook is in it: a third ruleset edits no suite.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, Protocol, TypeVar

from service.api.openapi.rulesets import edition_of
from service.engine.battle.state import RuleState
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import DiceMode
from tests.kit.examples import Examples
from tests.kit.table import Table

Tree = dict[str, Any]
"""A JSON object, as a client writes it."""


@dataclass(frozen=True, kw_only=True)
class Wording:
    """What the catalogue of a ruleset must hold.

    `words` are the notes and outcomes that effects name and people read, `purposes` those of rolls;
    `unsourced` the rules without a sentence of the source text, in the catalogue's order; `codes`
    the refusals whose code is handed to a rule function by the one that calls it, `ruleless` those
    that name no rule. `places` are the values of facts that its messages say as terms, by the
    message's code and the fact.
    """

    rule_count: int
    words: frozenset[str]
    purposes: frozenset[str]
    places: Mapping[str, Mapping[str, Sequence[object]]]
    unsourced: tuple[str, ...]
    codes: frozenset[str] = frozenset()
    ruleless: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Withdrawal:
    """A battle of Ann's a and Bob's t, and every action of players: binding ones and others."""

    battle: Callable[[], Table]
    binding: tuple[Tree, ...]
    free: tuple[Tree, ...]


@dataclass(frozen=True, kw_only=True)
class Reducer:
    """A state with some of everything; what each effect changes of it, and why others cannot.

    `created` are first events with the states they begin; `unfit` is one of another ruleset.
    """

    rule: RuleState
    changes: tuple[tuple[fx.Effect, Mapping[str, Any]], ...]
    unknown: tuple[tuple[fx.Effect, str], ...]
    created: tuple[tuple[fx.EncounterCreated, RuleState], ...]
    unfit: fx.EncounterCreated


@dataclass(frozen=True, kw_only=True)
class SheetNumbers:
    """A battle of Ann's a and Bob's t under these options, and the numbers of a sheet.

    `changed` has every number otherwise than t has it, `blank` what it reads where it is hidden.
    """

    battle: Callable[..., Table]
    changed: Mapping[str, Any]
    blank: Mapping[str, Any]


class RandomSetup(Protocol):
    """The setup of a random battle."""

    def __call__(self, number: int, *, with_secrets: bool = False) -> Tree:
        """Of red, blue and perhaps green; `with_secrets` hides combatants, ground and numbers."""
        ...


@dataclass(frozen=True, kw_only=True)
class RandomBattles:
    """Setups by number, what is done to such battles at random, and what must hold of them.

    `varied` has odd weapons, places and conditions that those of `setup` have not.
    `nonsense` is an action that can be read and is mostly refused, `change` a change of `adjust`
    for one of these combatants, possible or not; `blows` are changes that most often make an answer
    or the attack itself impossible; `spoiled` are fields with which no attack is allowed.
    `require_sound` judges a state, `require_explained` the effects of an event that led to it.
    """

    setup: RandomSetup
    varied: Callable[[int], Tree]
    nonsense: Callable[[Table, Random], Tree]
    change: Callable[[Random, Sequence[str]], Tree]
    blows: tuple[Tree, ...]
    spoiled: Tree
    require_sound: Callable[[Any], None]
    require_explained: Callable[[Any, list[Tree]], None]


T = TypeVar("T")


def there(part: T | None) -> T:
    """A part of a rig that a suite asks for only where it is there."""
    assert part is not None
    return part


class Fighter(Protocol):
    """A combatant as a client states it."""

    def __call__(self, combatant: str, side: str, x: int, y: int, **more: object) -> Tree:
        """It is there, with a whole sheet; `more` replaces fields."""
        ...


@dataclass(frozen=True, kw_only=True)
class TwoWorlds:
    """Battles that differ in secrets alone: red's and blue's are known, green's are not.

    `world` is battle `number` with other secrets in each variant: a hidden h, x0, x1 and so on as
    the variant says, and hidden ground. `quiet` are the actions of h that nobody notices, `met` the
    causes and outcomes by which a secret comes out, `long` the number of a battle that lasts.
    Where there are two sides alone, `hidden_side` is the one of h, and `unknowing` are those who
    know nothing of him; where sides have the turn, `deeds` says what is done next in both worlds,
    and who does it.
    `probes` are attempts at those unseen, and plain mistakes. `duel` is Ann's a, who has the turn,
    Bob's t, and secrets; `secret_ground` and `secret_ruling` change something unseen in it.
    `plain_and_odd` are battles of a and t whose sheets differ in what is hidden from Ann.
    """

    world: Callable[[int, int], Tree]
    quiet: frozenset[str]
    met: frozenset[str]
    probes: Callable[[Table, str], list[Tree]]
    duel: Callable[..., Tree]
    secret_ground: Tree
    secret_ruling: Tree
    plain_and_odd: Callable[[], tuple[Tree, Tree]]
    long: int = 4
    hidden_side: str = "green"
    unknowing: tuple[str, ...] = ("ann", "bob", "eve")
    deeds: Callable[[Table, Table, Random], tuple[str, tuple[Tree, Tree]]] | None = None


@dataclass(frozen=True, kw_only=True)
class Hostile:
    """Battles of players who look for secrets by taking back what they did.

    `world` is that of `TwoWorlds`, made for it; `probe` attacks what its player cannot see, if it
    can; `unmet` is a secret deed of the game master that nobody ever meets. `asks_unseen`: there
    are battles in which somebody unseen is asked in one world alone.
    """

    world: Callable[[int, int], Tree]
    probe: Callable[[Sequence[Any], str, Random], Mapping[str, Any] | None]
    unmet: Tree
    asks_unseen: bool


@dataclass(frozen=True, kw_only=True)
class GoldenBattle:
    """A battle whose bundle every later build must audit clean, byte for byte.

    The bundle is that of `viewer`, whole if there is none. `counts` are its verdicts, `happened`
    what it is kept for, in the words of `tests/replay/test_golden.py`.
    """

    play: Callable[[], Table]
    viewer: Viewer | None = None
    counts: Mapping[str, int]
    happened: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Brawl:
    """Two of each side, r1 and r2, b1 and b2, the second of each hidden; numbers are, too.

    `attack` is one by the first on the second, with which the game master brings so many dice where
    the table rolls; `choice` is a choice of an answer, from its type.
    """

    setup: Tree
    attack: Callable[[str, str], Tree]
    dice: int = 0
    die_sides: int = 6
    choice: Callable[[str], Tree] = lambda kind: {"type": kind}


@dataclass(frozen=True, kw_only=True)
class SideRoll:
    """A battle of a, whom Ann plays, and Bob's t, in which a's whole side is asked for `faces`.

    By seats: `deeds` come first, then `answer` with its faces to the question that they open.
    """

    setup: Tree
    deeds: tuple[tuple[str, Tree], ...]
    answer: tuple[str, Tree, tuple[int, ...]]
    faces: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class TableDice:
    """A battle of Ann's a, who has the turn, and Bob's t, in which Ann rolls her attack.

    `setup` takes the options. `deeds`, by seat, make each action from the battle; after them `roll`
    is the question, `asks` the seat or side that it names, and `faces` are an answer that misses.
    If the question is passed by force, `asked_again` are asked. `purposes` are all that this
    rulebook rolls for.
    """

    setup: Callable[[Tree], Tree]
    deeds: tuple[tuple[str, Callable[[Table], Tree]], ...]
    roll: Tree
    asks: Tree
    faces: tuple[int, ...]
    asked_again: tuple[str, ...] = ()
    purposes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class UnseenQuestion:
    """A deed of Ann's that asks somebody unseen in the first world, nobody in the second.

    The worlds are alike to her; `unseen` is in both. She takes her `step` before.
    """

    dice: DiceMode
    worlds: tuple[Tree, Tree]
    step: Tree
    deed: Tree
    unseen: str


@dataclass(frozen=True, kw_only=True)
class Canaries:
    """A battle of a and t in which the words of `tests/kit/canaries.py` are nobody's to know.

    The ghost shoots at a; somebody is added and ground set in secret.
    """

    setup: Tree
    shot: Tree
    newcomer: Tree
    ground: Tree


@dataclass(frozen=True, kw_only=True)
class Deeds:
    """Who may ask for which action, in the creation that the OpenAPI document shows.

    `player` and `master` are the ruleset's own action types with fields that can be read; `own` is
    a combatant of the player, `theirs` one of the other side. `with_last` is the order of turns of
    that battle, not begun, with another combatant behind all; `free` is a place for him, `ending`
    what ends the turn, if it is not that of `own`.
    """

    own: str
    theirs: str
    player: Mapping[str, Tree]
    master: Mapping[str, Tree]
    with_last: Callable[[Tree, str], Tree]
    free: Tree = field(default_factory=lambda: {"x": 8, "y": 6})
    ending: Tree | None = None


@dataclass(frozen=True, kw_only=True)
class Chances:
    """Chances that previews tell, by the name of an ending, and what decides them.

    `purposes` are the rolls whose every face counts; other dice show ones. `told` takes an action
    and its preview, `ended` the effects of what was decided, all as JSON values.
    """

    purposes: frozenset[str]
    told: Callable[[Mapping[str, Any], Tree], Mapping[str, Fraction]]
    ended: Callable[[list[Tree]], Iterable[str]]


@dataclass(frozen=True, kw_only=True)
class OddsScene:
    """A battle about to begin, an action in it, and what those asked answer; the rest pass."""

    setup: Tree
    action: Tree
    answers: Mapping[str, Tree]
    chances: Chances


@dataclass(frozen=True, kw_only=True)
class ExactOdds:
    """What previews tell in random battles, and scenes by name for what is rare or long to count.

    In random battles every roll of `usual` is tried that has at most `most` combinations of faces.
    """

    usual: Chances
    scenes: Mapping[str, OddsScene]
    most: int = 2_000


@dataclass(frozen=True, kw_only=True, repr=False)
class Rig:
    """All that the suites must know of one ruleset."""

    ruleset: Ruleset[Any]
    examples: Examples
    fighter: Fighter
    worlds: TwoWorlds
    hostile: Hostile | None
    """None where sides have the turn: what the suites of the hostile do follows turns."""
    brawl: Brawl
    side_roll: SideRoll
    table_dice: TableDice
    unseen_question: UnseenQuestion | None
    """None where everybody sees which side is asked."""
    canaries: Canaries | None
    """None where there is no side that no player plays."""
    deeds: Deeds
    golden: Mapping[str, GoldenBattle]
    """Battles by the name of their bundle, which begins with the slug."""
    attacks: frozenset[str]
    """The types of the actions that attack."""
    battles: RandomBattles
    odds: ExactOdds
    require_foreseen: Callable[[Tree, Mapping[str, Any], list[Tree]], None]
    """Fails unless the preview (JSON values) of an action shown what its effects then were."""
    unnamed_rules: Mapping[str, str]
    """Rules that no worked example can name, with the reason."""
    wording: Wording
    defaults: Mapping[str, Mapping[str, object]]
    """What a field means that a request leaves out, by type and field."""
    withdrawal: Withdrawal
    reducer: Reducer
    numbers: SheetNumbers

    @property
    def name(self) -> str:
        """The slug of the ruleset, with its version if that is not the first."""
        return edition_of(self.ruleset)

    def __repr__(self) -> str:
        return self.name
