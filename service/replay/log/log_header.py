"""What a log publicly says about itself: its terms, contributions, and the seed once revealed."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from service.engine import hashing
from service.engine.battle.linear import Linear
from service.engine.battle.linear_steps import evolve_linear
from service.engine.log.event import Event
from service.engine.visibility.audience import EVERYONE_WORD, GM_WORD
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import DiceMode, Digest, ForkOf, Opened, SideId
from service.replay.report.differences import UNREADABLE

_COLLECTED: Final = frozenset(
    {
        "encounter_created",
        "contributed",
        "encounter_started",
        "seed_revealed",
        "encounter_ended",
        "parts_opened",
        "rewound",
        "erased",
    }
)
"""The effects that `LogHeader` collects something from."""


SeedOrigin = Literal["os", "given", "unknown"]
"""Who made the seed; `unknown`: event 1 has no word for it that there is."""


class _Side(Struct):
    id: SideId


class _Dice(Struct):
    algorithm: object = UNSET
    mode: object = UNSET


class _Created(Struct):
    """What an audit needs of `encounter_created`; without sides and dice there is none."""

    type: Literal["encounter_created"]
    dice: _Dice
    sides: tuple[_Side, ...]
    ruleset: object = UNSET
    version: object = UNSET
    commitment: object = UNSET
    seed: object = UNSET
    fork_of: object = UNSET


class _Contributed(Struct):
    value: Digest
    seat: object = UNSET


class _Revealed(Struct):
    seed: Digest


class _Erased(Struct):
    seqs: tuple[int, ...]


class _Opened(Struct):
    opened: Opened


@dataclass(frozen=True, slots=True)
class Opening:
    """The terms of event 1 that everybody may read.

    What is not as it should be is empty. Without a mode (`has_mode`) no die is drawn again.
    """

    ruleset: str
    version: str
    algorithm: str
    mode: DiceMode
    commitment: str
    seed: SeedOrigin
    sides: tuple[str, ...]
    fork_of: ForkOf | UnsetType = UNSET
    has_mode: bool = True


@dataclass(slots=True)
class LogHeader:
    """Collected along the public bodies of a log, event by event.

    `creator` is the id of the key that created the encounter, if a key did. Contributions end where
    the encounter starts. `linear` holds what was
    opened to whom, and nothing else.
    """

    opening: Opening | None = None
    creator: str | None = None
    contributions: list[tuple[str, bytes]] = field(default_factory=list)
    seed: bytes | None = None
    linear: Linear = field(default_factory=Linear)
    has_started: bool = False
    head: int = 0
    erased: set[int] = field(default_factory=set)

    @property
    def sides(self) -> tuple[str, ...]:
        """Ids of the sides in setup order; none before event 1 was read."""
        return self.opening.sides if self.opening is not None else ()

    def committed_seed(self, known: bytes | None) -> bytes | None:
        """The seed that event 1 committed to, if it is the known one or the one revealed."""
        if self.opening is None:
            return None
        seeds = [seed for seed in (known, self.seed) if seed is not None]
        return next((s for s in seeds if hashing.commitment(s) == self.opening.commitment), None)

    def dice_key(self, seed: bytes, encounter: str) -> bytes:
        """The key of all dice streams, given the contributions so far."""
        mixed = hashing.entropy(tuple(value for _, value in self.contributions))
        return hashing.dice_key(seed, encounter, mixed)

    def collect(self, tree: dict[str, object], seq: int) -> None:
        """Collect what an event says of the log as a whole; unreadable effects are skipped."""
        self.head = seq
        if seq == 1:
            self.creator = _key_in(tree.get("by"))
        for effect in public_effects(tree):
            try:
                self._collect(effect, seq)
            except msgspec.ValidationError:
                continue

    def _collect(self, effect: dict[str, object], seq: int) -> None:
        match effect.get("type"):
            case "encounter_created" if seq == 1 and self.opening is None:
                self.opening = _opening(msgspec.convert(effect, _Created))
            case "encounter_started":
                self.has_started = True
            case "contributed" if not self.has_started:
                contributed = msgspec.convert(effect, _Contributed)
                seat = _text(contributed.seat)
                self.contributions.append((seat, bytes.fromhex(contributed.value)))
            case "seed_revealed":
                self.seed = bytes.fromhex(msgspec.convert(effect, _Revealed).seed)
                self._open(effect, seq)
            case "encounter_ended" | "parts_opened":
                self._open(effect, seq)
            case "rewound":
                self.linear = evolve_linear(self.linear, fx.Rewound(to=1), seq)
            case "erased":
                self.erased.update(msgspec.convert(effect, _Erased).seqs)
            case _:
                pass

    def _open(self, effect: dict[str, object], seq: int) -> None:
        opened = fx.PartsOpened(opened=msgspec.convert(effect, _Opened).opened)
        self.linear = evolve_linear(self.linear, opened, seq)


def says_of_log(event: Event) -> bool:
    """Whether an event has an effect that concerns the log as a whole, sealed ones included."""
    return not _COLLECTED.isdisjoint([effect.__struct_config__.tag for effect in event.effects])


def _key_in(by: object) -> str | None:
    """The id of the API key in `by`; None for a seat and for the service."""
    if isinstance(by, dict) and by.get("kind") == "key":
        return str(by.get("id"))
    return None


def _opening(created: _Created) -> Opening | None:
    """The terms of event 1; None where sides have no names of their own."""
    ids = {side.id for side in created.sides}
    if len(ids) < len(created.sides) or ids & {EVERYONE_WORD, GM_WORD}:
        return None
    return Opening(
        ruleset=_text(created.ruleset),
        version=_text(created.version),
        algorithm=_text(created.dice.algorithm),
        mode="sealed" if created.dice.mode == "sealed" else "supplied",
        has_mode=created.dice.mode in ("sealed", "supplied"),
        commitment=_text(created.commitment),
        seed=_origin(created.seed),
        sides=tuple(side.id for side in created.sides),
        fork_of=_fork_of(created.fork_of),
    )


def _text(value: object) -> str:
    """A word that event 1 states; none if it is no text."""
    return value if isinstance(value, str) else ""


def _fork_of(value: object) -> ForkOf | UnsetType:
    try:
        return UNSET if value is UNSET else msgspec.convert(value, ForkOf)
    except msgspec.ValidationError:
        return UNSET


def _origin(word: object) -> SeedOrigin:
    match word:
        case "os" | "given":
            return word
        case _:
            return "unknown"


def sides_in(body: bytes) -> tuple[str, ...]:
    """Ids of the sides in setup order, from the body of event 1; none if unreadable."""
    return header_in(body).sides


def header_in(body: bytes) -> LogHeader:
    """What the body of event 1 says; nothing if it is unreadable."""
    header = LogHeader()
    try:
        tree = msgspec.json.decode(body)
    except UNREADABLE:
        return header
    if isinstance(tree, dict):
        header.collect(tree, 1)
    return header


def public_effects(tree: dict[str, object]) -> Iterator[dict[str, object]]:
    """The effects in the body that are JSON objects."""
    effects = tree.get("effects")
    if isinstance(effects, list):
        yield from (effect for effect in effects if isinstance(effect, dict))
