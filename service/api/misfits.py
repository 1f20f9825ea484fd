"""Says in our own words, in both languages, why a value does not fit its type.

The decoder tells it in one English sentence; each kind of sentence it knows is taken apart here
into a word (`why`) and facts. One it does not know yet is passed on as it is.
"""

import re
from collections.abc import Mapping
from typing import Final

_FORMS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (why, re.compile(pattern))
    for why, pattern in (
        ("missing_field", r"Object missing required field `(?P<field>.*)`"),
        ("unknown_field", r"Object contains unknown field `(?P<field>.*)`"),
        ("unknown_value", r"Invalid (?:enum )?value '?(?P<value>.*?)'?"),
        ("too_small", r"Expected `(?P<expected>.*)` >= (?P<least>-?[0-9]+)"),
        ("too_big", r"Expected `(?P<expected>.*)` <= (?P<most>-?[0-9]+)"),
        ("too_short", r"Expected `(?P<expected>.*)` of (?:at least )?length >= (?P<least>[0-9]+)"),
        ("too_long", r"Expected `(?P<expected>.*)` of (?:at most )?length <= (?P<most>[0-9]+)"),
        ("wrong_length", r"Expected `(?P<expected>.*)` of length (?P<least>[0-9]+), got [0-9]+"),
        ("wrong_form", r"Expected `str` matching regex '(?P<allowed>.*)'"),
        ("wrong_type", r"Expected `(?P<expected>.*)`, got `(?P<got>.*)`"),
    )
)


def taken_apart(said: str) -> Mapping[str, object] | None:
    """`why` and the facts of a decoder's sentence; None for one of another kind."""
    for why, pattern in _FORMS:
        found = pattern.fullmatch(said)
        if found:
            facts: dict[str, object] = {
                name: int(value) if name in {"least", "most"} else value
                for name, value in found.groupdict().items()
            }
            return {"why": why, **facts}
    return None
