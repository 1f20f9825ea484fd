"""Negotiation: which language and which media type an answer is in."""

import pytest

from service.api.negotiation import language_of, media_type_of

JSON, LINES = "application/json", "application/x-ndjson"


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("ru", "ru"),
        ("ru-RU, en;q=0.9", "ru"),
        ("en, ru", "en"),
        ("ru, en", "ru"),
        ("en;q=0.5, ru;q=0.6", "ru"),
        ("fr, ru;q=0.1", "ru"),
        ("fr", "en"),
        ("*", "en"),
        ("ru;q=0, *", "en"),
        ("en;q=0, *;q=0.1", "ru"),
        ("en;q=0", "en"),
        ("ru;q=1.0001, en;q=0.1", "en"),
        ("RU ; Q=0.7, en;q=0.3", "ru"),
        (";;;,,,=", "en"),
        ("ru;q=" + "9" * 5000, "en"),
    ],
)
def test_the_language_liked_best_is_chosen(header: str | None, language: str) -> None:
    assert language_of(header) == language


@pytest.mark.parametrize(
    ("header", "media_type"),
    [
        (None, JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        ("application/x-ndjson", LINES),
        ("application/json;q=0.5, application/x-ndjson", LINES),
        ("application/x-ndjson;q=0, */*", JSON),
        ("text/html", None),
        ("application/json;q=0", None),
        ("application/xml, */*;q=0.1", JSON),
    ],
)
def test_the_media_type_liked_best_is_chosen(header: str | None, media_type: str | None) -> None:
    assert media_type_of(header, (JSON, LINES)) == media_type
