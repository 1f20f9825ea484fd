"""What pages are made of: files as they were vendored, types, texts, what a browser may keep."""

import base64
import gzip
import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest

from service.web.files import CLIENT, IMPORTS, web_files
from service.web.pages import import_map
from tests.api.serving import Caller
from tests.clients import tools
from tests.house.tree import SERVICE
from tests.web.browsers import HERE

STATIC = SERVICE / "web" / "static"
VENDOR = STATIC / "vendor"
VENDOR_OF_DOCS = SERVICE / "api" / "docs" / "vendor"
TEXTS = sorted(path.name for path in (STATIC / "texts" / "en").glob("*.js"))
SAID = re.compile(r"""\bsay\(\s*["']([a-z0-9_]+)["']""")
PAGES = ("/join", "/play", "/watch", "/replay", "/replay/00000000-0000-4000-8000-000000000000")


@pytest.mark.parametrize("folder", [VENDOR, VENDOR_OF_DOCS], ids=["pages", "documentation"])
def test_vendored_files_are_those_that_their_packages_hold(folder: Path) -> None:
    packages = tools.node_modules(HERE)
    vendored = json.loads((folder / "vendor.json").read_text(encoding="utf-8"))
    for each in vendored:
        content = (folder / each["file"]).read_bytes()
        package = json.loads((packages / each["package"] / "package.json").read_text("utf-8"))
        assert hashlib.sha256(content).hexdigest() == each["sha256"]
        assert (packages / each["package"] / each["path"]).read_bytes() == content
        assert (package["version"], package["license"]) == (each["version"], each["license"])
        assert (folder / each["license_file"]).stat().st_size > 500
    code = {path.name for path in folder.iterdir() if path.suffix in {".mjs", ".js", ".css"}}
    assert code == {each["file"] for each in vendored}


def test_the_types_of_the_pages_hold(tmp_path: Path) -> None:
    shutil.copy(HERE / "tsconfig.json", tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copytree(STATIC, tmp_path / "pages", ignore=shutil.ignore_patterns("vendor"))
    modules = tools.node_modules(HERE)
    (tmp_path / "node_modules").mkdir()
    for package in modules.iterdir():
        (tmp_path / "node_modules" / package.name).symlink_to(package)
    client = tools.PROJECT / "openapi" / "clients" / "javascript"
    (tmp_path / "node_modules" / CLIENT).symlink_to(client)
    tools.succeeded(tools.NODE, modules / "typescript/bin/tsc", "-p", tmp_path, cwd=tmp_path)


def test_only_comments_are_left_out_of_what_is_served(tmp_path: Path) -> None:
    """The compiler reads both alike, once it has left out all comments itself."""
    files, client = web_files(), tools.PROJECT / "openapi/clients/javascript/source"
    modules = [each for each in files.names() if each.endswith(".js")]
    for number, name in enumerate(modules):
        file = files.named(name)
        assert file is not None
        is_client = name.startswith(f"{CLIENT}/")
        written = client / Path(name).name if is_client else STATIC / name
        (tmp_path / f"{number}.written").write_bytes(written.read_bytes())
        (tmp_path / f"{number}.served").write_bytes(file.content)
    script = """
        const { default: ts } = await import(process.argv[1]);
        const { readFileSync } = await import("node:fs");
        const options = { removeComments: true, target: "es2022", module: "esnext" };
        const bare = (path) => ts.transpile(readFileSync(path, "utf8"), options);
        for (let i = 0; i < process.argv[2]; i++)
          if (bare(`${i}.written`) !== bare(`${i}.served`)) console.log(i);
    """
    compiler = tools.node_modules(HERE) / "typescript" / "lib" / "typescript.js"
    command = (tools.NODE, "--input-type=module", "--eval", script, compiler, str(len(modules)))
    assert tools.succeeded(*command, cwd=tmp_path) == ""


def texts_of(language: str) -> dict[str, dict[str, object]]:
    """The texts of all pages in a language, by page."""
    script = "for (const path of process.argv.slice(1))"
    script += " console.log(JSON.stringify((await import(path)).default))"
    paths = [STATIC / "texts" / language / name for name in TEXTS]
    said = tools.succeeded(
        tools.NODE,
        "--input-type=module",
        "--eval",
        script,
        *paths,
        cwd=STATIC,
        NODE_NO_WARNINGS="1",
    )
    return dict(zip(TEXTS, map(json.loads, said.splitlines()), strict=True))


def placeholders(text: object) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", json.dumps(text, ensure_ascii=False)))


def test_both_languages_have_the_same_texts_with_the_same_places_and_no_other_are_said() -> None:
    english, russian = texts_of("en"), texts_of("ru")
    assert sorted(path.name for path in (STATIC / "texts" / "ru").glob("*.js")) == TEXTS
    for page, texts in english.items():
        assert list(texts) == list(russian[page])
        for key, text in texts.items():
            assert placeholders(text) == placeholders(russian[page][key]), (page, key)
    keys = {key for texts in english.values() for key in texts}
    said = {
        key
        for path in STATIC.rglob("*.js")
        for key in SAID.findall(path.read_text(encoding="utf-8"))
    }
    assert said - keys == set()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_may_only_do_what_it_needs_and_is_confirmed_by_its_tag(
    caller: Caller, page: str
) -> None:
    answer = caller.get(page)
    depth = page.strip("/").count("/")
    base = f"{'../' * depth or './'}web/{web_files().release}/"
    digest = hashlib.sha256(import_map(base).encode()).digest()
    policy = answer.headers["content-security-policy"]
    assert answer.status_code == 200
    assert f'<script type="importmap">{import_map(base)}</script>' in answer.text
    assert f"script-src 'self' 'sha256-{base64.b64encode(digest).decode()}';" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-cache"
    again = caller.get(page, if_none_match=answer.headers["etag"])
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_loads_one_module_and_no_other_before_it_is_shown(caller: Caller, page: str) -> None:
    document = caller.get(page).text
    [name] = re.findall(r'<script type="module" src="[./]*/web/[0-9a-f]+/([^"]+)">', document)
    module = web_files().named(name)
    assert module is not None
    assert (module.imports, "modulepreload" in document) == ((), False)


def test_every_file_is_served_compressed_and_kept_for_good(caller: Caller) -> None:
    files = web_files()
    for name in files.names():
        file = files.named(name)
        assert file is not None
        answer = caller.get(f"/web/{files.release}/{name}")
        assert answer.content == file.content
        assert gzip.decompress(file.compressed) == file.content
        assert answer.headers["content-type"].removesuffix("; charset=utf-8") == file.media_type
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        is_long = len(file.content) >= 1_024
        assert answer.headers.get("content-encoding") == ("gzip" if is_long else None)
    assert set(IMPORTS.values()) <= set(files.names())


def test_a_file_of_another_release_is_not_kept_and_other_names_lead_nowhere(
    caller: Caller,
) -> None:
    other = caller.get("/web/0123456789abcdef/shell/shell.css")
    assert (other.status_code, other.headers["cache-control"]) == (200, "no-store")
    release = web_files().release
    for name in ("nothing.js", "../files.py", "%2e%2e/files.py", "shell", "vendor/", "."):
        answer = caller.get(f"/web/{release}/{name}")
        assert answer.status_code == 404, name
        assert answer.json()["code"] == "not_found"
