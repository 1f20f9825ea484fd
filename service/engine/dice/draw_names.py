"""Tells whether the rolls of an event name all of its draws, each once.

How this works. For each type the few fields that can lead to a roll are listed once, so that
effects without any cost nothing.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import get_args, get_type_hints

import msgspec
from msgspec import UNSET, Struct

from service.engine.dice.dice import Draw
from service.engine.vocabulary.rolls import faces_of_runs
from service.engine.vocabulary.values import Roll


def names_all(effects: Iterable[Struct], draws: tuple[Draw, ...]) -> bool:
    """Whether each draw stands in exactly one roll that names it here, with its sides and face."""
    left = {(draw.stream, draw.number): (draw.sides, draw.face) for draw in draws}
    for effect in effects:
        for roll in rolls_in(effect):
            try:
                runs = tuple(faces_of_runs(roll))
            except ValueError:
                # What a state that is taken as given says of an earlier roll need not be sound.
                return False
            for run, faces in runs:
                if run.seq is not UNSET:
                    continue
                for number, face in enumerate(faces, run.number):
                    if left.pop((run.stream, number), None) != (roll.sides, face):
                        return False
    return not left


def tells_again(effects: Iterable[Struct]) -> bool:
    """Whether a roll of these effects tells draws that an event named before."""
    return any(
        run.seq is not UNSET
        for effect in effects
        for roll in rolls_in(effect)
        for run in roll.draws
    )


def rolls_in(value: Struct) -> Iterator[Roll]:
    """Every roll inside a value, at any depth."""
    for name in _leading(type(value)):
        item = getattr(value, name)
        for each in item if isinstance(item, tuple) else (item,):
            if isinstance(each, Roll):
                yield each
            elif isinstance(each, Struct):
                yield from rolls_in(each)


@cache
def _leading(kind: type[Struct]) -> tuple[str, ...]:
    """The fields of a type that can lead to a roll."""
    hints = get_type_hints(kind)
    fields = [field.name for field in msgspec.structs.fields(kind)]
    return tuple(name for name in fields if any(map(_leads, _structs_in(hints[name]))))


def _leads(kind: type[Struct]) -> bool:
    return issubclass(kind, Roll) or bool(_leading(kind))


def _structs_in(hint: object) -> Iterator[type[Struct]]:
    if isinstance(hint, type) and issubclass(hint, Struct):
        yield hint
    for argument in get_args(hint):
        yield from _structs_in(argument)
