"""What pages are made of: built files, types, texts, what a browser may keep."""

import gzip
import json
import re
from pathlib import Path

import pytest

from service.api import docs
from service.errors import PagesNotBuilt
from service.eventstore.embedded import Dsns
from service.web import build, files, pages
from service.web.files import web_files
from tests.api.serving import Caller, Served, settings_for
from tests.clients import tools
from tests.house.tree import SERVICE
from tests.web.browsers import HERE

STATIC = SERVICE / "web" / "static"
TEXTS = sorted(path.name for path in (STATIC / "texts" / "en").glob("*.js"))
SAID = re.compile(r"""\bsay\(\s*["']([a-z0-9_]+)["']""")
PAGES = ("/join", "/play", "/watch", "/replay", "/replay/00000000-0000-4000-8000-000000000000")
DOCUMENTATION = ("/docs", "/docs/guides", "/docs/guides/undo", "/docs/search.js")


def test_the_pages_are_built_from_the_sources_as_they_are() -> None:
    assert build.is_current(), "run make pages"


def test_the_types_of_the_pages_hold() -> None:
    build.install_packages(build.find_node(build.HERE))
    compiler = tools.node_modules(HERE) / "typescript/bin/tsc"
    tools.succeeded(tools.NODE, compiler, "-p", build.HERE, cwd=build.HERE)


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
    policy = answer.headers["content-security-policy"]
    assert answer.status_code == 200
    assert "script-src 'self';" in policy
    assert re.findall(r"<script[^>]*>(?!</script>)|<style| style=| on[a-z]+=", answer.text) == []
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-cache"
    again = caller.get(page, if_none_match=answer.headers["etag"])
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_every_module_that_it_loads_before_it_is_shown(
    caller: Caller, page: str
) -> None:
    document = caller.get(page).text
    [module] = re.findall(r'<script type="module" src="[./]*/web/[0-9a-f]+/([^"]+)">', document)
    preloads = re.findall(
        r'<link rel="modulepreload" href="[./]*/web/[0-9a-f]+/([^"]+)">', document
    )
    loaded, coming = set(), {module}
    while coming:
        loaded |= coming
        coming = {other for name in coming for other in imports_of(name)} - loaded
    assert loaded == {module, *preloads}
    assert len(preloads) <= 2


def imports_of(name: str) -> list[str]:
    """The files that a built module imports before it runs."""
    module = web_files().named(name)
    assert module is not None
    return re.findall(r"""\b(?:from|import)"\./([^"]+)\"""", module.content.decode())


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
    assert {"phone.js", "phone.css", "worker.js", "licenses.txt"} <= set(files.names())
    assert "manifest.json" not in files.names()


def test_a_file_of_another_release_is_not_kept_and_other_names_lead_nowhere(
    caller: Caller,
) -> None:
    other = caller.get("/web/0123456789abcdef/phone.css")
    assert (other.status_code, other.headers["cache-control"]) == (200, "no-store")
    release = web_files().release
    for name in ("nothing.js", "../files.py", "%2e%2e/files.py", "manifest.json", "shell", "."):
        answer = caller.get(f"/web/{release}/{name}")
        assert answer.status_code == 404, name
        assert answer.json()["code"] == "not_found"


LICENSED = re.compile(r"^(\S+) (\S+) \(([\w.-]+)\)$", re.MULTILINE)


@pytest.mark.parametrize(
    ("path", "packages"),
    [
        (
            "/web/{release}/licenses.txt",
            {"@preact/signals", "@preact/signals-core", "htm", "preact", "qrcode-generator"},
        ),
        ("/docs/licenses.txt", {"@orama/stemmers", "minisearch", "swagger-ui-dist"}),
    ],
)
def test_the_licenses_of_every_bundled_package_are_served(
    caller: Caller, path: str, packages: set[str]
) -> None:
    lock = json.loads((build.HERE / "package-lock.json").read_bytes())["packages"]
    pinned = {name: lock[f"node_modules/{name}"] for name in packages}
    answer = caller.get(path.format(release=web_files().release))
    assert answer.headers["content-type"].startswith("text/plain")
    opening, *texts = answer.text.split(f"{'-' * 72}\n")
    listed = {(name, each["version"], each["license"]) for name, each in pinned.items()}
    assert set(LICENSED.findall(opening)) == listed
    assert [text.splitlines()[0] for text in texts] == opening.strip().splitlines()[2:]
    assert min(len(text) for text in texts) > 500
    granted = {
        text.split(" ")[0]
        for text in texts
        if "OUT OF OR IN CONNECTION WITH THE" in " ".join(text.split()).upper()
    }
    assert granted >= {name for name, each in pinned.items() if each["license"] == "MIT"}


def test_without_a_build_pages_say_so_and_the_rest_works(
    database: Dsns, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached = (files.web_files, pages.page_document, docs.built_files)
    monkeypatch.setattr(files, "BUILT", tmp_path / "built")
    monkeypatch.setattr(docs, "BUILT", tmp_path / "built")
    for each in cached:
        each.cache_clear()
    with Served(settings_for(database)) as served, Caller(served.url, None) as one:
        for path in (*PAGES, *DOCUMENTATION, "/web/0123456789abcdef/phone.js"):
            answer = one.get(path)
            told = answer.json()
            assert (answer.status_code, told["code"]) == (503, "pages_not_built"), path
            assert told["detail"] == (
                "The pages are not built; run `make pages` in the source tree of this service."
            )
        assert one.get("/docs/audits").status_code == 200
        assert one.get("/docs/nothing.openapi.json").status_code == 404
        assert one.get("/health/live").status_code == 200
        # Built while the service runs: found without a restart.
        monkeypatch.undo()
        assert {one.get(path).status_code for path in (*PAGES, *DOCUMENTATION)} == {200}


def test_a_build_that_lacks_a_file_is_none(tmp_path: Path) -> None:
    manifest = {"phone": {"module": "phone.js", "style": "phone.css", "preloads": ["a.js"]}}
    (tmp_path / "manifest.json").write_text(json.dumps({"pages": manifest}))
    for name in ("phone.js", "phone.css"):
        with pytest.raises(PagesNotBuilt):
            files.read_files(tmp_path)
        (tmp_path / name).touch()
    with pytest.raises(PagesNotBuilt):
        files.read_files(tmp_path)
    (tmp_path / "a.js").touch()
    assert files.read_files(tmp_path).names() == ("a.js", "phone.css", "phone.js")
    (tmp_path / "manifest.json").write_text('{"pages": {"ph')
    with pytest.raises(PagesNotBuilt):
        files.read_files(tmp_path)
