"""The files that pages are made of, as they are served.

How this works. `build` makes them. All of them together have one digest, their release, which is a
part of every address: modules import one another by relative paths and so stay within a release,
and a browser may keep them for good. A file is compressed once.
"""

import gzip
import hashlib
from functools import cache, cached_property
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from service.errors import PagesNotBuilt

MEDIA_TYPES: Final = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
}

BUILT: Final = Path(__file__).resolve().parent / "built"

_MANIFEST: Final = "manifest.json"
_LEVEL: Final = 9
_RELEASE_DIGITS: Final = 16


class PageFiles(Struct, frozen=True, kw_only=True):
    """The names of the files that a page loads before it is shown."""

    module: str
    style: str
    preloads: tuple[str, ...]
    """The modules that `module` imports."""

    def names(self) -> tuple[str, ...]:
        """The names of all."""
        return (self.module, self.style, *self.preloads)


class Manifest(Struct, frozen=True, kw_only=True):
    """The record of a build."""

    pages: dict[str, PageFiles]


class WebFile:
    """One file: its bytes, also compressed, and its media type."""

    def __init__(self, content: bytes, media_type: str) -> None:
        self.content = content
        self.media_type = media_type

    @cached_property
    def compressed(self) -> bytes:
        """The bytes in gzip's form."""
        return gzip.compress(self.content, _LEVEL, mtime=0)


class WebFiles:
    """All files by name, such as `phone.css`."""

    def __init__(self, files: dict[str, WebFile], pages: dict[str, PageFiles]) -> None:
        self._files = files
        self.pages = pages
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
    """The files of this build, read once. Raises PagesNotBuilt."""
    return read_files(BUILT)


def read_files(folder: Path) -> WebFiles:
    """The files that a build left in a folder. Raises PagesNotBuilt."""
    try:
        manifest = msgspec.json.decode((folder / _MANIFEST).read_bytes(), type=Manifest)
        paths = [path for path in folder.iterdir() if path.suffix in MEDIA_TYPES]
        files = {path.name: WebFile(path.read_bytes(), MEDIA_TYPES[path.suffix]) for path in paths}
    except (OSError, msgspec.DecodeError) as failure:
        raise PagesNotBuilt() from failure
    loaded = {name for page in manifest.pages.values() for name in page.names()}
    if not loaded <= set(files):
        raise PagesNotBuilt()
    return WebFiles(files, manifest.pages)
