"""The way from each page of the documentation to all others, the same on every page."""

from functools import cache
from typing import Final, NamedTuple

from service.engine.vocabulary.catalogue import Language

_TITLE_END: Final = b"</title>\n"
_LABEL: Final[dict[Language, str]] = {"en": "Documentation", "ru": "Документация"}


class DocsPage(NamedTuple):
    """A page by its address, and what it is called in each language."""

    address: str
    en: str
    ru: str


DOCS_PAGES: Final = (
    DocsPage("/docs", "Calls", "Вызовы"),
    DocsPage("/docs/guides", "Guides", "Руководства"),
    DocsPage("/docs/streams", "Streams", "Потоки"),
    DocsPage("/docs/effects", "Effects", "Эффекты"),
    DocsPage("/docs/scenes", "Pictures", "Рисунки"),
    DocsPage("/docs/problems", "Problems", "Отказы"),
    DocsPage("/docs/hidden", "What stays hidden", "Что остаётся скрытым"),
    DocsPage("/docs/audits", "Audits", "Проверки"),
    DocsPage("/docs/specification", "Specification", "Спецификация"),
)
_LIST: Final = "/docs/guides"
_DOCUMENT: Final = '<a href="/openapi.json">openapi.json</a>'


@cache
def with_navigation(page: bytes, address: str, language: Language) -> bytes:
    """A page with links to all of them behind its title; its own address is marked, or that of the
    list which has it.
    """
    links = " · ".join([*(_link(each, address, language) for each in DOCS_PAGES), _DOCUMENT])
    navigation = f'<nav class="pages" aria-label="{_LABEL[language]}">{links}</nav>\n'
    head, title, rest = page.partition(_TITLE_END)
    return head + title + navigation.encode() + rest


def _link(page: DocsPage, address: str, language: Language) -> str:
    here = ""
    if page.address == address:
        here = ' aria-current="page"'
    elif page.address == _LIST and address.startswith(f"{_LIST}/"):
        here = ' aria-current="true"'
    return f'<a href="{page.address}"{here}>{page.ru if language == "ru" else page.en}</a>'
