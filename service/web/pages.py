"""The documents of the pages: hardly more than what they load, and what a browser allows them."""

import base64
import hashlib
import json
from functools import cache
from html import escape
from typing import Final, Literal, NamedTuple

from service.web.files import IMPORTS, WebFiles, web_files

PageName = Literal["join", "play", "replay", "watch"]

_PHONE: Final = ("whole/phone.mjs", ("shell/shell.css", "scene/scene.css", "phone/phone.css"))
_ENTRIES: Final[dict[PageName, tuple[str, tuple[str, ...]]]] = {
    "join": _PHONE,
    "play": _PHONE,
    "replay": ("whole/replay.mjs", ("shell/shell.css", "scene/scene.css", "replay/replay.css")),
    "watch": ("whole/watch.mjs", ("shell/shell.css", "scene/scene.css", "watch/watch.css")),
}
"""Page -> the module that runs it, one since pages are opened behind slow networks, and its style
sheets."""

_POLICY: Final = (
    "default-src 'none'; script-src 'self' '{digest}'; style-src 'self';"
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
{styles}
<script type="importmap">{imports}</script>
<script type="module" src="{files}{entry}"></script>
</head>
<body>
<div id="page"></div>
<noscript>Warlog needs JavaScript. <span lang="ru">Странице нужен JavaScript.</span></noscript>
</body>
</html>
"""


class PageDocument(NamedTuple):
    """A page: its bytes, its content security policy, and a tag that changes with the bytes."""

    content: bytes
    policy: str
    tag: str


@cache
def page_document(page: PageName, depth: int) -> PageDocument:
    """A page at an address `depth` folders down: everything in it is relative to that."""
    return _document(web_files(), page, depth)


def _document(files: WebFiles, page: PageName, depth: int) -> PageDocument:
    entry, styles = _ENTRIES[page]
    base = f"{'../' * depth or './'}web/{files.release}/"
    imports = import_map(base)
    content = _DOCUMENT.format(
        files=base,
        entry=entry,
        imports=imports,
        styles="\n".join(_link("stylesheet", base + name) for name in styles),
    ).encode()
    digest = base64.b64encode(hashlib.sha256(imports.encode()).digest()).decode()
    return PageDocument(
        content=content,
        policy=_POLICY.format(digest=f"sha256-{digest}"),
        tag=hashlib.sha256(content).hexdigest()[:16],
    )


def import_map(base: str) -> str:
    """The import map whose files lie under `base`."""
    names = {name: base + file for name, file in IMPORTS.items()}
    return json.dumps({"imports": names}, separators=(",", ":"))


def _link(relation: str, address: str) -> str:
    return f'<link rel="{relation}" href="{escape(address)}">'
