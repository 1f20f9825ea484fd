"""What those are called of whom an event tells, by the sheets that its reader may see."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from service.engine.narration.plain_text import in_one_line
from service.engine.vocabulary.catalogue import Language
from service.engine.vocabulary.content_names import (
    NO_CONTENT,
    NO_TITLES,
    ContentNames,
    Title,
    Titles,
)

LONGEST_NAME: Final = 80
"""Letters of a name within a sentence."""

SAMPLE: Final = "sample"
"""Field of an item that names the thing of the content which it is one of."""

Item = tuple[str, str]
"""A weapon or other item: id of its bearer, and its own id on that sheet."""


class Names(Struct, frozen=True):
    """Display names; whoever has none is called by its id, a thing by the words of its id."""

    combatants: Mapping[str, str] = {}
    """By id of the combatant."""
    items: Mapping[Item, Title] = {}
    """By bearer and id of the item."""
    sides: Mapping[str, str] = {}
    """By id of the side."""
    content: Titles = NO_TITLES
    """Of the content, by the field that names it and by its id."""
    seats: Mapping[str, str] = {}
    """By id of the seat."""

    def called(self, combatant: str) -> str:
        """What a combatant is called."""
        return self.combatants.get(combatant) or in_one_line(combatant, LONGEST_NAME)

    def side(self, side: str) -> str:
        """What a side is called."""
        return self.sides.get(side) or in_one_line(side, LONGEST_NAME)

    def seat(self, seat: str) -> str:
        """What a seat is called."""
        return self.seats.get(seat) or in_one_line(seat, LONGEST_NAME)

    def item(self, bearer: object, field: str, item: str, language: Language) -> str:
        """What an item is called that stands in this field: on its bearer's sheet, else so."""
        title = self.items.get((bearer, item)) if isinstance(bearer, str) else None
        return self.thing(field, item, language) if title is None else title.in_language(language)

    def thing(self, field: str, one: str, language: Language) -> str:
        """What a thing of the content is called that stands in this field."""
        title = self.content.get((field, one))
        return in_words(one) if title is None else title.in_language(language)

    def beside(self, event: Mapping[str, object]) -> "Names":
        """These, and those of the sheets that an event shows."""
        sheets = [
            sheet
            for effect in _objects(event.get("effects"))
            if isinstance(sheet := effect.get("combatant"), dict)
        ]
        if not sheets:
            return self
        own = names_of_sheets(sheets, self.content)
        return Names(
            combatants={**own.combatants, **self.combatants},
            items={**own.items, **self.items},
            sides=self.sides,
            content=self.content,
            seats=self.seats,
        )


NO_NAMES: Final = Names()


def names_in(
    state: Mapping[str, object],
    named: ContentNames = NO_CONTENT,
    content: object = None,
    mentioned: frozenset[str] = frozenset(),
) -> Names:
    """The names in a state as its reader sees it; JSON of any other shape has none.

    `named` says how the rulebook names the `content` of the battle: of that, those are told that
    the event has `mentioned`, or the state.
    """
    wanted = mentioned.union(words_in(state)) if named.kinds else mentioned
    titles = {
        key: shown
        for key, title in named.titles(content, wanted, state).items()
        if (shown := _shown(title)) is not None
    }
    own = names_of_sheets(list(_objects(state.get("combatants"))), titles)
    sides = {
        side: name for each in _objects(state.get("sides")) for side, name in _named(each, "id")
    }
    return Names(
        combatants=own.combatants,
        items=own.items,
        sides=sides,
        content=titles,
        seats=_distinct(list(_objects(state.get("seats")))),
    )


def names_of_sheets(sheets: list[dict[str, object]], content: Titles = NO_TITLES) -> Names:
    """The names on sheets; with its id where others have the same name, or have it for their id.

    Items without one have that of the `sample` of the content which they are one of.
    """
    return Names(combatants=_distinct(sheets), items=dict(_items(sheets, content)))


def _distinct(objects: list[dict[str, object]]) -> dict[str, str]:
    """Names by id; with the id where others have the same name, or have it for their id."""
    named = dict(pair for each in objects for pair in _named(each, "id"))
    met = Counter(named.values())
    met.update(str(each.get("id")) for each in objects)
    return {
        one: name if met[name] == 1 or name == one else f"{name} ({one})"
        for one, name in named.items()
    }


def in_words(one: str) -> str:
    """The id of a thing that has no name, as words."""
    return in_one_line(one.replace("_", " "), LONGEST_NAME)


def words_in(value: object) -> Iterator[str]:
    """Every string of a JSON value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from words_in(each)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from words_in(each)


def _items(sheets: list[dict[str, object]], content: Titles) -> Iterator[tuple[Item, Title]]:
    for sheet in sheets:
        bearer = sheet.get("id")
        if isinstance(bearer, str):
            for value in sheet.values():
                for item in _objects(value):
                    one, title = item.get("id"), _title_of(item, content)
                    if isinstance(one, str) and title is not None:
                        yield (bearer, one), title


def _title_of(item: dict[str, object], content: Titles) -> Title | None:
    """The name that an item was given, else that of what it is one of."""
    for _, name in _named(item, "id"):
        return Title(name, name)
    sample = item.get(SAMPLE)
    return content.get((SAMPLE, sample)) if isinstance(sample, str) else None


def _shown(title: Title) -> Title | None:
    """A name of the content, which people wrote, as it may stand within a sentence."""
    english, russian = (in_one_line(each, LONGEST_NAME) for each in (title.en, title.ru))
    return Title(english, russian) if english and russian else None


def _named(value: dict[str, object], key: str) -> Iterator[tuple[str, str]]:
    """Id and name of an object, if it has both."""
    one, name = value.get(key), value.get("name")
    if isinstance(one, str) and isinstance(name, str):
        shown = in_one_line(name, LONGEST_NAME)
        if shown:
            yield one, shown


def _objects(value: object) -> Iterator[dict[str, object]]:
    if isinstance(value, list):
        yield from (each for each in value if isinstance(each, dict))
