"""Parts laid into an event strictly: each entry leads somewhere, and parts only add.

How this works. An entry is laid where the views of its audience have nothing yet. What it must not
do is found in the view that it is laid into: set a member that is there, fill an element that is
not empty, change a draw, or set as text what is no string at a place of text.
"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import UNSET

from service.engine.log import parts
from service.engine.log.parts import Part, PartName
from service.engine.visibility.audience import EVERYONE_WORD, GM_WORD
from service.engine.visibility.projection import ProjectedNode, visible
from service.engine.visibility.scope import GAME_MASTER
from service.engine.visibility.text_places import TextPlaces
from service.replay.audit.asked_effects import REPEATING
from service.replay.log.sealed_event import Evidence, filled_parts, is_complete, where_of
from service.replay.report.differences import UNREADABLE, Difference, difference

OF_A_DRAW = ("combatant",)
"""What facts may add to a draw that another part or the body lists."""

_OPEN_TO_PARTS = ("action", "effects", "draws")
_GM_FACTS: PartName = (parts.FACTS, GM_WORD)
_GM_TEXT: PartName = (parts.TEXT, GM_WORD)


def part_difference_in(
    evidence: Evidence, sides: tuple[str, ...], places: TextPlaces | None
) -> Difference | None:
    """The first entry at hand that cannot be laid into the view of its audience.

    `places` is None for a ruleset that this build does not have: then texts may stand anywhere.
    The body must be JSON.
    """
    for audience in (EVERYONE_WORD, *sides):
        wrong = laid_view(evidence, audience, places)[1]
        if wrong is not None:
            return wrong
    return whole_difference(evidence, sides, places) if is_complete(evidence, sides) else None


def laid_view(
    evidence: Evidence, audience: str, places: TextPlaces | None = None
) -> tuple[object, Difference | None]:
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
            wrong = _lay(tree, name, filled[name], places)
            if wrong is not None:
                return tree, wrong
    return tree, None


def whole_difference(
    evidence: Evidence, sides: tuple[str, ...], places: TextPlaces | None
) -> Difference | None:
    """The first entry of the game master's that cannot be laid into the views of all others.

    These must fit, and every part must be at hand.
    """
    filled = filled_parts(evidence)
    if not _has_fitting_orders(evidence, filled, sides):
        return difference(where_of(_GM_FACTS), UNSET, UNSET)
    try:
        tree = visible(_without_gm(evidence.body, filled, sides), GAME_MASTER)
    except (*UNREADABLE, LookupError, TypeError):
        return difference(where_of(_GM_FACTS), UNSET, UNSET)
    for name in (_GM_FACTS, _GM_TEXT):
        wrong = _lay(tree, name, filled[name], places) if name in filled else None
        if wrong is not None:
            return wrong
    return difference(where_of(_GM_FACTS), UNSET, UNSET) if _has_hole(tree) else None


def _has_fitting_orders(
    evidence: Evidence, filled: Mapping[PartName, bytes], sides: tuple[str, ...]
) -> bool:
    """Whether each order is that of an array, and all that others see has a place in it."""
    try:
        listed = parts.PARTS.decode(filled.get(_GM_FACTS, parts.EMPTY_PART)).orders or []
    except UNREADABLE:
        return False
    orders = {tuple(path): order for path, order in listed}
    views = {each: laid_view(evidence, each)[0] for each in (EVERYONE_WORD, *sides)}
    is_placed = _is_placed(views, EVERYONE_WORD, (), orders)
    return (
        is_placed and len(orders) == 0 and len({tuple(path) for path, _ in listed}) == len(listed)
    )


def _is_placed(
    views: Mapping[str, object],
    own: str,
    path: tuple[str | int, ...],
    orders: dict[tuple[str | int, ...], list[str]],
) -> bool:
    """Whether what audiences see at a path can be put together; orders on the way are taken out."""
    first = views[own]
    if isinstance(first, dict):
        return _are_members_placed(views, own, path, orders)
    if not isinstance(first, list):
        return all(type(each) is type(first) and each == first for each in views.values())
    left = {who: list(view) for who, view in views.items() if isinstance(view, list)}
    order = orders.pop(path, [own] * len(first))
    for at, audience in enumerate(order):
        if audience not in ({own, GM_WORD, *views} if own == EVERYONE_WORD else {own, GM_WORD}):
            return False
        seers = [who for who in left if audience in (EVERYONE_WORD, who)]
        if len(left) < len(views) or not all(left[who] for who in seers):
            return False
        inner = {who: left[who].pop(0) for who in seers}
        owner = audience if audience in inner else next(iter(inner), audience)
        if inner and not _is_placed(inner, owner, (*path, at), orders):
            return False
    return not any(rest for who, rest in left.items() if own in (EVERYONE_WORD, who))


def _are_members_placed(
    views: Mapping[str, object],
    own: str,
    path: tuple[str | int, ...],
    orders: dict[tuple[str | int, ...], list[str]],
) -> bool:
    holders: dict[str, dict[str, object]] = {}
    for who, view in views.items():
        if not isinstance(view, dict):
            return False
        for name, value in view.items():
            holders.setdefault(name, {})[who] = value
    return all(
        len(inner) == (len(views) if own in inner else 1)
        and _is_placed(inner, own if own in inner else next(iter(inner)), (*path, name), orders)
        for name, inner in holders.items()
    )


def _without_gm(
    body: bytes, filled: Mapping[PartName, bytes], sides: tuple[str, ...]
) -> ProjectedNode:
    """The event with the elements of the game master's kept free."""
    opened = {name: parts.PARTS.decode(part) for name, part in filled.items() if name != _GM_TEXT}
    if _GM_FACTS in opened:
        opened[_GM_FACTS] = Part(entries=[], orders=opened[_GM_FACTS].orders)
    return parts.join(msgspec.json.decode(body), opened, sides)


