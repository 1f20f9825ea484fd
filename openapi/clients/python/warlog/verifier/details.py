"""What a finding says in detail, in two languages.

Sentences are written in English where they belong, with the values next to them, and looked up in
Russian by what is between the values.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from warlog.verifier.russian import RUSSIAN

Language: TypeAlias = Literal["en", "ru"]


class Detail(Struct, frozen=True):
    """A sentence with `{}` for each of its values, of which some are sentences themselves."""

    template: str
    values: tuple["str | int | Detail", ...]

    def told(self, language: Language) -> str:
        """The sentence in a language."""
        template = RUSSIAN.get(self.template, self.template) if language == "ru" else self.template
        values = (
            each.told(language) if isinstance(each, Detail) else str(each) for each in self.values
        )
        return template.format(*values)


def said(template: str, *values: str | int | Detail) -> Detail:
    """A sentence: said("event {} lacks a text", seq)."""
    return Detail(template, values)
