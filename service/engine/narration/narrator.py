"""Tells events of a ruleset in one language.

How this works. What is told is made of nothing but the event as its reader sees it and of names
that the reader knows, so a sentence cannot tell more than they do. A ruleset's own sentences come
before those that all share; of all for an effect the first is told whose facts are there.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from msgspec import UNSET

from service.engine.narration import words
from service.engine.narration.combat_sentences import COMBAT_SENTENCES
from service.engine.narration.common_sentences import COMMON_SENTENCES
from service.engine.narration.names import NO_NAMES, Names
from service.engine.narration.plain_text import in_one_line
from service.engine.narration.story import Gathering, StoryEffect, story_of
from service.engine.narration.template import (
    GATHERED,
    LONGEST_WORD,
    JsonObject,
    Passage,
    Voice,
    compiled,
    fact_at,
)
from service.engine.ruleset.definition import Catalogue, Ruleset
from service.engine.vocabulary import shared_terms
from service.engine.vocabulary.catalogue import Language, Sentence, Term

_UNSEEN: Final[Mapping[Language, str]] = {
    "en": "Something happens that you do not see.",
    "ru": "Произошло то, чего вы не видите.",
}


class _Wording(NamedTuple):
    """A sentence in one language, ready to be told."""

    when: tuple[tuple[str, str | int], ...]
    passage: Passage
    is_detail: bool
    is_outcome: bool
    gathered: Passage | None
    is_always_gathered: bool


class EffectSentence(NamedTuple):
    """The sentence of an effect; a detail is left out where there is something else to tell.

    What the game master states himself never is one: to tell it is what his overruling is for.
    """

    text: str
    is_detail: bool


class Narrator:
    """The sentences of one rulebook in one language."""

    def __init__(self, catalogue: Catalogue, language: Language) -> None:
        self._language = language
        self._length = catalogue.length
        self.word = words_of(catalogue, language)
        """A word of the rules in that language."""
        self.cause = causes_of(catalogue, language)
        """A reason in that language."""
        self.role = lookup_of(shared_terms.TERMS, language)
        """A role at the table in that language."""
        self._wordings: dict[str, list[_Wording]] = defaultdict(list)
        for sentence in (*catalogue.sentences, *COMBAT_SENTENCES, *COMMON_SENTENCES):
            self._wordings[sentence.effect].append(_wording(sentence, language))

    def story(self, event: JsonObject, names: Names) -> str:
        """The event in a few sentences."""
        voice = self.voice(names.beside(event))
        told = [self._story_effect(each, voice) for each in _effects_of(event)]
        return story_of(told, self._language) or self._unseen(event)

    def voice(self, names: Names) -> Voice:
        """The words of this narrator with these names."""
        return Voice(self.word, self.cause, self.role, names, self._language, self._length)

    def sentences(self, event: JsonObject, names: Names) -> list[EffectSentence]:
        """A sentence for each effect that the reader sees, in order."""
        voice = self.voice(names.beside(event))
        return [self.sentence(each, voice) for each in _effects_of(event)]

    def sentence(self, effect: JsonObject, voice: Voice) -> EffectSentence:
        """The sentence of one effect."""
        text, wording = self._worded(effect, voice)
        return EffectSentence(text, _is_detail(effect, wording))

    def _worded(self, effect: JsonObject, voice: Voice) -> tuple[str, _Wording | None]:
        """The sentence of an effect and its template; without one the name of the effect."""
        kind = effect.get("type")
        for wording in self._wordings.get(kind, ()) if isinstance(kind, str) else ():
            if all(fact_at(effect, path) == value for path, value in wording.when):
                text = wording.passage(voice, effect)
                if text is not None:
                    return text, wording
        return f"{self.word(str(kind))}.", None

    def _story_effect(self, effect: JsonObject, voice: Voice) -> StoryEffect:
        text, wording = self._worded(effect, voice)
        return StoryEffect(
            effect=effect,
            text=text,
            is_detail=_is_detail(effect, wording),
            is_outcome=wording is not None and wording.is_outcome,
            kind=wording,
            gathering=None if wording is None else _gathering(wording, voice),
        )

    def _unseen(self, event: JsonObject) -> str:
        kind = fact_at(event, "action.type")
        return f"{self.word(kind)}." if isinstance(kind, str) else _UNSEEN[self._language]


@lru_cache(maxsize=64)
def narrator_of(ruleset: Ruleset[Any], language: Language) -> Narrator:
    """The narrator of a ruleset; made once."""
    return Narrator(ruleset.catalogue, language)


def narrate(
    ruleset: Ruleset[Any], event: JsonObject, names: Names = NO_NAMES, language: Language = "en"
) -> str:
    """A few sentences that tell an event, given as the JSON that its reader sees.

    `names` are those that the reader knows (`names_in` a state). Nothing is raised whatever the
    event looks like.
    """
    return narrator_of(ruleset, language).story(event, names)


def words_of(catalogue: Catalogue, language: Language) -> Callable[[str], str]:
    """What words of the rules are called: by the rulebook, else by the service."""
    own = dict(_called(catalogue.terms, language))
    positions = {one.removeprefix("position_"): name for one, name in own.items()}
    return _lookup({**dict(_called(_SHARED, language)), **positions, **own})


def causes_of(catalogue: Catalogue, language: Language) -> Callable[[str], str]:
    """What reasons are called: by the service, else by the rulebook.

    The same word often is the name of a role, a roll or a modifier there.
    """
    terms = (*shared_terms.TERMS, *catalogue.terms, *words.TERMS)
    return _lookup(dict(_called(terms, language)))


_SHARED: Final = (*words.TERMS, *shared_terms.TERMS)
"""What the service itself calls things; words for reasons come after all others."""


def _lookup(called: Mapping[str, str]) -> Callable[[str], str]:
    def word(one: str) -> str:
        return called.get(one) or in_one_line(one.replace("_", " "), LONGEST_WORD)

    return word


def lookup_of(terms: tuple[Term, ...], language: Language) -> Callable[[str], str]:
    """What words are called by these terms alone."""
    return _lookup(dict(_called(terms, language)))


def _called(terms: tuple[Term, ...], language: Language) -> Iterator[tuple[str, str]]:
    for term in terms:
        yield term.id, term.en if language == "en" else term.ru


def _wording(sentence: Sentence, language: Language) -> _Wording:
    gathered = sentence.gathered
    return _Wording(
        when=tuple(sentence.when.items()),
        passage=compiled(sentence.en if language == "en" else sentence.ru),
        is_detail=sentence.is_detail,
        is_outcome=sentence.is_outcome,
        gathered=None
        if gathered is UNSET
        else compiled(gathered.en if language == "en" else gathered.ru),
        is_always_gathered=gathered is not UNSET and gathered.is_always,
    )


def _is_detail(effect: JsonObject, wording: _Wording | None) -> bool:
    """Whether an effect is left out where there is another; never what the game master states."""
    return wording is not None and wording.is_detail and fact_at(effect, "cause") != "gm"


def _gathering(wording: _Wording, voice: Voice) -> Gathering | None:
    """How effects of one template are told together."""
    passage = wording.gathered
    if passage is None:
        return None

    def told(effects: Sequence[JsonObject]) -> str | None:
        return passage(voice, {**effects[0], GATHERED: list(effects)})

    return Gathering(told, wording.is_always_gathered)


def _effects_of(event: JsonObject) -> list[JsonObject]:
    effects = event.get("effects")
    return [each for each in effects if isinstance(each, dict)] if isinstance(effects, list) else []
