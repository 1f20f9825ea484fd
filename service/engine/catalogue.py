"""What a ruleset says in words: rules, terms and messages in English and Russian; plain data."""

from msgspec import UNSET, Struct, UnsetType


class Rule(Struct, frozen=True, kw_only=True):
    """One rule by its id; `source` is the phrase of the source text it follows.

    Without a source it is a default of this service, not in the source text.
    """

    id: str
    en: str
    ru: str
    source: str | UnsetType = UNSET


class Term(Struct, frozen=True, kw_only=True):
    """A word of the rulebook, of the fields and of the notes in a breakdown."""

    id: str
    en: str
    ru: str


class Message(Struct, frozen=True, kw_only=True):
    """What a refusal says to a person; {names} stand for parameters of the refusal.

    `{name:term}` stands for one that is a word of the rules, or a list of them: what the term of
    that id says. A passage in [[double brackets]] is left out when a parameter in it is missing.
    """

    code: str
    en: str
    ru: str
