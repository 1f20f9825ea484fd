"""The files that pages are made of, as they are served.

How this works. All of them together have one digest, their release, which is a part of every
address: modules import one another by relative paths and so stay within a release, and a browser
may keep them for good. A file is compressed once. Beside the files as they were written there are
some that are put together of several, see `combination`.
"""

import gzip
import hashlib
import re
from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Final

from service.web.combination import combined, in_order

CLIENT: Final = "warlog"
"""The folder of the JavaScript client among the files."""

MEDIA_TYPES: Final = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
}

IMPORTS: Final = {
    "@preact/signals": "vendor/signals.mjs",
    "@preact/signals-core": "vendor/signals-core.mjs",
    "htm": "vendor/htm.mjs",
    "preact": "vendor/preact.mjs",
    "preact/hooks": "vendor/hooks.mjs",
    "qrcode-generator": "vendor/qrcode.mjs",
    "warlog": f"{CLIENT}/index.js",
    "warlog/verify": f"{CLIENT}/verify.js",
}
"""Names that modules import, and the files that they stand for."""

WHOLE: Final = {
    "whole/phone.mjs": "phone/page.js",
    "whole/replay.mjs": "replay/page.js",
    "whole/watch.mjs": "watch/page.js",
}
"""A file that is one module with all that it imports -> the module that it begins with."""

_LEVEL: Final = 9
_RELEASE_DIGITS: Final = 16
_STATIC_IMPORT: Final = re.compile(
    r"""(?:^|[;}\s])(?:import|export)\b(?:[\w\s{},*$]*?\bfrom)?\s*["']([^"']+)["']"""
)


_COMMENT: Final = re.compile(
    rb"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.MULTILINE | re.DOTALL
)


class WebFile:
    """One file: its bytes, also compressed, and its media type.

    Of our own modules (`.js`) the lines that are comments are left out: they hold the types, and
    are a quarter of what a phone would load.
    """

    def __init__(self, name: str, content: bytes) -> None:
        self.name = name
        self.content = _COMMENT.sub(b"", content) if name.endswith(".js") else content
        self.media_type = MEDIA_TYPES[PurePosixPath(name).suffix]

    @cached_property
    def compressed(self) -> bytes:
        """The bytes in gzip's form."""
        return gzip.compress(self.content, _LEVEL, mtime=0)

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """The files that a module imports at its beginning, in its order."""
        return tuple(map(self.target, _STATIC_IMPORT.findall(self.content.decode())))

    def target(self, specifier: str) -> str:
        """The name of the file that a module calls so."""
        if not specifier.startswith("."):
            return IMPORTS[specifier]
        return normpath(str(PurePosixPath(self.name).parent / specifier))


class WebFiles:
    """All files by name, a relative path such as `shell/page.css`."""

    def __init__(self, files: dict[str, WebFile]) -> None:
        self._files = files
        digest = hashlib.sha256()
        for name, file in sorted(files.items()):
            digest.update(f"{name}\n{len(file.content)}\n".encode() + file.content)
        self.release = digest.hexdigest()[:_RELEASE_DIGITS]

    def named(self, name: str) -> WebFile | None:
        """The file of a name; None if there is none."""
        return self._files.get(name)

    def names(self) -> tuple[str, ...]:
        """The names of all, sorted."""
        return tuple(sorted(self._files))


@cache
def web_files() -> WebFiles:
    """The files of this build, read once."""
    written = {name: WebFile(name, path.read_bytes()) for name, path in _sources()}
    return WebFiles(_with_whole(written))


def _with_whole(files: dict[str, WebFile]) -> dict[str, WebFile]:
    """Files, and those that are put together of them."""
    whole = {}
    for name, entry in WHOLE.items():
        modules = in_order(entry, lambda each: files[each].imports)
        texts = {each: files[each].content.decode() for each in modules}
        targets = {each: files[each].target for each in modules}
        whole[name] = WebFile(name, combined(name, texts, targets).encode())
    return files | whole


def _sources() -> Iterator[tuple[str, Path]]:
    here = Path(__file__).resolve().parent
    static = here / "static"
    for path in sorted(static.rglob("*")):
        if path.suffix in MEDIA_TYPES:
            yield path.relative_to(static).as_posix(), path
    for path in sorted(_client(here).glob("*.js")):
        yield f"{CLIENT}/{path.name}", path


def _client(here: Path) -> Path:
    """The client's modules: beside the package in a source tree, inside it in a wheel."""
    inside = here / CLIENT
    return inside if inside.is_dir() else here.parents[1] / "openapi/clients/javascript/source"
