"""Turns a message's template and the facts of a problem into a sentence.

`{name}` stands for a fact; a passage in double square brackets is left out when a fact in it is
missing, so that one template serves where a fact is not always known.
"""

import re
from collections.abc import Mapping
from typing import Final

_FACT: Final = re.compile(r"\{([a-z_]+)\}")
_OPTIONAL: Final = re.compile(r"\[\[(.*?)\]\]")
_LONGEST: Final = 300
_MISSING: Final = "?"


def fill(template: str, facts: Mapping[str, object]) -> str:
    """The sentence; a fact that is missing outside double brackets is told as `?`."""

    def passage(match: re.Match[str]) -> str:
        return match[1] if all(name in facts for name in _FACT.findall(match[1])) else ""

    def fact(match: re.Match[str]) -> str:
        return told(facts[match[1]]) if match[1] in facts else _MISSING

    return _FACT.sub(fact, _OPTIONAL.sub(passage, template))


def told(value: object) -> str:
    """A fact in words: lists are enumerated, objects by their values, long ones cut short."""
    if isinstance(value, bool):
        text = str(value).lower()
    elif isinstance(value, list | tuple):
        text = ", ".join(told(element) for element in value)
    elif isinstance(value, Mapping):
        text = " ".join(told(member) for member in value.values())
    else:
        text = str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
