"""Splits an annotated event into body and parts, and joins them again: exact inverses.

How this works. The body holds what everyone may know, without free text. A side's facts part lists
`[path, value]` for what exactly that side may know besides, in document order; an element is listed
whole, at its position in the array *as that side sees it*, and a member of an object that the side
could see anyway is listed alone. The GM's facts part lists the rest at full positions and, for
every array with an element that some audience may not know, the `order`: the audience of each
element. Text parts list the free text of exactly that audience, by the positions which that
audience sees. So positions never tell how much is hidden.

Parts only add: an entry that sets a member which is there, or fills an element which is not empty,
raises ValueError wherever parts are laid over a body.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal, cast

import msgspec
from msgspec import Raw, Struct

from service.engine.log import canonical
from service.engine.visibility.audience import EVERYONE_WORD, GM_WORD
from service.engine.visibility.projection import Array, Element, Leaf, Member, Object, ProjectedNode
from service.engine.visibility.scope import Viewer

Path = tuple[str | int, ...]
_Orders = dict[tuple[str | int, ...], list[str]]

PartKind = Literal["text", "facts"]
PartName = tuple[str, str]
"""(kind, audience) of a part."""

TEXT: Final = "text"
FACTS: Final = "facts"


class Part(Struct, frozen=True):
    """What one audience knows besides the body: entries `[path, value]`, and the GM's orders."""

    entries: list[tuple[list[str | int], object]]
    """Pairs of path and value that this audience knows besides the body, in document order;
    positions count what the audience sees."""
    orders: list[tuple[list[str | int], list[str]]] | msgspec.UnsetType = msgspec.UNSET
    """For each array that hides elements from somebody its path and the audience of every element;
    only in the game master's facts."""

    @property
    def is_empty(self) -> bool:
        """Whether the part says nothing."""
        return not self.entries and not self.orders


EMPTY_PART: Final = canonical.encode(Part(entries=[]))
PARTS: Final = msgspec.json.Decoder(Part)
LEVELS: Final = msgspec.json.Decoder(dict[str, Raw] | list[Raw])
"""JSON opened by one level: what lies deeper is left as it is until a path goes there."""


@lru_cache(maxsize=1024)
def part_names(sides: tuple[str, ...]) -> tuple[tuple[PartKind, str], ...]:
    """(kind, audience) of every part in its fixed order: texts first, then facts."""
    texts: list[tuple[PartKind, str]] = [
        (TEXT, audience) for audience in (EVERYONE_WORD, *sides, GM_WORD)
    ]
    facts: list[tuple[PartKind, str]] = [(FACTS, audience) for audience in (*sides, GM_WORD)]
    return tuple(texts + facts)


@dataclass(slots=True)
class _Splitter:
    """Collects the parts while one walk writes the body.

    `seers` are those whose path goes on into something of an audience, as far as they got there.
    """

    seers: Mapping[str, tuple[str, ...]]
    entries: dict[tuple[str, str], list[tuple[list[str | int], object]]] = field(
        default_factory=dict
    )
    orders: list[tuple[list[str | int], list[str]]] = field(default_factory=list)

    def note(self, kind: str, audience: str, path: Path, value: object) -> None:
        self.entries.setdefault((kind, audience), []).append((list(path), value))

    def cut(self, node: ProjectedNode, audience: str, paths: dict[str, Path]) -> object:
        """JSON of a node as `audience` alone adds to it; narrower things go to their parts."""
        if isinstance(node, Leaf):
            return node.value
        if isinstance(node, Array):
            return self._cut_array(node, audience, paths)
        return self.cut_object(node, audience, paths)

    def cut_object(self, node: Object, audience: str, paths: dict[str, Path]) -> dict[str, object]:
        """The members of an object that `audience` alone adds to it."""
        kept: dict[str, object] = dict(node.plain)
        for member in node.members:
            if isinstance(member.node, Leaf) and member.audience == audience and not member.is_text:
                kept[member.name] = member.node.value
                continue
            seers = self.seers[member.audience]
            inner: dict[str, Path] = {
                who: (*paths[who], member.name) for who in seers if who in paths
            }
            if member.is_text:
                value = self.cut(member.node, member.audience, inner)
                self.note(TEXT, member.audience, inner[member.audience], value)
            elif member.audience == audience:
                kept[member.name] = self.cut(member.node, audience, inner)
            else:
                self._set_aside(member.node, member.audience, inner)
        return kept

    def _cut_array(self, node: Array, audience: str, paths: dict[str, Path]) -> object:
        kept: list[object] = []
        if any(element.audience != audience for element in node.elements):
            order = [element.audience for element in node.elements]
            self.orders.append((list(paths[GM_WORD]), order))
        # How many each seer has been shown so far.
        shown = dict.fromkeys(paths, 0)
        for element in node.elements:
            own, inside = element.audience, element.node
            seers = [who for who in self.seers[own] if who in shown]
            if own == audience and isinstance(inside, Leaf):
                kept.append(inside.value)
            else:
                inner: dict[str, Path] = {who: (*paths[who], shown[who]) for who in seers}
                if own == audience:
                    kept.append(self.cut(inside, audience, inner))
                else:
                    self._set_aside(inside, own, inner)
            for who in seers:
                shown[who] += 1
        return kept

    def _set_aside(self, node: ProjectedNode, audience: str, paths: dict[str, Path]) -> None:
        slot = (paths[audience], len(self.entries.setdefault((FACTS, audience), [])))
        self.note(FACTS, audience, slot[0], None)
        value = self.cut(node, audience, paths)
        self.entries[(FACTS, audience)][slot[1]] = (list(slot[0]), value)


