"""Events in words, made of what their reader could see of them and of the names it knew then."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec
from msgspec import UNSET

from service.engine.battle.state import RuleState, State, scope_of
from service.engine.narration.names import Names, names_in, words_in
from service.engine.narration.narrator import narrate
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility import projection
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.catalogue import Language
from service.engine.vocabulary.content_names import OUT_OF_PLAY
from service.errors import WarlogError

_OUT_OF_PLAY: Final = f'"{OUT_OF_PLAY}"'.encode()
_COMBATANTS: Final = ("combatant", "target", "held", "enemy", "other", "by")
"""Facts of a refusal that are a combatant, whatever the rulebook."""

EVENT: Final = msgspec.json.Decoder(dict[str, Any])
"""Reads the body of an event, or what a reader sees of it."""


def narration(
    ruleset: Ruleset[Any],
    state: State[Any],
    before: State[Any] | None,
    viewer: Viewer,
    event: bytes,
    language: Language,
) -> str:
    """A few sentences that tell an event, given as the JSON that its reader sees.

    `state` is the one behind it, `before` the one in front of it where it `takes_out_of_play`. The
    same is shown as in the event's explanation.
    """
    tree = EVENT.decode(event)
    names = names_mentioned(ruleset, state, before, viewer, tree)
    return narrate(ruleset, tree, names, language)


def takes_out_of_play(ruleset: Ruleset[Any], event: bytes) -> bool:
    """Whether something is in play no longer since an event: the state behind it has no name."""
    return bool(ruleset.content_names.in_play) and _OUT_OF_PLAY in event


def names_mentioned(
    ruleset: Ruleset[Any],
    state: State[Any],
    before: State[Any] | None,
    viewer: Viewer,
    event: dict[str, Any],
) -> Names:
    """The names of those whom the event mentions, as far as the viewer may know them.

    Those of things of the content, too, which everyone may read, and of what was in play `before`.
    """
    rule, named = state.rule, ruleset.content_names
    mentioned = frozenset(words_in(event))
    shown = {name: _shown(rule, name, viewer, mentioned) for name in ("combatants", *named.in_play)}
    if before is not None:
        for name in named.in_play:
            shown[name] = [*_shown(before.rule, name, viewer, mentioned), *shown[name]]
    shown["sides"] = projection.view(rule.sides, scope_of(rule), viewer)
    seats = tuple(seat for seat in state.linear.seats if seat.id in mentioned)
    shown["seats"] = projection.view(seats, scope_of(rule), viewer)
    content = None if rule.content is UNSET else state.terms.blobs.get(rule.content)
    return names_in(shown, named, content, mentioned)


@contextmanager
def told_by_name(ruleset: Ruleset[Any], state: State[Any], viewer: Viewer) -> Iterator[None]:
    """A refusal raised inside calls those whom it means as this viewer knows them."""
    try:
        yield
    except WarlogError as refusal:
        name_those_meant(refusal, ruleset, state, viewer)
        raise


def name_those_meant(
    refusal: WarlogError, ruleset: Ruleset[Any], state: State[Any], viewer: Viewer
) -> None:
    """What a viewer calls those whom a refusal means: its `names`."""
    names = names_mentioned(ruleset, state, None, viewer, refusal.params)
    by_fact = {
        **dict.fromkeys(_COMBATANTS, names.combatants),
        "side": names.sides,
        "seat": names.seats,
        "turn": names.sides if "side" in refusal.params else names.combatants,
    }
    refusal.names = {
        fact: called[meant]
        for fact, called in by_fact.items()
        if isinstance(meant := refusal.params.get(fact), str) and meant in called
    }


def _shown(rule: RuleState, name: str, viewer: Viewer, mentioned: frozenset[str]) -> Any:
    """The elements of a list of the state that an event mentions, as far as they are known."""
    elements = tuple(each for each in getattr(rule, name) if each.id in mentioned)
    return projection.view(elements, scope_of(rule), viewer)
