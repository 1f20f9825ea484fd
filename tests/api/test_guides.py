"""The guides of the documentation: every request that they show is sent, every answer is had.

An answer shows a part: objects hold at least the members shown, lists just so many elements. A name
that begins with `$` stands for what the first answer with it had there.
"""

import hashlib
import json
import re
import secrets
from collections.abc import Iterator
from html import unescape
from typing import Any, NamedTuple

import httpx
import pytest

from service.api.authentication import seat_token_of
from service.api.docs import asset_named
from service.api.negotiation import LANGUAGES
from tests.api.serving import Caller, Served

SECTION = re.compile(r'<section id="(\w+)">(.*?)</section>', re.DOTALL)
SHOWN = re.compile(r'<pre class="asked">(.*?)</pre>\s*<pre class="answered">(.*?)</pre>', re.DOTALL)
NAME = re.compile(r"\$[A-Z]+")
Names = dict[str, str]


class Exchange(NamedTuple):
    """A request as a guide shows it, and the answer."""

    asked: str
    answered: str


def page(language: str) -> str:
    answer = asset_named("guides", "ru" if language == "ru" else "en")
    assert answer is not None
    return bytes(answer.content).decode()


def sections(language: str) -> dict[str, list[Exchange]]:
    return {
        name: [Exchange(*map(unescape, shown)) for shown in SHOWN.findall(text)]
        for name, text in SECTION.findall(page(language))
    }


GUIDES = sections("en")


def test_each_guide_has_its_example_and_both_languages_have_the_same() -> None:
    assert set(GUIDES) == {
        "seats",
        "dice",
        "options",
        "rewinding",
        "forks",
        "explanations",
        "idempotency",
    }
    assert all(len(exchanges) > 2 for exchanges in GUIDES.values())
    assert sections("ru") == GUIDES
    paired = sum(map(len, GUIDES.values()))
    assert [page(language).count("<pre") for language in LANGUAGES] == [2 * paired] * 2


def test_the_guides_are_read_in_the_readers_language(served: Served) -> None:
    for language, heading in (("en", "Guides"), ("ru", "Руководства")):
        answer = httpx.get(f"{served.url}/docs/guides", headers={"Accept-Language": language})
        assert f"<h1>{heading}</h1>" in answer.text
        assert answer.headers["Content-Language"] == language
        assert "Accept-Language" in answer.headers["Vary"]


@pytest.mark.parametrize("guide", list(GUIDES))
def test_what_a_guide_shows_is_what_happens(served: Served, caller: Caller, guide: str) -> None:
    token = seat_token_of(secrets.token_bytes(32))
    own = {"$TOKEN": token, "$HASH": hashlib.sha256(token.encode()).hexdigest()}
    names: Names = {"$KEY": caller.token or "", **own}
    with httpx.Client(base_url=served.url) as reader:
        for asked, answered in GUIDES[guide]:
            answer = reader.send(request_of(reader, replaced(asked, names)))
            compare(answer, replaced(answered, names), names)


def replaced(text: str, names: Names) -> str:
    return NAME.sub(lambda match: names.get(match[0], match[0]), text)


def request_of(reader: httpx.Client, asked: str) -> httpx.Request:
    head, _, body = asked.partition("\n\n")
    line, *fields = head.splitlines()
    method, path = line.split()
    headers = dict(field.split(": ", 1) for field in fields)
    if body:
        headers["Content-Type"] = "application/json"
    return reader.build_request(method, path, headers=headers, content=body or None)


def compare(answer: httpx.Response, answered: str, names: Names) -> None:
    """Learns the names in the answer. Fails where the guide says otherwise."""
    head, _, body = answered.partition("\n\n")
    status, *fields = head.splitlines()
    assert answer.status_code == int(status), answer.text
    for field in fields:
        name, shown = field.split(": ", 1)
        learn(answer.headers[name], shown, names)
    if body:
        differences = list(unlike(answer.json(), json.loads(body), names))
        assert differences == [], answer.text


def unlike(value: Any, shown: Any, names: Names, path: str = "$") -> Iterator[str]:
    """Where an answer is other than shown."""
    match shown:
        case dict():
            for name, member in shown.items():
                if not isinstance(value, dict) or name not in value:
                    yield f"{path}.{name}"
                else:
                    yield from unlike(value[name], member, names, f"{path}.{name}")
        case list():
            if not isinstance(value, list) or len(value) != len(shown):
                yield path
            else:
                for at, (element, wanted) in enumerate(zip(value, shown, strict=True)):
                    yield from unlike(element, wanted, names, f"{path}[{at}]")
        case str() if NAME.search(shown):
            learn(value, shown, names)
        case _:
            if value != shown:
                yield path


def learn(value: str, shown: str, names: Names) -> None:
    """What the name in a shown text stands for, by the text that was had."""
    fixed = NAME.split(shown)
    form = "(.+)".join(map(re.escape, fixed))
    match = re.fullmatch(form, value)
    assert match, (value, shown)
    names.update(zip(NAME.findall(shown), match.groups(), strict=True))
