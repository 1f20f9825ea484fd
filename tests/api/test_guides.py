"""The guides of the documentation: all that they show is done, and what it shows is had."""

import hashlib
import secrets
from pathlib import Path

import httpx
import pytest

from service.api.authentication import seat_token_of
from service.api.docs import asset_named, guide_named
from service.api.negotiation import LANGUAGES
from service.engine.vocabulary.catalogue import Language
from tests.api.guide_steps import GuideReader, Step, steps_of, steps_on
from tests.api.serving import Caller, Served


def page(language: str) -> str:
    answer = asset_named("guides", "ru" if language == "ru" else "en")
    assert answer is not None
    return bytes(answer.content).decode()


def guide(name: str, language: Language) -> str:
    answer = guide_named(name, language)
    assert answer is not None
    return bytes(answer.content).decode()


OLD: dict[str, list[Step]] = steps_of(page("en"))
NEW: dict[str, list[Step]] = {"idempotency": steps_on(guide("idempotency", "en"))}
GUIDES: dict[str, list[Step]] = OLD | NEW


def test_each_guide_has_its_example_and_both_languages_have_the_same() -> None:
    assert list(OLD) == [
        "first",
        "seats",
        "following",
        "answering",
        "dice",
        "hiding",
        "options",
        "rewinding",
        "forks",
        "explanations",
        "auditing",
        "inspections",
        "lists",
    ]
    assert all(len(steps) > 4 for steps in GUIDES.values())
    assert steps_of(page("ru")) == OLD
    assert {name: steps_on(guide(name, "ru")) for name in NEW} == NEW
    stepped = sum(map(len, OLD.values()))
    assert [page(language).count("<pre") for language in LANGUAGES] == [stepped] * 2


def test_every_guide_is_in_the_contents_and_begins_with_who_needs_it() -> None:
    for language, begun in (("en", "<p>For "), ("ru", "<p>Для ")):
        text = page(language)
        sections = text.split("<section ")[1:]
        assert [each.split("</h2>\n")[1][: len(begun)] for each in sections] == [begun] * len(OLD)
        contents = text[text.index("<h1>") : text.index("<section")]
        assert [name for name in OLD if f'<a href="#{name}">' not in contents] == []


def test_the_guides_are_read_in_the_readers_language(served: Served) -> None:
    for language, heading in (("en", "Guides"), ("ru", "Руководства")):
        answer = httpx.get(f"{served.url}/docs/guides", headers={"Accept-Language": language})
        assert f"<h1>{heading}</h1>" in answer.text
        assert answer.headers["Content-Language"] == language
        assert "Accept-Language" in answer.headers["Vary"]


@pytest.mark.parametrize("guide_name", list(GUIDES))
def test_what_a_guide_shows_is_what_happens(
    served: Served, caller: Caller, guide_name: str, tmp_path: Path
) -> None:
    token = seat_token_of(secrets.token_bytes(32))
    own = {"$TOKEN": token, "$HASH": hashlib.sha256(token.encode()).hexdigest()}
    with GuideReader(served.url, tmp_path, {"$KEY": caller.token or "", **own}) as reader:
        reader.follow(GUIDES[guide_name])
