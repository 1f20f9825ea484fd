"""What an audit is given of one event, and whether its seals hold.

How this works. `Chain` walks along the log: hash over the bytes, `prev` to the event before, seq
without gaps, parts against their commitments, all without rules. After a fault it goes on with the
values that the log claims (the stored hash, the stored seq), so that one fault is named once.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

import msgspec
from msgspec import UNSET, Struct

from service.encounters.clock_and_ids import is_ahead
from service.engine import hashing
from service.engine.log import canonical, parts
from service.engine.log.event import Request
from service.engine.log.parts import PartName
from service.replay.report.differences import UNREADABLE, Difference, difference
from service.replay.report.verdicts import Broken

COMMIT_BYTES: Final = 32
"""Of a commitment."""

_ORDER: Final[tuple[Broken, ...]] = ("canonical", "hash", "chain", "commitment", "entitlement")
"""The words of seals in the order in which the first is told."""

_MOMENT: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")


class OpenPart(Struct, frozen=True):
    """A part that can be read: `salt` is 16 bytes, `body` canonical bytes."""

    salt: bytes
    body: bytes


class Evidence(Struct, frozen=True):
    """One event as the auditor gets it.

    `hash` in hex as stored, `commits` one after another in part order, 32 bytes each. `opened`
    holds every part that can be read, empty ones included; `erased` names text parts whose text is
    gone. All other parts are withheld. `base` is the one stored beside the body, `recorded_at` the
    database's clock when the event was stored; both are None in a bundle.
    """

    hash: str
    body: bytes
    commits: bytes
    opened: Mapping[PartName, OpenPart]
    erased: frozenset[PartName] = frozenset()
    base: int | None = None
    recorded_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SealFault:
    """A seal that does not hold, and where; `is_sealed` if that lies in a part."""

    broken: Broken
    where: Difference
    is_sealed: bool = False


@dataclass(frozen=True, slots=True)
class SealCheck:
    """The faults of an event's seals; `tree` is its body as JSON, None if that is no object.

    `seq` is the one the event claims if that is a possible one, else its place in the log. `shown`
    is the body even where it holds what canonical JSON cannot: what is counted is read of it.
    """

    seq: int
    tree: dict[str, object] | None
    faults: tuple[SealFault, ...]
    shown: dict[str, object] | None = None


@dataclass(slots=True)
class Chain:
    """The walk along the seals of one log.

    `has_gone_back`: some event is older than the last. `has_run_ahead`: some event's time is well
    after the moment in which the database stored it.
    """

    encounter: str
    seq: int = 0
    prev: str = hashing.NO_HASH
    has_gone_back: bool = False
    has_run_ahead: bool = False
    _at: str = ""
    _faults: list[SealFault] = field(default_factory=list)

    def examine(self, evidence: Evidence) -> SealCheck:
        """Check the seals of the next event."""
        self._faults = []
        expected = self.seq + 1
        tree = self._tree(evidence.body)
        if tree is not None:
            self._take_moment(tree.get("at"), evidence.recorded_at)
        self._expect("hash", "hash", evidence.hash, hashing.event_hash(evidence.body))
        if tree is not None:
            self._linked(tree, expected)
            self._expect("chain", "$.base", tree.get("base"), _base_in(tree))
            if evidence.base is not None:
                self._expect("chain", "base", evidence.base, tree.get("base"))
            self._expect(
                "commitment",
                "$.sealed",
                tree.get("sealed"),
                hashing.sealed(evidence.commits),
            )
        self.seq = _claimed(tree, expected)
        self.prev = evidence.hash
        shown = tree if tree is not None else _object_in(evidence.body)
        return SealCheck(seq=self.seq, tree=tree, faults=tuple(self._faults), shown=shown)

    def is_next(self, evidence: Evidence, stored: Request, base: int) -> bool:
        """Whether an event that continues `base` has its hash and its place in this log.

        `prev` is not checked here.
        """
        return (
            is_moment(stored.at)
            and (stored.seq, stored.encounter) == (self.seq + 1, self.encounter)
            and evidence.base in (None, base)
            and evidence.hash == hashing.event_hash(evidence.body)
        )

    def advance(self, evidence: Evidence, at: str) -> None:
        """Move behind an event without a fault, decided at `at`."""
        self.seq += 1
        self.prev = evidence.hash
        self._tick(at, evidence.recorded_at)

    def _take_moment(self, at: object, recorded_at: datetime | None) -> None:
        if isinstance(at, str) and is_moment(at):
            self._tick(at, recorded_at)
        elif not self._faults:
            self._faults.append(SealFault("canonical", difference("$.at", at, UNSET)))

    def _tick(self, at: str, recorded_at: datetime | None) -> None:
        self.has_gone_back |= at < self._at
        self._at = at
        if recorded_at is not None and not self.has_run_ahead:
            self.has_run_ahead = is_ahead(at, recorded_at)

    def _tree(self, body: bytes) -> dict[str, object] | None:
        try:
            tree = msgspec.json.decode(body)
            canonical.check(tree)
            is_canonical = canonical.encode(tree) == body
        except UNREADABLE:
            tree, is_canonical = None, False
        if not is_canonical or not isinstance(tree, dict):
            self._faults.append(SealFault("canonical", difference("$", UNSET, UNSET)))
        return tree if isinstance(tree, dict) else None

    def _linked(self, tree: dict[str, object], expected: int) -> None:
        self._expect("chain", "$.seq", tree.get("seq"), expected)
        self._expect("chain", "$.encounter", tree.get("encounter"), self.encounter)
        self._expect("chain", "$.prev", tree.get("prev"), self.prev)

    def _expect(self, broken: Broken, path: str, stored: object, expected: object) -> None:
        if type(stored) is not type(expected) or stored != expected:
            self._faults.append(SealFault(broken, difference(path, stored, expected)))


def _object_in(body: bytes) -> dict[str, object] | None:
    try:
        tree = msgspec.json.decode(body)
    except UNREADABLE:
        return None
    return tree if isinstance(tree, dict) else None


def _base_in(tree: dict[str, object]) -> int | None:
    """The event that this one continues: the one before it, or where a rewind went back to.

    None if that cannot be: no seq, a rewind to somewhere that is not before it, or two of them.
    """
    seq, effects = tree.get("seq"), tree.get("effects")
    if not isinstance(seq, int):
        return None
    to = [
        effect.get("to")
        for effect in (effects if isinstance(effects, list) else ())
        if isinstance(effect, dict) and effect.get("type") == "rewound"
    ]
    match to:
        case []:
            return seq - 1
        case [int(back)] if 1 <= back < seq:
            return back
        case _:
            return None


def _claimed(tree: dict[str, object] | None, expected: int) -> int:
    """The seq an event claims, so that a gap is named once; its place if it claims nonsense."""
    seq = tree.get("seq") if tree is not None else None
    return seq if isinstance(seq, int) and 1 <= seq < 2**31 else expected


def commits_in(commits: bytes) -> list[bytes]:
    """Commitments that stand one after another, one by one."""
    return [commits[at : at + COMMIT_BYTES] for at in range(0, len(commits), COMMIT_BYTES)]


def in_order(*faults: SealFault) -> tuple[SealFault, ...]:
    """Faults in the order of their words: that of the checks."""
    return tuple(sorted(faults, key=lambda fault: _ORDER.index(fault.broken)))


def form_faults(evidence: Evidence) -> tuple[SealFault, ...]:
    """Parts that canonical JSON does not hold so; the faults never repeat a part's content."""
    return tuple(
        SealFault("canonical", difference(where_of(name), UNSET, UNSET), is_sealed=True)
        for name, part in evidence.opened.items()
        if part.body != parts.EMPTY_PART and not _is_canonical(part.body)
    )


