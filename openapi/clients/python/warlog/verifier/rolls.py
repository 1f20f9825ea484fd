"""Rolls against the draws that they name.

The faces that effects tell are those of the draws that they name, totals add up, and each draw of
an event is named by exactly one roll of it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NoReturn, TypeAlias

from msgspec import Struct

from warlog.verifier.details import Detail, said
from warlog.verifier.dice import GM_STREAM
from warlog.verifier.draws import DrawList
from warlog.verifier.findings import ABSENT, Difference, Step, path_text, shown
from warlog.verifier.line_forms import Json

Die: TypeAlias = tuple[int, int]
"""Its sides and its face."""

KnownDice: TypeAlias = dict[int, dict[int, list[Die]]]
"""Dice by seq and stream, in the order of drawing."""

Steps: TypeAlias = tuple[Step, ...]

_FIELDS: Final = frozenset({"stream", "number", "count", "seq", "uncounted"})
_GREATEST: Final = 2**31 - 1
"""Neither the number of a draw nor that of an event is greater."""

_REASONS: Final = frozenset({"replaced", "unread", "nobody_affected", "target_down"})


class View(Struct, frozen=True):
    """An event as an audience sees it: which streams it `sees`, and where its paths begin.

    `is_fork`: the log continues another.
    """

    body: Json
    root: str
    is_fork: bool
    sees: Callable[[int], bool]


class _Run(Struct, frozen=True):
    """Draws of a stream that follow one another."""

    stream: int
    number: int
    count: int
    seq: int | None
    is_counted: bool


def dice_of(lists: Sequence[DrawList]) -> dict[int, list[Die]]:
    """The dice of an event by stream, from the lists that are at hand."""
    return {each.stream: [(draw["sides"], draw["face"]) for draw in each.draws] for each in lists}


def check_rolls(view: View, known: KnownDice) -> bool:
    """Check the rolls of a view; whether one tells draws again.

    Raises a Difference for the first that does not fit.

    `known` are the dice of this event and of those before it.
    """
    _require_listed(view, known.get(view.body["seq"], {}))
    check = _RollCheck(view, known)
    for node in _rolls_in(view.body["effects"]):
        check.roll(node.value, node.steps)
    for at, draw in enumerate(view.body["draws"]):
        if (draw["stream"], draw["number"]) not in check.named:
            detail = said("a draw of event {} that no roll names", view.body["seq"])
            raise Difference("draws", detail, path_text(["draws", at], view.root))
    return check.tells_again


def _require_listed(view: View, streams: dict[int, list[Die]]) -> None:
    """The draws that a view shows are all those that were checked where they are listed."""
    counts: dict[Any, int] = {}
    for at, draw in enumerate(view.body["draws"]):
        wrong = _wrong_field(view, draw, streams, counts)
        if wrong is not None:
            path = path_text(["draws", at, wrong], view.root)
            raise Difference("draws", said("another die than the one that was drawn"), path)
    for stream, dice in streams.items():
        if view.sees(stream) and len(dice) != counts.get(stream, 0):
            detail = said("a draw that this view leaves out")
            raise Difference("draws", detail, f"{view.root}.draws")


def _wrong_field(
    view: View, draw: Any, streams: dict[int, list[Die]], counts: dict[Any, int]
) -> str | None:
    """What of a shown draw is not that of the die that was drawn; `counts` by stream so far."""
    fields = draw if isinstance(draw, dict) else {}
    stream, number = fields.get("stream"), fields.get("number")
    if type(stream) is not int or not view.sees(stream):
        return "stream"
    due = counts[stream] = counts.get(stream, 0) + 1
    dice = streams.get(stream, ())
    if due > len(dice):
        return "stream"
    sides, face = dice[due - 1]
    claims = (("number", number, due), ("sides", fields.get("sides"), sides))
    wrong = (
        name
        for name, each, right in (*claims, ("face", fields.get("face"), face))
        if not _is(each, right)
    )
    return next(wrong, None)


class _Node(Struct, frozen=True, gc=False):
    """A value within effects, and how it is reached."""

    value: Any
    step: Step
    holder: "_Node | None"

    @property
    def steps(self) -> Steps:
        """The steps that lead here."""
        steps: list[Step] = []
        node: _Node | None = self
        while node is not None:
            steps.append(node.step)
            node = node.holder
        return tuple(reversed(steps))


def _rolls_in(effects: Any) -> Iterator[_Node]:
    """Every roll, in the order of the text, however deeply it nests."""
    waiting = [_Node(effects, "effects", None)]
    while waiting:
        node = waiting.pop()
        value = node.value
        if isinstance(value, list):
            members: Any = enumerate(value)
        else:
            if "faces" in value and "sides" in value:
                yield node
            members = value.items()
        inner = [_Node(each, key, node) for key, each in members if isinstance(each, list | dict)]
        inner.reverse()
        waiting += inner


class _RollCheck:
    def __init__(self, view: View, known: KnownDice) -> None:
        self.view = view
        self.known = known
        self.named: set[tuple[int, int]] = set()
        self.tells_again = False

    def roll(self, roll: Json, steps: Steps) -> None:
        """Check a roll. Raises a Difference."""
        faces = roll["faces"]
        runs = _as_runs(roll.get("draws"), len(faces)) if isinstance(faces, list) else None
        numbers = (*faces, roll["sides"], roll.get("total")) if isinstance(faces, list) else ()
        if runs is None or not all(type(each) is int for each in numbers):
            self._refuse(steps, said("no roll: it has `faces`, `sides`, `total` and `draws`"))
        count = sum(run.count for run in runs)
        if count != len(faces):
            detail = said("{} draws are named for {} faces", count, len(faces))
            self._refuse(steps, detail)
        at = total = 0
        for run in runs:
            self.tells_again |= run.seq is not None
            for number in range(run.number, run.number + run.count):
                sides, face = self._die(run, number, roll, at, steps)
                if not _is(roll["sides"], sides):
                    detail = said("{} instead of {}", shown(roll["sides"]), sides)
                    self._refuse((*steps, "sides"), detail)
                if not _is(faces[at], face):
                    detail = said("{} instead of {}", shown(faces[at]), face)
                    self._refuse((*steps, "faces", at), detail)
                total += face if run.is_counted else 0
                at += 1
        if not _is(roll["total"], total):
            detail = said("{} instead of {}", shown(roll["total"]), total)
            self._refuse((*steps, "total"), detail)

    def _die(self, run: _Run, number: int, roll: Json, at: int, steps: Steps) -> Die:
        """The die that a run names, noted as named; one of a log before as the roll shows it."""
        sides, face = roll["sides"], roll["faces"][at]
        if self.view.is_fork and run.seq == 1:
            return sides, face
        seq = self.view.body["seq"] if run.seq is None else run.seq
        dice = self.known.get(seq, {}).get(run.stream, []) if self.view.sees(run.stream) else []
        name = f"{run.stream}/{number}"
        if not 1 <= number <= len(dice):
            self._refuse((*steps, "draws"), said("draw {} is not in this view", name))
        if run.seq is None:
            if (run.stream, number) in self.named:
                self._refuse((*steps, "draws"), said("draw {} is named twice", name))
            self.named.add((run.stream, number))
        return dice[number - 1]

    def _refuse(self, steps: Steps, detail: Detail) -> NoReturn:
        raise Difference("draws", detail, path_text(steps, self.view.root))


def _is(value: Any, number: int) -> bool:
    """Whether a value is this number; true is not 1."""
    return type(value) is int and value == number


def _as_runs(value: Any, faces: int) -> list[_Run] | None:
    """The runs of a roll with so many faces; None where one has not their form."""
    if not isinstance(value, list):
        return None
    runs = [run for each in value if (run := _as_run(each, faces)) is not None]
    return runs if len(runs) == len(value) else None


def _as_run(value: Any, faces: int) -> _Run | None:
    if not isinstance(value, dict):
        return None
    stream: Any = value.get("stream")
    number: Any = value.get("number")
    count: Any = value.get("count", faces)
    seq: Any = value.get("seq", 1)
    if not all(type(each) is int for each in (stream, number, count, seq)):
        return None
    is_from_one = 1 <= number <= _GREATEST and 1 <= seq <= _GREATEST and value.get("count") != 0
    is_of_faces = 0 <= count <= faces and 0 <= stream <= GM_STREAM
    if not (is_from_one and is_of_faces) or value.keys() - _FIELDS:
        return None
    reason = value.get("uncounted", ABSENT)
    is_counted = reason is ABSENT
    if not is_counted and not (isinstance(reason, str) and reason in _REASONS):
        return None
    return _Run(stream, number, count, value.get("seq"), is_counted)
