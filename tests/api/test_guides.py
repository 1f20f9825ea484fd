"""The guides of the documentation: all that they show is done, and what it shows is had."""

import hashlib
import secrets
from pathlib import Path

import httpx
import pytest

from service.api.authentication import seat_token_of
from service.api.docs import asset_named
from service.api.negotiation import LANGUAGES
from tests.api.guide_steps import GuideReader, Step, steps_of
from tests.api.serving import Caller, Served


def page(language: str) -> str:
    answer = asset_named("guides", "ru" if language == "ru" else "en")
    assert answer is not None
    return bytes(answer.content).decode()


GUIDES: dict[str, list[Step]] = steps_of(page("en"))


def test_each_guide_has_its_example_and_both_languages_have_the_same() -> None:
    assert list(GUIDES) == [
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
        "idempotency",
    ]
    assert all(len(steps) > 4 for steps in GUIDES.values())
    assert steps_of(page("ru")) == GUIDES
    stepped = sum(map(len, GUIDES.values()))
    assert [page(language).count("<pre") for language in LANGUAGES] == [stepped] * 2


def test_every_guide_is_in_the_contents_and_begins_with_who_needs_it() -> None:
    for language, begun in (("en", "<p>For "), ("ru", "<p>Для ")):
        text = page(language)
        sections = text.split("<section ")[1:]
        assert [each.split("</h2>\n")[1][: len(begun)] for each in sections] == [begun] * len(
            GUIDES
        )
        contents = text[text.index("<h1>") : text.index("<section")]
        assert [name for name in GUIDES if f'<a href="#{name}">' not in contents] == []


def test_the_guides_are_read_in_the_readers_language(served: Served) -> None:
    for language, heading in (("en", "Guides"), ("ru", "Руководства")):
        answer = httpx.get(f"{served.url}/docs/guides", headers={"Accept-Language": language})
        assert f"<h1>{heading}</h1>" in answer.text
        assert answer.headers["Content-Language"] == language
        assert "Accept-Language" in answer.headers["Vary"]


@pytest.mark.parametrize("guide", list(GUIDES))
def test_what_a_guide_shows_is_what_happens(
    served: Served, caller: Caller, guide: str, tmp_path: Path
) -> None:
    token = seat_token_of(secrets.token_bytes(32))
    own = {"$TOKEN": token, "$HASH": hashlib.sha256(token.encode()).hexdigest()}
    with GuideReader(served.url, tmp_path, {"$KEY": caller.token or "", **own}) as reader:
        reader.follow(GUIDES[guide])
