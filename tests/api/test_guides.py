"""The guides of the documentation: all that they show is done, and what it shows is had."""

import hashlib
import re
import secrets
from pathlib import Path
from typing import Final
from uuid import UUID

import httpx
import pytest

from service.api.authentication import seat_token_of
from service.api.docs import guide_named, list_of_guides
from service.api.negotiation import LANGUAGES
from service.encounters.principal import SCOPES
from service.engine.vocabulary.catalogue import Language
from service.eventstore.embedded import Dsns
from service.eventstore.store import EventStore
from service.web.guides import SOURCES
from tests.api.guide_steps import GuideReader, Step, steps_on
from tests.api.serving import Caller, Served, new_key, settings_for

ANCHORS: Final = {
    "first": "quickstart",
    "seats": "seats",
    "following": "live-updates",
    "answering": "decisions",
    "dice": "real-dice",
    "hiding": "hidden-information",
    "options": "options",
    "rewinding": "undo",
    "forks": "forks",
    "explanations": "explain-a-roll",
    "auditing": "audit",
    "inspections": "line-of-sight",
    "lists": "lists-and-metadata",
    "idempotency": "idempotency",
}
"""Where a guide was, as links of others have it: `/docs/guides#first` -> its name."""
LIMITED: Final = "rate-limits-and-cors"
NEWER: Final = ("vtt-bridge", LIMITED)
"""Guides that never were on one page with the others; they have their names as anchors."""
ORIGIN: Final = "https://vtt.example"
"""The origin of the page that the guide of CORS is about."""
ITEM: Final = re.compile(
    r'<li id="([\w-]+)"><a href="/docs/guides/([\w-]+)">(.+?)</a><br>(.+?)</li>', re.DOTALL
)
TITLE: Final = re.compile(r"<h1>(.+?)</h1>\n<p>(.+?)</p>\n", re.DOTALL)
HEADING: Final = re.compile(r'<(?:section id="([\w-]+)"|(h\d))>')
STEP: Final = re.compile(r'<a rel="(prev|next)" href="/docs/guides/([\w-]+)">')
FENCE: Final = re.compile(r"^```\w+$", re.MULTILINE)


def guide(name: str, language: Language) -> str:
    answer = guide_named(name, language)
    assert answer is not None
    return bytes(answer.content).decode()


def listed(language: Language) -> list[tuple[str, ...]]:
    """Anchor, name, title and summary of every guide in the list."""
    return [
        each.groups() for each in ITEM.finditer(bytes(list_of_guides(language).content).decode())
    ]


GUIDES: Final[dict[str, list[Step]]] = {
    name: steps_on(guide(name, "en")) for _, name, *_ in listed("en")
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_has_every_guide_where_its_old_anchor_leads(language: Language) -> None:
    anchors = [(anchor, name) for anchor, name, *_ in listed(language)]
    assert sorted(anchors) == sorted([*ANCHORS.items(), *((name, name) for name in NEWER)])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_guide_begins_with_who_needs_it_and_so_does_its_place_in_the_list(
    language: Language,
) -> None:
    begun = {"en": "For ", "ru": "Для "}[language]
    for _, name, title, summary in listed(language):
        match = TITLE.search(guide(name, language))
        assert match is not None, name
        assert match.groups() == (title, summary)
        assert summary.startswith(begun), name


def test_both_languages_have_the_same_headings_and_examples() -> None:
    for name, steps in GUIDES.items():
        assert len(steps) > 4, name
        assert steps_on(guide(name, "ru")) == steps
        in_both = [HEADING.findall(guide(name, language)) for language in LANGUAGES]
        assert in_both[0] == in_both[1], name
        assert len(in_both[0]) > 2, name


def test_no_example_is_written_twice_or_left_out() -> None:
    written = {
        folder: sum(
            len(FENCE.findall(path.read_text("utf-8"))) for path in (SOURCES / folder).iterdir()
        )
        for folder in ("examples", *LANGUAGES)
    }
    assert written == {"examples": sum(map(len, GUIDES.values())), "en": 0, "ru": 0}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_guide_leads_to_the_one_before_and_the_next(language: Language) -> None:
    names = list(GUIDES)
    for at, name in enumerate(names):
        steps = dict(STEP.findall(guide(name, language)))
        around = {"prev": names[max(at - 1, 0) : at], "next": names[at + 1 : at + 2]}
        assert steps == {rel: each[0] for rel, each in around.items() if each}


@pytest.mark.parametrize("path", ["", "/idempotency"])
def test_the_guides_are_read_in_the_readers_language(served: Served, path: str) -> None:
    headings = {
        "": {"en": "Guides", "ru": "Руководства"},
        "/idempotency": {"en": "Idempotency", "ru": "Повтор запросов"},
    }
    for language, heading in headings[path].items():
        preferred = {"Accept-Language": language}
        answer = httpx.get(f"{served.url}/docs/guides{path}", headers=preferred)
        assert f"<h1>{heading}</h1>" in answer.text
        assert answer.headers["Content-Language"] == language
        assert "Accept-Language" in answer.headers["Vary"]


@pytest.mark.parametrize("name", ["nothing", "Undo", "undo.en", "..%2Fguides"])
def test_a_guide_that_is_not_there_is_not_found(served: Served, name: str) -> None:
    answer = httpx.get(f"{served.url}/docs/guides/{name}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("name", [name for name in GUIDES if name != LIMITED])
def test_what_a_guide_shows_is_what_happens(
    served: Served, caller: Caller, name: str, tmp_path: Path
) -> None:
    token = seat_token_of(secrets.token_bytes(32))
    own = {"$TOKEN": token, "$HASH": hashlib.sha256(token.encode()).hexdigest()}
    with GuideReader(served.url, tmp_path, {"$KEY": caller.token or "", **own}) as reader:
        reader.follow(GUIDES[name])


async def test_what_the_guide_of_limits_shows_is_what_happens_where_they_are_low(
    database: Dsns, store: EventStore, tenant: UUID, tmp_path: Path
) -> None:
    assert await store.origins.add(tenant, ORIGIN, 1)
    token = await new_key(store, tenant, SCOPES)
    settings = settings_for(database, WARLOG_PREVIEWS_PER_MINUTE="2")
    with Served(settings) as low, GuideReader(low.url, tmp_path, {"$KEY": token}) as reader:
        reader.follow(GUIDES[LIMITED])
