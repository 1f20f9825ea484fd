"""Dice anyone can check: counter-based streams from a sealed seed, or faces from the table.

How this works. Every event has its own streams, one per audience, each starting at byte 0, so
that a hidden draw never shifts a public one. A die of n sides takes the fewest whole bytes
that can hold n values, as a big-endian number v; a v in the incomplete last group is skipped
and the next bytes are taken, which keeps every face equally likely. A roll names its draws
(`rolls.py`). Source: service contract, dice.
"""

from typing import Annotated, Final, NamedTuple, Protocol

from msgspec import UNSET, Struct, UnsetType

from service.engine.audience import EVERYONE, STREAM, MentionId
from service.engine.hashing import stream_block
from service.engine.rolls import roll_of
from service.engine.vocabulary import DrawRun, Roll
from service.errors import Refused

PUBLIC_STREAM: Final = 0
GM_STREAM: Final = 255
MAX_SIDES: Final = 65_536


class Draw(Struct, frozen=True, kw_only=True):
    """One die as the log keeps it; `number` counts from 1 within its stream of its event."""

    stream: Annotated[int, EVERYONE, STREAM]
    """Dice stream: 0 public, 1 and up the sides in their order, 255 the game master's."""
    number: Annotated[int, EVERYONE]
    """Place of the draw within its stream of this event, from 1."""
    sides: Annotated[int, EVERYONE]
    """Sides of the die."""
    face: Annotated[int, EVERYONE]
    """Face that came up, 1 to `sides`."""
    purpose: Annotated[str, EVERYONE]
    """What the die was rolled for, such as `initiative` or `attack`."""
    combatant: Annotated[MentionId | UnsetType, EVERYONE] = UNSET
    """Combatant that the die was rolled for; absent where it was for none, or the combatant is
    hidden from the caller."""


class RolledFor(NamedTuple):
    """What a die is rolled for: two rolls alike in this are of one kind."""

    purpose: str
    sides: int
    combatant: str | UnsetType


class NeedFaces(Exception):
    """The table rolls its own dice and `count` more of `sides` sides are needed.

    `combatant` rolls them; who may know of them is said by `stream`.
    """

    def __init__(
        self, count: int, sides: int, purpose: str, combatant: str | UnsetType, stream: int
    ) -> None:
        super().__init__(count, sides, purpose)
        self.count = count
        self.sides = sides
        self.purpose = purpose
        self.combatant = combatant
        self.stream = stream


class Dice(Protocol):
    """Where event `seq` takes its dice from; remembers what was drawn, in order."""

    seq: int
    seed: bytes

    @property
    def draws(self) -> tuple[Draw, ...]:
        """All draws so far, in the order they were made."""

    def roll(
        self,
        count: int,
        sides: int,
        purpose: str,
        *,
        stream: int = PUBLIC_STREAM,
        combatant: str | UnsetType = UNSET,
    ) -> Roll:
        """Draw `count` dice of `sides` sides (1 to 65,536); the roll names its draws."""


