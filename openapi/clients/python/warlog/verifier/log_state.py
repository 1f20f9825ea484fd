"""What the events so far leave for those behind them, whatever was found in them."""

import re
from collections.abc import Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from warlog.verifier.dice import Stream, commitment_to, dice_key
from warlog.verifier.draws import DrawList, StreamOpener, draw_lists, drawn_again, seen_lists
from warlog.verifier.findings import ABSENT, Difference
from warlog.verifier.invariants import Invariants
from warlog.verifier.line_forms import Json
from warlog.verifier.parts import part_name, part_names
from warlog.verifier.retold import DieTakenUp, Retold, Waits
from warlog.verifier.rolls import KnownDice, dice_of
from warlog.verifier.sightings import Sightings
from warlog.verifier.text_places import TextPlaces, text_places_of

_SIDE: Final = re.compile("[a-z0-9_]{1,20}")
_DIGEST: Final = re.compile("[0-9a-f]{64}")
_MOST_SIDES: Final = 254


class Creation(Struct, frozen=True, kw_only=True):
    """What event 1 settles for all of the log; what it does not name is ABSENT."""

    ruleset: Any
    version: Any
    algorithm: Any
    mode: Any
    commitment: Any
    sides: tuple[str, ...]
    origin: Literal["os", "given", "unknown"]
    is_fork: bool


def is_digest(value: Any) -> bool:
    """Whether a value is 64 hex digits."""
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None


