"""What one viewer saw of a moment: state, open decisions and table, and what of them is unknown."""

import re
from typing import Any, Final, NamedTuple

from msgspec import UNSET, Raw, UnsetType

from service.encounters.views import raw, table_tree
from service.engine.battle.linear import Linear, Note
from service.engine.battle.state import State
from service.engine.battle.terms import NO_TERMS
from service.engine.visibility import projection
from service.engine.vocabulary.values import By
from service.replay.seen.gaps import NOBODY, UNSEEN, Gap
from service.replay.seen.order import Paths
from service.replay.seen.seen_state import NAMING, SeenRule, seen_scope
from service.replay.seen.unknown_path import UnknownPath


class SeenView(NamedTuple):
    """The parts of a view that are known; `tree` is the state as JSON values.

    `decisions` is UNSET where others may come before those that the viewer was told of.
    """

    tree: dict[str, Any]
    decisions: Raw | UnsetType
    unknown: tuple[UnknownPath, ...]

    @property
    def is_whole(self) -> bool:
        """Whether all that a picture shows is known, but for an order."""
        apart = ("state.pending", "decisions")
        return all(each.why == "order" or each.path in apart for each in self.unknown)


def view_of(seen: SeenRule) -> SeenView:
    """The state behind an event and the decisions that are open in it."""
    rule, viewer = seen.rule, seen.viewer
    scope = seen_scope(rule)
    shown: Any = projection.view(rule, scope, viewer)
    shown["combatants"] = [each for each in shown["combatants"] if each["side"] != NOBODY]
    if seen.has_doubt or seen.may_ask:
        shown["pending"] = [group for group in shown["pending"] if _is_asking(group)]
    unknown: list[UnknownPath] = []
    unordered = frozenset(f"state.{path}" for path in seen.unordered)
    tree = _told(shown, "state", unknown, unordered)
    decisions: Raw | UnsetType = UNSET
    if seen.may_ask or (seen.has_doubt and rule.pending):
        unknown.append(UnknownPath("decisions", "withheld"))
    else:
        top = rule.pending[-1].decisions if rule.pending else ()
        asked = projection.view(top, scope, viewer)
        inner = frozenset(path.removeprefix("pending.") for path in seen.unordered)
        decisions = raw(_told(asked, "decisions", unknown, inner))
    if seen.may_lack:
        unknown.append(UnknownPath("state.combatants", "may_lack"))
    if seen.has_doubt or seen.may_ask:
        unknown.append(UnknownPath("state.pending", "may_lack"))
    return SeenView(tree, decisions, _each_once(unknown))


def table_seen(
    seen: SeenRule, table: tuple[Linear, Paths], seq: int, by: By, earlier: tuple[Note, ...]
) -> tuple[Raw, tuple[UnknownPath, ...]]:
    """The table behind event `seq`, and what of it is unknown; arguments as of `views.table_of`.

    `table` is the half of the state that never rewinds, and where its order is not known.
    """
    seen_scope(seen.rule)
    linear, paths = table
    state = State(rule=seen.rule, linear=linear, terms=NO_TERMS)
    unknown: list[UnknownPath] = []
    unordered = frozenset(f"table.{path}" for path in paths)
    shown = table_tree(state, seq, by, seen.viewer, earlier)
    tree = _told(shown, "table", unknown, unordered)
    return raw(tree), _each_once(unknown)


def _is_asking(group: dict[str, Any]) -> bool:
    """Whether the viewer may know of any question of a group."""
    asked = (*group["decisions"], *(each.get("decision") for each in group.get("closed", ())))
    return any(isinstance(each, dict) and isinstance(each["id"], str) for each in asked)


def _each_once(unknown: list[UnknownPath]) -> tuple[UnknownPath, ...]:
    found = {(each.path, each.why): each for each in unknown}
    return tuple(found.values())


_INDEX: Final = re.compile(r"\[[0-9]+\]")


def _told(value: Any, path: str, unknown: list[UnknownPath], unordered: Paths) -> Any:
    """A projected value without its gaps; those that are unknown are noted by their paths."""
    if isinstance(value, dict):
        members = {}
        for name, each in value.items():
            if not isinstance(each, Gap):
                members[name] = _told(each, f"{path}.{name}", unknown, unordered)
            elif each is not UNSEEN:
                unknown.append(UnknownPath(f"{path}.{name}", "withheld"))
        return members
    if not isinstance(value, list | tuple):
        return value
    if _INDEX.sub("", path) in unordered:
        unknown.append(UnknownPath(path, "order"))
    elements: list[Any] = []
    for each in value:
        if isinstance(each, Gap) or _is_hole(each):
            if each is not UNSEEN:
                unknown.append(UnknownPath(path, "may_lack"))
            continue
        elements.append(_told(each, f"{path}[{len(elements)}]", unknown, unordered))
    return elements


def _is_hole(value: object) -> bool:
    """Whether an object stands for elements that are not known: what names it is a gap."""
    if not isinstance(value, dict) or not value:
        return False
    names = [value[name] for name in ("id", *sorted(NAMING)) if name in value]
    return all(isinstance(each, Gap) for each in names or value.values())