def commitment_faults(evidence: Evidence, sides: tuple[str, ...]) -> tuple[SealFault, ...]:
    """Parts that do not fit their commitments; the faults never repeat a part's content."""
    names, commits = parts.part_names(sides), commits_in(evidence.commits)
    if len(names) != len(commits):
        where = difference("commits", len(commits), len(names))
        return (SealFault("commitment", where),)
    return tuple(
        SealFault("commitment", difference(where_of(name), UNSET, UNSET), is_sealed=True)
        for name, commit in zip(names, commits, strict=True)
        if (part := evidence.opened.get(name)) is not None
        and hashing.part_commit(part.salt, part.body) != commit
    )


def _is_canonical(text: bytes) -> bool:
    try:
        tree = msgspec.json.decode(text)
        canonical.check(tree)
        return canonical.encode(tree) == text
    except UNREADABLE:
        return False


def is_moment(at: str) -> bool:
    """Whether this is RFC 3339 in UTC with milliseconds, as `at` of an event has it."""
    if _MOMENT.fullmatch(at) is None:
        return False
    try:
        datetime.fromisoformat(at)
    except ValueError:
        return False
    return True


def is_whole(evidence: Evidence, sides: tuple[str, ...]) -> bool:
    """Whether exactly the committed parts are at hand, none erased."""
    names, opened = parts.part_names(sides), evidence.opened
    if evidence.erased or len(opened) != len(names) or not all(map(opened.__contains__, names)):
        return False
    at_hand = [opened[name] for name in names]
    commits = [hashing.part_commit(part.salt, part.body) for part in at_hand]
    return b"".join(commits) == evidence.commits


def where_of(name: PartName) -> str:
    """The name of a part in paths."""
    return f"parts.{name[0]}.{name[1]}"


def is_complete(evidence: Evidence, sides: tuple[str, ...]) -> bool:
    """Whether all parts that rules read are at hand: all but erased text."""
    return all(
        name in evidence.opened or (name in evidence.erased and name[0] == parts.TEXT)
        for name in parts.part_names(sides)
    )


def filled_parts(evidence: Evidence) -> dict[PartName, bytes]:
    """The parts that are not empty, in the form of the engine's decoder."""
    return {
        name: part.body for name, part in evidence.opened.items() if part.body != parts.EMPTY_PART
    }
