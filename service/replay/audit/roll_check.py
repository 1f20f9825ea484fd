"""The rolls in effects, compared with the draws that they name.

How this works. In every view of an event, each visible draw is named by exactly one roll of that
event, and each visible roll has the draws of its faces, in this event or in the one that it names,
all rolled for the same purpose. So any view can be judged, without rules.
"""

from dataclasses import dataclass, field

import msgspec
from msgspec import UNSET

from service.engine.battle.state import RuleState
from service.engine.dice.dice import Draw
from service.engine.dice.draw_names import names_all, tells_again
from service.engine.log import canonical
from service.engine.log.event import Event, view_of_event
from service.engine.visibility.audience import EVERYONE_WORD
from service.engine.visibility.scope import GAME_MASTER
from service.engine.visibility.text_places import TextPlaces
from service.engine.vocabulary.values import DrawRun, Roll
from service.replay.audit.part_check import laid_view, whole_difference
from service.replay.audit.retold_check import (
    DrawName,
    OpenFaces,
    RetoldCheck,
    RetoldEvent,
    kept_by,
    without_faces,
)
from service.replay.audit.told_rolls import ToldDice, ToldRoll, list_in, told_dice
from service.replay.log.sealed_event import Evidence, filled_parts
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

    def fold(
        self, view: object, seq: int, root: str, told: ToldDice | None = None
    ) -> Difference | None:
        """Take in event `seq` as this audience sees it; the first roll or draw that is wrong.

        `root` is what paths into the view begin with, `told` its dice where they were read before.
        """
        told = told_dice(view) if told is None else told
        if seq == 1 and any(_takes_up(effect) for effect in list_in(view, "effects")):
            self.since = 2
        unnamed = {(seq, draw.stream, draw.number): draw for draw in told.draws}
        self._draws |= unnamed
        first = None
        for each in told.found:
            path = f"{root}.effects{each.path}"
            if isinstance(each, ToldRoll):
                wrong = self._judge(each.roll, each.draws, path, seq, unnamed)
            else:
                wrong = difference(path, each.value, UNSET)
            first = first or wrong
        for draw in unnamed.values():
            first = first or difference(f"{root}.draws[{told.draws.index(draw)}]", draw, UNSET)
        if self.retold is None or not isinstance(view, dict):
            return first
        retold = self.retold.fold(view, told.rolls, seq, root)
        return first or retold

    def _judge(
        self,
        roll: Roll,
        draws: tuple[DrawRun, ...],
        path: str,
        seq: int,
        unnamed: dict[DrawName, Draw],
    ) -> Difference | None:
        """What is wrong with one roll; the draws it names are taken out of `unnamed`."""
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


def roll_difference(event: Event) -> Difference | None:
    """The first roll or draw of a whole event that is wrong; earlier draws are not checked.

    Here the rules themselves gave the effects, so that a fault is one of the ruleset.
    """
    if names_all(event.effects, event.draws):
        return None
    view = msgspec.json.decode(canonical.encode(event))
    return SeenDraws(since=event.seq).fold(view, event.seq, "$")


def view_difference(
    evidence: Evidence, seq: int, sides: tuple[str, ...], places: TextPlaces | None
) -> Difference | None:
    """The first entry of a part, or else roll, that does not fit, view by view.

    Every part must be at hand but for erased texts; draws of earlier events are not compared.
    """
    for audience in (EVERYONE_WORD, *sides):
        view, unlaid = laid_view(evidence, audience, places)
        root = "$" if audience == EVERYONE_WORD else f"{audience}:$"
        wrong = unlaid or SeenDraws(since=seq).fold(view, seq, root)
        if wrong is not None:
            return wrong
    unlaid = whole_difference(evidence, sides, places)
    if unlaid is not None:
        return unlaid
    whole = view_of_event(evidence.body, filled_parts(evidence), sides, GAME_MASTER)
    return SeenDraws(since=seq).fold(msgspec.json.decode(whole), seq, "gm:$")


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
    tree = view if isinstance(view, dict) else {}
    return RetoldEvent(check, tree, seq, kept).judge(told_dice(view).rolls, root)


def _total_difference(roll: Roll, draws: tuple[DrawRun, ...], path: str) -> Difference | None:
    faces = zip(roll.faces, draws, strict=True)
    total = sum(face for face, draw in faces if draw.uncounted is UNSET)
    return None if roll.total == total else difference(f"{path}.total", roll.total, total)


def _takes_up(effect: object) -> bool:
    """Whether an effect takes up the battle of another log."""
    return isinstance(effect, dict) and "fork_of" in effect
