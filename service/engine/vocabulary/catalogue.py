"""What a ruleset says in words: rules, terms and messages in English and Russian; plain data."""

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

Language = Literal["en", "ru"]
"""A language in which everything is said."""


class Rule(Struct, frozen=True, kw_only=True):
    """One rule by its id; `source` is the phrase of the source text it follows.

    Without a source it is a default of this service, not in the source text.
    """

    id: str
    """Id of the rule, as effects and modifiers name it."""
    en: str
    """What the rule says, in English."""
    ru: str
    """What the rule says, in Russian."""
    source: str | UnsetType = UNSET
    """Phrase of the rulebook that it follows; absent for a default of this service."""


class Definition(Rule, frozen=True, kw_only=True):
    """What a word of the rulebook means, or what follows from other rules; it has no function.

    Published like any rule.
    """


class Term(Struct, frozen=True, kw_only=True):
    """A word of the rulebook, of the fields and of the notes in a breakdown."""

    id: str
    """The word as it stands in fields, options and notes."""
    en: str
    """Its name for people, in English."""
    ru: str
    """Its name for people, in Russian."""


class Message(Struct, frozen=True, kw_only=True):
    """What a refusal says to a person; {names} stand for parameters of the refusal.

    `{name:term}` stands for one that is a word of the rules, or a list of them: what the term of
    that id says. A passage in [[double brackets]] is left out when a parameter in it is missing.
    """

    code: str
    """Code of the refusal, as `code` of a problem has it."""
    en: str
    """What it says in English, with {names} of its parameters."""
    ru: str
    """What it says in Russian, with {names} of its parameters."""


class GatheredSentence(Struct, frozen=True, kw_only=True):
    """How several effects that one sentence tells are told together in the story of an event.

    A template has the facts of the first of them, and all of them as the list `effects`.
    """

    en: str
    """The sentence in English."""
    ru: str
    """The sentence in Russian."""
    is_always: bool = False
    """Whether they are told together in short stories, too."""


class Sentence(Struct, frozen=True, kw_only=True):
    """How an effect is told in one sentence; the templates are those of `narration/template.py`.

    Of the sentences of an effect the first is told whose `when` holds and whose facts are there.
    """

    effect: str
    """Type of the effect."""
    en: str
    """The sentence in English."""
    ru: str
    """The sentence in Russian, in which no case or gender depends on a name."""
    when: Mapping[str, str | int] = {}
    """What facts of the effect must be, by their path."""
    is_detail: bool = False
    """Whether it is left out where an event has something else to tell, such as what was spent."""
    is_outcome: bool = False
    """Whether even a long story has it, such as who was hurt and who died."""
    gathered: GatheredSentence | UnsetType = UNSET
    """How several such effects of an event are told together; absent where each is told alone."""
