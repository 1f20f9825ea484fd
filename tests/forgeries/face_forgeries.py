"""Faces shown by a roll that they do not belong to, by whoever has every key of the service.

An attack that has the dice of an earlier one, a wound that has those of the attack, and in a fork
dice that are shown as those of the log that it continues, where no face can be compared.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from msgspec import UNSET, Struct
from msgspec.structs import fields, replace

from service.engine.log.event import Event
from service.engine.vocabulary.rolls import draws_of, runs_of
from service.engine.vocabulary.values import DrawRun, Roll
from tests.forgeries.bundle_forger import Forger, Line
from tests.forgeries.bundle_forgeries import Forgery

UNCOMPARED: Final = (
    "Event 1 hides what waits: the face cannot be compared here, and is counted as not checked."
)
Change = Callable[[Roll], Roll]


def of_reused_faces(forger: Forger, name: str) -> Iterator[Forgery]:
    """Rolls of a battle that have the dice of other rolls."""
    yield from _reused(forger, name)
    for event in forger.table.events:
        if _has_two_rolls(event):
            about = "A wound has the die of the attack, and none of its own."
            yield from _told(forger, f"{name}_shared", about, event, _with_one_roll)
            return


def _reused(forger: Forger, name: str) -> Iterator[Forgery]:
    earlier, later = _alike(forger)
    about = "An attack has the dice of an earlier one, and none of its own."
    yield from _told(forger, f"{name}_reused", about, later, lambda e: _with_draws_of(e, earlier))


def of_forks(forger: Forger, name: str) -> Iterator[Forgery]:
    """Forgeries of a fork: event 3 continues with what waited in the log before."""
    later = next(e for e in forger.table.events[3:] if e.draws and _is_public(e))
    about = "An attack is told as one of the log that the fork continues."
    yield from _told(forger, f"{name}_taken_up", about, later, _as_taken_up)
    is_shown = name == "standing"
    about = "A face that waited in the log before is another."
    for ending, file in (("_gm", forger.gm), ("_red", forger.red))[: 1 + is_shown]:
        lines = forger.retold(3, lambda event: _retold(event, _other_face), file)
        path = _path(forger, lines, 3, "faces[0]")
        where = path if is_shown else f"gm:{path}"
        found = {"check": "draws", "line": forger.line_of(3), "path": where}
        yield Forgery(f"{name}_waited_face{ending}", about, file, lines, found)
    if name == "seeker":
        # Where the table rolls, every attack waits for its dice.
        yield from _reused(forger, name)
    if name == "crossfire":
        yield from _of_event_1(forger)
        lines = forger.retold(3, lambda event: _retold(event, _swapped), forger.red)
        about = "Two faces that waited in the log before are told in each other's place."
        yield Forgery("crossfire_swapped_red", about, forger.red, lines, None, why=UNCOMPARED)


def _of_event_1(forger: Forger) -> Iterator[Forgery]:
    """A fork that does not say what it takes up."""

    def without_state(body: Line) -> None:
        del body["effects"][0]["state"]

    found = {"check": "log_rules", "line": forger.line_of(1), "path": "$.effects[0]"}
    lines = forger.rehashed(1, without_state, file=forger.red)
    about = "A fork that does not state the battle that it continues."
    yield Forgery("fork_without_state_red", about, forger.red, lines, found)


def _told(
    forger: Forger, name: str, about: str, event: Event, change: Callable[[Event], Event]
) -> Iterator[Forgery]:
    for ending, file in (("_gm", forger.gm), ("_red", forger.red)):
        lines = forger.retold(event.seq, change, file)
        path = _path(forger, lines, event.seq, "draws")
        found = {"check": "draws", "line": forger.line_of(event.seq), "path": path}
        yield Forgery(name + ending, about, file, lines, found)


def _alike(forger: Forger) -> tuple[Event, Event]:
    """Two events that roll the same public dice, the later one for more than the earlier named."""
    rolling = [each for each in forger.table.events if each.draws and _is_public(each)]
    for at, later in enumerate(rolling):
        for earlier in rolling[:at]:
            if _is_like(earlier, later):
                return earlier, later
    raise AssertionError("no two events are alike")


def _is_like(earlier: Event, later: Event) -> bool:
    """Whether the later one has no other sizes of dice, and shows none of the earlier."""
    told = {run.seq for roll in _rolls_of(later) for run in roll.draws}
    sizes, others = ({draw.sides for draw in each.draws} for each in (earlier, later))
    return others <= sizes and earlier.seq not in told


def _is_public(event: Event) -> bool:
    """Whether everybody sees all dice and effects."""
    return all(draw.stream == 0 for draw in event.draws)


def _rolls_of(event: Event) -> list[Roll]:
    rolls: list[Roll] = []

    def note(roll: Roll) -> Roll:
        rolls.append(roll)
        return roll

    _each_roll(event.effects, note)
    return rolls


def _has_two_rolls(event: Event) -> bool:
    """Whether two rolls, each with its own dice, are all that has dice in an event."""
    rolls = _rolls_of(event)
    is_fresh = all(run.seq is UNSET for roll in rolls for run in roll.draws)
    is_in_order = bool(rolls) and rolls[0].draws[0].number == 1
    return len(rolls) == 2 and is_fresh and is_in_order and _is_public(event)


def _with_draws_of(event: Event, earlier: Event) -> Event:
    """The event with the dice of an earlier one."""
    faces = {draw.number: draw.face for draw in earlier.draws}

    def reused(run: DrawRun, sides: int) -> DrawRun:
        numbers = [draw.number for draw in earlier.draws if draw.sides == sides]
        number = numbers[run.number % len(numbers)]
        return run if run.seq is not UNSET else replace(run, number=number, seq=earlier.seq)

    def change(roll: Roll) -> Roll:
        runs = [reused(run, roll.sides) for run in draws_of(roll)]
        told = zip(roll.faces, runs, strict=True)
        own = tuple(faces[r.number] if r.seq == earlier.seq else face for face, r in told)
        counted = zip(own, runs, strict=True)
        total = sum(face for face, run in counted if run.uncounted is UNSET)
        return replace(roll, faces=own, total=total, draws=runs_of(runs))

    return replace(_retold(event, change), draws=())


def _with_one_roll(event: Event) -> Event:
    """The event with the dice of its first roll alone."""
    rolls: list[Roll] = []

    def change(roll: Roll) -> Roll:
        rolls.append(roll)
        if len(rolls) == 1:
            return roll
        first = rolls[0]
        return replace(first, draws=runs_of([replace(r, seq=event.seq) for r in draws_of(first)]))

    told = _retold(event, change)
    return replace(told, draws=event.draws[: len(rolls[0].faces)])


def _as_taken_up(event: Event) -> Event:
    """The event with its dice shown as those of the log before."""

    def change(roll: Roll) -> Roll:
        return replace(roll, draws=runs_of([replace(run, seq=1) for run in draws_of(roll)]))

    return replace(_retold(event, change), draws=())


def _other_face(roll: Roll) -> Roll:
    """The first face is another, where it was rolled in the log before."""
    if draws_of(roll)[0].seq != 1:
        return roll
    face = roll.faces[0] % roll.sides + 1
    faces = (face, *roll.faces[1:])
    return replace(roll, faces=faces, total=roll.total - roll.faces[0] + face)


def _swapped(roll: Roll) -> Roll:
    """The faces in another order, where they were rolled in the log before."""
    return replace(roll, faces=roll.faces[::-1]) if draws_of(roll)[0].seq == 1 else roll


def _retold(event: Event, change: Change) -> Event:
    return replace(event, effects=_each_roll(event.effects, change))


def _each_roll(value: Any, change: Change) -> Any:
    """A value with every roll in it changed, in the order of the text."""
    if isinstance(value, Roll):
        return change(value)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple([_each_roll(each, change) for each in value])
    if not isinstance(value, Struct):
        return value
    names = sorted(fields(type(value)), key=lambda field: field.encode_name)
    changed = {each.name: _each_roll(getattr(value, each.name), change) for each in names}
    return replace(value, **changed)


def _path(forger: Forger, lines: list[bytes], seq: int, member: str) -> str:
    """The path of a member of the first roll that everybody sees changed in an event."""
    number = forger.line_of(seq) - 1
    true = _effects(forger.bundles[forger.gm][number])
    told = _effects(lines[number])
    return f"{next(_changed(told, true, '$.effects'))}.{member}"


def _effects(line: bytes) -> Any:
    return json.loads(line)["event"]["effects"]


def _changed(value: Any, true: Any, at: str) -> Iterator[str]:
    """The rolls in a value that are not the true ones."""
    if isinstance(value, dict) and {"faces", "sides"} <= value.keys():
        if value != true:
            yield at
    elif isinstance(value, dict):
        for name in sorted(value):
            yield from _changed(value[name], true[name], f"{at}.{name}")
    elif isinstance(value, list):
        for place, (each, other) in enumerate(zip(value, true, strict=True)):
            yield from _changed(each, other, f"{at}[{place}]")
