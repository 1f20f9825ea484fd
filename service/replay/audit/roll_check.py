"""The rolls in effects, compared with the draws that they name.

How this works. In every view of an event, each visible draw is named by exactly one roll of that
event, and each visible roll has the draws of its faces, in this event or in the one that it names,
all rolled for the same purpose. So any view can be judged, without rules. Effects are read as JSON:
an object with `faces` and `sides` is a roll.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec
from msgspec import UNSET

from service.engine.battle.state import RuleState
from service.engine.dice.dice import Draw
from service.engine.dice.draw_names import names_all, tells_again
from service.engine.log import canonical
from service.engine.log.event import Event
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.vocabulary.rolls import draws_of
from service.engine.vocabulary.values import DrawRun, Roll
from service.replay.audit.audit_dice import readable_draws
from service.replay.audit.part_check import laid_view
from service.replay.audit.retold_check import (
    DrawName,
    OpenFaces,
    RetoldCheck,
    RetoldEvent,
    kept_by,
    without_faces,
)
from service.replay.log.sealed_event import Evidence
from service.replay.report.differences import Difference, difference


@dataclass(slots=True)
class SeenDraws:
    """The draws that one audience can see from event `since` on.

    A fork tells draws of the log that it continues as those of its event 1, which cannot be seen.
    `retold` says which faces may be told again, None where that is not known.
    """

    since: int
    retold: RetoldCheck | None = None
    _draws: dict[DrawName, Draw] = field(default_factory=dict)

    def fold(self, view: object, seq: int, root: str) -> Difference | None:
        """Take in event `seq` as this audience sees it; the first roll or draw that is wrong.

        `root` is what paths into the view begin with.
        """
        draws = readable_draws(_list_in(view, "draws"))
        if seq == 1 and any(_takes_up(effect) for effect in _list_in(view, "effects")):
            self.since = 2
        unnamed = {(seq, draw.stream, draw.number): draw for draw in draws}
        self._draws |= unnamed
        first = None
        rolls: list[tuple[str, Roll]] = []
        for path, value in rolls_in(_list_in(view, "effects"), f"{root}.effects"):
            roll = _roll_in(value)
            wrong = difference(path, value, UNSET) if roll is None else None
            if roll is not None:
                rolls.append((path, roll))
                wrong = self._judge(roll, path, seq, unnamed)
            first = first or wrong
        for draw in unnamed.values():
            first = first or difference(f"{root}.draws[{draws.index(draw)}]", draw, UNSET)
        if self.retold is None or not isinstance(view, dict):
            return first
        retold = self.retold.fold(view, rolls, seq, root)
        return first or retold

    def _judge(
        self, roll: Roll, path: str, seq: int, unnamed: dict[DrawName, Draw]
    ) -> Difference | None:
        """What is wrong with one roll; the draws it names are taken out of `unnamed`."""
        draws = draws_of(roll)
        kinds = set()
        for place, draw in enumerate(draws):
            where = (seq if draw.seq is UNSET else draw.seq, draw.stream, draw.number)
            drawn = self._draws.get(where)
            is_named_twice = draw.seq is UNSET and unnamed.pop(where, None) is None
            if is_named_twice or (drawn is None and where[0] >= self.since):
                return difference(f"{path}.draws", roll.draws, UNSET)
            if drawn is not None and drawn.sides != roll.sides:
                return difference(f"{path}.sides", roll.sides, drawn.sides)
            if drawn is not None and drawn.face != roll.faces[place]:
                return difference(f"{path}.faces[{place}]", roll.faces[place], drawn.face)
            if drawn is not None:
                kinds.add(drawn.purpose)
        if len(kinds) > 1:
            # Dice that were rolled for one thing do not serve another.
            return difference(f"{path}.draws", roll.draws, UNSET)
        return _total_difference(roll, draws, path)


def _roll_in(value: object) -> Roll | None:
    """An object as a roll that names as many draws as it has faces, None if it is none."""
    try:
        roll = msgspec.convert(value, Roll)
        draws_of(roll)
    except ValueError:
        return None
    return roll


def roll_difference(event: Event) -> Difference | None:
    """The first roll or draw of a whole event that is wrong; earlier draws are not checked.

    Here the rules themselves gave the effects, so that a fault is one of the ruleset.
    """
    if names_all(event.effects, event.draws):
        return None
    view = msgspec.json.decode(canonical.encode(event))
    return SeenDraws(since=event.seq).fold(view, event.seq, "$")


def retold_difference(
    event: Event,
    evidence: Evidence,
    sides: tuple[str, ...],
    check: RetoldCheck,
    rule: RuleState,
) -> Difference | None:
    """The first roll of a whole event that tells faces again which are not its own, in any view.

    `rule` is the state that the event continues. Where no roll names another event, no view does.
    """
    if not tells_again(event.effects):
        return None
    kept = kept_by(rule)
    shown = without_faces(kept) if check.is_fork else kept
    for audience in (EVERYONE_WORD, *sides):
        root = "$" if audience == EVERYONE_WORD else f"{audience}:$"
        view = laid_view(evidence, audience)[0]
        wrong = _retold_in(view, event.seq, root, check, shown)
        if wrong is not None:
            return wrong
    whole = msgspec.json.decode(canonical.encode(event))
    return _retold_in(whole, event.seq, "gm:$", check, kept)


def _retold_in(
    view: object, seq: int, root: str, check: RetoldCheck, kept: OpenFaces
) -> Difference | None:
    found = rolls_in(_list_in(view, "effects"), f"{root}.effects")
    rolls = [(path, roll) for path, value in found if (roll := _roll_in(value)) is not None]
    tree = view if isinstance(view, dict) else {}
    return RetoldEvent(check, tree, seq, kept).judge(rolls, root)


def _total_difference(roll: Roll, draws: tuple[DrawRun, ...], path: str) -> Difference | None:
    faces = zip(roll.faces, draws, strict=True)
    total = sum(face for face, draw in faces if draw.uncounted is UNSET)
    return None if roll.total == total else difference(f"{path}.total", roll.total, total)


def _takes_up(effect: object) -> bool:
    """Whether an effect takes up the battle of another log."""
    return isinstance(effect, dict) and "fork_of" in effect


def _list_in(view: object, name: str) -> list[object]:
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
            else:
                waiting += [(f"{at}.{name}", value[name]) for name in reversed(value)]
        elif isinstance(value, list):
            waiting += [(f"{at}[{n}]", value[n]) for n in reversed(range(len(value)))]
