"""The OpenAPI document as a page: a renderer that shows one rulebook's bodies at a time.

How this works. What a call takes and answers differs by rulebook, and no renderer can show the
document of all of them at once: it works out an example of every body, and there are unions of a
thousand types. So the page is given the document of the rulebook that the reader chooses, which is
the whole of it but for the types of the other rulebooks.
"""

from functools import cache
from html import escape
from importlib.resources import files
from typing import Final

from service.api.call import Call
from service.api.openapi.document import document_bytes
from service.engine.battle.state import RuleState
from service.engine.ruleset.definition import Ruleset, Rulesets
from service.engine.vocabulary.catalogue import Language

_PAGES: Final[dict[Language, str]] = {"en": "reference.html", "ru": "reference.ru.html"}
_SUFFIX: Final = ".openapi.json"


def reference_page(rulesets: Rulesets, language: Language) -> bytes:
    """The page, with the rulebooks to choose from."""
    return _page(tuple(newest_of(rulesets)), language)


def reference_document(name: str, calls: tuple[Call, ...], rulesets: Rulesets) -> bytes | None:
    """The document of `slug.openapi.json`, in the newest version of that ruleset; None if `name`
    is no such thing.
    """
    ruleset = (
        newest_of(rulesets).get(name.removesuffix(_SUFFIX)) if name.endswith(_SUFFIX) else None
    )
    return None if ruleset is None else document_bytes(calls, (ruleset,))


@cache
def _page(slugs: tuple[str, ...], language: Language) -> bytes:
    options = "".join(f"<option>{escape(slug)}</option>" for slug in slugs)
    text = files(__package__).joinpath(_PAGES[language]).read_text(encoding="utf-8")
    return text.replace("{rulebooks}", options).encode()


def newest_of(rulesets: Rulesets) -> dict[str, Ruleset[RuleState]]:
    """Slug -> the ruleset in its newest version."""
    return {
        ruleset.slug: ruleset
        for ruleset in sorted(rulesets.values(), key=lambda one: int(one.version))
    }
