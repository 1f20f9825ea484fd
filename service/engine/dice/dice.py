"""Dice anyone can check: counter-based streams from a sealed seed, or faces from the table.

How this works. Every event has its own streams, one per audience, each starting at byte 0, so
that a hidden draw never shifts a public one. A die of n sides takes the fewest whole bytes
that can hold n values, as a big-endian number v; a v in the incomplete last group is skipped
and the next bytes are taken, which keeps every face equally likely. A roll names its draws
(`rolls.py`). Source: service contract, dice.
"""

from collections.abc import Sequence
from typing import Annotated, Final, NamedTuple, Protocol

from msgspec import UNSET, Struct, UnsetType

from service.engine.hashing import stream_block
from service.engine.visibility.audience import (
    EVERYONE,
    STREAM,
)
from service.engine.visibility.streams import GM_STREAM, PUBLIC_STREAM
from service.engine.vocabulary.recorded_words import (
    RecordedMentionId,
)
from service.engine.vocabulary.rolls import draws_of, roll_of
from service.engine.vocabulary.values import (
    DrawRun,
    Roll,
)
from service.errors import Refused

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
    combatant: Annotated[RecordedMentionId | UnsetType, EVERYONE] = UNSET
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
    def draws(self) -> Sequence[Draw]:
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


class DiceStream:
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
        faces: list[int] = []
        while len(faces) < count:
            at = self._at
            if at + width > len(self._bytes):
                self._go_on()
                continue
            value = self._bytes[at]
            if width == 2:
                value = value << 8 | self._bytes[at + 1]
            self._at = at + width
            if value < limit:
                faces.append(value % sides + 1)
        return tuple(faces)

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


class RecordingDice:
    """The draws of one event, numbered within their streams, wherever the faces come from.

    `draws` are all so far, in the order they were made.
    """

    def __init__(self, seq: int, seed: bytes) -> None:
        self.seq = seq
        self.seed = seed
        self.draws: list[Draw] = []
        self._counts: dict[int, int] = {}

    def next_number(self, stream: int) -> int:
        """The number that the next draw of a stream will have, from 1."""
        return self._counts.get(stream, 0) + 1

    def record(
        self,
        stream: int,
        sides: int,
        faces: tuple[int, ...],
        purpose: str,
        combatant: str | UnsetType,
    ) -> int:
        """Keep further draws of a stream; the number of the first."""
        first = self.next_number(stream)
        self._counts[stream] = first + len(faces) - 1
        for number, face in enumerate(faces, first):
            self.draws.append(
                Draw(
                    stream=stream,
                    number=number,
                    sides=sides,
                    face=face,
                    purpose=purpose,
                    combatant=combatant,
                )
            )
        return first


class SealedDice(RecordingDice):
    """The dice of event `seq`, drawn from the encounter's key (32 bytes)."""

    def __init__(self, key: bytes, seq: int, seed: bytes = b"") -> None:
        super().__init__(seq, seed)
        self._key = key
        self._streams: dict[int, DiceStream] = {}

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
            source = self._streams[stream] = DiceStream(self._key, self.seq, stream)
        faces = source.faces(count, sides)
        number = self.record(stream, sides, faces, purpose, combatant)
        draws = (DrawRun(stream=stream, number=number),) if faces else ()
        return Roll(sides=sides, faces=faces, total=sum(faces), draws=draws)


class EarlierFace(NamedTuple):
    """A face that an answer before this one brought: its draw is in the log already.

    `kind` is what it was rolled for; None where that is not worked out, since the rules take such
    faces in the order in which they were drawn.
    """

    face: int
    draw: DrawRun
    kind: RolledFor | None = None


class EarlierFaces:
    """The faces of earlier answers, handed out to the rolls that they may serve."""

    def __init__(self, faces: tuple[EarlierFace, ...]) -> None:
        self._left = list(faces)
        self._taken: list[EarlierFace] = []

    def take(self, kind: RolledFor, count: int) -> list[EarlierFace]:
        """Up to `count` of those that may serve a roll of this kind."""
        fit = [each for each in self._left if each.kind in (None, kind)][:count]
        for each in fit:
            self._left.remove(each)
        self._taken += [each._replace(kind=kind) for each in fit]
        return fit

    @property
    def left(self) -> tuple[EarlierFace, ...]:
        """Those that no roll has taken."""
        return tuple(self._left)

    @property
    def taken(self) -> tuple[EarlierFace, ...]:
        """Those that were taken so far, in this order, and for what."""
        return tuple(self._taken)


