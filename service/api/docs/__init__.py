"""Documentation that works offline: the OpenAPI document as a page, the list of problems, guides
with examples, pictures of battles, what stays hidden, what an audit can know, and the specification
of the audit with its test vectors.

Nothing is fetched from elsewhere; the browser is told to allow nothing else either.
"""

from functools import cache
from importlib.resources import files
from typing import Final

import msgspec
from litestar import Response

from service.api.call import JSON, NDJSON, SVG, Call
from service.api.docs.problems import page_of_problems
from service.api.docs.reference import reference_document, reference_page
from service.api.docs.streams import streams_page
from service.api.problems import Phrasebook
from service.api.response import PUBLIC, plain
from service.api.scenes.svg import SECURITY
from service.engine.ruleset import Rulesets
from service.engine.vocabulary.catalogue import Language

_HTML: Final = "text/html"
_JPEG: Final = "image/jpeg"
_ASSETS: Final = {
    "docs.css": "text/css",
    "bundle-line.schema.json": "application/schema+json",
    "reference.css": "text/css",
    "reference.js": "text/javascript",
}
_VENDORED: Final = {
    "swagger-ui-bundle.js": "text/javascript",
    "swagger-ui.css": "text/css",
}
"""File in `vendor`, as its package holds it -> its media type."""
_PAGES: Final[dict[str, dict[Language, str]]] = {
    "audits": {"en": "audits.html", "ru": "audits.ru.html"},
    "guides": {"en": "guides.html", "ru": "guides.ru.html"},
    "hidden": {"en": "hidden.html", "ru": "hidden.ru.html"},
    "scenes": {"en": "scenes.html", "ru": "scenes.ru.html"},
    "specification": {"en": "specification.html", "ru": "specification.ru.html"},
}
"""Page -> its file in every language."""
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
    """The reference of all calls; its script reads the document of one rulebook."""
    return _page(reference_page(rulesets, language), _chosen(language))


def document_named(
    name: str, calls: tuple[Call, ...], rulesets: Rulesets
) -> Response[bytes] | None:
    """The OpenAPI document of one rulebook, `slug.openapi.json`; None for anything else."""
    document = reference_document(name, calls, rulesets)
    return None if document is None else plain(document, JSON, general=PUBLIC)


def asset_named(name: str, language: Language) -> Response[bytes] | None:
    """The page's script or style, or what stands beside it; None for anything else."""
    if name in _PAGES:
        return _page(_asset(_PAGES[name][language]), _chosen(language))
    if name in PICTURES:
        extra = {**_chosen(language), "Content-Security-Policy": SECURITY}
        return plain(_asset(PICTURES[name][language]), SVG, extra=extra, general=PUBLIC)
    if name in SCREENS:
        return plain(
            _asset(SCREENS[name][language]), _JPEG, extra=_chosen(language), general=PUBLIC
        )
    if name in VECTORS:
        return plain(_asset(f"vectors/{name}"), VECTORS[name], general=PUBLIC)
    if name in _VENDORED:
        return plain(_asset(f"vendor/{name}"), _VENDORED[name], general=PUBLIC)
    media_type = _ASSETS.get(name)
    return plain(_asset(name), media_type, general=PUBLIC) if media_type else None


def problems_page(language: Language, phrasebook: Phrasebook) -> Response[bytes]:
    """What every `code` means, each under an anchor of its own: the `type` of a problem."""
    return _page(page_of_problems(language, phrasebook), _chosen(language))


def page_of_streams(document: bytes) -> Response[bytes]:
    """The AsyncAPI document to be read."""
    return _page(_streams(document))


@cache
def _streams(document: bytes) -> bytes:
    return streams_page(msgspec.json.decode(document)).encode()


def _chosen(language: Language) -> dict[str, str]:
    return {"Content-Language": language, "Vary": "Accept-Language"}


def _page(body: bytes, extra: dict[str, str] | None = None) -> Response[bytes]:
    return plain(body, _HTML, extra={**_ONLY_OURS, **(extra or {})}, general=PUBLIC)


@cache
def _asset(name: str) -> bytes:
    return files(__name__).joinpath(name).read_bytes()
