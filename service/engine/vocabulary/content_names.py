"""What things of a rulebook's content are called, and where what is told names them.

How this works. Content is looked through for the ids that an event mentions, kind by kind, since
an id is unique among those of its kind alone. A field says of which kinds it may be; where things
of two of them have its id under different names, none of them is told.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from msgspec import UNSET, Struct, UnsetType

from service.engine.vocabulary.catalogue import Language


class Title(Struct, frozen=True):
    """What something is called in both languages."""

    en: str
    """English name."""
    ru: str
    """Russian name."""

    def in_language(self, language: Language) -> str:
        """The name in one language."""
        return self.en if language == "en" else self.ru


def title_of(en: str | UnsetType, ru: str | UnsetType) -> Title | None:
    """What something is called that was given a name in a language or two; None without any."""
    english, russian = (ru if en is UNSET else en), (en if ru is UNSET else ru)
    return None if english is UNSET or russian is UNSET else Title(english, russian)


class Titled(Protocol):
    """Something of the content."""

    @property
    def id(self) -> str:
        """Its id, unique among those of its kind."""

    @property
    def title(self) -> Title | None:
        """What it is called; None where it has no name but its id."""


TitledLists = Mapping[str, Sequence[Titled]]
"""What has names, by the word for its kind."""

Titles = Mapping[tuple[str, str], Title]
"""What is called how, by the field that names it and by its id."""

NO_TITLES: Final[Titles] = {}

OUT_OF_PLAY: Final = "marker_removed"
"""Type of the effect since which something is in play no longer; `marker` is its id."""


@dataclass(frozen=True, slots=True)
class ContentNames:
    """How a rulebook names its content.

    `lists` are the things of a blob that have names, those that are there without any content for
    None. `kinds` are the kinds that a field of an effect, an action or a sheet may name. `in_play`
    are lists of the state of which each element has an id of its own and names in that field what
    it is one of; the list's name is the kind of the elements.
    """

    lists: Callable[[Any], TitledLists] = field(default=lambda _blob: {})
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    in_play: Mapping[str, str] = field(default_factory=dict)

    def titles(
        self, content: object, wanted: Collection[str], state: Mapping[str, object]
    ) -> Titles:
        """What the `wanted` ids are called by this content and by what is in play in a state."""
        by_kind = {
            (kind, each.id): title
            for kind, things in self.lists(content).items()
            for each in things
            if each.id in wanted and (title := each.title) is not None
        }
        by_kind |= dict(self._in_play(by_kind, state))
        found: dict[tuple[str, str], Title | None] = {}
        for name, kinds in self.kinds.items():
            for (kind, one), title in by_kind.items():
                if kind in kinds:
                    known = found.setdefault((name, one), title)
                    found[name, one] = title if known == title else None
        return {key: title for key, title in found.items() if title is not None}

    def _in_play(
        self, by_kind: Mapping[tuple[str, str], Title], state: Mapping[str, object]
    ) -> Iterator[tuple[tuple[str, str], Title]]:
        for kind, name in self.in_play.items():
            elements = state.get(kind)
            for each in elements if isinstance(elements, list) else ():
                one, of = (each.get("id"), each.get(name)) if isinstance(each, dict) else (0, 0)
                if isinstance(one, str) and isinstance(of, str):
                    titles = (by_kind.get((other, of)) for other in self.kinds[name])
                    yield from (((kind, one), title) for title in titles if title is not None)


NO_CONTENT: Final = ContentNames()
"""Of a rulebook all of whose things are named on sheets."""
