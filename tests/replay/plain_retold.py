"""Faces told again as `/docs/specification` has them: a second reading of the page."""

from collections.abc import Iterator
from typing import Any, Final

from tests.replay.plain_effects import is_run
from tests.replay.plain_invariants import at, is_number, listed, record

Tree = dict[str, Any]
Name = tuple[int, int, int]

STANDING: Final = "standing_roll"
BROUGHT: Final = "decision_closed.roll"


def rolls(value: Any, path: str, place: str) -> Iterator[tuple[str, str, Tree, Any]]:
    """Every roll at any depth, with its path, its place and the target next to its answer."""
    waiting = [(value, path, place, None)]
    while waiting:
        inner, at, where, target = waiting.pop()
        if isinstance(inner, dict):
            target = inner.get("target", target)
            if {"faces", "sides"} <= inner.keys():
                yield at, where, inner, target
            waiting += [
                (inner[name], f"{at}.{name}", f"{where}.{name}", target) for name in reversed(inner)
            ]
        elif isinstance(inner, list):
            waiting += [
                (inner[index], f"{at}[{index}]", f"{where}.*", target)
                for index in reversed(range(len(inner)))
            ]


def named(roll: Tree, seq: int) -> list[tuple[Name, int, bool]]:
    """Each face with the draw that it is of, and whether its run names an event."""
    runs = [
        ((run.get("seq", seq), run["stream"], run["number"] + nth), "seq" in run)
        for run in roll["draws"]
        for nth in range(run.get("count", len(roll["faces"])))
    ]
    return [(name, face, again) for face, (name, again) in zip(roll["faces"], runs, strict=True)]


def waiting_in(value: Any) -> Iterator[tuple[Name, int]]:
    """The faces that waiting actions have, in what a fork takes up."""
    if isinstance(value, list):
        for each in value:
            yield from waiting_in(each)
    elif isinstance(value, dict):
        if is_told(value):
            yield from ((name, face) for name, face, again in named(value, 0) if again)
        for each in value.values():
            yield from waiting_in(each)


def is_told(value: Tree) -> bool:
    """Whether an object has faces and as many draws."""
    faces, draws = value.get("faces"), value.get("draws")
    if not isinstance(faces, list) or not isinstance(draws, list):
        return False
    counts = [run.get("count", len(faces)) for run in draws if is_run(run)]
    return len(counts) == len(draws) and sum(counts) == len(faces) and all(map(is_number, faces))


