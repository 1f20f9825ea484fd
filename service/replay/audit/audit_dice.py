"""Dice for an audit: made again from the seed, or taken from the record while it is sealed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

import msgspec
from msgspec import UNSET, UnsetType

from service.engine.dice.dice import Dice, DiceStream, Draw, RecordingDice, SealedDice, SuppliedDice
from service.engine.log import parts
from service.engine.visibility.audience import EVERYONE_WORD, GM_WORD
from service.engine.visibility.scope import Viewer
from service.engine.visibility.streams import GM_STREAM, PUBLIC_STREAM
from service.engine.vocabulary.rolls import roll_of
from service.engine.vocabulary.values import DiceMode, DrawRun, Roll
from service.replay.bundle.line_form import DrawForm
from service.replay.log.log_rules import VisibleDraws
from service.replay.log.sealed_event import Evidence, where_of
from service.replay.report.differences import (
    UNREADABLE,
    Difference,
    DrawDifference,
    difference,
)


class NoSuchDraw(Exception):
    """The rules roll a die that the record does not hold: `number` of stream `stream`."""

    def __init__(self, stream: int, number: int, sides: int, purpose: str) -> None:
        super().__init__(stream, number, sides, purpose)
        self.wanted = {"number": number, "purpose": purpose, "sides": sides, "stream": stream}
        self.draw = DrawDifference(stream=stream, number=number, purpose=purpose, sides=sides)


class RecordedDice(RecordingDice):
    """Faces as the log holds them, handed out by stream and number while the seed is sealed."""

    def __init__(self, stored: Sequence[Draw], seq: int, seed: bytes = b"") -> None:
        super().__init__(seq, seed)
        self._stored = {(draw.stream, draw.number): draw for draw in stored}

    def roll(
        self,
        count: int,
        sides: int,
        purpose: str,
        *,
        stream: int = PUBLIC_STREAM,
        combatant: str | UnsetType = UNSET,
    ) -> Roll:
        """The next `count` faces of the record. Raises NoSuchDraw."""
        first = self.next_number(stream)
        faces = tuple(self._next(sides, purpose, stream, combatant) for _ in range(count))
        draws = (DrawRun(stream=stream, number=number) for number in range(first, first + count))
        return roll_of(sides, faces, draws)

    def _next(self, sides: int, purpose: str, stream: int, combatant: str | UnsetType) -> int:
        number = self.next_number(stream)
        stored = self._stored.get((stream, number))
        if stored is None or not 1 <= stored.face <= sides:
            raise NoSuchDraw(stream, number, sides, purpose)
        self.record(stream, sides, (stored.face,), purpose, combatant)
        return stored.face


def dice_for(
    mode: DiceMode, key: bytes | None, seed: bytes | None, seq: int, stored: Sequence[Draw]
) -> Dice:
    """The dice to decide event `seq` with; `key` is None as long as the seed is sealed."""
    known_seed = seed or b""
    if mode == "supplied":
        return SuppliedDice(tuple(draw.face for draw in stored), seq, seed=known_seed)
    if key is None:
        return RecordedDice(stored, seq, seed=known_seed)
    return SealedDice(key, seq, seed=known_seed)


def visible_draws(tree: dict[str, object], evidence: Evidence) -> VisibleDraws:
    """The readable draws of an event, by their path: the public ones in the body, and those of each
    part at hand.
    """
    public = tree.get("draws")
    visible = [("$.draws", public if isinstance(public, list) else [])]
    visible += [
        (f"{where_of(name)}:$.draws", _draws_in(part.body))
        for name, part in evidence.opened.items()
        if name[0] == parts.FACTS
    ]
    return tuple(visible)


def _draws_in(body: bytes) -> list[object]:
    try:
        entries = parts.PARTS.decode(body).entries
    except UNREADABLE:
        return []
    return [value for path, value in entries if len(path) == 2 and path[0] == "draws"]


def readable_draws(draws: Sequence[object]) -> tuple[Draw, ...]:
    """The draws as values; JSON that is no draw is left out."""
    return tuple(draw for value in draws if (draw := _draw_in(value)) is not None)


def _draw_in(value: object) -> Draw | None:
    try:
        told = msgspec.convert(value, DrawForm)
    except msgspec.ValidationError:
        return None
    return Draw(
        stream=told.stream,
        number=told.number,
        sides=told.sides,
        face=told.face,
        purpose=told.purpose,
        combatant=told.combatant,
    )


def stream_of_list(where: str, sides: tuple[str, ...]) -> int:
    """The stream whose draws stand in the list of this path."""
    if where == "$.draws":
        return PUBLIC_STREAM
    owners = {f"{where_of((parts.FACTS, side))}:$.draws": at for at, side in enumerate(sides, 1)}
    return owners.get(where, GM_STREAM)


@dataclass(frozen=True, slots=True)
class ListedDraws:
    """The lists of draws of an event that are at hand, held against their streams.

    `seen` are the draws that the reader may see; a list ends before something that is no draw.
    `drawn_again`: how many of them are their stream's, each list up to the first that is not; none
    without a key. `wrong` is the first draw of all lists that is not its stream's.
    """

    lists: VisibleDraws
    seen: tuple[Draw, ...]
    drawn_again: int
    wrong: Difference | None


def listed_draws(
    lists: VisibleDraws, key: bytes | None, seq: int, sides: tuple[str, ...], viewer: Viewer
) -> ListedDraws:
    """Judge the lists of event `seq`, whatever else is wrong with it."""
    owners = {"$.draws": EVERYONE_WORD}
    owners |= {f"{where_of((parts.FACTS, each))}:$.draws": each for each in (*sides, GM_WORD)}
    seen: tuple[Draw, ...] = ()
    drawn_again, first = 0, None
    for where, listed in lists:
        draws = [_draw_in(value) for value in listed]
        fitting, wrong = _against_stream(listed, draws, key, seq, where, sides)
        first = first or wrong
        if where in owners and viewer.may_know(owners[where]):
            end = draws.index(None) if None in draws else len(draws)
            seen += tuple(draw for draw in draws[:end] if draw is not None)
            drawn_again += fitting
    return ListedDraws(lists, seen, drawn_again, first)


def _against_stream(
    listed: Sequence[object],
    draws: Sequence[Draw | None],
    key: bytes | None,
    seq: int,
    where: str,
    sides: tuple[str, ...],
) -> tuple[int, Difference | None]:
    """How many draws are those that their stream gives, and the first that is not.

    `where` is the path of the list; all draws of a list are those of one stream. While the seed is
    sealed (`key` None) only numbers and bounds are checked. A stream is read from its first die on,
    which holds since everybody sees all draws of a stream or none.
    """
    own = stream_of_list(where, sides)
    stream = DiceStream(key, seq, own) if key is not None and draws else None
    for index, draw in enumerate(draws):
        wrong = _wrong_draw(draw, listed[index], stream, f"{where}[{index}]", (own, index + 1))
        if wrong is not None:
            return (0 if stream is None else index), wrong
    return (0 if stream is None else len(draws)), None


def _wrong_draw(
    draw: Draw | None,
    value: object,
    stream: DiceStream | None,
    path: str,
    due: tuple[int, int],
) -> Difference | None:
    """Why a draw is not the next one of its stream; `due` are its stream and number."""
    own, number = due
    if draw is None:
        return difference(path, value, UNSET)
    if draw.stream != own:
        return difference(f"{path}.stream", draw.stream, own)
    if draw.number != number:
        return difference(f"{path}.number", draw.number, number)
    face = draw.face if stream is None else stream.face(draw.sides)
    if face == draw.face and 1 <= face <= draw.sides:
        return None
    expected = UNSET if stream is None else face
    die = _differing(draw, draw.face, expected)
    return replace(difference(f"{path}.face", draw.face, expected), draw=die)


def differing_draw(
    stored: Sequence[Draw], recomputed: Sequence[Draw]
) -> DrawDifference | UnsetType:
    """The first draw of an event that is not the one that the rules make."""
    for theirs, ours in zip_longest(stored, recomputed):
        if theirs == ours:
            continue
        if theirs is None or ours is None:
            draw = theirs or ours
            return _differing(
                draw, UNSET if theirs is None else draw.face, UNSET if ours is None else draw.face
            )
        return _differing(ours, theirs.face, ours.face)
    return UNSET


def _differing(draw: Draw, stored: int | UnsetType, recomputed: int | UnsetType) -> DrawDifference:
    return DrawDifference(
        stream=draw.stream,
        number=draw.number,
        purpose=draw.purpose,
        sides=draw.sides,
        stored=stored,
        recomputed=recomputed,
    )
