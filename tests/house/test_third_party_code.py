"""No code or asset of third parties is committed: packages come from their registries.

How this works. A copy shows itself by where it lies, by the notice of its author, by lines that no
person wrote, by a kind of file that this project has no use for, or by a first line that does not
say what the file is for. What these signs find is tried on the packages that the pages use.
"""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

import pytest

from service.web import build
from tests.house.tree import ROOT, tracked_files

SCRIPTS: Final = {".cjs", ".css", ".js", ".jsx", ".mjs", ".mts", ".ts", ".tsx"}
CODE: Final = {*SCRIPTS, ".html", ".mako", ".py", ".sh", ".sql", ".svg"}
FOREIGN_KINDS: Final = {
    *(".eot", ".otf", ".ttf", ".woff", ".woff2"),
    *(".map", ".wasm", ".so", ".dll", ".dylib", ".exe", ".jar", ".whl"),
    *(".br", ".gz", ".tar", ".tgz", ".xz", ".zip"),
}
FOREIGN_FOLDERS: Final = {
    *("3rdparty", "bower_components", "dist", "external", "lib", "libs", "node_modules"),
    *("third-party", "third_party", "thirdparty", "vendor", "vendored"),
}
SCRIPT_FOLDERS: Final = (
    "openapi/clients/javascript/",
    "service/api/docs/",
    "service/web/static/",
    "service/web/bundle.mjs",
    "tests/clients/",
)
LICENSES: Final = {
    "LICENSE",
    "openapi/clients/javascript/LICENSE",
    "openapi/clients/python/LICENSE",
    "service/web/licenses/qrcode-generator.txt",
}
"""The project's own license, and texts that packages are distributed without."""
LONGEST_LINE: Final = 300
NOTICE: Final = re.compile(
    r"copyright\s+(?:\(c\)|©|\d{4})|\(c\)\s*\d{4}|©\s*\d{4}|@license|@preserve|licensed under"
    r"|SPDX-License|permission is hereby granted|sourceMappingURL|/\*!",
    re.IGNORECASE,
)
LICENSE: Final = re.compile(r"(?:licen[cs]e|notice|copying)(?:\.\w+)?", re.IGNORECASE)
PURPOSE: Final = re.compile(r'#!|(?:// |/\*\*(?:\n \*)? |/\* )[A-Z`"“]|export default \{\n')
"""How a script of this project begins: with what it is for, or as a table of texts."""
HERE: Final = "tests/house/test_third_party_code.py"


def signs(path: str, content: bytes) -> Iterator[str]:
    """What shows that a file is a copy; the path is relative to the project."""
    where = PurePosixPath(path)
    if where.suffix in FOREIGN_KINDS or ".min." in where.name:
        yield "kind"
    if FOREIGN_FOLDERS & set(where.parts[:-1]):
        yield "folder"
    if LICENSE.fullmatch(where.name) and path not in LICENSES:
        yield "license"
    if where.suffix in CODE and path != HERE:
        text = content.decode()
        if NOTICE.search(text):
            yield "notice"
        if where.suffix in SCRIPTS:
            yield from signs_of_script(path, text)


def signs_of_script(path: str, text: str) -> Iterator[str]:
    if not path.startswith(SCRIPT_FOLDERS):
        yield "folder"
    if max(map(len, text.splitlines()), default=0) > LONGEST_LINE:
        yield "long line"
    if not PURPOSE.match(text) and not path.endswith(".css"):
        yield "no purpose"


def test_no_committed_file_is_a_copy_of_third_party_code() -> None:
    found = {
        path: list(signs(path, content))
        for path, content in (
            (file.relative_to(ROOT).as_posix(), file.read_bytes()) for file in tracked_files()
        )
    }
    assert {path: each for path, each in found.items() if each} == {}


def test_every_license_that_is_allowed_is_there() -> None:
    assert [path for path in LICENSES if not (ROOT / path).is_file()] == []


@pytest.mark.parametrize(
    "path",
    [
        "@orama/stemmers/dist/en.js",
        "@orama/stemmers/dist/ru.js",
        "@preact/signals-core/dist/signals-core.mjs",
        "@preact/signals/dist/signals.mjs",
        "htm/dist/htm.mjs",
        "minisearch/dist/es/index.js",
        "preact/dist/preact.mjs",
        "preact/hooks/dist/hooks.mjs",
        "qrcode-generator/dist/qrcode.mjs",
        "swagger-ui-dist/swagger-ui-bundle.js",
        "swagger-ui-dist/swagger-ui.css",
    ],
)
def test_a_copy_of_a_package_is_found_wherever_it_lies(path: str) -> None:
    build.install_packages(build.find_node(build.HERE))
    content = (build.PACKAGES / path).read_bytes()
    name = Path(path).name
    for folder in ("service/web/static/shell", "service/api/docs", "service/web/static/vendor"):
        assert list(signs(f"{folder}/{name}", content)) != []


@pytest.mark.parametrize(
    ("path", "content", "sign"),
    [
        ("service/web/static/fonts/sans.woff2", b"", "kind"),
        ("service/web/static/shell/chart.min.js", b"// Draws.\n", "kind"),
        ("tests/vendor/chart.js", b"// Draws.\n", "folder"),
        ("service/web/static/shell/LICENSE.txt", b"", "license"),
        ("service/engine/noise.py", b"# Copyright (c) 2019 A. Nother\n", "notice"),
        ("service/web/static/shell/chart.css", b"/*! normalize v8 | MIT License */", "notice"),
        ("service/web/static/shell/chart.js", b"// Draws.\n" + b"a" * 301, "long line"),
        ("service/web/static/shell/chart.js", b"(function(root){})", "no purpose"),
    ],
)
def test_each_sign_of_a_copy_is_found(path: str, content: bytes, sign: str) -> None:
    assert sign in list(signs(path, content))
