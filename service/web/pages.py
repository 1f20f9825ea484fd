"""The documents of the pages: hardly more than what they load, and what a browser allows them."""

import hashlib
from functools import cache
from typing import Final, Literal, NamedTuple

from service.web.files import WebFiles, web_files

PageName = Literal["join", "play", "replay", "watch"]

_ENTRIES: Final[dict[PageName, str]] = {
    "join": "phone",
    "play": "phone",
    "replay": "replay",
    "watch": "watch",
}
"""Page -> its name in the build."""

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

_DOCUMENT: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#2f4858">
<title>Warlog</title>
<link rel="icon" href="{files}icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="{files}icon-192.png">
<link rel="manifest" href="{files}warlog.webmanifest">
<link rel="stylesheet" href="{files}{style}">
{preloads}
<script type="module" src="{files}{module}"></script>
</head>
<body>
<div id="page"></div>
<noscript>Warlog needs JavaScript. <span lang="ru">Странице нужен JavaScript.</span></noscript>
</body>
</html>
"""


class PageDocument(NamedTuple):
    """A page: its bytes, and a tag that changes with them."""

    content: bytes
    tag: str


@cache
def page_document(page: PageName, depth: int) -> PageDocument:
    """A page at an address `depth` folders down: everything in it is relative to that.

    Raises PagesNotBuilt.
    """
    return _document(web_files(), page, depth)


def _document(files: WebFiles, page: PageName, depth: int) -> PageDocument:
    loaded = files.pages[_ENTRIES[page]]
    base = f"{'../' * depth or './'}web/{files.release}/"
    content = _DOCUMENT.format(
        files=base,
        style=loaded.style,
        preloads="\n".join(_preload(base + name) for name in loaded.preloads),
        module=loaded.module,
    ).encode()
    return PageDocument(content=content, tag=hashlib.sha256(content).hexdigest()[:16])


def _preload(address: str) -> str:
    return f'<link rel="modulepreload" href="{address}">'
