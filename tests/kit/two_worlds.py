"""Two battles that differ in secrets alone, compared as those see them who know none of these.

Ann plays red, Bob blue, Eve looks on; the secrets are the green side's, whom the game master plays.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

import pytest

from service.api.negotiation import LANGUAGES
from service.encounters.narrations import names_mentioned
from service.engine.log.canonical import encode
from service.engine.log.event import Event
from service.engine.narration.explainer import EventContext, explainer_of
from service.engine.narration.explanation import Explanation
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.catalogue import Language
from service.errors import WarlogError
from tests.kit.rig import TwoWorlds
from tests.kit.table import Table, effects_of, seated, tree_of

Action = Mapping[str, Any]

UNKNOWING: Final = ("ann", "bob", "eve")
PLAYER_OF: Final = {"red": "ann", "blue": "bob"}
START: Final[Action] = {"type": "start_encounter"}


def compare(
    one: Table,
    other: Table,
    first: Event,
    second: Event,
    unknowing: tuple[str, ...] = UNKNOWING,
) -> None:
    """The last event and the state, as everybody who does not know sees them.

    Those who know are informed of the state first: what is kept for others of it must not show.
    """
    for table in (one, other):
        table.told("gm")
        table.told_to(Viewer(sides=table.side_ids))
    for by in unknowing:
        assert one.told(by) == other.told(by)
        assert encode(one.shown(first.seq, by)) == encode(other.shown(second.seq, by))
        assert encode(one.view(by)) == encode(other.view(by))
        assert encode(one.seating(by)) == encode(other.seating(by))
    by, language = unknowing[first.seq % len(unknowing)], LANGUAGES[first.seq % len(LANGUAGES)]
    assert explained(one, first.seq, by, language) == explained(other, second.seq, by, language)


def explained(table: Table, seq: int, by: str, language: Language) -> Explanation:
    """The last event as it is explained to somebody."""
    event = tree_of(table.shown(seq, by))
    names = names_mentioned(table.ruleset, table.state, table.before(seq), table.viewer(by), event)
    context = EventContext(mode=table.state.rule.dice)
    return explainer_of(table.ruleset, language).explanation(event, names, context)


def pair(
    ruleset: Ruleset[Any],
    first: Action,
    second: Action,
    unknowing: tuple[str, ...] = UNKNOWING,
) -> tuple[Table, Table]:
    """Two battles that have begun, and were alike so far."""
    one, other = seated(ruleset, first), seated(ruleset, second)
    for by in unknowing:
        assert encode(one.shown(1, by)) == encode(other.shown(1, by))
    compare(one, other, one.ask(START), other.ask(START), unknowing)
    return one, other


def both(one: Table, other: Table, action: Action, by: str = "gm") -> None:
    """The same in both, and shown alike."""
    compare(one, other, one.ask(action, by), other.ask(action, by))


def player_of(table: Table, combatant: str) -> str:
    """Who plays a combatant; the game master those of the green side."""
    return PLAYER_OF.get(table.combatant(combatant).side, "gm")


def compare_choices(
    worlds: TwoWorlds, one: Table, other: Table, combatant: str, count: int = 8
) -> None:
    """What may be done, what it would do, and why not: by whose turn it is, and by who is asked."""
    by = player_of(one, combatant)
    asked = [(name, player_of(one, name)) for _, name in one.questions]
    for who, seat in [(combatant, by), *asked]:
        assert encode(one.legal(who, seat)) == encode(other.legal(who, seat))
        actions = one.samples(who, count, seat)
        assert actions == other.samples(who, count, seat)
        for action in actions:
            assert encode(one.preview(action, seat)) == encode(other.preview(action, seat))
    for probe in worlds.probes(one, combatant):
        assert why_unforeseen(one, probe, by) == why_unforeseen(other, probe, by)
        assert why_not(one, probe, by) == why_not(other, probe, by)


def why_unforeseen(table: Table, action: Action, by: str) -> object:
    """Why a preview is refused."""
    return refusal(lambda: table.preview(action, by))


def why_not(table: Table, action: Action, by: str) -> object:
    """Why an action is refused."""
    return refusal(lambda: table.ask(action, by))


def refusal(attempt: Callable[[], object]) -> object:
    """Code, rule and facts of the refusal that an attempt meets."""
    with pytest.raises(WarlogError) as raised:
        attempt()
    error = raised.value
    return error.code, getattr(error, "rule", None), encode(error.params)


def quiet(worlds: TwoWorlds, table: Table, dice: Random) -> Action:
    """Something that the hidden h does and nobody notices."""
    return dice.choice([each for each in table.samples("h", 20) if each["type"] in worlds.quiet])


def meets_a_secret(worlds: TwoWorlds, event: Event) -> bool:
    """Whether a secret came out, or somebody unseen has no turn any more: everybody may see it."""
    effects = effects_of(event)
    if any(each["type"] == "felled" and each["combatant"] == "h" for each in effects):
        return True
    words = {each.get(word) for each in effects for word in ("cause", "outcome")}
    return not worlds.met.isdisjoint(words)


def end_turn(combatant: str) -> Action:
    """Nothing done."""
    return {"type": "end_turn", "combatant": combatant}


def adjusted(*changes: Action) -> Action:
    """A ruling of the game master."""
    return {"type": "adjust", "changes": list(changes)}
