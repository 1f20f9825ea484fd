"""What the search of the documentation reads: all sections of all pages, and all calls."""

import re
from typing import Any

import httpx
import pytest

from service.api.docs.search import Section, sections_of
from service.api.negotiation import LANGUAGES
from service.api.routes import CALLS
from service.web.guides import SOURCES, guides_in
from tests.api.serving import Served

GUIDES = [f"guides/{each.name}" for each in guides_in(SOURCES)]
PAGES = (
    "guides",
    *GUIDES,
    "effects",
    "audits",
    "hidden",
    "scenes",
    "specification",
    "problems",
    "streams",
)
ID = re.compile(r'<(?:section|h2|h3|dt)[^>]* id="([^"]+)"')


def index(served: Served, language: str) -> list[dict[str, Any]]:
    answer = httpx.get(f"{served.url}/docs/search.{language}.json")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json")
    found: list[dict[str, Any]] = answer.json()
    return found


def test_a_page_is_taken_apart_at_its_anchors() -> None:
    page = b"""<!doctype html><title>Never</title><nav><a href="#a">never</a></nav>
        <h1>Page</h1><p>Be<b>fore</b>.</p>
        <section id="a"><h2>First</h2><p>One<br>two</p><pre>{"x": 1}</pre>
        <h3>within</h3><table><tr><td>three</td><td>four</td></tr></table>
        <dl><dt id="c">C <code>code</code></dt><dd>means it</dd></dl>behind</section>
        <h2 id="b">Second</h2>"""
    assert list(sections_of("/docs/page", page)) == [
        Section(href="/docs/page", page="Page", title="Page", text="Before."),
        Section(
            href="/docs/page#a",
            page="Page",
            title="First",
            text="One two within three four behind",
            examples='{"x": 1}',
        ),
        Section(href="/docs/page#c", page="Page", title="C code", text="means it"),
        Section(href="/docs/page#b", page="Page", title="Second", text=""),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_index_has_every_section_of_every_page_and_every_call(
    served: Served, language: str
) -> None:
    sections = index(served, language)
    expected = []
    for name in PAGES:
        page = httpx.get(f"{served.url}/docs/{name}", headers={"Accept-Language": language}).text
        expected.append(f"/docs/{name}")
        expected += [f"/docs/{name}#{anchor}" for anchor in ID.findall(page)]
    expected += [f"/docs#/{call.tag}/{call.id}" for call in CALLS]
    assert sorted(each["href"] for each in sections) == sorted(expected)
    assert [each["href"] for each in sections if not each["title"] or not each["page"]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_heading_can_be_led_to(served: Served, language: str) -> None:
    for name in PAGES:
        page = httpx.get(f"{served.url}/docs/{name}", headers={"Accept-Language": language}).text
        assert len(re.findall(r"<section id=[^>]*>\s*<h2>", page)) == page.count("<h2>"), name


def test_each_language_has_an_index_of_its_own(served: Served) -> None:
    titles = {
        language: {each["href"]: each["title"] for each in index(served, language)}
        for language in LANGUAGES
    }
    assert titles["en"]["/docs/guides/undo"] == "Undo (rewind)"
    assert titles["ru"]["/docs/guides/undo"] == "Отмена хода (перемотка)"
    assert titles["en"]["/docs/guides/undo#redo"] == "Redo"
    assert titles["ru"]["/docs/guides/undo#redo"] == "Вернуть отменённое"
    assert list(titles["en"]) == list(titles["ru"])
    assert httpx.get(f"{served.url}/docs/search.de.json").status_code == 404
