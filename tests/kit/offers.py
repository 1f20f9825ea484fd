"""Whether an action is among those that the nodes of `legal-actions` list."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service.engine.ruleset.legal_nodes import ACTOR_FIELDS
from tests.kit.rig import Tree


def is_offered(nodes: Sequence[Tree], action: Mapping[str, Any]) -> bool:
    """Whether a node lists the action; of points and ways it says only that one may be stated."""
    return any(node["type"] == action["type"] and _lists(node, action) for node in nodes)


def _lists(node: Tree, action: Mapping[str, Any]) -> bool:
    """Whether it is an action of whom the node is for, with values of its domains."""
    actors = [each for each in ACTOR_FIELDS if each in action and each not in node["params"]]
    if any(node["example"].get(each) != action[each] for each in actors):
        return False
    return _fits(node["params"], action, frozenset(action) - {"type", *actors})


def _fits(params: Mapping[str, Any], values: Mapping[str, Any], unread: frozenset[str]) -> bool:
    """Whether the values are those of parameters, each once, and no parameter is missing."""
    if not params:
        return not unread
    (name, domain), *others = params.items()
    rest = dict(others)
    if name not in values:
        return bool(domain.get("optional")) and _fits(rest, values, unread)
    return any(
        _fits({**rest, **brought}, values, unread - {name})
        for brought in _members_with(domain, values[name])
    )


def _members_with(domain: Tree, value: Any) -> Iterator[Mapping[str, Any]]:
    """The parameters that each member of a domain brings which has this value."""
    if "one_of" in domain:
        for member in domain["one_of"]:
            brings = isinstance(member, dict) and "params" in member
            if (member["value"] if brings else member) == value:
                yield member["params"] if brings else {}
    elif "cells" in domain:
        yield from (cell.get("params", {}) for cell in domain["cells"] if cell["path"] == value)
    elif _holds(domain, value):
        yield {}


def _holds(domain: Tree, value: Any) -> bool:
    """Whether a value is of a domain whose values bring no parameters."""
    if "int_range" in domain:
        is_within: bool = domain["int_range"]["min"] <= value <= domain["int_range"]["max"]
        return is_within
    if "some_of" in domain:
        return _is_some_of(domain, value)
    if "list_of" in domain:
        return _is_list_of(domain["list_of"], domain["length"], value)
    return "params" not in domain or _fits(domain["params"], value, frozenset(value))


def _is_some_of(domain: Tree, value: Any) -> bool:
    """Whether a value is a list of distinct members, as many as there may be."""
    if not isinstance(value, list) or not domain["min"] <= len(value) <= domain["max"]:
        return False
    return len(value) == len(set(value)) and set(value) <= set(domain["some_of"])


def _is_list_of(domain: Tree, length: int, value: Any) -> bool:
    """Whether a value is a list of so many values of one domain."""
    if not isinstance(value, list) or len(value) != length:
        return False
    return all(any(True for _ in _members_with(domain, each)) for each in value)
