"""Requests that the OpenAPI document shows of a ruleset; a test sends each one to the service."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RequestExample:
    """A body that works as it stands: its name in the document, a short title, the JSON tree.

    No two examples of one call share a name, whatever their rulesets.
    """

    name: str
    says: str
    value: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestExamples:
    """The bodies of four calls.

    The first creation is named as the slug with underscores. The actions are taken in this order
    in the battle that it creates; the previews are asked for after the first of them. Maps are
    checked for no battle.
    """

    create_encounter: tuple[RequestExample, ...] = ()
    act: tuple[RequestExample, ...] = ()
    preview: tuple[RequestExample, ...] = ()
    check_map: tuple[RequestExample, ...] = ()


NO_EXAMPLES: Final = RequestExamples()