@lru_cache(maxsize=1024)
def _seers(sides: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    return {
        EVERYONE_WORD: (EVERYONE_WORD, *sides, GM_WORD),
        **{side: (side, GM_WORD) for side in sides},
        GM_WORD: (GM_WORD,),
    }


def split(node: Object, sides: tuple[str, ...]) -> tuple[dict[str, object], tuple[bytes, ...]]:
    """The body's JSON and the canonical bytes of every part, in the order of `part_names`."""
    splitter = _Splitter(_seers(sides))
    paths: dict[str, Path] = dict.fromkeys((EVERYONE_WORD, *sides, GM_WORD), ())
    body = splitter.cut_object(node, EVERYONE_WORD, paths)
    filled = {name: Part(entries=entries) for name, entries in splitter.entries.items()}
    if splitter.orders:
        entries = splitter.entries.get((FACTS, GM_WORD), [])
        filled[FACTS, GM_WORD] = Part(entries=entries, orders=splitter.orders)
    return body, tuple(
        [
            canonical.encode(filled[name]) if name in filled else EMPTY_PART
            for name in part_names(sides)
        ]
    )


def _place(tree: object, path: Sequence[str | int], value: object, *, insert: bool) -> None:
    """Put a value at a path: a member is set, an element inserted, or filled if it is empty."""
    _put(_found(tree, path[:-1]), path, value, insert=insert)


def _found(tree: object, way: Sequence[str | int]) -> object:
    """What a path leads to. Raises LookupError or TypeError if it leads nowhere."""
    for step in way:
        tree = _inside(tree, step)
    return tree


def _put(tree: object, path: Sequence[str | int], value: object, *, insert: bool) -> None:
    """Put a value at the last step of a path into what holds it."""
    last = path[-1]
    if isinstance(tree, list) and isinstance(last, int):
        if insert:
            tree.insert(last, value)
        elif tree[last] is not None:
            raise _taken(path)
        else:
            tree[last] = value
    elif isinstance(tree, dict) and isinstance(last, str):
        if last in tree:
            raise _taken(path)
        tree[last] = value
    else:
        raise TypeError(f"{last!r} is no place in {type(tree).__name__}")


def _taken(path: Sequence[str | int]) -> ValueError:
    return ValueError(f"{path!r} is there already")


def _inside(tree: object, step: str | int) -> object:
    """The member or element a path goes on to, opened if it is not yet.

    Raises LookupError or TypeError if there is none.
    """
    kind = type(tree)
    if kind is not dict and kind is not list:
        raise TypeError(f"{step!r} is no place in {kind.__name__}")
    holder = cast("dict[str | int, object]", tree)
    inner = holder[step]
    if isinstance(inner, Raw):
        inner = holder[step] = LEVELS.decode(inner)
    return inner


def add_facts(tree: object, facts: Part) -> None:
    """Lay a side's facts over the body, in place; entries stand in document order."""
    for path, value in facts.entries:
        _place(tree, path, value, insert=True)


def add_text(tree: object, text: Part) -> None:
    """Lay free text over what its audience sees of an event, in place."""
    for path, value in text.entries:
        _place(tree, path, value, insert=False)


def join(
    body: object, opened: Mapping[tuple[str, str], Part], sides: tuple[str, ...]
) -> ProjectedNode:
    """The annotated tree of an event from its body and parts; exact when no facts part lacks.

    Members come in no particular order. `body` is not changed.
    """
    views = {EVERYONE_WORD: side_view(body, opened, EVERYONE_WORD)}
    views |= {side: side_view(body, opened, side) for side in _informed_sides(opened, sides)}
    gm_facts = opened.get((FACTS, GM_WORD), Part(entries=[]))
    orders = {tuple(path): order for path, order in gm_facts.orders or []}
    node = _merge(views, EVERYONE_WORD, (), orders)
    gm_text = opened.get((TEXT, GM_WORD), Part(entries=[]))
    for path, value in (*gm_facts.entries, *gm_text.entries):
        _graft(node, path, value)
    return node


def side_view(body: object, opened: Mapping[tuple[str, str], Part], side: str) -> object:
    """What one side (or everyone) sees of an event, as JSON."""
    tree = _copied(body)
    _lay(tree, opened, side)
    return tree


def _lay(tree: object, opened: Mapping[tuple[str, str], Part], audience: str) -> None:
    """Lay over a body what everyone may read and what this audience alone may, in place."""
    if (TEXT, EVERYONE_WORD) in opened:
        add_text(tree, opened[(TEXT, EVERYONE_WORD)])
    if audience == EVERYONE_WORD:
        return
    if (FACTS, audience) in opened:
        add_facts(tree, opened[(FACTS, audience)])
    if (TEXT, audience) in opened:
        add_text(tree, opened[(TEXT, audience)])


def _informed_sides(opened: Mapping[tuple[str, str], Part], sides: tuple[str, ...]) -> list[str]:
    """The sides that have a part of their own with something in it."""
    return [side for side in sides if (FACTS, side) in opened or (TEXT, side) in opened]


def lay_over(
    tree: object, opened: Mapping[tuple[str, str], Part], sides: tuple[str, ...], viewer: Viewer
) -> bool:
    """Lay over a body all that a viewer may know, in place, if positions tell where.

    What the parts hold becomes part of the tree, and may be laid over in turn.

    One part's positions are those of its audience, and with the orders of the game master's facts
    they are those of the whole. Of several sides each counts without the others' elements, so that
    only `join` can put them together; then nothing is done.
    """
    informed = _informed_sides(opened, sides)
    if viewer.is_gm:
        if informed:
            return _lay_all(tree, opened)
        _lay(tree, opened, GM_WORD)
        return True
    informed = [side for side in informed if side in viewer.sides]
    if len(informed) > 1:
        return False
    _lay(tree, opened, informed[0] if informed else EVERYONE_WORD)
    return True


def _lay_all(tree: object, opened: Mapping[tuple[str, str], Part]) -> bool:
    """Lay all parts over a body, in place; nothing is done if an order lacks."""
    facts = opened.get((FACTS, GM_WORD))
    orders = {} if facts is None else {tuple(path): order for path, order in facts.orders or ()}
    entries: list[tuple[Path, object]] = []
    for (_, audience), part in opened.items():
        wholes: dict[Path, Path] = {}
        for path, value in part.entries:
            place = _whole_path(path, audience, orders, wholes)
            if isinstance(place[-1], int) and place[:-1] not in orders:
                return False
            entries.append((place, value))
    # What holds something is there before it: arrays have room for all their elements by then.
    rooms = sorted(orders, key=len, reverse=True)
    holders: dict[Path, object] = {}
    for place, value in sorted(entries, key=_depth):
        while rooms and len(rooms[-1]) < len(place):
            _make_room(tree, rooms[-1], orders[rooms.pop()])
        way = place[:-1]
        holder = holders.get(way)
        if holder is None:
            holder = holders[way] = _found(tree, way)
        _put(holder, place, value, insert=False)
    for room in reversed(rooms):
        _make_room(tree, room, orders[room])
    return True


def _depth(entry: tuple[Path, object]) -> int:
    return len(entry[0])


def _whole_path(
    path: Sequence[str | int], audience: str, orders: _Orders, wholes: dict[Path, Path]
) -> Path:
    """Where what an audience has at this path stands in the whole.

    `wholes` keeps what is known so of the ways that this audience's paths share.
    """
    if audience == GM_WORD:
        return tuple(path)
    way = tuple(path[:-1])
    whole = wholes.get(way)
    if whole is None:
        whole = ()
        for step in way:
            whole = (*whole, _whole_step(step, whole, audience, orders))
        wholes[way] = whole
    return (*whole, _whole_step(path[-1], whole, audience, orders))


def _whole_step(step: str | int, whole: Path, audience: str, orders: _Orders) -> str | int:
    """The next step of a path as it is in the whole."""
    order = orders.get(whole) if isinstance(step, int) else None
    if order is None:
        return step
    return [at for at, each in enumerate(order) if each in (EVERYONE_WORD, audience)][int(step)]


def _make_room(tree: object, path: Path, order: list[str]) -> None:
    """Spread the elements of an array that its own audience knows to their places in the whole."""
    tree = _found(tree, path)
    if not isinstance(tree, list):
        raise TypeError(f"no array at {path!r}")
    keeper = EVERYONE_WORD
    if keeper not in order:
        # Inside of what a side alone knows the rest is the game master's.
        keeper = next((each for each in order if each != GM_WORD), GM_WORD)
    kept = iter(tree)
    tree[:] = [next(kept, None) if each == keeper else None for each in order]


def _copied(tree: object) -> object:
    """A deep copy of JSON values, so that parts can be laid into it."""
    if isinstance(tree, dict):
        return {name: _copied(value) for name, value in tree.items()}
    if isinstance(tree, list):
        return [_copied(value) for value in tree]
    return tree


def _graft(node: ProjectedNode, path: list[str | int], value: object) -> None:
    """Put a value of the GM's at a full path: a new member, or the element kept free for it."""
    for step in path[:-1]:
        node = _child(node, step)
    last = path[-1]
    if isinstance(node, Array):
        if node.elements[int(last)] != _EMPTY:
            raise _taken(path)
        node.elements[int(last)] = Element(GM_WORD, Leaf(value))
    elif isinstance(node, Object):
        if any(member.name == last for member in node.members):
            raise _taken(path)
        node.members.append(Member(str(last), GM_WORD, False, Leaf(value)))
    else:
        _place(node.value, (last,), value, insert=False)


_EMPTY: Final = Element(GM_WORD, Leaf(None))
"""An element that is kept free for the game master's facts."""


def _child(node: ProjectedNode, step: str | int) -> ProjectedNode:
    if isinstance(node, Array):
        return node.elements[int(step)].node
    if isinstance(node, Object):
        for member in node.members:
            if member.name == step:
                return member.node
        raise LookupError(step)
    return Leaf(_inside(node.value, step))


def _merge(views: dict[str, object], audience: str, path: Path, orders: _Orders) -> ProjectedNode:
    """One node from all views that have it; `audience` is that of the node."""
    first = views[audience]
    if isinstance(first, dict):
        return _merge_objects(views, audience, path, orders)
    if isinstance(first, list):
        return _merge_arrays(views, audience, path, orders)
    return Leaf(first)


def _merge_objects(views: dict[str, object], audience: str, path: Path, orders: _Orders) -> Object:
    holders: dict[str, dict[str, object]] = {}
    for who, view in views.items():
        for name, value in _as_dict(view).items():
            holders.setdefault(name, {})[who] = value
    members = []
    for name, inner in holders.items():
        if audience not in inner and len(inner) > 1:
            # Two sides each set it: what everyone may know stands in the view of all.
            raise _taken((*path, name))
        own = audience if audience in inner else next(iter(inner))
        node = _merge(inner, own, (*path, name), orders)
        members.append(Member(name, own, False, node))
    return Object(members)


def _merge_arrays(views: dict[str, object], audience: str, path: Path, orders: _Orders) -> Array:
    lists = {who: view for who, view in views.items() if isinstance(view, list)}
    order = orders.get(path) or [audience] * len(lists[audience])
    counts = dict.fromkeys(lists, 0)
    elements: list[Element] = []
    for own in order:
        seers = [] if own == GM_WORD else [who for who in lists if own in (EVERYONE_WORD, who)]
        inner = {who: lists[who][counts[who]] for who in seers}
        node = _merge(inner, own, (*path, len(elements)), orders) if seers else Leaf(None)
        elements.append(Element(own, node))
        for who in seers:
            counts[who] += 1
    return Array(elements)


def _as_dict(view: object) -> dict[str, object]:
    return view if isinstance(view, dict) else {}
