"""Turns a message's template and the facts of a problem into a sentence.

`{name}` represents a fact as it is, such as a number or an id of the caller's; `{name:term}` for
one that is a word of the rules, in the reader's language. Of an object only a word by which the
service means somebody is one: whatever else it holds are ids. A passage in double square
brackets is left out when a fact in it is missing or lists nothing, so that one template serves
where a fact is not always known.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from service.engine.vocabulary.client_ids import RESERVED_IDS

Words = Callable[[str], str]
"""What a word of the rules is called; another word is itself."""

_FACT: Final = re.compile(r"\{([a-z_]+)(:term)?\}")
_OPTIONAL: Final = re.compile(r"\[\[(.*?)\]\]")
_LONGEST: Final = 300
_MISSING: Final = "?"
_NOTHING: Final[tuple[object, ...]] = (None, "", [], ())


def fill(template: str, facts: Mapping[str, object], words: Words = str) -> str:
    """The sentence; a fact that is missing outside double brackets becomes `?`."""

    def passage(match: re.Match[str]) -> str:
        named = (facts.get(name) for name, _ in _FACT.findall(match[1]))
        return match[1] if all(fact not in _NOTHING for fact in named) else ""

    def fact(match: re.Match[str]) -> str:
        name, is_term = match[1], match[2]
        return worded(facts[name], words if is_term else str) if name in facts else _MISSING

    return _FACT.sub(fact, _OPTIONAL.sub(passage, template))


def worded(value: object, words: Words = str) -> str:
    """A fact in words: lists are enumerated, objects by their values, long ones cut short."""
    if isinstance(value, bool):
        text = str(value).lower()
    elif isinstance(value, list | tuple):
        text = ", ".join(worded(element, words) for element in value)
    elif isinstance(value, Mapping):
        text = " ".join(_named(worded(member), words) for member in value.values())
    else:
        text = words(str(value))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _named(name: str, words: Words) -> str:
    """An id as it is, though it may spell a word of the rules; no id spells a reserved one."""
    return words(name) if name in RESERVED_IDS else name
