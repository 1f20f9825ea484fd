"""Every page of the documentation leads to all others, and no link of it leads nowhere."""

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from typing import Final
from urllib.parse import urldefrag, urljoin

import httpx
import pytest

from service.api import problem_texts
from service.api.docs.navigation import DOCS_PAGES
from service.api.negotiation import LANGUAGES
from service.rulesets import RULESETS
from service.web.guides import SOURCES, guides_in
from tests.api.serving import Served
from tests.house.tree import ROOT

LINK: Final = re.compile(r"""\b(?:href|src)=["']([^"']+)["']""")
NAMED: Final = re.compile(r"(?<![\w./-])/docs(?:/[\w-]+(?:\.[\w-]+)*)*(?:#[\w/-]+)?")
"""An address of the documentation as texts name it, without the point that ends a sentence."""
ANCHOR: Final = re.compile(r"""\bid=["']?([^"'\s>]+)""")
EXAMPLES: Final = frozenset({"/docs/SLUG.openapi.json"})
"""What represents several addresses."""


class Site:
    """The documentation as a reader of a language gets it; every address is fetched once."""

    def __init__(self, reader: httpx.Client) -> None:
        self._reader = reader
        self.get = cache(self._get)
        self.anchors = cache(self._anchors)

    def _get(self, address: str) -> httpx.Response:
        return self._reader.get(address, follow_redirects=True)

    def _anchors(self, address: str) -> frozenset[str]:
        """What can be led to on a page; on that of the calls, what its script makes of them."""
        anchors = set(ANCHOR.findall(self.get(address).text))
        if address == "/docs":
            for path in self.get("/openapi.json").json()["paths"].values():
                calls = [call for call in path.values() if isinstance(call, dict)]
                anchors |= {f"/{call['tags'][0]}/{call['operationId']}" for call in calls}
        return frozenset(anchors)

    def dead(self, link: str, page: str) -> str | None:
        """What is wrong with a link on a page; nothing with one that leads elsewhere."""
        address, anchor = urldefrag(urljoin(page, unescape(link)))
        if not address.startswith("/"):
            return None
        status = self.get(address).status_code
        if status != httpx.codes.OK:
            return f"{page}: {link} is answered by {status}"
        if anchor and anchor not in self.anchors(address):
            return f"{page}: there is no #{anchor} on {address}"
        return None


README: Final = re.compile(r"\]\(http://127\.0\.0\.1:8080(/[^)]*)\)")
"""A link of the README to the service that it has started."""
GUIDES: Final = tuple(f"/docs/guides/{each.name}" for each in guides_in(SOURCES))
PAGES: Final = (*(each.address for each in DOCS_PAGES), *GUIDES)


@pytest.fixture(params=LANGUAGES)
def site(served: Served, request: pytest.FixtureRequest) -> Iterator[Site]:
    preferred = {"Accept-Language": request.param}
    with httpx.Client(base_url=served.url, headers=preferred) as reader:
        yield Site(reader)


def test_a_link_that_leads_nowhere_is_noticed(site: Site) -> None:
    links = ("/docs/guides/real-dice#declare", "#dice", "/docs#/play/act", "https://example.org/x")
    assert [site.dead(link, "/docs/guides") for link in links] == [None] * len(links)
    assert site.dead("nowhere", "/docs/guides") == "/docs/guides: nowhere is answered by 404"
    assert site.dead("#x", "/docs/guides") == "/docs/guides: there is no #x on /docs/guides"
    assert site.dead("/docs#/play/x", "/docs") == "/docs: there is no #/play/x on /docs"


def test_no_link_on_a_page_leads_nowhere(site: Site) -> None:
    dead = []
    for page in PAGES:
        text = site.get(page).text
        links = dict.fromkeys((*LINK.findall(text), *NAMED.findall(unescape(text))))
        assert len(links) > len(DOCS_PAGES)
        dead += [site.dead(link, page) for link in links if link not in EXAMPLES]
    assert [each for each in dead if each] == []


def test_no_link_of_the_readme_leads_nowhere(site: Site) -> None:
    links = README.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(set(links) & set(GUIDES)) > 10
    assert [each for each in links if site.dead(each, "README.md")] == []


def test_no_link_in_the_documents_leads_nowhere(site: Site) -> None:
    for document in ("/openapi.json", "/asyncapi.json"):
        links = set(NAMED.findall(site.get(document).text))
        assert links
        dead = [site.dead(link, document) for link in links - EXAMPLES]
        assert [each for each in dead if each] == []


def test_the_type_of_every_problem_has_its_place(site: Site) -> None:
    ruled = [each.code for ruleset in RULESETS.values() for each in ruleset.catalogue.messages]
    codes = {*(each.code for each in problem_texts.MESSAGES), *ruled}
    assert codes <= site.anchors("/docs/problems")


def test_each_page_leads_to_all_others_and_says_which_it_is(site: Site) -> None:
    for page in PAGES:
        [navigation] = re.findall(r'<nav class="pages".*?</nav>', site.get(page).text)
        links = re.findall(r'<a href="([^"]+)"(?: aria-current="(\w+)")?>', navigation)
        marked = {address: mark for address, mark in links if mark}
        assert [address for address, _ in links] == [
            *(each.address for each in DOCS_PAGES),
            "/openapi.json",
        ]
        assert marked == ({"/docs/guides": "true"} if page in GUIDES else {page: "page"})
