"""Numbers and wounds that differ from the sheets that were shown before say.

Each effect agrees with itself: only whoever remembers the sheet can tell.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from service.engine.log.event import Event
from service.engine.vocabulary import effects as fx
from tests.forgeries.bundle_forger import Forger
from tests.forgeries.bundle_forgeries import Forgery
from tests.forgeries.rulebook_forgeries import HIDDEN, place_of, with_first

Change = Callable[[Any], Any]


class Lie(NamedTuple):
    """What is changed: in which event and effect, where in it, and whose number it is.

    `whose` is the side that alone may know the number; None where everybody may.
    """

    seq: int
    kind: type[fx.Effect]
    change: Change
    path: str
    whose: str | None = None


def _with_detail(**amounts: int) -> Change:
    """Numbers in the detail of an attack are so much more."""

    def told(attack: Any) -> Any:
        detail = attack.detail
        fields = {name: getattr(detail, name) + more for name, more in amounts.items()}
        return replace(attack, detail=replace(detail, **fields))

    return told


def _with_against(**amounts: int) -> Change:
    """Numbers that an attack had to reach are so much more."""

    def told(attack: Any) -> Any:
        against = attack.detail.against
        fields = {name: getattr(against, name) + more for name, more in amounts.items()}
        return replace(attack, detail=replace(attack.detail, against=replace(against, **fields)))

    return told


def _healthier(hurt: Any) -> Any:
    return replace(hurt, health=hurt.health + 1)


NUMBERS: Final = {
    "melody": Lie(29, fx.AttackResolved, _with_detail(base=1, pool=1), "detail.base"),
    "seeker": Lie(8, fx.AreaResolved, _with_detail(base=-1, pool=-1), "detail.base", "red"),
    "squad": Lie(17, fx.AttackResolved, _with_detail(threshold=-1), "detail.threshold"),
    "tactical": Lie(
        12, fx.AttackResolved, _with_against(base=-1, needed=-1), "detail.against.base"
    ),
}
"""A roll that is shown to have begun with another number, or to have needed another."""

WOUNDS: Final = {
    "crossfire": Lie(12, fx.Hurt, _healthier, "health"),
    "seeker": Lie(13, fx.Hurt, _healthier, "health", "red"),
    "squad": Lie(17, fx.Hurt, _healthier, "health", "blue"),
    "tactical": Lie(14, fx.Hurt, _healthier, "health", "blue"),
}
"""A wound that took less than its damage."""


def of_the_sheets(forger: Forger, name: str) -> Iterator[Forgery]:
    """Those of one battle, each in the game master's bundle and in that of red."""
    about = "A number of the sheet is another in a roll, and all that follows from it fits."
    if name in NUMBERS:
        yield from _told(forger, f"{name}_number", about, NUMBERS[name])
    if name in WOUNDS:
        about = "Somebody has more health left than the damage leaves."
        yield from _told(forger, f"{name}_healed", about, WOUNDS[name])


def _told(forger: Forger, name: str, about: str, lie: Lie) -> Iterator[Forgery]:
    change: Callable[[Event], Event] = with_first(lie.kind, lie.change)
    tag = str(lie.kind.__struct_config__.tag)
    at = f"{place_of(forger, lie.seq, tag)}.{lie.path}"
    found: dict[str, str | None] = {
        forger.gm: at if lie.whose is None else f"parts.facts.{lie.whose}:{at}",
        forger.red: {None: at, "red": f"red:{at}"}.get(lie.whose),
    }
    for (file, path), side in zip(found.items(), ("gm", "red"), strict=True):
        lines = forger.retold(lie.seq, change, file)
        line = forger.line_of(lie.seq)
        difference = None if path is None else {"check": "rules", "line": line, "path": path}
        why = HIDDEN if path is None else None
        yield Forgery(f"{name}_{side}", about, file, lines, difference, why=why)
