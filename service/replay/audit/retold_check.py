"""Faces that are told again: each belongs to one roll, and few rolls may tell it a second time.

How this works. Behind each event is kept what may still be told again: the dice that a waiting
action has brought, and the rolls that stand for a combatant. An event continues what is kept of its
`base`. An action that is not taken over open questions shows that nothing waits any more. What a
fork takes up is stated by its event 1; where that hides what waits, faces of the log before are
taken as they are told, once, and only where something was asked.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from service.engine.battle.continuation import FIRST
from service.engine.battle.state import RuleState
from service.engine.log import canonical
from service.engine.ruleset.roll_places import ANY, RollPlaces
from service.engine.vocabulary.rolls import draws_of, one_by_one
from service.engine.vocabulary.values import DrawRun, Roll
from service.replay.audit.told_rolls import ToldRoll
from service.replay.report.differences import Difference, difference

DrawName = tuple[int, int, int]
"""A draw by its event, its stream and its number."""

Face = tuple[DrawName, int]
"""A face with the draw that it is of."""

DieTakenUp = tuple[int, int, int, int]
"""A die of the log that a fork continues: stream, number, sides and face."""

Telling = tuple[int, DrawName]
"""An event that tells a draw again."""

_STEP: Final = re.compile(r"\[(\d+)\]|\.([^.\[]+)")
_STANDING: Final = "standing_roll"
_SHEETS: Final = ("combatant_added", "revealed")
_KEEPING: Final = ("decision_opened", "encounter_created")
"""Effects whose rolls are what an action keeps that waits: they tell nobody of them."""
_LEAVING: Final = frozenset(
    {
        *("combatant_added", "condition_gained", "condition_lost", "decision_closed"),
        *("encounter_created", "encounter_started", "revealed", "rolled", "round_began"),
    }
)
"""Effects that leave something to be told again, or end it."""


class OpenFaces(Struct, frozen=True):
    """What may be told again behind an event.

    `waiting` are the faces of an action that waits. `standing` are the rolls that stand, by their
    bearers. `is_asked`: event 1 of a fork shows a question whose action may have faces that are not
    shown; `may_be_asked`: it may hide one. `has_begun`: the battle runs.
    """

    waiting: tuple[Face, ...] = ()
    standing: Mapping[str, Face] = {}
    is_asked: bool = False
    may_be_asked: bool = False
    has_begun: bool = False

    @property
    def waits(self) -> bool:
        """Whether an action waits or may wait."""
        return bool(self.waiting) or self.is_asked or self.may_be_asked


@dataclass(slots=True)
class RetoldCheck:
    """Takes the events of a log as one audience sees them.

    `taken_up` are the dice of the log that a fork continues (stream, number, sides, face), as far
    as they were told. `is_whole`: the audience sees everything. `waits_seen` and `waits_unseen` are
    the dice that were told again after a wait, by events that show their action and by others.
    """

    places: RollPlaces
    is_whole: bool = False
    is_supplied: bool = False
    is_fork: bool = False
    taken_up: set[DieTakenUp] = field(default_factory=set)
    waits_seen: set[Telling] = field(default_factory=set)
    waits_unseen: set[Telling] = field(default_factory=set)
    _kept: dict[int, OpenFaces] = field(default_factory=dict)

    def fold(
        self, view: Mapping[str, Any], rolls: Sequence[ToldRoll], seq: int, root: str
    ) -> Difference | None:
        """Take in an event; the first roll that tells faces again that are not its own."""
        effects = _objects(view.get("effects"))
        if seq == FIRST:
            self._begin(effects)
        base = view.get("base")
        before = self._kept.get(base, OpenFaces()) if isinstance(base, int) else OpenFaces()
        is_quiet = not before.waits and not any(roll.tells_again for roll in rolls)
        if is_quiet and not any(_leaves(each) for each in effects):
            self._kept[seq] = before
            return None
        event = RetoldEvent(self, view, seq, before)
        wrong = event.judge(rolls, root)
        self._kept[seq] = event.behind()
        return wrong

    def _begin(self, effects: list[dict[str, Any]]) -> None:
        """What event 1 says of the log."""
        for effect in effects:
            dice = effect.get("dice")
            if effect.get("type") == "encounter_created" and isinstance(dice, dict):
                self.is_supplied = dice.get("mode") == "supplied"
                self.is_fork = "fork_of" in effect


class RetoldEvent:
    """One event behind what was kept before it, judged effect by effect."""

    def __init__(
        self, check: RetoldCheck, view: Mapping[str, Any], seq: int, before: OpenFaces
    ) -> None:
        self._check = check
        self._seq = seq
        self._effects = _objects(view.get("effects"))
        action = view.get("action")
        self._action = str(action.get("type")) if isinstance(action, dict) else None
        is_meanwhile = self._action is None or self._action in check.places.meanwhile
        if before.has_begun and not is_meanwhile:
            before = replace(before, waiting=(), is_asked=False, may_be_asked=False)
        self._kept = before
        self._is_told = False
        self._brought: list[Face] = []
        self._places: dict[DrawName, set[str]] = {}

    def judge(self, rolls: Sequence[ToldRoll], root: str) -> Difference | None:
        """The first roll that is wrong; what the event leaves is noted on the way."""
        by_effect: dict[int, list[ToldRoll]] = {}
        for told in rolls:
            step = _STEP.match(told.path)
            by_effect.setdefault(int(step[1]) if step and step[1] else 0, []).append(told)
        first = None
        for at, effect in enumerate(self._effects):
            for told in by_effect.get(at, ()):
                wrong = self._judge(effect, told.path[len(f"[{at}]") :], root, told)
                first = first or wrong
            self._note(effect)
        return first

    def behind(self) -> OpenFaces:
        """What is kept behind the event."""
        waiting = (*self._kept.waiting, *self._brought)
        if self._is_told:
            return replace(self._kept, waiting=waiting, is_asked=False, may_be_asked=False)
        return replace(self._kept, waiting=waiting) if self._brought else self._kept

    def _judge(
        self, effect: Mapping[str, Any], way: str, root: str, rolled: ToldRoll
    ) -> Difference | None:
        path, roll = f"{root}.effects{rolled.path}", rolled.roll
        if effect.get("type") in _KEEPING:
            return None
        steps = [step[2] or ANY for step in _STEP.finditer(way)]
        place = ".".join((str(effect.get("type")), *steps))
        check = self._check
        is_brought = check.places.is_brought(place, is_supplied=check.is_supplied)
        told: list[Face] = []
        for at, (face, run) in enumerate(zip(roll.faces, rolled.draws, strict=True)):
            name = (self._seq if run.seq is UNSET else run.seq, run.stream, run.number)
            told.append((name, face))
            if run.seq is UNSET:
                continue
            due = self._due(place, (name, face), _bearer(effect, way))
            if due is None:
                return difference(f"{path}.draws", roll.draws, UNSET)
            if due != face:
                return difference(f"{path}.faces[{at}]", face, due)
            if check.is_fork and name[0] == FIRST:
                check.taken_up.add((run.stream, run.number, roll.sides, face))
        for each in told:
            self._places.setdefault(each[0], set()).add(place)
        if is_brought:
            self._brought += [each for each in told if each[0][0] == self._seq]
        return None

    def _due(self, place: str, told: Face, bearer: object) -> int | None:
        """The face that may be told again at a place, None if none may."""
        name, face = told
        places = self._check.places
        if not places.shared.get(place, frozenset()).isdisjoint(self._places.get(name, ())):
            return face
        if place in places.standing and isinstance(bearer, str):
            stands = self._kept.standing.get(bearer)
            if stands is not None and stands[0] == name:
                return stands[1]
        is_of_fork = self._check.is_fork and name[0] == FIRST
        is_supplied = self._check.is_supplied or is_of_fork
        if not places.may_have_waited(place, is_supplied=is_supplied):
            return None
        return self._waiting_face(told, is_of_fork=is_of_fork)

    def _waiting_face(self, told: Face, *, is_of_fork: bool) -> int | None:
        """The face of an action that waited, which is told with it."""
        name, face = told
        waiting = self._kept.waiting
        faces = [each for named, each in waiting if named == name]
        if faces:
            due = face if face in faces else faces[0]
            at = waiting.index((name, due))
            if not is_of_fork:
                waits = self._check.waits_unseen if self._action is None else self._check.waits_seen
                waits.add((self._seq, name))
            self._kept = replace(self._kept, waiting=(*waiting[:at], *waiting[at + 1 :]))
            return due
        is_hidden = self._kept.may_be_asked and self._action is None
        if not is_of_fork or not (self._kept.is_asked or is_hidden):
            return None
        self._is_told = True
        return face

    def _note(self, effect: Mapping[str, Any]) -> None:
        """What an effect leaves to be told again."""
        combatant = effect.get("combatant")
        match effect.get("type"):
            case "encounter_created" if "fork_of" in effect:
                self._take_up(effect)
            case "encounter_started":
                self._kept = replace(self._kept, has_begun=True)
            case "round_began":
                self._kept = replace(self._kept, standing={})
            case "condition_gained" if effect.get("condition") == _STANDING:
                facts = effect.get("facts")
                natural = facts.get("natural") if isinstance(facts, dict) else None
                self._stand(combatant, effect.get("draw"), natural)
            case "condition_lost" if effect.get("condition") == _STANDING:
                self._stand(combatant, None, None)
            case kind if kind in _SHEETS:
                self._stand_on(combatant)
            case _:
                pass

    def _stand_on(self, sheet: object) -> None:
        """The roll that stands for a combatant of this sheet."""
        if not isinstance(sheet, dict):
            return
        roll = sheet.get(_STANDING)
        stated = roll if isinstance(roll, dict) else {}
        self._stand(sheet.get("id"), stated.get("draw"), stated.get("natural"))

    def _stand(self, bearer: object, draw: object, natural: object) -> None:
        standing = {who: each for who, each in self._kept.standing.items() if who != bearer}
        name = _name_in(draw, self._seq)
        if isinstance(bearer, str) and isinstance(natural, int) and name is not None:
            standing[bearer] = (name, natural)
        self._kept = replace(self._kept, standing=standing)

    def _take_up(self, effect: Mapping[str, Any]) -> None:
        """What a fork takes up."""
        state, fork_of = effect.get("state"), effect.get("fork_of")
        taken = state if isinstance(state, dict) else {}
        for sheet in _objects(taken.get("combatants")):
            self._stand_on(sheet)
        pending = _objects(taken.get("pending"))
        if self._check.is_whole:
            self._kept = replace(self._kept, waiting=tuple(faces_in(pending)))
            return
        kinds = {each.get("kind") for group in pending for each in _objects(group.get("decisions"))}
        is_running = isinstance(fork_of, dict) and fork_of.get("status") == "running"
        self._kept = replace(
            self._kept,
            is_asked=not kinds.isdisjoint(self._check.places.questions),
            may_be_asked=is_running,
        )


def taken_up_in(view: object) -> set[DieTakenUp]:
    """The dice of the log that a fork continues, as an event of the fork tells them."""
    effects = _objects(view.get("effects")) if isinstance(view, dict) else []
    dice: set[DieTakenUp] = set()
    for effect in effects:
        if effect.get("type") not in _KEEPING:
            for roll in _rolls_within(effect):
                faces = zip(roll.faces, draws_of(roll), strict=True)
                dice |= {(d.stream, d.number, roll.sides, f) for f, d in faces if d.seq == FIRST}
    return dice


def _rolls_within(tree: object) -> Iterator[Roll]:
    if isinstance(tree, list):
        for each in tree:
            yield from _rolls_within(each)
    if isinstance(tree, dict):
        if "faces" in tree and "sides" in tree:
            with suppress(ValueError):
                yield msgspec.convert(tree, Roll)
        for each in tree.values():
            yield from _rolls_within(each)


def kept_by(rule: RuleState) -> OpenFaces:
    """What may be told again behind an event with this state."""
    pending = msgspec.json.decode(canonical.encode(rule.pending))
    standing = {}
    for combatant in rule.combatants:
        roll = getattr(combatant, _STANDING, UNSET)
        if roll is not UNSET and roll.draw is not UNSET:
            standing[combatant.id] = (
                (roll.draw.seq, roll.draw.stream, roll.draw.number),
                roll.natural,
            )
    return OpenFaces(
        waiting=tuple(faces_in(pending)), standing=standing, has_begun=rule.status != "setup"
    )


def without_faces(kept: OpenFaces) -> OpenFaces:
    """The same as others than the game master are told it of a fork: faces of the log before are
    not among it.
    """
    own = tuple(each for each in kept.waiting if each[0][0] != FIRST)
    return replace(kept, waiting=own, is_asked=len(own) < len(kept.waiting))


def faces_in(tree: object) -> Iterator[Face]:
    """The faces of waiting actions, at any depth of what JSON tells of them."""
    if isinstance(tree, list):
        for each in tree:
            yield from faces_in(each)
    if not isinstance(tree, dict):
        return
    if "faces" in tree and "draws" in tree:
        yield from _faces_of(tree["faces"], tree["draws"])
    for each in tree.values():
        yield from faces_in(each)


def _faces_of(faces: object, draws: object) -> Iterator[Face]:
    try:
        listed = msgspec.convert(faces, tuple[int, ...])
        runs = one_by_one(msgspec.convert(draws, tuple[DrawRun, ...]), len(listed))
    except ValueError:
        return
    for face, run in zip(listed, runs, strict=True):
        if run.seq is not UNSET:
            yield (run.seq, run.stream, run.number), face


def _name_in(draw: object, seq: int) -> DrawName | None:
    try:
        run = msgspec.convert(draw, DrawRun)
    except msgspec.ValidationError:
        return None
    return (seq if run.seq is UNSET else run.seq, run.stream, run.number)


def _leaves(effect: Mapping[str, Any]) -> bool:
    kind = effect.get("type")
    return isinstance(kind, str) and kind in _LEAVING


def _objects(listed: object) -> list[dict[str, Any]]:
    return (
        [each if isinstance(each, dict) else {} for each in listed or ()]
        if isinstance(listed, list)
        else []
    )


def _bearer(effect: Mapping[str, Any], way: str) -> object:
    """For whom a standing roll answers: the target beside the answer."""
    holder: Any = effect
    target = effect.get("target")
    for step in _STEP.finditer(way):
        try:
            holder = holder[int(step[1])] if step[1] else holder[step[2]]
        except (LookupError, TypeError):
            break
        if isinstance(holder, dict) and "target" in holder:
            target = holder["target"]
    return target
