"""The rolls and draws of a view, read once for all who judge them.

Effects are read as JSON: an object with `faces` and `sides` is a roll.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET

from service.engine.dice.dice import Draw
from service.engine.vocabulary.rolls import draws_of
from service.engine.vocabulary.values import DrawRun, Roll
from service.replay.audit.audit_dice import readable_draws

_TREES: Final = (dict, list)
"""Types of JSON values that may hold a roll."""


class ToldRoll(NamedTuple):
    """A roll of an effect with the draws of its faces; `path` leads to it from the effects on."""

    path: str
    roll: Roll
    draws: tuple[DrawRun, ...]

    @property
    def tells_again(self) -> bool:
        """Whether it tells draws that an event named before."""
        return any(run.seq is not UNSET for run in self.roll.draws)


class NoRoll(NamedTuple):
    """What looks like a roll and is none."""

    path: str
    value: object


class ToldDice(NamedTuple):
    """What a view tells of dice, in its order."""

    draws: tuple[Draw, ...]
    found: tuple[ToldRoll | NoRoll, ...]

    @property
    def rolls(self) -> tuple[ToldRoll, ...]:
        """Those that are rolls."""
        return tuple(each for each in self.found if isinstance(each, ToldRoll))


def told_dice(view: object) -> ToldDice:
    """The dice of a view of an event, as JSON."""
    draws = readable_draws(list_in(view, "draws"))
    return ToldDice(draws, tuple(_read(*each) for each in rolls_in(list_in(view, "effects"), "")))


def list_in(view: object, name: str) -> list[object]:
    """A list of a view; empty where it is none."""
    listed = view.get(name) if isinstance(view, dict) else None
    return listed if isinstance(listed, list) else []


def rolls_in(effects: list[object], path: str) -> Iterator[tuple[str, object]]:
    """Every roll with its path, in document order; effects of a forged log may be nested deeply."""
    waiting: list[tuple[str, object]] = [(path, effects)]
    while waiting:
        at, value = waiting.pop()
        if isinstance(value, dict):
            if "faces" in value and "sides" in value:
                yield at, value
            inner = [(f"{at}.{name}", each) for name, each in value.items() if type(each) in _TREES]
        elif isinstance(value, list):
            inner = [(f"{at}[{n}]", each) for n, each in enumerate(value) if type(each) in _TREES]
        else:
            continue
        inner.reverse()
        waiting += inner


def _read(path: str, value: object) -> ToldRoll | NoRoll:
    if not isinstance(value, dict) or "draws" not in value:
        return NoRoll(path, value)
    try:
        roll = msgspec.convert(value, Roll)
        return ToldRoll(path, roll, draws_of(roll))
    except ValueError:
        return NoRoll(path, value)
