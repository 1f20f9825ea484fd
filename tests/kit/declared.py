"""What somebody must see of a value, read from the marks of its fields once more, step by step.

`service/engine/visibility` works the same out in plans, parts and short cuts; nothing of that is
used here but the marks themselves and the facts of a scope.
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, Final, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Raw, Struct
from msgspec.structs import fields

from service.engine.visibility.scope import Scope
from tests.kit.table import tree_of

NOBODY: Final = "gm"
"""The side of what belongs to no side."""

Marks = dict[str, Any]


def marks_in(hint: object) -> Marks:
    """The marks in an annotation, the outer one where two say the same; none inside a Struct."""
    if get_origin(hint) is ClassVar:
        return {}
    arguments = get_args(hint)
    inner = arguments[:1] if get_origin(hint) is Annotated else arguments
    marks: Marks = {}
    for each in inner:
        marks |= marks_in(each)
    for meta in arguments[len(inner) :]:
        marks |= (meta.extra or {}) if isinstance(meta, Meta) else {}
    return marks


@cache
def marks_of(kind: type[Struct]) -> Mapping[str, Marks]:
    """The marks of each field of a type."""
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: marks_in(hints[field.name]) for field in fields(kind)}


class Eyes:
    """Somebody of one side, or of none, in a scope."""

    def __init__(self, scope: Scope, side: str | None) -> None:
        self._scope = scope
        self._side = side

    def whole(self, value: Struct, holder: str = NOBODY) -> dict[str, Any]:
        """The members of an object that must be seen, as JSON values."""
        config = value.__struct_config__
        seen: dict[str, Any] = {str(config.tag_field): config.tag} if config.tag_field else {}
        mine = self._side_of(value, holder)
        marked = marks_of(type(value))
        for field in fields(value):
            item, marks = getattr(value, field.name), marked[field.name]
            whose = self._answerer(value, marks["of"]) if "of" in marks else mine
            if item is UNSET or not self._is_shown(marks.get("audience", "gm"), whose):
                continue
            if isinstance(item, tuple):
                named = marks.get("names")
                seen[field.encode_name] = [
                    self._inside(each, whose) for each in item if self._is_element(each, named)
                ]
            elif self._is_member(item, marks.get("names")):
                seen[field.encode_name] = self._inside(item, whose)
        return seen

    def sees(self, value: Struct) -> bool:
        """Whether an object is there at all."""
        if getattr(type(value), "AUDIENCE", "everyone") == "gm":
            return False
        return all(
            self._allows(value, getattr(value, name), marks)
            for name, marks in marks_of(type(value)).items()
            if getattr(value, name) is not UNSET
        )

    def _allows(self, value: Struct, item: Any, marks: Marks) -> bool:
        """Whether what a field names leaves the object that holds it."""
        match marks.get("names"):
            case "subject" | "other" if isinstance(item, str):
                return self._knows(item)
            case "own" if isinstance(item, str):
                return not getattr(value, "hidden", False) or self._is_mine(value)
            case "decision":
                return self._is_for(self._scope.decisions.get(item, "gm"))
            case "unit":
                return self._is_for(self._scope.units.get(item, "gm"))
            case "secret":
                return not item
            case "counted":
                return self._is_shown("numbers", self._side_of(value, NOBODY))
            case named:
                return self._allows_one_of(named, item)

    def _allows_one_of(self, named: str | None, item: Any) -> bool:
        """The same of what may be several: combatants as they stand, or dice."""
        match named:
            case "bearer" if isinstance(item, tuple):
                return not item or any(map(self.sees, item))
            case "bearer":
                return self.sees(item)
            case "actors":
                return any(map(self._knows, item))
            case "stream":
                return self._is_rolled(item)
            case "draws":
                return all(self._is_rolled(run.stream) for run in item)
            case _:
                return True

    def _is_member(self, item: Any, named: str | None) -> bool:
        if isinstance(item, Struct):
            return self.sees(item)
        if named == "unit_mention":
            return self._is_for(self._scope.units.get(item, "gm"))
        return named != "mention" or self._knows(item)

    def _is_element(self, item: Any, named: str | None) -> bool:
        if isinstance(item, Struct):
            return self.sees(item)
        return named in (None, "bearer", "draws") or self._knows(item)

    def _inside(self, item: Any, whose: str) -> Any:
        if isinstance(item, Struct):
            return self.whole(item, whose)
        return msgspec.json.decode(item) if isinstance(item, Raw) else tree_of(item)

    def _knows(self, combatant: str) -> bool:
        side, is_hidden = self._scope.subjects.get(combatant, (NOBODY, True))
        return not is_hidden or side == self._side

    def _is_mine(self, value: Any) -> bool:
        return bool(value.side == self._side)

    def _is_for(self, audience: str) -> bool:
        return audience in ("everyone", self._side)

    def _is_rolled(self, stream: int) -> bool:
        """Whether a stream of dice is public or the own side's."""
        return stream == 0 or self._scope.sides[stream - 1 : stream] == (self._side,)

    def _is_shown(self, mark: str, side: str) -> bool:
        """Whether the table shows such a field of somebody of a side."""
        scope = self._scope
        if mark in ("gm", "everyone"):
            return mark == "everyone"
        if mark == "breakdown" and scope.breakdowns == "none":
            return False
        is_open = {
            "side": False,
            "numbers": scope.numbers == "shown",
            "health": scope.health == "exact",
            "band": scope.health != "none",
            "breakdown": (scope.breakdowns, scope.numbers) == ("all", "shown"),
        }
        return is_open[mark] or side == self._side

    def _side_of(self, value: Any, holder: str) -> str:
        """Whose numbers an object holds: its own side's, its subject's, else its holder's."""
        kind: type[Struct] = type(value)
        marked = marks_of(kind)
        if hasattr(value, "side") and any(each.get("names") == "own" for each in marked.values()):
            return str(value.side)
        for name, marks in marked.items():
            if marks.get("names") == "subject" and isinstance(getattr(value, name), str):
                return self._side_of_id(getattr(value, name))
        return holder

    def _side_of_id(self, combatant: str) -> str:
        return self._scope.subjects.get(combatant, (NOBODY, True))[0]

    def _answerer(self, value: Struct, field: str) -> str:
        """The side that answers the decision which a field names."""
        decision = getattr(value, field)
        return NOBODY if decision is UNSET else self._scope.answers.get(decision, NOBODY)
