"""Every text of the documents that a page shows is said in Russian, and none that no page shows."""

import json
import re
from typing import Any, Final

from service.api.docs.effects import effects_page
from service.api.docs.reference import newest_of
from service.api.docs.streams import streams_page
from service.api.docs.translations import Translator, russian_texts
from service.rulesets import RULESETS
from tests.house.tree import ROOT

MARKED: Final = re.compile(r"`([^`]+)`")
CYRILLIC: Final = re.compile("[а-яё]", re.IGNORECASE)


def published(name: str) -> Any:
    return json.loads((ROOT / "openapi" / name).read_text(encoding="utf-8"))


def test_the_pages_have_the_russian_of_each_text_and_no_other() -> None:
    say = Translator("ru")
    streams_page(published("asyncapi.json"), say)
    effects_page(published("openapi.json"), newest_of(RULESETS).values(), say)
    assert say.asked == set(russian_texts())


def test_a_translation_is_russian_and_names_the_same_words_of_the_interface() -> None:
    for english, russian in russian_texts().items():
        assert CYRILLIC.search(russian), english
        assert set(MARKED.findall(russian)) == set(MARKED.findall(english)), english


def test_what_is_not_translated_is_said_as_it_is() -> None:
    english, russian = Translator("en"), Translator("ru")
    assert english("Sides of each die.") == "Sides of each die."
    assert russian("Sides of each die.") == "Сколько граней у каждой."
    assert russian("What this is: always `hello`.") == "Что это: всегда `hello`."
    assert russian("Nobody wrote this.") == "Nobody wrote this."
    assert russian("") == ""
    assert russian.asked == {"Sides of each die.", "Nobody wrote this."}
