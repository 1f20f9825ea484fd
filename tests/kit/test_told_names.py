"""What people carry, sing and throw is shown by its name, to those who may know whose it is."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest
from msgspec import UNSET

from service.api.negotiation import LANGUAGES
from service.encounters.narrations import names_mentioned
from service.engine.battle.state import scope_of
from service.engine.narration.explainer import EventContext, explainer_of
from service.engine.narration.explanation import Explanation
from service.engine.visibility.projection import view
from service.engine.vocabulary.catalogue import Language
from service.engine.vocabulary.content_names import Title
from tests.kit.random_battles import play
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.table import Table, seated, tree_of
from tests.soak import with_soak

EVENTS: Final = 60
BATTLES: Final = range(3)
VIEWERS: Final = ("gm", "ann", "eve")

pytestmark = pytest.mark.parametrize("rig", RIGS, ids=repr)


def with_named_things(setup: Mapping[str, Any]) -> dict[str, Any]:
    """A setup in which all things on sheets have names, or now and then that of their sample."""
    people = [
        {**sheet, **{field: named(sheet["id"], each) for field, each in sheet.items()}}
        for sheet in setup.get("combatants", ())
    ]
    return {**setup, "combatants": people} if people else dict(setup)


def named(bearer: str, value: Any) -> Any:
    """A list of things with their names; anything else as it is."""
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        return value
    return [
        {**each, "name": f"Кладенец [{bearer}]"} if is_nameless(each, index) else each
        for index, each in enumerate(value)
    ]


def is_nameless(thing: Mapping[str, Any], index: int) -> bool:
    """Whether something needs a separate name."""
    return "id" in thing and ("sample" not in thing or index % 2 == 0)


def played(rig: Rig, number: int, *, with_secrets: bool = False) -> Table:
    """A battle of a number, in which things have names."""
    setup = rig.battles.setup(number, with_secrets=with_secrets)
    table = seated(rig.ruleset, with_named_things(setup))
    play(table, number, EVENTS)
    return table


def explained(table: Table, seq: int, by: str, language: Language) -> Explanation:
    """An event as it is explained to somebody."""
    event, viewer = tree_of(table.shown(seq, by)), table.viewer(by)
    names = names_mentioned(table.ruleset, table.behind(seq), table.before(seq), viewer, event)
    context = EventContext(mode=table.state.rule.dice)
    return explainer_of(table.ruleset, language).explanation(event, names, context)


def sentences(explanation: Explanation) -> Iterator[str]:
    """Everything that is said of an event in words, but for the rules."""
    yield explanation.narration
    if explanation.action is not UNSET:
        yield from (fact.value for fact in explanation.action.facts)
    for effect in explanation.effects:
        yield effect.sentence
        yield from (fact.value for fact in effect.facts)
        for line in effect.modifiers:
            yield from (fact.value for fact in line.facts)


def handles(table: Table) -> set[str]:
    """Ids that tables call people, units, sides and seats by."""
    rule = table.state.rule
    units = {each.unit for each in rule.combatants if hasattr(each, "unit")}
    return {*units, *(each.id for each in (*rule.combatants, *rule.sides))}


def named_ids(table: Table, seq: int) -> set[str]:
    """Ids of things that have a name: in the content, or on each sheet that they stand on."""
    rule: Any = table.rules[seq]
    content = None if rule.content is UNSET else table.blobs[rule.content]
    lists = table.ruleset.content_names.lists(content)
    titled = {each.id for things in lists.values() for each in things if each.title is not None}
    carried = [each for sheet in rule.combatants for each in things_on(sheet)]
    nameless = {each.id for each in carried if is_without_name(each)}
    words = {word for things in lists.values() for each in things for word in words_of(each.title)}
    return (titled | {each.id for each in carried}) - nameless - words


def words_of(title: Title | None) -> set[str]:
    """The words that something is called by."""
    return set() if title is None else set(re.findall(r"\w+", f"{title.en} {title.ru}"))


def things_on(sheet: Any) -> Iterator[Any]:
    """Whatever a sheet lists that may have a name."""
    for field in ("weapons", "grenades", "areas"):
        yield from (each for each in getattr(sheet, field, ()) if hasattr(each, "name"))


def is_without_name(thing: Any) -> bool:
    """Whether nobody called something anything."""
    return thing.name is UNSET and getattr(thing, "sample", UNSET) is UNSET


@pytest.mark.parametrize("number", with_soak(BATTLES[:1], BATTLES[1:]))
def test_no_sentence_has_an_id_of_a_thing_in_it(rig: Rig, number: int) -> None:
    table = played(rig, number)
    known = handles(table)
    for seq in range(1, len(table.events) + 1):
        things = named_ids(table, seq)
        for by in VIEWERS:
            for language in LANGUAGES:
                for text in sentences(explained(table, seq, by, language)):
                    words = set(re.findall(r"\w+", text)) - known
                    assert not {word for word in words if "_" in word}, text
                    assert not words & things, text


def test_things_are_told_by_name_to_those_who_know_whose_they_are(rig: Rig) -> None:
    told = 0
    for number in BATTLES:
        table = played(rig, number, with_secrets=True)
        for seq in range(1, len(table.events) + 1):
            for by in VIEWERS:
                rule = table.rules[seq]
                known = {
                    each["id"]
                    for each in tree_of(view(rule, scope_of(rule), table.viewer(by)))["combatants"]
                }
                said = " ".join(sentences(explained(table, seq, by, LANGUAGES[seq % 2])))
                bearers = set(re.findall(r"Кладенец \[(\w+)\]", said))
                assert bearers <= known
                told += len(bearers)
    assert told or rig.ruleset.content_names.in_play


def test_who_does_not_know_a_bearer_knows_none_of_the_names_on_the_sheet(rig: Rig) -> None:
    """Not even of an event that mentions both ids, which none does."""
    hidden = 0
    for number in BATTLES:
        setup = rig.battles.setup(number, with_secrets=True)
        table = seated(rig.ruleset, with_named_things(setup))
        for sheet in table.state.rule.combatants:
            ids = [each.id for each in things_on(sheet) if not is_without_name(each)]
            if not sheet.hidden or not ids:
                continue
            hidden += 1
            event = {"effects": [{"combatant": sheet.id, "item": one} for one in ids]}
            items = {by: items_known(table, by, event) for by in ("gm", "eve")}
            assert items["gm"] >= {(sheet.id, one) for one in ids}
            assert items["eve"] == set()
    assert hidden or rig.ruleset.content_names.in_play


def items_known(table: Table, by: str, event: dict[str, Any]) -> set[tuple[str, str]]:
    """The things whose names somebody knows of those that an event mentions."""
    viewer = table.viewer(by)
    return set(names_mentioned(table.ruleset, table.state, None, viewer, event).items)