class SuppliedDice(RecordingDice):
    """Faces the table rolled, consumed in draw order after those of earlier answers."""

    def __init__(
        self,
        faces: tuple[int, ...],
        seq: int,
        seed: bytes = b"",
        earlier: tuple[EarlierFace, ...] = (),
    ) -> None:
        super().__init__(seq, seed)
        self.faces = faces
        self._at = 0
        self._earlier = EarlierFaces(earlier)

    def roll(
        self,
        count: int,
        sides: int,
        purpose: str,
        *,
        stream: int = PUBLIC_STREAM,
        combatant: str | UnsetType = UNSET,
    ) -> Roll:
        """Take the next `count` faces; further ones of a roll join the stream of earlier ones.

        Raises NeedFaces when there are fewer left, Refused("impossible_face") for a face
        outside 1 to `sides`.
        """
        old = self._earlier.take(RolledFor(purpose, sides, combatant), count)
        new = self.faces[self._at : self._at + count - len(old)]
        for die, face in enumerate(new, self._at + 1):
            if not 1 <= face <= sides:
                raise Refused("impossible_face", purpose=purpose, sides=sides, face=face, die=die)
        missing = count - len(old) - len(new)
        if missing:
            raise NeedFaces(missing, sides, purpose, combatant, stream)
        for each in old:
            stream = _narrower(stream, each.draw.stream)
        first = self.record(stream, sides, new, purpose, combatant)
        self._at += len(new)
        drawn = (DrawRun(stream=stream, number=n) for n in range(first, first + len(new)))
        faces = (*(each.face for each in old), *new)
        return roll_of(sides, faces, (*(each.draw for each in old), *drawn))

    @property
    def earlier(self) -> tuple[EarlierFace, ...]:
        """The faces of earlier answers that no roll has taken."""
        return self._earlier.left

    @property
    def taken(self) -> tuple[EarlierFace, ...]:
        """The faces of earlier answers that were taken so far, in this order, and for what.

        Also those of a roll that needs more.
        """
        return self._earlier.taken

    def use_first(self, earlier: tuple[EarlierFace, ...]) -> None:
        """Take these faces of earlier answers before the new ones."""
        self._earlier = EarlierFaces(earlier)

    def set_aside(self, stream: int) -> Roll:
        """The new faces as draws of `stream` alone, while the action waits for more.

        They are all of one roll: the one that asked for them.
        """
        drawn, self.draws, self._counts = self.draws, [], {}
        for draw in drawn:
            self.record(stream, draw.sides, (draw.face,), draw.purpose, draw.combatant)
        sides = drawn[0].sides if drawn else 0
        draws = (DrawRun(stream=stream, number=draw.number) for draw in self.draws)
        return roll_of(sides, self.faces, draws)

    @property
    def supplied(self) -> int:
        """How many new faces came with this action."""
        return len(self.faces)

    def finish(self) -> None:
        """Every new face must have been used. Raises Refused("too_many_faces")."""
        if self._at < len(self.faces):
            refusal = Refused("too_many_faces", supplied=self.supplied, needed=self._at)
            if self.draws:
                last = self.draws[-1]
                refusal.params |= {"purpose": last.purpose, "sides": last.sides}
            raise refusal


class DiceAfterFaces:
    """The faces of earlier answers, and behind them other dice.

    For what waited for more of a table's dice in a battle that goes on elsewhere.
    """

    def __init__(self, earlier: tuple[EarlierFace, ...], dice: Dice) -> None:
        self.seq = dice.seq
        self.seed = dice.seed
        self._earlier = EarlierFaces(earlier)
        self._dice = dice

    @property
    def draws(self) -> Sequence[Draw]:
        """All draws so far; the earlier faces are none of this event."""
        return self._dice.draws

    @property
    def earlier(self) -> tuple[EarlierFace, ...]:
        """The earlier faces that no roll has taken."""
        return self._earlier.left

    def roll(
        self,
        count: int,
        sides: int,
        purpose: str,
        *,
        stream: int = PUBLIC_STREAM,
        combatant: str | UnsetType = UNSET,
    ) -> Roll:
        """Take up to `count` of the earlier faces, and draw the others from their stream."""
        old = self._earlier.take(RolledFor(purpose, sides, combatant), count)
        for each in old:
            stream = _narrower(stream, each.draw.stream)
        new = self._dice.roll(count - len(old), sides, purpose, stream=stream, combatant=combatant)
        if not old:
            return new
        faces = (*(each.face for each in old), *new.faces)
        return roll_of(sides, faces, (*(each.draw for each in old), *draws_of(new)))


def _narrower(stream: int, kept: int) -> int:
    """The stream of a roll some of whose faces are drawn on another: who may know both, knows it.

    Two sides have only the game master in common.
    """
    if PUBLIC_STREAM in (stream, kept) or stream == kept:
        return max(stream, kept)
    return GM_STREAM
