"""Templates of sentences, filled with the facts of an effect as its reader sees it.

How this works. `{path}` stands for a fact of the effect, `{path:form}` for one in a certain form;
a path such as `detail.roll` leads into objects. A passage in [[double brackets]] is left out where
a fact in it is missing; of [[one||another]] the first is told of which all is there. With
`<<path, ...>>` the passage is told of every element of a list, with that separator (`,` or `;`).
A template in which a fact is missing outside brackets tells nothing. Facts of an unexpected shape,
in a log that somebody forged, are as good as missing: nothing here fails.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final, TypeGuard

from msgspec import Struct

from service.engine.narration.names import LONGEST_NAME, Names
from service.engine.narration.plain_text import in_one_line
from service.engine.vocabulary.catalogue import Language

JsonObject = Mapping[str, object]
"""An object of JSON."""

MOST_ELEMENTS: Final = 24
"""Elements of a list that are told one by one."""

GATHERED: Final = "effects"
"""The list of effects that one sentence tells together: each of them is told."""

LONGEST_WORD: Final = 80
_MILLION: Final = 1_000_000
LONGEST_TEXT: Final = 400


class Voice(Struct, frozen=True):
    """The words of a language and the names of those who are told of."""

    words: Callable[[str], str]
    causes: Callable[[str], str]
    roles: Callable[[str], str]
    names: Names
    language: Language
    length: int = 1
    """Units of coordinates in the length that places are told in."""


Passage = Callable[[Voice, JsonObject], str | None]
"""A part of a sentence; None where a fact is missing."""

Form = Callable[[Voice, object, JsonObject, str], str | None]
"""A fact in words; the object that holds it says more, such as whose item it is, and its name there
what kind of thing it is."""

_TOKEN: Final = re.compile(r"(\[\[|\]\]|\|\||>>|<<[a-z_.]+[,;] |\{[a-z_.]+(?::[a-z]+)?\})")


@lru_cache(maxsize=4096)
def compiled(template: str) -> Passage:
    """The template as a function. Raises ValueError if it is none."""
    tokens = iter(_TOKEN.split(template))
    [passage] = _alternatives(tokens, "")
    return passage


def fact_at(facts: JsonObject, path: str) -> object:
    """The fact at a path; None where there is none."""
    value, _ = _found(facts, tuple(path.split(".")))
    return value


def _alternatives(tokens: Iterator[str], closing: str) -> list[Passage]:
    """The passages up to what closes them, one for each of the alternatives."""
    found: list[Passage] = []
    parts: list[Passage] = []
    for token in tokens:
        if token == closing and closing:
            break
        if token == "||":  # noqa: S105 - no password
            found.append(_sequence(tuple(parts)))
            parts = []
        elif token == "[[":  # noqa: S105 - no password
            parts.append(_optional(_alternatives(tokens, "]]")))
        elif token.startswith("<<"):
            [element] = _alternatives(tokens, ">>")
            parts.append(_repeated(token[2:-2], token[-2:], element))
        elif token in {"]]", ">>"}:
            raise ValueError(f"{token} closes nothing")
        elif token.startswith("{"):
            parts.append(_fact(token[1:-1]))
        elif token:
            parts.append(_literal(token))
    else:
        if closing:
            raise ValueError(f"{closing} is missing")
    return [*found, _sequence(tuple(parts))]


def _literal(text: str) -> Passage:
    return lambda _voice, _facts: text


def _sequence(parts: tuple[Passage, ...]) -> Passage:
    def passage(voice: Voice, facts: JsonObject) -> str | None:
        told = ""
        for part in parts:
            text = part(voice, facts)
            if text is None:
                return None
            told += text
        return told

    return passage


def _optional(alternatives: list[Passage]) -> Passage:
    def passage(voice: Voice, facts: JsonObject) -> str:
        for alternative in alternatives:
            text = alternative(voice, facts)
            if text is not None:
                return text
        return ""

    return passage


def _repeated(path: str, separator: str, element: Passage) -> Passage:
    steps = tuple(path.split("."))

    def passage(voice: Voice, facts: JsonObject) -> str | None:
        elements, _ = _found(facts, steps)
        if not isinstance(elements, list):
            return None
        most = len(elements) if path == GATHERED else MOST_ELEMENTS
        told = [
            text
            for each in elements[:most]
            if isinstance(each, dict) and (text := element(voice, each))
        ]
        if len(elements) > most:
            told.append(f"… (+{len(elements) - most})")
        return separator.join(told) or None

    return passage


def _fact(placeholder: str) -> Passage:
    path, _, form_name = placeholder.partition(":")
    if form_name not in FORMS:
        raise ValueError(f"no form {form_name}")
    form, steps = FORMS[form_name], tuple(path.split("."))

    def passage(voice: Voice, facts: JsonObject) -> str | None:
        value, holder = _found(facts, steps)
        return None if value is None else form(voice, value, holder, steps[-1])

    return passage


def _found(facts: JsonObject, steps: tuple[str, ...]) -> tuple[object, JsonObject]:
    """The value at a path and the object that holds it."""
    holder, value = facts, facts.get(steps[0])
    for step in steps[1:]:
        if not isinstance(value, dict):
            return None, holder
        holder, value = value, value.get(step)
    return value, holder


# --- forms ----------------------------------------------------------------------------------------


def _listed(value: object, one: Callable[[str], str]) -> str | None:
    """A word, or words one after another."""
    if isinstance(value, str):
        return one(value)
    if isinstance(value, list):
        told = [one(each) for each in value[:MOST_ELEMENTS] if isinstance(each, str)]
        return ", ".join(told) or None
    return None


def _shown(_voice: Voice, value: object, _holder: JsonObject, _field: str) -> str | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return number_of(value)
    if isinstance(value, list) and all(_is_number(each) for each in value):
        return ", ".join(map(number_of, value[:MOST_ELEMENTS])) or None
    return _listed(value, lambda text: in_one_line(text, LONGEST_WORD))


def _term(voice: Voice, value: object, _holder: JsonObject, _field: str) -> str | None:
    return _listed(value, voice.words)


def _cause(voice: Voice, value: object, _holder: JsonObject, _field: str) -> str | None:
    return _listed(value, voice.causes)


def _role(voice: Voice, value: object, _holder: JsonObject, _field: str) -> str | None:
    return _listed(value, voice.roles)


def _name(voice: Voice, value: object, _holder: JsonObject, _field: str) -> str | None:
    return _listed(value, voice.names.called)


def _side(voice: Voice, value: object, _holder: JsonObject, _field: str) -> str | None:
    return _listed(value, voice.names.side)


def _seat(voice: Voice, value: object, _holder: JsonObject, _field: str) -> str | None:
    return _listed(value, voice.names.seat)


def _item(voice: Voice, value: object, holder: JsonObject, field: str) -> str | None:
    bearer = bearer_in(holder, field)
    return _listed(value, lambda item: voice.names.item(bearer, field, item, voice.language))


def _thing(voice: Voice, value: object, holder: JsonObject, field: str) -> str | None:
    """A thing by its name; what has its own `id` in the field may have its own name beside it."""
    own = holder.get("name") if field == "id" else None
    if isinstance(own, str) and (name := in_one_line(own, LONGEST_NAME)):
        return name
    return _listed(value, lambda one: voice.names.thing(field, one, voice.language))


def _sign(_voice: Voice, value: object, _holder: JsonObject, _field: str) -> str | None:
    """A character with its code point, by which look-alikes are told apart."""
    if not isinstance(value, str) or len(value) != 1:
        return None
    return f"{in_one_line(value, LONGEST_WORD)} (U+{ord(value):04X})"


def _text(_voice: Voice, value: object, _holder: JsonObject, _field: str) -> str | None:
    return in_one_line(value, LONGEST_TEXT) or None if isinstance(value, str) else None


def _place(voice: Voice, value: object, _holder: JsonObject, _field: str) -> str | None:
    return place_of(value, voice.length)


def _dice(voice: Voice, value: object, _holder: JsonObject, _field: str) -> str | None:
    """Faces, and their sum where it is not the only face."""
    faces = value.get("faces") if isinstance(value, dict) else None
    if not isinstance(faces, list) or not all(map(_is_number, faces)) or not faces:
        return None
    told = " ".join(map(number_of, faces[:MOST_ELEMENTS]))
    total = value.get("total") if isinstance(value, dict) else None
    if total == 0:
        return f"{told} ({voice.words('uncounted')})"
    return told if [total] == faces or not _is_number(total) else f"{told} = {total}"


def _total(_voice: Voice, value: object, _holder: JsonObject, _field: str) -> str | None:
    total = value.get("total") if isinstance(value, dict) else None
    return number_of(total) if _is_number(total) else None


def _signed(_voice: Voice, value: object, _holder: JsonObject, _field: str) -> str | None:
    return f"{value:+d}" if _is_number(value) else None


def _count(_voice: Voice, value: object, _holder: JsonObject, _field: str) -> str | None:
    return str(len(value)) if isinstance(value, list) else None


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def bearer_in(holder: JsonObject, field: str) -> object:
    """Whose the item in this field is: of whoever attacks, of whom it is taken from, or uses it."""
    own = holder.get("combatant")
    return holder.get("attacker", holder.get("target", own) if field == "item" else own)


def number_of(value: object) -> str:
    """A number in digits."""
    return f"{value}"[:LONGEST_WORD]


def place_of(value: object, length: int) -> str | None:
    """A place by its coordinates, and its height if it has one; None if it is none.

    Coordinates are told in the `length` that has so many of their units.
    """
    if not isinstance(value, dict):
        return None
    x, y, height = value.get("x"), value.get("y"), value.get("elevation")
    if not (_is_number(x) and _is_number(y)):
        return None
    above = f", ↑{number_of(height)}" if _is_number(height) and height else ""
    return f"({length_of(x, length)}, {length_of(y, length)}{above})"


def length_of(value: int, length: int) -> str:
    """A number of units in the length that has so many of them, to a millionth of it."""
    if length == 1:
        return number_of(value)
    millionths = (2 * _MILLION * value + length) // (2 * length)
    whole, rest = divmod(abs(millionths), _MILLION)
    sign = "-" if millionths < 0 else ""
    decimals = f".{rest:06d}".rstrip("0").rstrip(".")
    return f"{sign}{number_of(whole)}{decimals}"


FORMS: Final[Mapping[str, Form]] = {
    "": _shown,
    "cause": _cause,
    "count": _count,
    "dice": _dice,
    "item": _item,
    "name": _name,
    "place": _place,
    "role": _role,
    "seat": _seat,
    "side": _side,
    "sign": _sign,
    "signed": _signed,
    "term": _term,
    "text": _text,
    "thing": _thing,
    "total": _total,
}
"""How a fact may be told, by the word behind its colon."""