def _lay(tree: object, name: PartName, body: bytes, places: TextPlaces | None) -> Difference | None:
    where = where_of(name)
    try:
        part: Part = parts.PARTS.decode(body)
    except UNREADABLE:
        return difference(where, UNSET, UNSET)
    is_inserting = name[0] == parts.FACTS and name[1] != GM_WORD
    for at, (path, value) in enumerate(part.entries):
        if path[:1] and path[0] not in _OPEN_TO_PARTS:
            is_fit = False
        elif name[0] == parts.TEXT:
            is_fit = isinstance(value, str) and (places is None or places.has(tree, path))
        else:
            is_fit = not path or _is_fact(path, value)
        if not is_fit or not _put(tree, path, value, is_inserting=is_inserting):
            return difference(f"{where}.entries[{at}]", list(path), UNSET)
    return None


def _is_fact(path: Sequence[str | int], value: object) -> bool:
    """Whether facts may have such a value there: actions and effects have a type."""
    match path:
        case ["draws", *steps]:
            return _may_add_to_draws(path) and (len(steps) == 1 or isinstance(value, str))
        case ["action"] | ["effects", _]:
            kind = value.get("type") if isinstance(value, dict) else None
            if not isinstance(kind, str):
                return False
            return path[0] == "action" or kind not in REPEATING
        case _:
            return True


def _may_add_to_draws(path: Sequence[str | int]) -> bool:
    return len(path) == 2 or tuple(path[2:]) == OF_A_DRAW


def _put(tree: object, path: Sequence[str | int], value: object, *, is_inserting: bool) -> bool:
    """Set a member, insert or fill an element, in place; False where nothing may be put."""
    if not path:
        return False
    *way, last = path
    try:
        for step in way:
            tree = _within(tree, step)
    except LookupError:
        return False
    if isinstance(tree, dict) and isinstance(last, str):
        is_free = last not in tree
        tree.setdefault(last, value)
        return is_free
    if not isinstance(tree, list) or not isinstance(last, int):
        return False
    if not 0 <= last < len(tree) + is_inserting:
        return False
    if not is_inserting and tree[last] is not None:
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


def _has_hole(tree: object) -> bool:
    """Whether an element that was kept free is still empty."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if node is None:
            return True
        if isinstance(node, dict):
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
    return False
