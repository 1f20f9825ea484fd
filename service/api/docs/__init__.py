"""Documentation that works offline: the OpenAPI document as a page, the list of problems, guides
with examples, effects, pictures of battles, what stays hidden, what an audit can know, and the
specification of the audit with its test vectors.

The guides are Markdown in `guides`; `service.web.guides` makes pages of them when they are built.

Nothing is fetched from elsewhere; the browser is asked to allow nothing else either.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec
from litestar import Response

from service.api.call import JSON, NDJSON, SVG, Call
from service.api.docs.effects import effects_page
from service.api.docs.navigation import with_navigation
from service.api.docs.problems import page_of_problems
from service.api.docs.reference import newest_of, reference_document, reference_page
from service.api.docs.search import search_index
from service.api.docs.streams import streams_page
from service.api.docs.translations import Translator
from service.api.problems import Phrasebook
from service.api.response import PUBLIC, plain
from service.api.scenes.svg import SECURITY
from service.engine.battle.state import RuleState
from service.engine.ruleset.definition import Ruleset, Rulesets
from service.engine.vocabulary.catalogue import Language
from service.errors import PagesNotBuilt

_HTML: Final = "text/html"
_JPEG: Final = "image/jpeg"
_ASSETS: Final = {
    "docs.css": "text/css",
    "bundle-line.schema.json": "application/schema+json",
}
BUILT: Final = Path(__file__).resolve().parent / "built"
_MEDIA_TYPES: Final = {".css": "text/css", ".js": "text/javascript", ".txt": "text/plain"}
"""Suffix of a file in `BUILT`, which the build of the pages makes -> its media type."""
_GUIDE: Final = re.compile(r"guide-(?P<name>[a-z-]+)\.(?P<language>\w+)\.html")
"""The page of a guide in `BUILT`."""
_PAGES: Final[dict[str, dict[Language, str]]] = {
    "audits": {"en": "audits.html", "ru": "audits.ru.html"},
    "hidden": {"en": "hidden.html", "ru": "hidden.ru.html"},
    "scenes": {"en": "scenes.html", "ru": "scenes.ru.html"},
    "specification": {"en": "specification.html", "ru": "specification.ru.html"},
}
"""Page -> its file in every language."""
SEARCH_INDEXES: Final[dict[str, Language]] = {"search.en.json": "en", "search.ru.json": "ru"}
"""What the search of a page in a language reads."""
_REFERENCE: Final[dict[Language, str]] = {"en": "The interface", "ru": "Интерфейс"}
PICTURES: Final[dict[str, dict[Language, str]]] = {
    "crossfire.svg": {"en": "crossfire.svg", "ru": "crossfire.ru.svg"},
    "melody.svg": {"en": "melody.svg", "ru": "melody.ru.svg"},
    "seeker.svg": {"en": "seeker.svg", "ru": "seeker.ru.svg"},
    "tactical.svg": {"en": "tactical.svg", "ru": "tactical.ru.svg"},
}
"""Picture of a battle, as the service draws it -> its file in every language."""
SCREENS: Final[dict[str, dict[Language, str]]] = {
    "phone.jpg": {"en": "phone.jpg", "ru": "phone.ru.jpg"},
    "replay.jpg": {"en": "replay.jpg", "ru": "replay.ru.jpg"},
}
"""What a page looks like, in the light and, for readers of Russian, in the dark."""
VECTORS: Final = {
    "bundle-fork-crossfire-gm.ndjson": NDJSON,
    "bundle-fork-crossfire-red.ndjson": NDJSON,
    "bundle-fork-melody-gm.ndjson": NDJSON,
    "bundle-fork-melody-red.ndjson": NDJSON,
    "bundle-fork-seeker-gm.ndjson": NDJSON,
    "bundle-fork-seeker-red.ndjson": NDJSON,
    "bundle-fork-squad-gm.ndjson": NDJSON,
    "bundle-fork-squad-red.ndjson": NDJSON,
    "bundle-fork-standing-gm.ndjson": NDJSON,
    "bundle-fork-standing-red.ndjson": NDJSON,
    "bundle-fork-tactical-gm.ndjson": NDJSON,
    "bundle-fork-tactical-red.ndjson": NDJSON,
    "bundle-gm.ndjson": NDJSON,
    "bundle-melody-gm.ndjson": NDJSON,
    "bundle-melody-red.ndjson": NDJSON,
    "bundle-red.ndjson": NDJSON,
    "bundle-seeker-gm.ndjson": NDJSON,
    "bundle-seeker-red.ndjson": NDJSON,
    "bundle-squad-gm.ndjson": NDJSON,
    "bundle-squad-red.ndjson": NDJSON,
    "bundle-tactical-gm.ndjson": NDJSON,
    "bundle-tactical-red.ndjson": NDJSON,
    "canonical.json": JSON,
    "dice.json": JSON,
    "event.json": JSON,
    "forgeries.json": JSON,
    "places.json": JSON,
    "receipts.json": JSON,
    "views.json": JSON,
}
"""Test vector of the specification, a file in `vectors` -> its media type."""
_ONLY_OURS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
        " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
}


def docs_page(rulesets: Rulesets, language: Language) -> Response[bytes]:
    """The reference of all calls; its script reads the document of one rulebook.

    Raises PagesNotBuilt.
    """
    built_files()
    return _page("/docs", reference_page(rulesets, language), language)


def document_named(
    name: str, calls: tuple[Call, ...], rulesets: Rulesets
) -> Response[bytes] | None:
    """The OpenAPI document of one rulebook, `slug.openapi.json`; None for anything else."""
    document = reference_document(name, calls, rulesets)
    return None if document is None else plain(document, JSON, general=PUBLIC)


def asset_named(name: str, language: Language) -> Response[bytes] | None:
    """The page's script or style, or what is next to it; None for anything else.

    Raises PagesNotBuilt where a build would have the file.
    """
    if name in _PAGES:
        return _page(f"/docs/{name}", _asset(_PAGES[name][language]), language)
    if name in PICTURES:
        extra = {**_chosen(language), "Content-Security-Policy": SECURITY}
        return plain(_asset(PICTURES[name][language]), SVG, extra=extra, general=PUBLIC)
    if name in SCREENS:
        return plain(
            _asset(SCREENS[name][language]), _JPEG, extra=_chosen(language), general=PUBLIC
        )
    if name in VECTORS:
        return plain(_asset(f"vectors/{name}"), VECTORS[name], general=PUBLIC)
    if name in _ASSETS:
        return plain(_asset(name), _ASSETS[name], general=PUBLIC)
    media_type = _MEDIA_TYPES.get(PurePosixPath(name).suffix)
    content = built_files().get(name) if media_type else None
    if media_type is None or content is None:
        return None
    return plain(content, media_type, general=PUBLIC)


def list_of_guides(language: Language) -> Response[bytes]:
    """All guides. Raises PagesNotBuilt."""
    return _page("/docs/guides", _list_of_guides(language), language)


def guide_named(name: str, language: Language) -> Response[bytes] | None:
    """A guide; None for anything else. Raises PagesNotBuilt."""
    page = built_files().get(f"guide-{name}.{language}.html")
    return None if page is None else _page(f"/docs/guides/{name}", page, language)


def problems_page(language: Language, phrasebook: Phrasebook) -> Response[bytes]:
    """What every `code` means, each under a separate anchor: the `type` of a problem."""
    return _page("/docs/problems", page_of_problems(language, phrasebook), language)


def index_in(
    language: Language,
    phrasebook: Phrasebook,
    calls: tuple[Call, ...],
    streams: bytes,
    effects: bytes,
) -> Response[bytes]:
    """Every section of all pages, and every call, for the search.

    `streams` is their document, `effects` their page.
    """
    pages = (
        *((f"/docs/{name}", _asset(files[language])) for name, files in _PAGES.items()),
        ("/docs/guides", _list_of_guides(language)),
        *_guides(language),
        ("/docs/effects", effects),
        ("/docs/problems", page_of_problems(language, phrasebook)),
        ("/docs/streams", _streams(streams, language)),
    )
    return plain(search_index(pages, calls, _REFERENCE[language]), JSON, general=PUBLIC)


def _list_of_guides(language: Language) -> bytes:
    page = built_files().get(f"guides.{language}.html")
    if page is None:
        raise PagesNotBuilt()
    return page


def _guides(language: Language) -> Iterator[tuple[str, bytes]]:
    """The address and the page of every guide."""
    for name, page in sorted(built_files().items()):
        match = _GUIDE.fullmatch(name)
        if match is not None and match["language"] == language:
            yield f"/docs/guides/{match['name']}", page


def page_of_effects(page: bytes, language: Language) -> Response[bytes]:
    """Every effect; the page is one of `effects_in`."""
    return _page("/docs/effects", page, language)


def effects_in(language: Language, document: bytes, rulesets: Rulesets) -> bytes:
    """The page of effects, from the OpenAPI document and the newest versions of rulebooks."""
    return _effects(language, document, tuple(newest_of(rulesets).values()))


@cache
def _effects(
    language: Language, document: bytes, rulesets: tuple[Ruleset[RuleState], ...]
) -> bytes:
    return effects_page(msgspec.json.decode(document), rulesets, Translator(language))


def page_of_streams(document: bytes, language: Language) -> Response[bytes]:
    """The AsyncAPI document to be read."""
    return _page("/docs/streams", _streams(document, language), language)


@cache
def _streams(document: bytes, language: Language) -> bytes:
    return streams_page(msgspec.json.decode(document), Translator(language)).encode()


def _chosen(language: Language) -> dict[str, str]:
    return {"Content-Language": language, "Vary": "Accept-Language"}


def _page(address: str, page: bytes, language: Language) -> Response[bytes]:
    body = with_navigation(page, address, language)
    return plain(body, _HTML, extra={**_ONLY_OURS, **_chosen(language)}, general=PUBLIC)


@cache
def built_files() -> Mapping[str, bytes]:
    """The files of the documentation's scripts. Raises PagesNotBuilt."""
    try:
        built = {each.name: each.read_bytes() for each in BUILT.iterdir() if each.is_file()}
    except OSError as failure:
        raise PagesNotBuilt() from failure
    if "manifest.json" not in built:
        raise PagesNotBuilt()
    return built


@cache
def _asset(name: str) -> bytes:
    return files(__name__).joinpath(name).read_bytes()
