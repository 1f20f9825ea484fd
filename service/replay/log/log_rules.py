"""What holds of every log whatever its ruleset, as far as everybody can see it.

How this works. Where the rules are run they see to all of this. Where parts are withheld the public
effects still tell when a battle was created and started and when its seed was out, and so which
dice and contributions may be where.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import msgspec
from msgspec import UNSET

from service.engine.visibility.audience import EVERYONE_WORD, GM_WORD
from service.engine.vocabulary.values import ForkOf
from service.replay.log.log_header import public_effects
from service.replay.report.differences import Difference, difference

_DIGEST: Final = re.compile("[0-9a-f]{64}")
_SIDE: Final = re.compile("[a-z0-9_]{1,20}")
MOST_SIDES: Final = 254
"""Each side has a stream of dice of its own, from 1 on; 255 is the game master's."""

_AFTER_THE_END: Final = frozenset(
    {
        "seed_revealed",
        "parts_opened",
        "revealed",
        "noted",
        "erased",
        "seat_changed",
        "control_changed",
    }
)
"""Effects of events that continue an ended battle, without a rewind."""

VisibleDraws = tuple[tuple[str, list[object]], ...]
"""The lists of visible draws of an event, by their paths."""


@dataclass(slots=True)
class LogRules:
    """Takes a log event by event, from the first on; `blobs` are the digests at hand.

    Nothing is said of a log whose first event was not taken.
    """

    blobs: Collection[str]
    _seq: int = 0
    _is_created: bool = False
    _has_started: bool = False
    _is_seed_out: bool = False
    _ended: set[int] = field(default_factory=set)

    def judge(self, tree: dict[str, object], draws: VisibleDraws, seq: int) -> Difference | None:
        """The first thing in an event that no log has there."""
        if self._seq == 0 and seq != 1:
            self._seq = -1
        if self._seq < 0:
            return None
        self._seq = seq
        was_out = self._is_seed_out
        wrong = [
            *self._effect_differences(tree),
            *self._draw_differences(draws, is_late=was_out),
        ]
        return wrong[0] if wrong else None

    def _effect_differences(self, tree: dict[str, object]) -> Iterator[Difference]:
        for place, effect in enumerate(public_effects(tree)):
            path = f"$.effects[{place}]"
            may_be_here = self._may_be_here(effect) and _names_digests(effect)
            if may_be_here and not continues_itself(effect, tree.get("encounter")):
                yield from self._missing_blobs(effect)
            else:
                yield difference(path, effect, UNSET)
        yield from self._late_effects(tree)
        if not self._is_created:
            self._is_created = True
            yield difference("$.effects[0]", UNSET, UNSET)

    def _late_effects(self, tree: dict[str, object]) -> Iterator[Difference]:
        """After the end nothing happens any more, unless a rewind goes back behind it."""
        effects = list(public_effects(tree))
        kinds = {str(effect.get("type")) for effect in effects}
        base = tree.get("base")
        has_ended = isinstance(base, int) and base in self._ended
        if has_ended or "encounter_ended" in kinds:
            self._ended.add(self._seq)
        if not has_ended or "rewound" in kinds:
            return
        for place, effect in enumerate(effects):
            if effect.get("type") not in _AFTER_THE_END:
                yield difference(f"$.effects[{place}]", effect, UNSET)

    def _draw_differences(self, draws: VisibleDraws, *, is_late: bool) -> Iterator[Difference]:
        """Dice are rolled from the start on, until everybody knows the seed."""
        for path, listed in draws:
            if listed and (is_late or not self._has_started):
                yield difference(path, listed, UNSET)

    def _may_be_here(self, effect: Mapping[str, object]) -> bool:
        match effect.get("type"):
            case "encounter_created":
                is_due, self._is_created = not self._is_created, True
                is_sound = _names_terms(effect) and _names_origin(effect)
                return is_due and self._seq == 1 and is_sound
            case "contributed":
                return not self._has_started and _is_digest(effect.get("value"))
            case "encounter_started":
                is_due, self._has_started = not self._has_started, True
                return is_due
            case "seed_revealed":
                is_due, self._is_seed_out = not self._is_seed_out, True
                return is_due and _is_digest(effect.get("seed"))
            case "erased":
                seqs = effect.get("seqs")
                return isinstance(seqs, list) and all(map(self._is_earlier, seqs))
            case _:
                pass
        return True

    def _is_earlier(self, seq: object) -> bool:
        return isinstance(seq, int) and not isinstance(seq, bool) and 1 <= seq < self._seq

    def _missing_blobs(self, effect: Mapping[str, object]) -> Iterator[Difference]:
        """Map and content that an event states and a bundle does not hold."""
        if effect.get("type") in ("encounter_created", "options_set"):
            named = [str(effect[name]) for name in ("content", "map") if name in effect]
            gone = (digest for digest in named if digest not in self.blobs)
            yield from (difference(f"blobs.{digest}", UNSET, UNSET) for digest in gone)


def _names_terms(created: Mapping[str, object]) -> bool:
    """Whether event 1 names its sides, who rolls and who made the seed."""
    sides = created.get("sides")
    if not isinstance(sides, list) or len(sides) > MOST_SIDES:
        return False
    ids = [side.get("id") if isinstance(side, dict) else None for side in sides]
    return (
        all(isinstance(each, str) and _SIDE.fullmatch(each) for each in ids)
        and len(set(ids)) == len(ids)
        and set(ids).isdisjoint((EVERYONE_WORD, GM_WORD))
        and isinstance(created.get("dice"), dict)
        and created.get("seed") in ("os", "given")
    )


def _names_origin(created: Mapping[str, object]) -> bool:
    """Whether a fork, and nothing else, names what it continues and states the battle there."""
    if "fork_of" not in created:
        return not isinstance(created.get("state"), dict)
    try:
        msgspec.convert(created["fork_of"], ForkOf)
    except msgspec.ValidationError:
        return False
    return isinstance(created.get("state"), dict)


def _names_digests(effect: Mapping[str, object]) -> bool:
    """Whether terms name map and content by their digests."""
    is_terms = effect.get("type") in ("encounter_created", "options_set")
    names = ("content", "map") if is_terms else ()
    return all(_is_digest(effect[name]) for name in names if name in effect)


def continues_itself(created: Mapping[str, object], encounter: object) -> bool:
    """Whether a fork names an event of the same log as the one that it continues."""
    origin = created.get("fork_of")
    is_fork = created.get("type") == "encounter_created" and isinstance(origin, dict)
    return is_fork and isinstance(origin, dict) and origin.get("encounter") == encounter


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None
