"""Parts as `/docs/specification` has them, laid into the body: a second reading of the page."""

import json
from typing import Any

Tree = dict[str, Any]


def part_names(sides: list[str]) -> list[tuple[str, str]]:
    """(kind, audience) of all parts in the order of the commitments."""
    texts = [("text", audience) for audience in ("everyone", *sides, "gm")]
    return texts + [("facts", audience) for audience in (*sides, "gm")]


def readable(viewer: Tree, seq: int, sides: list[str]) -> list[tuple[str, str]]:
    """The parts that a bundle must hold of an event."""
    if viewer["kind"] == "gm":
        return part_names(sides)
    held = [grant["sides"] for grant in viewer["grants"] if grant["since"] <= seq]
    audiences = {"everyone", *(held[-1] if held else ())}
    return [name for name in part_names(sides) if name[1] in audiences]


class Misfit(Exception):
    """A part that cannot be laid into the event; the argument is the path of the entry."""


def lay(tree: Any, part: Tree, name: tuple[str, str], *, is_inserting: bool) -> None:
    """Lay the entries of a part over a tree, in place. Raises Misfit."""
    for place, (path, value) in enumerate(part["entries"]):
        *way, last = path
        inner = tree
        at = f"parts.{name[0]}.{name[1]}.entries[{place}]"
        is_draw = name[0] == "facts" and len(path) == 2
        if path[0] == "draws" and not is_draw and path[2:] != ["combatant"]:
            raise Misfit(at)
        try:
            for step in way:
                inner = inner[step]
            if isinstance(inner, list) and last >= len(inner) + is_inserting:
                raise IndexError(last)
        except (LookupError, TypeError) as error:
            raise Misfit(at) from error
        if is_inserting and isinstance(inner, list):
            inner.insert(last, value)
        else:
            inner[last] = value


def view(body: Tree, opened: dict[tuple[str, str], Tree], audience: str) -> Tree:
    """An event as one audience sees it that is not the game master's."""
    tree: Tree = json.loads(json.dumps(body))
    names = [("text", "everyone"), ("facts", audience), ("text", audience)]
    for name in names[: 1 if audience == "everyone" else 3]:
        if name in opened:
            lay(tree, opened[name], name, is_inserting=name[0] == "facts")
    return tree


def whole(body: Tree, opened: dict[tuple[str, str], Tree], sides: list[str]) -> Tree:
    """An event as the game master sees it, from all of its parts."""
    facts = opened[("facts", "gm")]
    orders = {tuple(path): order for path, order in facts.get("orders", [])}
    views = {audience: view(body, opened, audience) for audience in ("everyone", *sides)}
    tree: Tree = merged(views, "everyone", (), orders)
    for name in (("facts", "gm"), ("text", "gm")):
        lay(tree, opened.get(name, {"entries": []}), name, is_inserting=False)
    return tree


def merged(views: dict[str, Any], own: str, path: tuple[str | int, ...], orders: Any) -> Any:
    """One value from those that several audiences see at one place; `own` is whose it is."""
    first = views[own]
    if isinstance(first, dict):
        names = {name: None for each in views.values() for name in each}
        result = {}
        for name in names:
            inner = {who: each[name] for who, each in views.items() if name in each}
            narrower = own if own in inner else next(iter(inner))
            result[name] = merged(inner, narrower, (*path, name), orders)
        return result
    if not isinstance(first, list):
        return first
    lists = {who: iter(each) for who, each in views.items()}
    elements: list[Any] = []
    for audience in orders.get(path, [own] * len(first)):
        seers = [] if audience == "gm" else [w for w in lists if audience in ("everyone", w)]
        inner = {who: next(lists[who]) for who in seers}
        at = (*path, len(elements))
        elements.append(merged(inner, audience, at, orders) if inner else None)
    return elements
