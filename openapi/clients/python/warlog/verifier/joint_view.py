"""An event as somebody sees it who holds the parts of several sides, but not the game master's.

How this works. Positions in a part count what its audience sees. So the parts are laid into one
tree in which every element has its audience, and each part counts past what only others see. In
which order elements of two sides stand between those that everyone sees, the game master's part
alone says: here they stand in the order of the sides.
"""

from collections.abc import Sequence
from typing import Any

from warlog.verifier.details import said
from warlog.verifier.findings import Difference, Step
from warlog.verifier.line_forms import Json
from warlog.verifier.parts import Opened


class _Elements:
    """An array in which every element has its audience."""

    def __init__(self, values: list[Any], audience: str) -> None:
        self.values = values
        self.audiences = [audience] * len(values)

    def places_of(self, audience: str) -> list[int]:
        """Where the elements stand that an audience sees."""
        seen = ("everyone", audience)
        return [place for place, each in enumerate(self.audiences) if each in seen]


def joint_view_of(body: Json, opened: Opened, sides: Sequence[str]) -> Json:
    """The event for who holds the parts of these sides, in the order of the battle.

    Raises a Difference where a part does not fit.
    """
    tree = _opening(body, "everyone")
    for audience in ("everyone", *sides):
        for kind in ("facts", "text"):
            for path, value in opened.get(f"{kind}/{audience}", {}).get("entries", ()):
                new = _opening(value, audience)
                _place(tree, path, new, audience, is_new=kind == "facts")
    view: Json = _closed(tree)
    return view


def _place(tree: Any, path: Sequence[Step], value: Any, audience: str, *, is_new: bool) -> None:
    """Put a value where an audience sees this path: a new member, or with facts a new element.

    Raises a Difference where a member is there already and where a text would set an element.
    """
    node = tree
    for step in path[:-1]:
        node = _inner(node, step, audience)
    last = path[-1]
    if isinstance(node, _Elements) and isinstance(last, int):
        if not is_new:
            raise Difference("parts", said("a path to no place of text"))
        places = node.places_of(audience)
        at = places[last] if last < len(places) else len(node.values)
        node.values.insert(at, value)
        node.audiences.insert(at, audience)
    elif isinstance(node, dict) and isinstance(last, str):
        if last in node:
            raise Difference("parts", said("a member that is there"))
        node[last] = value
    else:
        raise Difference("parts", said("a path to nothing"))


def _inner(node: Any, step: Step, audience: str) -> Any:
    if isinstance(node, _Elements) and isinstance(step, int):
        places = node.places_of(audience)
        return node.values[places[step]] if step < len(places) else None
    return node.get(step) if isinstance(node, dict) else None


def _opening(value: Any, audience: str) -> Any:
    """A copy in which arrays say whose their elements are."""
    top: list[Any] = [value]
    waiting: list[tuple[Any, Any]] = [(top, 0)]
    while waiting:
        holder, key = waiting.pop()
        each = holder[key]
        if isinstance(each, list):
            elements = holder[key] = _Elements(each.copy(), audience)
            waiting += ((elements.values, at) for at in range(len(each)))
        elif isinstance(each, dict):
            members = holder[key] = each.copy()
            waiting += ((members, name) for name in members)
    return top[0]


def _closed(tree: Any) -> Any:
    """The same as JSON has it."""
    top: list[Any] = [tree]
    waiting: list[tuple[Any, Any]] = [(top, 0)]
    while waiting:
        holder, key = waiting.pop()
        each = holder[key]
        if isinstance(each, _Elements):
            holder[key] = each.values
            waiting += ((each.values, at) for at in range(len(each.values)))
        elif isinstance(each, dict):
            waiting += ((each, name) for name in each)
    return top[0]
