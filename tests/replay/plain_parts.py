"""Parts as `/docs/specification` has them, laid into the body: a second reading of the page."""

import json
from pathlib import Path
from typing import Any, Final

from service.api import docs
from tests.replay.plain_invariants import WITH

Tree = dict[str, Any]
TABLE: Final = json.loads(
    Path(docs.__file__).with_name("vectors").joinpath("places.json").read_bytes()
)


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


def places_of(ruleset: object, version: object) -> Tree | None:
    """The row of a ruleset's version in the table of the places of text; None for another."""
    rows = (row for row in TABLE["rulesets"] if row["ruleset"] == ruleset)
    return next((row for row in rows if version in row["versions"]), None)


def is_place(path: list[str | int], places: list[str]) -> bool:
    """Whether these steps are those of a place."""
    steps = ["*" if isinstance(step, int) else step.replace("*", "") for step in path]
    return any(steps == place.split(".") for place in places)


def is_allowed(tree: Any, kind: str, path: list[str | int], value: Any, row: Tree | None) -> bool:
    """Whether a part of this kind may set such a value there."""
    if path[0] not in ("action", "effects", "draws"):
        return False
    if kind == "facts" and path[0] == "draws":
        return is_place(path[1:], TABLE["draws"]) and (len(path) == 2 or isinstance(value, str))
    if kind == "facts":
        is_whole = path == ["action"] or (path[0] == "effects" and len(path) == 2)
        told = value.get("type") if isinstance(value, dict) else None
        return not is_whole or (isinstance(told, str) and (path == ["action"] or told not in WITH))
    if not isinstance(value, str):
        return False
    if row is None:
        return True
    try:
        is_action = path[0] == "action"
        if path[0] not in ("action", "effects"):
            return False
        holder = tree["action"] if is_action else tree["effects"][path[1]]
        places = row["actions" if is_action else "effects"].get(holder["type"])
    except (LookupError, TypeError):
        return False
    return places is None or is_place(path[1 if is_action else 2 :], places)


def within(tree: Any, step: str | int) -> Any:
    """The member or element that a step leads to. Raises LookupError where there is none."""
    if isinstance(tree, dict) and isinstance(step, str):
        return tree[step]
    if isinstance(tree, list) and isinstance(step, int):
        return tree[step]
    raise LookupError(step)


def lay(
    tree: Any, part: Tree, name: tuple[str, str], row: Tree | None, *, is_inserting: bool
) -> None:
    """Lay the entries of a part over a tree, in place. Raises Misfit."""
    for place, (path, value) in enumerate(part["entries"]):
        *way, last = path
        inner = tree
        at = f"parts.{name[0]}.{name[1]}.entries[{place}]"
        if not is_allowed(tree, name[0], path, value, row):
            raise Misfit(at)
        try:
            for step in way:
                inner = within(inner, step)
            if isinstance(inner, list):
                within([*inner, None], last) if is_inserting else within(inner, last)
            elif not isinstance(inner, dict) or not isinstance(last, str):
                raise LookupError(last)
            is_taken = (
                last in inner if isinstance(inner, dict) else inner[last : last + 1] != [None]
            )
        except (LookupError, TypeError) as error:
            raise Misfit(at) from error
        if is_taken and not (is_inserting and isinstance(inner, list)):
            raise Misfit(at)
        own = json.loads(json.dumps(value))
        if is_inserting and isinstance(inner, list):
            inner.insert(last, own)
        else:
            inner[last] = own


def view(
    body: Tree, opened: dict[tuple[str, str], Tree], audience: str, row: Tree | None = None
) -> Tree:
    """An event as one audience sees it that is not the game master's."""
    tree: Tree = json.loads(json.dumps(body))
    names = [("text", "everyone"), ("facts", audience), ("text", audience)]
    for name in names[: 1 if audience == "everyone" else 3]:
        if name in opened:
            lay(tree, opened[name], name, row, is_inserting=name[0] == "facts")
    return tree


def whole(
    body: Tree,
    opened: dict[tuple[str, str], Tree],
    sides: list[str],
    row: Tree | None = None,
) -> Tree:
    """An event as the game master sees it, from all of its parts."""
    facts = opened[("facts", "gm")]
    orders = {tuple(path): order for path, order in facts.get("orders", [])}
    if len(orders) < len(facts.get("orders", [])):
        raise Misfit("parts.facts.gm")
    views = {audience: view(body, opened, audience, row) for audience in ("everyone", *sides)}
    tree: Tree = merged(views, "everyone", (), orders)
    if orders:
        raise Misfit("parts.facts.gm")
    for name in (("facts", "gm"), ("text", "gm")):
        lay(tree, opened.get(name, {"entries": []}), name, row, is_inserting=False)
    if has_hole(tree):
        raise Misfit("parts.facts.gm")
    return tree


def has_hole(tree: Any) -> bool:
    """Whether an element that was kept free is still empty."""
    inner = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return tree is None or any(map(has_hole, inner))


def is_alike(one: Any, other: Any) -> bool:
    """Whether two views of a place show the same there, or both an array or an object."""
    if isinstance(other, dict | list):
        return type(one) is type(other)
    return json.dumps(one) == json.dumps(other)


def merged(views: dict[str, Any], own: str, path: tuple[str | int, ...], orders: Any) -> Any:
    """One value from those that several audiences see at one place; `own` is whose it is.

    Orders that were followed are taken away. Raises Misfit.
    """
    first = views[own]
    if not all(is_alike(each, first) for each in views.values()):
        raise Misfit("parts.facts.gm")
    if isinstance(first, dict):
        names = {name: None for each in views.values() for name in each}
        result = {}
        for name in names:
            inner = {who: each[name] for who, each in views.items() if name in each}
            if len(inner) != (len(views) if own in inner else 1):
                raise Misfit("parts.facts.gm")
            narrower = own if own in inner else next(iter(inner))
            result[name] = merged(inner, narrower, (*path, name), orders)
        return result
    if not isinstance(first, list):
        return first
    lists = {who: list(each) for who, each in views.items()}
    elements: list[Any] = []
    for audience in orders.pop(path, [own] * len(first)):
        if audience not in [own, "gm", *(lists if own == "everyone" else ())]:
            raise Misfit("parts.facts.gm")
        seers = [] if audience == "gm" else [w for w in lists if audience in ("everyone", w)]
        if not all(lists[who] for who in seers):
            raise Misfit("parts.facts.gm")
        inner = {who: lists[who].pop(0) for who in seers}
        at = (*path, len(elements))
        elements.append(merged(inner, audience, at, orders) if inner else None)
    if any(left for who, left in lists.items() if own in ("everyone", who)):
        raise Misfit("parts.facts.gm")
    return elements
