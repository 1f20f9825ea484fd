"""What those are called of whom an event tells, by the sheets that its reader may see."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from service.engine.narration.plain_text import in_one_line

LONGEST_NAME: Final = 80
"""Letters of a name within a sentence."""

Item = tuple[str, str]
"""A weapon or other item: id of its bearer, and its own id on that sheet."""


class Names(Struct, frozen=True):
    """Display names; whoever has none is called by its id."""

    combatants: Mapping[str, str] = {}
    """By id of the combatant."""
    items: Mapping[Item, str] = {}
    """By bearer and id of the item."""
    sides: Mapping[str, str] = {}
    """By id of the side."""

    def called(self, combatant: str) -> str:
        """What a combatant is called."""
        return self.combatants.get(combatant) or in_one_line(combatant, LONGEST_NAME)

    def side(self, side: str) -> str:
        """What a side is called."""
        return self.sides.get(side) or in_one_line(side, LONGEST_NAME)

    def item(self, bearer: object, item: str) -> str:
        """What an item is called."""
        name = self.items.get((bearer, item)) if isinstance(bearer, str) else None
        return name or in_one_line(item, LONGEST_NAME)

    def beside(self, event: Mapping[str, object]) -> "Names":
        """These, and those of the sheets that an event shows."""
        sheets = [
            sheet
            for effect in _objects(event.get("effects"))
            if isinstance(sheet := effect.get("combatant"), dict)
        ]
        if not sheets:
            return self
        own = names_of_sheets(sheets)
        return Names(
            combatants={**own.combatants, **self.combatants},
            items={**own.items, **self.items},
            sides=self.sides,
        )


NO_NAMES: Final = Names()


def names_in(state: Mapping[str, object]) -> Names:
    """The names in a state as its reader sees it; JSON of any other shape has none."""
    own = names_of_sheets(list(_objects(state.get("combatants"))))
    sides = {
        side: name for each in _objects(state.get("sides")) for side, name in _named(each, "id")
    }
    return Names(combatants=own.combatants, items=own.items, sides=sides)


def names_of_sheets(sheets: list[dict[str, object]]) -> Names:
    """The names on sheets; with its id where others have the same name, or have it for their id."""
    named = dict(pair for sheet in sheets for pair in _named(sheet, "id"))
    met = Counter(named.values())
    met.update(str(sheet.get("id")) for sheet in sheets)
    combatants = {
        one: name if met[name] == 1 or name == one else f"{name} ({one})"
        for one, name in named.items()
    }
    return Names(combatants=combatants, items=dict(_items(sheets)))


def _items(sheets: list[dict[str, object]]) -> Iterator[tuple[Item, str]]:
    for sheet in sheets:
        bearer = sheet.get("id")
        if isinstance(bearer, str):
            for value in sheet.values():
                for item in _objects(value):
                    yield from (((bearer, one), name) for one, name in _named(item, "id"))


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
