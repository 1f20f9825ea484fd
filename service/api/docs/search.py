"""The index of the documentation: every section of every page, and every call.

How this works. The pages themselves are read, in the language of the reader. A section begins at an
element with an `id` (`section`, a heading, a `dt`), which is what a hit leads to; its title is the
heading, and what is before the first section belongs to the page. Examples (`pre`) are kept
apart from the text, so that they weigh less. Searching is the browser's: see `search.js`.
"""

from collections.abc import Iterable
from functools import cache
from html.parser import HTMLParser
from typing import Final

import msgspec
from msgspec import Struct

from service.api.call import Call

_BEGINNING: Final = frozenset({"section", "h2", "h3", "dt"})
_TITLES: Final = frozenset({"h1", "h2", "h3", "dt"})
_INLINE: Final = frozenset({"a", "b", "code", "em", "i", "mark", "span", "strong"})
_LEFT_OUT: Final = frozenset({"form", "nav", "noscript", "script", "style", "title"})
_VOID: Final = frozenset({"br", "col", "hr", "img", "input", "link", "meta", "wbr"})


class Section(Struct, frozen=True, kw_only=True):
    """What a hit leads to and is shown as."""

    href: str
    page: str
    title: str
    text: str
    examples: str = ""


class _Draft:
    """A section while it is read."""

    def __init__(self, anchor: str | None) -> None:
        self.anchor = anchor
        self.is_titled = False
        self.title: list[str] = []
        self.text: list[str] = []
        self.examples: list[str] = []


class _Reader(HTMLParser):
    """Takes a page apart into its sections."""

    def __init__(self) -> None:
        super().__init__()
        self.drafts = [_Draft(None)]
        self._open: list[str] = []
        self._before_list: list[_Draft] = []
        self._current = self.drafts[0]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        anchor = dict(attrs).get("id")
        if tag in _BEGINNING and anchor:
            self._current = _Draft(anchor)
            self.drafts.append(self._current)
        if tag == "dl":
            self._before_list.append(self._current)
        if tag not in _VOID:
            self._open.append(tag)
        self._part()

    def handle_endtag(self, tag: str) -> None:
        if tag in _TITLES and self._current.title:
            self._current.is_titled = True
        while self._open and self._open.pop() != tag:
            pass
        if tag == "dl" and self._before_list:
            self._current = self._before_list.pop()
        self._part(tag)

    def handle_data(self, data: str) -> None:
        if not _LEFT_OUT.isdisjoint(self._open):
            return
        is_title = not self._current.is_titled and not _TITLES.isdisjoint(self._open)
        if is_title:
            self._current.title.append(data)
        elif "pre" in self._open:
            self._current.examples.append(data)
        else:
            self._current.text.append(data)

    def _part(self, tag: str = "p") -> None:
        """Keep words of two blocks apart."""
        if tag not in _INLINE and (not self._open or self._open[-1] not in _INLINE):
            self._current.text.append(" ")


def sections_of(address: str, html: bytes) -> Iterable[Section]:
    """The sections of a page, the page itself first."""
    reader = _Reader()
    reader.feed(html.decode())
    reader.close()
    page = _words(reader.drafts[0].title)
    for draft in reader.drafts:
        yield Section(
            href=address if draft.anchor is None else f"{address}#{draft.anchor}",
            page=page,
            title=_words(draft.title) or page,
            text=_words(draft.text),
            examples=_words(draft.examples),
        )


def _calls(calls: tuple[Call, ...], page: str) -> Iterable[Section]:
    for call in calls:
        yield Section(
            href=f"/docs#/{call.tag}/{call.id}",
            page=page,
            title=f"{call.method} {call.published_path}",
            text=_words([call.summary, ". ", call.says]),
            examples=f"{call.id} {call.tag}",
        )


@cache
def search_index(
    pages: tuple[tuple[str, bytes], ...], calls: tuple[Call, ...], of_calls: str
) -> bytes:
    """The sections of the pages (address and HTML) and of the calls, as JSON; `of_calls` is what
    the reference is called.
    """
    sections = [each for address, html in pages for each in sections_of(address, html)]
    return msgspec.json.encode([*sections, *_calls(calls, of_calls)])


def _words(parts: Iterable[str]) -> str:
    return " ".join("".join(parts).split())
