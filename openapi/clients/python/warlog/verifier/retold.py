"""Faces that are told again: each belongs to one roll, and few rolls may tell it a second time.

How this works. Behind each event is kept what may still be told again: the dice that a waiting
action has brought, and the rolls that stand for a combatant. An event continues what is kept of its
`base`. An action that is not taken over open questions shows that nothing waits any more. What a
fork takes up is stated by its event 1; where that hides what waits, faces of the log before are
taken as they are told, once, and only where something was asked.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from warlog.verifier.details import said
from warlog.verifier.findings import Difference, Step, path_text, shown
from warlog.verifier.line_forms import Json
from warlog.verifier.text_places import RollPlaces

_Name: TypeAlias = tuple[int, int, int]
"""A draw by its event, its stream and its number."""

_Face: TypeAlias = tuple[_Name, int]

DieTakenUp: TypeAlias = tuple[int, int, int, int]
"""A die of the log that a fork continues: stream, number, sides and face."""

_FIRST: Final = 1
_STANDING: Final = "standing_roll"
_BROUGHT: Final = "decision_closed.roll"
_KEEPING: Final = frozenset({"decision_opened", "encounter_created"})
_BRINGING: Final = frozenset({"decision_closed", "rolled"})


class _Kept(Struct, frozen=True):
    """What may be told again behind an event."""

    waiting: tuple[_Face, ...] = ()
    standing: Mapping[str, _Face] = {}
    is_asked: bool = False
    may_be_asked: bool = False
    has_begun: bool = False


class _Named(Struct, frozen=True):
    """A face with the draw that it is of; `is_again`: its run names an event."""

    name: _Name
    face: int
    is_again: bool


class Waits(Struct):
    """Dice that were told again after a wait: the event, then the draw.

    `seen`: by events that show their action, `unseen`: by others.
    """

    seen: set[tuple[int, _Name]]
    unseen: set[tuple[int, _Name]]


class Retold:
    """What may be told again, as one audience sees it; `is_whole`: it sees everything."""

    def __init__(self, places: RollPlaces, root: str, waits: Waits, *, is_whole: bool) -> None:
        self.waits = waits
        self.places = places
        self.root = root
        self.is_whole = is_whole
        self.is_supplied = False
        self.is_fork = False
        self._kept: dict[int, _Kept] = {0: _Kept()}

    def fold(self, view: Json, taken_up: set[DieTakenUp], *, tells_again: bool) -> None:
        """Take in an event, of which a roll may tell draws again.

        `taken_up` are the dice of the log before, as they are told. Raises a Difference for the
        first roll that tells faces again that are not its own. Behind an event that was not taken
        in nothing is said.
        """
        before = self._kept.get(view["base"])
        if before is None:
            return
        if view["seq"] == _FIRST:
            self._begin(view)
        event = _RetoldEvent(self, view, before, taken_up)
        try:
            event.judge(tells_again=tells_again)
        finally:
            self._kept[view["seq"]] = event.behind()

    def _begin(self, view: Json) -> None:
        created = [each for each in _objects(view["effects"]) if _is_creation(each)]
        dice = created[0].get("dice") if created else None
        if isinstance(dice, dict):
            self.is_supplied = dice.get("mode") == "supplied"
            self.is_fork = "fork_of" in created[0]


class _RetoldEvent:
    def __init__(self, check: Retold, view: Json, before: _Kept, taken_up: set[DieTakenUp]) -> None:
        self.check = check
        self.seq = view["seq"]
        self.effects = view["effects"]
        self.taken_up = taken_up
        action = view.get("action")
        self.action = str(action.get("type")) if isinstance(action, dict) else None
        is_meanwhile = self.action is None or self.action in check.places.meanwhile
        is_waiting = bool(before.waiting) or before.is_asked or before.may_be_asked
        if before.has_begun and is_waiting and not is_meanwhile:
            before = replace(before, waiting=(), is_asked=False, may_be_asked=False)
        self.kept = before
        self.is_told = False
        self.brought: list[_Face] = []
        self.told: dict[_Name, set[str]] = {}

    def judge(self, *, tells_again: bool) -> None:
        """Raises a Difference for the first roll that is wrong, when all effects are noted."""
        first = None
        for at, effect in enumerate(self.effects):
            if not isinstance(effect, dict):
                continue
            kind = str(effect.get("type"))
            if kind not in _KEEPING and (tells_again or kind in _BRINGING):
                for steps, roll in _rolls_in(effect, ("effects", at)):
                    wrong = self._roll(effect, steps, roll)
                    first = first or wrong
            self._note(effect)
        if first is not None:
            raise first

    def behind(self) -> _Kept:
        """What is kept behind the event."""
        waiting = (*self.kept.waiting, *self.brought)
        if self.is_told:
            return replace(self.kept, waiting=waiting, is_asked=False, may_be_asked=False)
        return replace(self.kept, waiting=waiting) if self.brought else self.kept

    def _roll(self, effect: Json, steps: tuple[Step, ...], roll: Json) -> Difference | None:
        check = self.check
        inner = ("*" if isinstance(step, int) else step for step in steps[2:])
        place = ".".join((str(effect.get("type")), *inner))
        faces = list(_faces_of(roll["faces"], roll["draws"], self.seq))
        for at, each in enumerate(faces):
            if not each.is_again:
                continue
            due = self._due(place, each, _bearer(effect, steps))
            if due is None:
                detail = said("faces of event {} that are not its own", each.name[0])
                return Difference("draws", detail, path_text((*steps, "draws"), check.root))
            if due != each.face:
                detail = said("{} instead of {}", shown(each.face), due)
                return Difference("draws", detail, path_text((*steps, "faces", at), check.root))
            if check.is_fork and each.name[0] == _FIRST:
                self.taken_up.add((*each.name[1:], roll["sides"], each.face))
        for each in faces:
            self.told.setdefault(each.name, set()).add(place)
        if place in check.places.held or (check.is_supplied and place == _BROUGHT):
            self.brought += [(each.name, each.face) for each in faces if not each.is_again]
        return None

    def _due(self, place: str, told: _Named, bearer: Any) -> int | None:
        """The face that may be told again at a place; None if none may."""
        places, name = self.check.places, told.name
        if not self.told.get(name, set()).isdisjoint(places.shared.get(place, ())):
            return told.face
        stands = self.kept.standing.get(bearer) if isinstance(bearer, str) else None
        if place in places.standing and stands is not None and stands[0] == name:
            return stands[1]
        is_of_fork = self.check.is_fork and name[0] == _FIRST
        waiting = places.all if self.check.is_supplied or is_of_fork else places.waiting
        if place not in waiting or place == _BROUGHT:
            return None
        return self._waiting_face(told, is_of_fork=is_of_fork)

    def _waiting_face(self, told: _Named, *, is_of_fork: bool) -> int | None:
        """The face of an action that waited, which is told with it."""
        waiting = self.kept.waiting
        faces = [face for name, face in waiting if name == told.name]
        if faces:
            due = told.face if told.face in faces else faces[0]
            at = waiting.index((told.name, due))
            if not is_of_fork:
                waits = self.check.waits
                (waits.unseen if self.action is None else waits.seen).add((self.seq, told.name))
            self.kept = replace(self.kept, waiting=(*waiting[:at], *waiting[at + 1 :]))
            return due
        is_hidden = self.kept.may_be_asked and self.action is None
        if not is_of_fork or not (self.kept.is_asked or is_hidden):
            return None
        self.is_told = True
        return told.face

    def _note(self, effect: Json) -> None:
        """What an effect leaves to be told again."""
        combatant, is_standing = effect.get("combatant"), effect.get("condition") == _STANDING
        match effect.get("type"):
            case "encounter_created" if "fork_of" in effect:
                self._take_up(effect)
            case "encounter_started":
                self.kept = replace(self.kept, has_begun=True)
            case "round_began":
                self.kept = replace(self.kept, standing={})
            case "condition_gained" if is_standing:
                facts = effect.get("facts")
                natural = facts.get("natural") if isinstance(facts, dict) else None
                self._stand(combatant, effect.get("draw"), natural)
            case "condition_lost" if is_standing:
                self._stand(combatant, None, None)
            case "combatant_added" | "revealed":
                self._stand_on(combatant)
            case _:
                pass

    def _stand_on(self, sheet: Any) -> None:
        """The roll that stands for the combatant of a sheet."""
        if isinstance(sheet, dict):
            roll = sheet.get(_STANDING)
            stated = roll if isinstance(roll, dict) else {}
            self._stand(sheet.get("id"), stated.get("draw"), stated.get("natural"))

    def _stand(self, bearer: Any, draw: Any, natural: Any) -> None:
        if not isinstance(bearer, str):
            return
        standing = {who: each for who, each in self.kept.standing.items() if who != bearer}
        if isinstance(draw, dict) and isinstance(natural, int):
            match draw.get("seq", self.seq), draw.get("stream"), draw.get("number"):
                case int(seq), int(stream), int(number):
                    standing[bearer] = ((seq, stream, number), natural)
                case _:
                    pass
        self.kept = replace(self.kept, standing=standing)

    def _take_up(self, effect: Json) -> None:
        """What a fork takes up."""
        stated, fork_of = effect.get("state"), effect.get("fork_of")
        state = stated if isinstance(stated, dict) else {}
        for sheet in _objects(state.get("combatants")):
            self._stand_on(sheet)
        pending = _objects(state.get("pending"))
        if self.check.is_whole:
            self.kept = replace(self.kept, waiting=tuple(_waiting_in(pending)))
            return
        kinds = [each.get("kind") for group in pending for each in _objects(group.get("decisions"))]
        self.kept = replace(
            self.kept,
            is_asked=any(str(kind) in self.check.places.questions for kind in kinds),
            may_be_asked=isinstance(fork_of, dict) and fork_of.get("status") == "running",
        )


def _is_creation(effect: Json) -> bool:
    return bool(effect.get("type") == "encounter_created")


def _objects(listed: Any) -> list[Json]:
    """The objects in an array."""
    return [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []


def _rolls_in(value: Any, steps: tuple[Step, ...]) -> Iterator[tuple[tuple[Step, ...], Json]]:
    """Every roll within a value, in the order of the text, however deeply it nests."""
    waiting = [(steps, value)]
    while waiting:
        at, each = waiting.pop()
        members: list[tuple[Step, Any]] = []
        if isinstance(each, list):
            members = list(enumerate(each))
        elif isinstance(each, dict):
            if "faces" in each and "sides" in each:
                yield at, each
            members = list(each.items())
        waiting += [((*at, step), inner) for step, inner in reversed(members)]


def _faces_of(faces: Sequence[int], runs: Sequence[Any], seq: int) -> Iterator[_Named]:
    """Each face with the draw that it is of, in an event."""
    at = 0
    for run in runs:
        if not isinstance(run, dict):
            return
        count = min(run.get("count", len(faces)), len(faces) - at)
        for nth in range(count):
            name = (run.get("seq", seq), run["stream"], run["number"] + nth)
            yield _Named(name, faces[at + nth], "seq" in run)
        at += count


def _waiting_in(value: Any) -> Iterator[_Face]:
    """The faces of waiting actions, at any depth of what is told of them."""
    if isinstance(value, list):
        for each in value:
            yield from _waiting_in(each)
    elif isinstance(value, dict):
        faces, draws = value.get("faces"), value.get("draws")
        if isinstance(faces, list) and isinstance(draws, list):
            named = _faces_of(faces, draws, 0)
            yield from ((each.name, each.face) for each in named if each.is_again)
        for each in value.values():
            yield from _waiting_in(each)


def _bearer(effect: Json, steps: Sequence[Step]) -> Any:
    """For whom a standing roll answers: the target beside the answer."""
    holder: Any = effect
    target = effect.get("target")
    for step in steps[2:]:
        holder = holder[step]
        if isinstance(holder, dict) and "target" in holder:
            target = holder["target"]
    return target