class LogState:
    """The log behind its last event."""

    def __init__(self, header: Json) -> None:
        self.header = header
        self.seq = 0
        self.hash = "0" * 64
        self.creation: Creation | None = None
        self.sides: tuple[str, ...] = ()
        self.names = part_names(())
        self.contributions: list[str] = []
        self.has_started = False
        #: Where the ruleset has text; None for one that is not known.
        self.places: TextPlaces | None = None
        #: Where the first thing is that the table of places does not have, and its event and line.
        self.unknown: str | None = None
        self.unknown_at: tuple[int, int] | None = None
        #: Events behind which the encounter is over.
        self.ended: set[int] = set()
        #: The seed that the log reveals.
        self.revealed: str | None = None
        #: Sides whose facts are at hand in every event so far.
        self.complete_sides: set[str] = set()
        self.known: KnownDice = {}
        #: Who is known, by audience; None behind an event that could not be read as it should.
        self.sightings: dict[str, Sightings] | None = {}
        #: What must hold of the views of each audience; not judged where nobody is known.
        self.invariants: dict[str, Invariants] = {}
        #: What may be told again, by the root of a view.
        self.retold: dict[str, Retold] = {}
        #: Dice of the log that a fork continues, as they are shown.
        self.taken_up: set[DieTakenUp] = set()
        self.waits = Waits(set(), set())
        self.visible_dice = 0
        self.checked_dice = 0
        #: The event whose dice were all drawn again just now.
        self._drawn_again: Json | None = None
        self.withheld_parts = 0
        self.erased_parts = 0
        #: Digests that events name, in the order in which they first do.
        self.named_digests: dict[str, None] = {}
        #: Events that an effect `erased` names.
        self.erased_seqs: set[int] = set()
        #: Events with an erased text, and their lines.
        self.erased_texts: dict[int, int] = {}
        self.rewinds = 0
        self.events = 0
        self.parts = 0
        self.clock_went_back = 0
        self._at = ""
        self._dice_key: bytes | None = None

    def open(self, line: Json) -> None:
        """Read what the first event settles for all of the log, before it is checked."""
        effects = line["event"]["effects"]
        created = next((each for each in effects if each["type"] == "encounter_created"), None)
        self.creation = None if created is None else _as_creation(created)
        self.sides = () if self.creation is None else self.creation.sides
        self.names = part_names(self.sides)
        if self.creation is not None:
            self.places = text_places_of(self.creation.ruleset, self.creation.version)
        self.complete_sides = set(self.sides)

    @property
    def seed(self) -> Literal["absent", "fits", "wrong"]:
        """Whether the header's seed is there and the one that event 1 commits to."""
        seed = self.header.get("seed")
        if seed is None:
            return "absent"
        committed = None if self.creation is None else self.creation.commitment
        return "fits" if commitment_to(seed) == committed else "wrong"

    def dice_key(self) -> bytes | None:
        """The key of the dice of the next event; None where no die can be drawn again."""
        is_sealed = self.creation is not None and self.creation.mode == "sealed"
        if self._dice_key is None and is_sealed and self.seed == "fits":
            header = self.header
            self._dice_key = dice_key(header["seed"], header["encounter"], self.contributions)
        return self._dice_key

    @property
    def mode(self) -> Literal["sealed", "supplied"]:
        """Who rolls, as event 1 says; as the header does where that says nothing."""
        told = None if self.creation is None else self.creation.mode
        mode: Literal["sealed", "supplied"] = (
            told if told in ("sealed", "supplied") else self.header["dice"]["mode"]
        )
        return mode

    def streams_of(self, seq: int) -> StreamOpener:
        """Opens the streams of an event; none where no die can be drawn again."""

        def open_stream(number: int) -> Stream | None:
            key = self.dice_key()
            return None if key is None else Stream(key, seq, number)

        return open_stream

    def note_drawn_again(self, line: Json, lists: Sequence[DrawList]) -> None:
        """All dice of an event are those of their streams."""
        self._drawn_again = line
        if self.dice_key() is not None:
            self.checked_dice += sum(len(each.draws) for each in lists)

    def entitled_names(self, seq: int) -> list[str]:
        """The names of the parts that the viewer of the bundle must hold of an event."""
        viewer = self.header["viewer"]
        if viewer["kind"] == "gm":
            return self.names
        if viewer["kind"] == "observer":
            return ["text/everyone"]
        granted = [each["sides"] for each in viewer["grants"] if each["since"] <= seq]
        held = set(granted[-1]).intersection(self.sides) if granted else set[str]()
        return [
            name for name in self.names if name == "text/everyone" or name.split("/")[1] in held
        ]

    def sight(self, audience: str, view: Json) -> Difference | None:
        """Take an event into what an audience knows; what in it cannot be."""
        if self.sightings is None:
            return None
        root = "$" if audience == "everyone" else f"{audience}:$"
        if audience not in self.sightings:
            self.sightings[audience] = Sightings(audience, root)
        return self.sightings[audience].fold(view)

    def hold(self, audience: str, view: Json) -> Difference | None:
        """Hold an event against the table of invariants; what in it does not hold."""
        if self.sightings is None:
            return None
        if audience not in self.invariants:
            root = "$" if audience == "everyone" else f"{audience}:$"
            is_common = audience in ("everyone", "gm")
            self.invariants[audience] = Invariants(root, is_common=is_common)
        return self.invariants[audience].fold(view)

    def retell(self, root: str, view: Json, *, tells_again: bool) -> None:
        """Take a view into what may be told again. Raises a Difference."""
        if self.places is None:
            return
        if root not in self.retold:
            is_whole = root == "gm:$"
            self.retold[root] = Retold(self.places.rolls, root, self.waits, is_whole=is_whole)
        self.retold[root].fold(view, self.taken_up, tells_again=tells_again)

    def learn_dice(self, seq: int, lists: Sequence[DrawList]) -> None:
        """Learn the dice of an event, for rolls that tell them again."""
        if any(each.draws for each in lists):
            self.known[seq] = dice_of(lists)

    def note(self, line: Json, number: int) -> None:
        """Take down an event, which is in the line of this number."""
        event = line["event"]
        self._count(line)
        if event["at"] < self._at:
            self.clock_went_back += 1
        self._at = max(self._at, event["at"])
        self.events += 1
        self.parts += len(line["parts"])
        self.seq = event["seq"]
        self.hash = line["hash"]
        for effect in event["effects"]:
            self._note_effect(effect)
        ends = any(effect["type"] == "encounter_ended" for effect in event["effects"])
        if ends or event["base"] in self.ended:
            self.ended.add(event["seq"])
        if self.unknown is not None and self.unknown_at is None:
            self.unknown_at = (number, event["seq"])
        self._note_parts(line, number)
        self._learn_dice_once(line)

    def _count(self, line: Json) -> None:
        """Count the dice and parts of an event, whatever else is wrong with it."""
        seq, names = line["event"]["seq"], [part_name(part) for part in line["parts"]]
        entitled = self.entitled_names(seq)
        lists = seen_lists(line, self.sides, entitled)
        self.visible_dice += sum(len(each.draws) for each in lists)
        if self._drawn_again is not line:
            self.checked_dice += sum(drawn_again(each, self.streams_of(seq)) for each in lists)
        self.withheld_parts += sum(name not in names for name in self.names)
        self.erased_parts += sum(
            "body" not in part and part_name(part) in entitled for part in line["parts"]
        )

    def _note_effect(self, effect: Json) -> None:
        match effect["type"]:
            case "encounter_created" | "options_set":
                self._note_digests(effect)
            case "contributed":
                if is_digest(effect.get("value")) and not self.has_started:
                    self.contributions.append(effect["value"])
                    self._dice_key = None
            case "encounter_started":
                self.has_started = True
            case "seed_revealed":
                seed = effect.get("seed")
                if self.revealed is None:
                    self.revealed = seed if is_digest(seed) else ""
            case "rewound":
                self.rewinds += 1
            case "erased":
                seqs = effect.get("seqs")
                named = seqs if isinstance(seqs, list) else []
                self.erased_seqs.update(each for each in named if type(each) is int)
            case _:
                pass

    def _note_digests(self, effect: Json) -> None:
        for name in ("content", "map"):
            if is_digest(effect.get(name)):
                self.named_digests[effect[name]] = None

    def _note_parts(self, line: Json, number: int) -> None:
        parts = {part_name(part): part for part in line["parts"]}
        self.complete_sides = {each for each in self.complete_sides if f"facts/{each}" in parts}
        for part in line["parts"]:
            if "body" not in part:
                self.erased_texts[line["event"]["seq"]] = number

    def _learn_dice_once(self, line: Json) -> None:
        seq = line["event"]["seq"]
        if seq in self.known:
            return
        lists = draw_lists(line, self.sides)
        if all(each.flaw is None for each in lists):
            self.learn_dice(seq, lists)


def _as_creation(effect: Json) -> Creation | None:
    sides, dice = effect.get("sides"), effect.get("dice")
    if not isinstance(sides, list) or not isinstance(dice, dict) or len(sides) > _MOST_SIDES:
        return None
    ids = [each.get("id") if isinstance(each, dict) else None for each in sides]
    named = tuple(each for each in ids if isinstance(each, str) and _is_side(each))
    if len(named) != len(ids) or len(set(named)) != len(named):
        return None
    return Creation(
        ruleset=effect.get("ruleset", ABSENT),
        version=effect.get("version", ABSENT),
        algorithm=dice.get("algorithm", ABSENT),
        mode=dice.get("mode", ABSENT),
        commitment=effect.get("commitment", ABSENT),
        sides=named,
        origin=_origin(effect.get("seed")),
        is_fork="fork_of" in effect,
    )


def _origin(seed: Any) -> Literal["os", "given", "unknown"]:
    """Who made the seed."""
    if seed == "os":
        return "os"
    return "given" if seed == "given" else "unknown"


def _is_side(name: str) -> bool:
    return _SIDE.fullmatch(name) is not None and name not in ("everyone", "gm")