class Stream:
    """One stream of one event: faces on demand from its blocks."""

    def __init__(self, key: bytes, seq: int, number: int) -> None:
        self._key = key
        self._seq = seq
        self._number = number
        self._bytes = b""
        self._block = 0
        self._at = 0

    def face(self, sides: int) -> int:
        """The next face, 1 to `sides`."""
        return self.faces(1, sides)[0]

    def faces(self, count: int, sides: int) -> tuple[int, ...]:
        """The next `count` faces, each 1 to `sides`."""
        width = die_width(sides)
        limit = sides * (256**width // sides)
        found: list[int] = []
        while len(found) < count:
            at = self._at
            if at + width > len(self._bytes):
                self._go_on()
                continue
            value = self._bytes[at]
            if width == 2:
                value = value << 8 | self._bytes[at + 1]
            self._at = at + width
            if value < limit:
                found.append(value % sides + 1)
        return tuple(found)

    def _go_on(self) -> None:
        """Put the next block behind the bytes that are left."""
        block = stream_block(self._key, self._seq, self._number, self._block)
        self._bytes = self._bytes[self._at :] + block
        self._at = 0
        self._block += 1


def die_width(sides: int) -> int:
    """Bytes a die takes: the fewest k >= 1 with 256**k >= sides.

    Raises ValueError outside 1 to 65,536 sides.
    """
    if not 1 <= sides <= MAX_SIDES:
        raise ValueError(f"a die has 1 to {MAX_SIDES} sides, not {sides}")
    return 1 if sides <= 256 else 2


class _Recording:
    """Keeps the draws of one event, numbered within their streams."""

    def __init__(self, seq: int, seed: bytes) -> None:
        self.seq = seq
        self.seed = seed
        self._draws: list[Draw] = []
        self._counts: dict[int, int] = {}

    @property
    def draws(self) -> tuple[Draw, ...]:
        """All draws so far, in the order they were made."""
        return tuple(self._draws)

    def _record(
        self,
        stream: int,
        sides: int,
        faces: tuple[int, ...],
        purpose: str,
        combatant: str | UnsetType,
    ) -> int:
        """Keep further draws of a stream; the number of the first."""
        last = self._counts.get(stream, 0)
        self._counts[stream] = last + len(faces)
        for number, face in enumerate(faces, last + 1):
            self._draws.append(
                Draw(
                    stream=stream,
                    number=number,
                    sides=sides,
                    face=face,
                    purpose=purpose,
                    combatant=combatant,
                )
            )
        return last + 1


class SealedDice(_Recording):
    """The dice of event `seq`, drawn from the encounter's key (32 bytes)."""

    def __init__(self, key: bytes, seq: int, seed: bytes = b"") -> None:
        super().__init__(seq, seed)
        self._key = key
        self._streams: dict[int, Stream] = {}

    def roll(
        self,
        count: int,
        sides: int,
        purpose: str,
        *,
        stream: int = PUBLIC_STREAM,
        combatant: str | UnsetType = UNSET,
    ) -> Roll:
        """Draw `count` dice of `sides` sides."""
        source = self._streams.get(stream)
        if source is None:
            source = self._streams[stream] = Stream(self._key, self.seq, stream)
        faces = source.faces(count, sides)
        number = self._record(stream, sides, faces, purpose, combatant)
        draws = (DrawRun(stream=stream, number=number),) if faces else ()
        return Roll(sides=sides, faces=faces, total=sum(faces), draws=draws)


class SuppliedDice(_Recording):
    """Faces the table rolled, consumed in draw order; kept ones are draws of earlier events."""

    def __init__(self, faces: tuple[int, ...], seq: int, seed: bytes = b"") -> None:
        super().__init__(seq, seed)
        self._faces = faces
        self._kept: tuple[DrawRun, ...] = ()
        self._kept_for: list[RolledFor] = []
        self._at = 0

    def roll(
        self,
        count: int,
        sides: int,
        purpose: str,
        *,
        stream: int = PUBLIC_STREAM,
        combatant: str | UnsetType = UNSET,
    ) -> Roll:
        """Take the next `count` faces; further ones of a roll join the stream of those kept.

        Raises NeedFaces when there are fewer left, Refused("impossible_face") for a face
        outside 1 to `sides`.
        """
        of_those_kept = self._kept[self._at : self._at + count]
        self._kept_for += [RolledFor(purpose, sides, combatant)] * len(of_those_kept)
        left = len(self._faces) - self._at
        faces = self._faces[self._at : self._at + min(count, left)]
        for offset, face in enumerate(faces):
            if not 1 <= face <= sides:
                raise Refused(
                    "impossible_face",
                    purpose=purpose,
                    sides=sides,
                    face=face,
                    die=self._at + offset - len(self._kept) + 1,
                )
        if left < count:
            raise NeedFaces(count - left, sides, purpose, combatant, stream)
        for draw in of_those_kept:
            stream = _narrower(stream, draw.stream)
        old = len(of_those_kept)
        first = self._record(stream, sides, faces[old:], purpose, combatant)
        self._at += count
        new = (DrawRun(stream=stream, number=n) for n in range(first, first + count - old))
        return roll_of(sides, faces, (*of_those_kept, *new))

    def prepend(self, faces: tuple[int, ...], draws: tuple[DrawRun, ...]) -> None:
        """Use these faces of earlier answers first; the log has their draws already."""
        self._faces = faces + self._faces
        self._kept = draws

    def set_aside(self, stream: int) -> Roll:
        """The new faces as draws of `stream` alone, while the action waits for more.

        They are all of one roll: the one that asked for them.
        """
        drawn, self._draws, self._counts = self._draws, [], {}
        for draw in drawn:
            self._record(stream, draw.sides, (draw.face,), draw.purpose, draw.combatant)
        sides = drawn[0].sides if drawn else 0
        draws = (DrawRun(stream=stream, number=draw.number) for draw in self._draws)
        return roll_of(sides, self.faces, draws)

    @property
    def kept_for(self) -> tuple[RolledFor, ...]:
        """What the faces of earlier answers were taken for so far, one by one."""
        return tuple(self._kept_for)

    @property
    def faces(self) -> tuple[int, ...]:
        """The new faces."""
        return self._faces[len(self._kept) :]

    @property
    def supplied(self) -> int:
        """How many new faces came with this action."""
        return len(self._faces) - len(self._kept)

    def finish(self) -> None:
        """Every face must have been used. Raises Refused("too_many_faces")."""
        if self._at < len(self._faces):
            last = self._draws[-1] if self._draws else None
            needed = max(0, self._at - len(self._kept))
            if last is None:
                raise Refused("too_many_faces", supplied=self.supplied, needed=needed)
            raise Refused(
                "too_many_faces",
                supplied=self.supplied,
                needed=needed,
                purpose=last.purpose,
                sides=last.sides,
            )


class KeptDice(_Recording):
    """Faces of earlier answers alone, each for a roll of the kind that it was brought for.

    Nothing is drawn: the log has them already. Those of a kind are taken in their order; faces that
    no roll is for any more stay where they are.
    """

    def __init__(
        self,
        faces: tuple[int, ...],
        draws: tuple[DrawRun, ...],
        kinds: tuple[RolledFor, ...],
        seq: int,
    ) -> None:
        super().__init__(seq, b"")
        self._left: dict[RolledFor, list[tuple[int, DrawRun]]] = {}
        for face, draw, kind in zip(faces, draws, kinds, strict=False):
            self._left.setdefault(kind, []).append((face, draw))
        self._taken: list[tuple[int, DrawRun]] = []

    def roll(
        self,
        count: int,
        sides: int,
        purpose: str,
        *,
        stream: int = PUBLIC_STREAM,
        combatant: str | UnsetType = UNSET,
    ) -> Roll:
        """Take `count` faces of this kind. Raises NeedFaces when there are fewer."""
        left = self._left.get(RolledFor(purpose, sides, combatant), [])
        found = [left.pop(0) for _ in range(min(count, len(left)))]
        self._taken += found
        if len(found) < count:
            raise NeedFaces(count - len(found), sides, purpose, combatant, stream)
        return roll_of(sides, tuple(face for face, _ in found), (draw for _, draw in found))

    @property
    def taken(self) -> tuple[tuple[int, ...], tuple[DrawRun, ...]]:
        """The faces taken, in this order, and their draws one by one."""
        return tuple(face for face, _ in self._taken), tuple(draw for _, draw in self._taken)


def _narrower(stream: int, kept: int) -> int:
    """The stream of a roll some of whose faces are drawn on another: who may know both, knows it.

    Two sides have only the game master in common.
    """
    if PUBLIC_STREAM in (stream, kept) or stream == kept:
        return max(stream, kept)
    return GM_STREAM