class Kept:
    """What may be told again behind an event."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Name, int]] = []
        self.standing: dict[str, tuple[Name, int]] = {}
        self.may_wait: set[str] = set()
        """Of a fork that hides what waits: `asked` where a question is seen, `unseen` else."""
        self.is_running = False

    def copied(self) -> "Kept":
        """The same, to be changed."""
        other = Kept()
        other.waiting, other.standing = [*self.waiting], {**self.standing}
        other.may_wait, other.is_running = {*self.may_wait}, self.is_running
        return other


class PlainRetold:
    """Takes the events as one audience sees them; `row` is that of the table."""

    def __init__(self, row: Tree, created: Tree, *, is_whole: bool) -> None:
        self.row = row
        self.is_whole = is_whole
        self.is_supplied = created["dice"].get("mode") == "supplied"
        self.is_fork = "fork_of" in created
        self.kept = {0: Kept()}

    def first_wrong(self, event: Tree, at: str) -> str | None:
        """The path of the first roll that tells faces again that are not its own."""
        seq, action = event["seq"], event.get("action")
        kept = self.kept[event["base"]].copied()
        if (
            kept.is_running
            and isinstance(action, dict)
            and action.get("type") not in self.row["meanwhile"]
        ):
            kept.waiting, kept.may_wait = [], set()
        self.here: dict[Name, set[str]] = {}
        self.is_told = False
        first, brought = None, []
        for index, effect in enumerate(event["effects"]):
            if not isinstance(effect, dict):
                continue
            kind = str(effect.get("type"))
            if kind not in ("decision_opened", "encounter_created"):
                for path, place, roll, target in rolls(effect, f"{at}.effects[{index}]", kind):
                    wrong = self._judge(
                        roll, path, place, kept, (seq, target, not isinstance(action, dict))
                    )
                    first = first or wrong
                    if place in self.row["held"] or (self.is_supplied and place == BROUGHT):
                        faces = named(roll, seq)
                        brought += [(name, face) for name, face, again in faces if not again]
            self._note(effect, kept, seq)
        kept.waiting += brought
        if self.is_told:
            kept.may_wait = set()
        self.kept[seq] = kept
        return first

    def _judge(
        self, roll: Tree, path: str, place: str, kept: Kept, event: tuple[int, Any, bool]
    ) -> str | None:
        seq, target, is_hidden = event
        for index, (name, face, again) in enumerate(named(roll, seq)):
            if not again:
                continue
            due = self._due(place, (name, face), kept, target, is_hidden=is_hidden)
            if due != face:
                return f"{path}.draws" if due is None else f"{path}.faces[{index}]"
        for name, _, _ in named(roll, seq):
            self.here.setdefault(name, set()).add(place)
        return None

    def _due(
        self, place: str, told: tuple[Name, int], kept: Kept, target: Any, *, is_hidden: bool
    ) -> int | None:
        """The face that may be shown here, None if none may."""
        name, face = told
        if self.here.get(name, set()) & {*self.row["shared"].get(place, ())}:
            return face
        stands = kept.standing.get(target) if isinstance(target, str) else None
        if place in self.row["standing"] and stands is not None and stands[0] == name:
            return stands[1]
        is_before = self.is_fork and name[0] == 1
        places = self.row["all" if self.is_supplied or is_before else "waiting"]
        if place not in places or place == BROUGHT:
            return None
        left = [each for each in kept.waiting if each[0] == name]
        if left:
            due = told if told in left else left[0]
            kept.waiting.remove(due)
            return due[1]
        may_wait = "asked" in kept.may_wait or ("unseen" in kept.may_wait and is_hidden)
        if not is_before or not may_wait:
            return None
        self.is_told = True
        return face

    def _note(self, effect: Tree, kept: Kept, seq: int) -> None:
        """What an effect leaves to be told again."""
        bearer, is_standing = effect.get("combatant"), effect.get("condition") == STANDING
        match effect.get("type"):
            case "encounter_created" if self.is_fork:
                self._take_up(effect, kept)
            case "encounter_started":
                kept.is_running = True
            case "round_began":
                kept.standing = {}
            case "condition_gained" if is_standing:
                self._stand(bearer, {**effect, **record(effect.get("facts"))}, kept, seq)
            case "condition_lost" if is_standing:
                kept.standing.pop(str(bearer), None)
            case "combatant_added" | "revealed" if isinstance(bearer, dict):
                self._stand(bearer.get("id"), record(bearer.get(STANDING)), kept, seq)
            case _:
                pass

    def _stand(self, bearer: Any, roll: Tree, kept: Kept, seq: int) -> None:
        if not isinstance(bearer, str):
            return
        kept.standing.pop(bearer, None)
        if is_run(roll.get("draw")) and is_number(roll.get("natural")):
            draw = roll["draw"]
            name = (draw.get("seq", seq), draw["stream"], draw["number"])
            kept.standing[bearer] = (name, roll["natural"])

    def _take_up(self, effect: Tree, kept: Kept) -> None:
        """What a fork takes up."""
        state = effect["state"]
        for each in map(record, listed(state.get("combatants"))):
            self._stand(each.get("id"), record(each.get(STANDING)), kept, 1)
        pending = listed(state.get("pending"))
        if self.is_whole:
            kept.waiting = list(waiting_in(pending))
            return
        asked = [at(each, "kind") for group in pending for each in listed(at(group, "decisions"))]
        if any(each in self.row["questions"] for each in asked):
            kept.may_wait.add("asked")
        if effect["fork_of"]["status"] == "running":
            kept.may_wait.add("unseen")
