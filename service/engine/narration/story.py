"""The story of an event: its sentences, of which a long one leaves some out.

How this works. Details are told where there is nothing else. Effects of one kind are told together
where the first of them is: always, or where the story is too long otherwise. A story that is still
too long keeps every outcome, such as a death, and the first of the other sentences; its end says
how many effects are left out. So its length is bounded by the kinds of outcomes, and each outcome
takes a few words.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from service.engine.narration.template import JsonObject
from service.engine.vocabulary.catalogue import Language

MOST_SENTENCES: Final = 8
"""Sentences that an event is told in, unless its outcomes need more."""

FEWEST_OTHERS: Final = 3
"""Sentences of a long story that tell no outcome, however many outcomes there are."""

_MORE: Final[Mapping[Language, str]] = {
    "en": "And {} more.",
    "ru": "И ещё фактов: {}.",
}


class Gathering(NamedTuple):
    """How effects of one kind are told together; `told` is None where a fact is missing."""

    told: Callable[[Sequence[JsonObject]], str | None]
    is_always: bool


class StoryEffect(NamedTuple):
    """An effect with its own sentence; those of one kind have the same `kind` and `gathering`."""

    effect: JsonObject
    text: str
    is_detail: bool
    is_outcome: bool
    kind: object
    gathering: Gathering | None


class _Passage(NamedTuple):
    """A sentence of the story, and how many effects it tells."""

    text: str
    is_outcome: bool
    told: int


def story_of(effects: Sequence[StoryEffect], language: Language) -> str:
    """The sentences of a story in order; empty without effects."""
    passages = list(_passages(effects, is_long=False)) or [_alone(each) for each in effects]
    if len(passages) > MOST_SENTENCES:
        passages = list(_passages(effects, is_long=True)) or passages
    return " ".join(_within_bounds(passages, language))


def _passages(effects: Sequence[StoryEffect], *, is_long: bool) -> Iterator[_Passage]:
    """The sentences of a story without details, effects of one kind gathered."""
    groups: dict[object, list[StoryEffect]] = defaultdict(list)
    for each in effects:
        groups[each.kind].append(each)
    texts = {kind: _gathered(group, is_long=is_long) for kind, group in groups.items()}
    for each in effects:
        text, group = texts[each.kind], groups[each.kind]
        if text is None:
            if not each.is_detail:
                yield _alone(each)
        elif each is group[0]:
            yield _Passage(text, each.is_outcome, len(group))


def _gathered(group: Sequence[StoryEffect], *, is_long: bool) -> str | None:
    """Effects of one kind in one sentence; None where each is told alone."""
    gathering = group[0].gathering
    if gathering is None or not (gathering.is_always or (is_long and len(group) > 1)):
        return None
    return gathering.told([each.effect for each in group])


def _alone(each: StoryEffect) -> _Passage:
    return _Passage(each.text, each.is_outcome, 1)


def _within_bounds(passages: Sequence[_Passage], language: Language) -> Iterator[str]:
    """Every outcome and the first other sentences, then how many effects are left out."""
    if len(passages) <= MOST_SENTENCES:
        yield from (each.text for each in passages)
        return
    outcomes = sum(each.is_outcome for each in passages)
    room = max(FEWEST_OTHERS, MOST_SENTENCES - 1 - outcomes)
    left_out = 0
    for each in passages:
        if each.is_outcome or room:
            room -= not each.is_outcome
            yield each.text
        else:
            left_out += each.told
    if left_out:
        yield _MORE[language].format(left_out)
