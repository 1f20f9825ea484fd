"""The page of problems: every code with its cause and its remedy, under a separate anchor."""

import re
from collections.abc import Mapping
from html import escape
from typing import Final, NamedTuple

from service.api import malformed_texts, problem_texts
from service.api.problems import Phrasebook
from service.api.remedies import FORM_REMEDIES, OF_A_RULE, REMEDIES, Remedy, remedies_by_code
from service.engine.vocabulary.catalogue import Language, Message

_CODE: Final = re.compile(r"`([^`]+)`")
_PAGE: Final = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
<script type="module" src="/docs/search.js"></script>
<title>Warlog: {title}</title>
<main>
<h1>{title}</h1>
<p>{opening}</p>
<nav>{contents}</nav>
{sections}
</main>
</html>
"""


class Headings(NamedTuple):
    """What is on the page next to codes, sentences and remedies."""

    title: str
    opening: str
    service: str
    forms: str
    rules: str
    remedy: str


_HEADINGS: Final[dict[Language, Headings]] = {
    "en": Headings(
        title="Problems",
        opening=(
            "Whatever is not done is told as `application/problem+json`: `code` for programs,"
            " `detail` for people, the facts in `params`, what would have been possible in"
            " `allowed`. After 429 and 503 `Retry-After` says when to ask again."
        ),
        service="Problems of every battle",
        forms="Ways to be malformed",
        rules="Refusals of the rulebooks",
        remedy="What helps:",
    ),
    "ru": Headings(
        title="Отказы",
        opening=(
            "Обо всём, что не сделано, говорит `application/problem+json`: `code` — программам,"
            " `detail` — людям, в `params` обстоятельства, в `allowed` — что было бы можно. После"
            " 429 и 503 `Retry-After` говорит, когда повторить."
        ),
        service="Отказы в любом бою",
        forms="Чем запрос бывает плох",
        rules="Отказы по правилам",
        remedy="Что делать:",
    ),
}


def page_of_problems(language: Language, phrasebook: Phrasebook) -> bytes:
    """The page in a language."""
    said = _HEADINGS[language]
    own = {message.code for message in problem_texts.MESSAGES}
    added = phrasebook.rule_messages()
    shared = tuple(message for message in added if message.code in own)
    sections = {
        "service": (said.service, _list((*problem_texts.MESSAGES, *shared), REMEDIES, language)),
        "forms": (
            said.forms,
            _list(malformed_texts.FORMS, FORM_REMEDIES, language, anchor="malformed-"),
        ),
        "rules": (
            said.rules,
            f"<p>{_marked(_remedy_in(OF_A_RULE, language))}</p>\n"
            + _list(tuple(message for message in added if message not in shared), (), language),
        ),
    }
    return _PAGE.format(
        language=language,
        title=said.title,
        opening=_marked(said.opening),
        contents=" · ".join(
            f'<a href="#of-{name}">{escape(title)}</a>' for name, (title, _) in sections.items()
        ),
        sections="\n".join(
            f'<section id="of-{name}">\n<h2>{escape(title)}</h2>\n{codes}\n</section>'
            for name, (title, codes) in sections.items()
        ),
    ).encode()


def _list(
    messages: tuple[Message, ...],
    remedies: tuple[Remedy, ...],
    language: Language,
    anchor: str = "",
) -> str:
    """Codes, what they mean and what helps; the sentences of one code follow one another."""
    sentences: dict[str, list[str]] = {}
    for message in messages:
        sentences.setdefault(message.code, []).append(_plain(message, language))
    helps = remedies_by_code(remedies)
    entries = [_entry(code, causes, helps, language, anchor) for code, causes in sentences.items()]
    return "\n".join(["<dl>", *entries, "</dl>"])


def _entry(
    code: str, causes: list[str], helps: Mapping[str, Remedy], language: Language, anchor: str
) -> str:
    shown = escape(code)
    lines = [f'<dt id="{anchor}{shown}"><a href="#{anchor}{shown}"><code>{shown}</code></a></dt>']
    lines += [f"<dd>{escape(cause)}</dd>" for cause in causes]
    if code in helps:
        remedy = _marked(_remedy_in(helps[code], language))
        lines.append(f"<dd><b>{_HEADINGS[language].remedy}</b> {remedy}</dd>")
    return "\n".join(lines)


def _plain(message: Message, language: Language) -> str:
    """A message's sentence with its places as they are called."""
    sentence = message.ru if language == "ru" else message.en
    return sentence.replace("[[", "").replace("]]", "").replace(":term}", "}")


def _remedy_in(remedy: Remedy, language: Language) -> str:
    return remedy.ru if language == "ru" else remedy.en


def _marked(text: str) -> str:
    return _CODE.sub(r"<code>\1</code>", escape(text))
