"""The page of the AsyncAPI document shows each stream, record and field of it."""

import json
import re
from html import unescape
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest

from service.api.docs.navigation import with_navigation
from service.api.docs.streams import streams_page
from service.api.docs.translations import Translator
from service.api.negotiation import LANGUAGES
from service.engine.vocabulary.catalogue import Language
from tests.api.serving import Served
from tests.house.tree import ROOT

DOCUMENT = json.loads((ROOT / "openapi" / "asyncapi.json").read_text(encoding="utf-8"))
VOID = {"meta", "link", "br"}

every_language = pytest.mark.parametrize("language", LANGUAGES)


class Reader(HTMLParser):
    """Collects what a browser would find: elements that are closed, anchors, links, texts."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.anchors: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if tag == "a" else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


@every_language
def test_every_stream_record_and_link_has_its_place(language: Language) -> None:
    reader = read(streams_page(DOCUMENT, Translator(language)))
    assert len(reader.anchors) == len(set(reader.anchors))
    expected = {f"stream-{name}" for name in DOCUMENT["channels"]}
    expected |= {f"record-{name}" for name in DOCUMENT["components"]["messages"]}
    assert expected <= set(reader.anchors)
    assert {link.removeprefix("#") for link in reader.links} <= set(reader.anchors)
    assert {f"#{anchor}" for anchor in reader.anchors} <= set(reader.links), "none is out of reach"


def forms_of(schema: Any, schemas: Any) -> list[Any]:
    """The objects that a schema allows: itself, or those of its forms and of theirs."""
    listed = schema.get("oneOf", schema.get("anyOf", ()))
    forms = [schemas[each["$ref"].rpartition("/")[2]] for each in listed]
    return [each for form in forms for each in forms_of(form, schemas)] or [schema]


def test_every_field_of_a_record_is_told_with_its_meaning() -> None:
    page = streams_page(DOCUMENT, Translator("en"))
    sections = dict(re.findall(r'<section id="record-(\w+)">(.*?)</section>', page, re.DOTALL))
    schemas = DOCUMENT["components"]["schemas"]
    for name, message in DOCUMENT["components"]["messages"].items():
        schema = schemas[message["payload"]["$ref"].rpartition("/")[2]]
        told = unescape(sections[name])
        plain = re.sub(r"<[^>]+>", "", told)
        for form in forms_of(schema, schemas):
            for field, value in form["properties"].items():
                assert f"<code>{field}</code>" in told, (name, field)
                assert value.get("description", "").replace("`", "") in plain, (name, field)


@every_language
def test_the_page_is_served_and_may_load_nothing_from_elsewhere(
    served: Served, language: Language
) -> None:
    answer = httpx.get(f"{served.url}/docs/streams", headers={"Accept-Language": language})
    assert answer.headers["Content-Type"].startswith("text/html")
    assert answer.headers["Content-Language"] == language
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    document = httpx.get(f"{served.url}/asyncapi.json").json()
    page = streams_page(document, Translator(language)).encode()
    assert answer.content == with_navigation(page, "/docs/streams", language)
