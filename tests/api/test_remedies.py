"""Every problem is shown with what helps against it."""

import re
from html import unescape

import pytest

from service.api import malformed_texts, problem_texts
from service.api.docs.problems import page_of_problems
from service.api.negotiation import LANGUAGES
from service.api.problems import Phrasebook
from service.api.remedies import FORM_REMEDIES, OF_A_RULE, REMEDIES, Remedy
from service.engine.vocabulary.catalogue import Message
from service.rulesets import RULESETS

BOOK = Phrasebook({key: ruleset.catalogue for key, ruleset in RULESETS.items()})
ENTRY = re.compile(r'<dt id="([^"]+)">(.*?)(?=<dt |</dl>)', re.DOTALL)


@pytest.mark.parametrize(
    ("said", "remedies"),
    [(problem_texts.MESSAGES, REMEDIES), (malformed_texts.FORMS, FORM_REMEDIES)],
    ids=["codes", "forms"],
)
def test_every_code_has_one_remedy_and_every_remedy_its_codes(
    said: tuple[Message, ...], remedies: tuple[Remedy, ...]
) -> None:
    helped = [code for remedy in remedies for code in remedy.codes]
    assert sorted(helped) == sorted(message.code for message in said)


def test_a_remedy_names_the_same_in_both_languages() -> None:
    for remedy in (OF_A_RULE, *REMEDIES, *FORM_REMEDIES):
        named = [sorted(re.findall(r"`[^`]+`", text)) for text in (remedy.en, remedy.ru)]
        assert named[0] == named[1], remedy
        assert remedy.en != remedy.ru
        assert {text[-1] for text in (remedy.en, remedy.ru)} == {"."}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_tells_cause_and_remedy_of_each_code_under_its_anchor(language: str) -> None:
    page = page_of_problems("ru" if language == "ru" else "en", BOOK).decode()
    entries = ENTRY.findall(page)
    told = {anchor: unescape(re.sub(r"<[^>]+>", "", text)) for anchor, text in entries}
    assert len(told) == len(entries)
    for prefix, messages, remedies in (
        ("", problem_texts.MESSAGES, REMEDIES),
        ("malformed-", malformed_texts.FORMS, FORM_REMEDIES),
    ):
        for remedy in remedies:
            text = (remedy.ru if language == "ru" else remedy.en).replace("`", "")
            assert all(text in told[prefix + code] for code in remedy.codes), remedy
        assert all(f"{prefix}{message.code}" in told for message in messages)
    assert {message.code for message in BOOK.rule_messages()} <= set(told)
