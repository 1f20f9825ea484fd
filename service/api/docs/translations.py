"""What the pages say in Russian where the documents say it in English.

How this works. The published documents are English; their texts stand where a reader of the code
looks for them, below the fields. The Russian of each is in `texts.ru.toml` under the English
text itself: a text that is changed is one that nobody has translated, which a test notices.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from service.engine.vocabulary.catalogue import Language

_TAG: Final = re.compile(r"What this is: always (`\w+`)\.")
_TAG_IN_RUSSIAN: Final = r"Что это: всегда \1."


class Translator:
    """Says texts of the documents in a language, and keeps which it was asked for."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language
        self.asked: set[str] = set()

    def __call__(self, text: str) -> str:
        """The text in the language; as it is if it has no translation."""
        if self.language == "en" or not text:
            return text
        if _TAG.fullmatch(text):
            return _TAG.sub(_TAG_IN_RUSSIAN, text)
        self.asked.add(text)
        return russian_texts().get(text, text)


@cache
def russian_texts() -> Mapping[str, str]:
    """English text -> the same in Russian."""
    return tomllib.loads(files(__package__).joinpath("texts.ru.toml").read_text(encoding="utf-8"))
