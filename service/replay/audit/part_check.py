"""Parts laid into an event strictly: each entry leads somewhere, and none changes a draw."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import UNSET

from service.engine.log import parts
from service.engine.log.parts import Part, PartName
from service.engine.visibility.audience import EVERYONE_WORD
from service.replay.log.sealed_event import Evidence, filled_parts, where_of
from service.replay.report.differences import UNREADABLE, Difference, difference

_OF_A_DRAW = ("combatant",)
"""What a part may add to a draw that is told elsewhere."""


def laid_view(evidence: Evidence, audience: str) -> tuple[object, Difference | None]:
    """An event as everyone or a side sees it, and the first entry that cannot be laid in.

    The body must be JSON. Entries behind one that cannot be laid in are left out.
    """
    tree: object = msgspec.json.decode(evidence.body)
    names: list[PartName] = [(parts.TEXT, EVERYONE_WORD)]
    if audience != EVERYONE_WORD:
        names += [(parts.FACTS, audience), (parts.TEXT, audience)]
    filled = filled_parts(evidence)
    for name in names:
        if name in filled:
            wrong = _lay(tree, name, filled)
            if wrong is not None:
                return tree, wrong
    return tree, None


def _lay(tree: object, name: PartName, filled: Mapping[PartName, bytes]) -> Difference | None:
    where = where_of(name)
    try:
        part: Part = parts.PARTS.decode(filled[name])
    except UNREADABLE:
        return difference(where, UNSET, UNSET)
    is_inserting = name[0] == parts.FACTS
    for place, (path, value) in enumerate(part.entries):
        is_draw = is_inserting and len(path) == 2
        is_of_draws = bool(path) and path[0] == "draws"
        if is_of_draws and not is_draw and tuple(path[2:]) != _OF_A_DRAW:
            return difference(f"{where}.entries[{place}]", list(path), UNSET)
        if not _put(tree, path, value, is_inserting=is_inserting):
            return difference(f"{where}.entries[{place}]", list(path), UNSET)
    return None


def _put(tree: object, path: Sequence[str | int], value: object, *, is_inserting: bool) -> bool:
    """Set or insert a value in place; False where the path leads nowhere."""
    if not path:
        return False
    *way, last = path
    try:
        for step in way:
            tree = _within(tree, step)
    except LookupError:
        return False
    if isinstance(tree, dict) and isinstance(last, str):
        tree[last] = value
        return True
    if not isinstance(tree, list) or not isinstance(last, int):
        return False
    if not 0 <= last < len(tree) + is_inserting:
        return False
    tree[last : last + (not is_inserting)] = [value]
    return True


def _within(tree: object, step: str | int) -> object:
    """A member or an element. Raises LookupError where there is none."""
    if isinstance(tree, dict) and isinstance(step, str):
        return tree[step]
    if isinstance(tree, list) and isinstance(step, int) and step >= 0:
        return tree[step]
    raise LookupError(step)
