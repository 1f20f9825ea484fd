"""Events in words, made of what their reader could see of them and of the names it knew then."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from service.engine.battle.state import RuleState, scope_of
from service.engine.narration.names import Names, names_in
from service.engine.narration.narrator import narrate
from service.engine.ruleset import Ruleset
from service.engine.visibility import projection
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.catalogue import Language

EVENT: Final = msgspec.json.Decoder(dict[str, Any])
"""Reads the body of an event, or what a reader sees of it."""


def narration(
    ruleset: Ruleset[Any], rule: RuleState, viewer: Viewer, event: bytes, language: Language
) -> str:
    """A few sentences that tell an event, given as the JSON that its reader sees.

    `rule` is the state behind it. The same is told as in the event's explanation.
    """
    tree = EVENT.decode(event)
    return narrate(ruleset, tree, names_mentioned(rule, viewer, tree), language)


def names_mentioned(rule: RuleState, viewer: Viewer, event: dict[str, Any]) -> Names:
    """The names of those whom the event mentions, as far as the viewer may know them."""
    mentioned = frozenset(words_in(event))
    sheets = tuple(each for each in rule.combatants if each.id in mentioned)
    scope = scope_of(rule)
    return names_in(
        {
            "combatants": projection.view(sheets, scope, viewer),
            "sides": projection.view(rule.sides, scope, viewer),
        }
    )


def words_in(value: object) -> Iterator[str]:
    """Every string of a JSON value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from words_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from words_in(each)
