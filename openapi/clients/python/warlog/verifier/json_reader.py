"""JSON as any text may have it, read without regard to how deeply it nests.

How this works. The reader of the standard library reads what nests as deeply as Python's stack is
high; what is deeper is read once more with a separate stack. Numbers are what double precision
makes of them: whole numbers within 2^53 - 1 are int, all others float.
"""

import json
import re
from typing import Any, Final

GREATEST: Final = 2**53 - 1
_SPACE: Final = re.compile(r"[ \t\n\r]*")
_STRING: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORDS: Final = {"true": True, "false": False, "null": None}


def parsed(text: str) -> Any:
    """The value of a text. Raises ValueError for what is no JSON."""
    try:
        return _DECODER.decode(text)
    except RecursionError:
        return DeepReader(text).value()


def _number(text: str) -> int | float:
    value = float(text)
    return int(value) if value.is_integer() and abs(value) <= GREATEST else value


def _refused(text: str) -> Any:
    raise ValueError(f"{text} is no JSON")


_DECODER: Final = json.JSONDecoder(parse_float=_number, parse_int=_number, parse_constant=_refused)


class DeepReader:
    """Reads a text with a stack of the containers that are open."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.top: list[Any] = []
        self.holders: list[Any] = [self.top]
        self.names = [""]
        self.is_fresh = False

    def value(self) -> Any:
        """All of it. Raises ValueError."""
        self._take()
        while self._goes_on():
            self._take()
        return self.top[0]

    def _take(self) -> None:
        """A scalar, or the opening of a container."""
        mark = self._mark()
        if mark not in ("[", "{"):
            self._put(self._scalar(mark))
            return
        self.at += 1
        inner: list[Any] | dict[str, Any] = [] if mark == "[" else {}
        self._put(inner)
        self.holders.append(inner)
        self.names.append("")
        self.is_fresh = True

    def _goes_on(self) -> bool:
        """Come to the next value; False behind the last."""
        while len(self.holders) > 1:
            holder, mark = self.holders[-1], self._mark()
            is_fresh, self.is_fresh = self.is_fresh, False
            if mark == ("]" if isinstance(holder, list) else "}"):
                self.at += 1
                self.holders.pop()
                self.names.pop()
                continue
            if not is_fresh:
                self._require(mark, ",")
            if isinstance(holder, dict):
                self._name()
            return True
        if self._mark():
            raise ValueError("there is more behind the value")
        return False

    def _mark(self) -> str:
        """The next character that is no space; none at the end."""
        found = _SPACE.match(self.text, self.at)
        self.at = self.at if found is None else found.end()
        return self.text[self.at : self.at + 1]

    def _require(self, mark: str, due: str) -> None:
        if mark != due:
            raise ValueError(f"{due} is expected")
        self.at += 1

    def _name(self) -> None:
        self._mark()
        self.names[-1] = self._string()
        self._require(self._mark(), ":")

    def _string(self) -> Any:
        found = _STRING.match(self.text, self.at)
        if found is None:
            raise ValueError("a string is expected")
        self.at = found.end()
        return _DECODER.decode(found[0])

    def _put(self, value: Any) -> None:
        holder = self.holders[-1]
        if isinstance(holder, list):
            holder.append(value)
        else:
            holder[self.names[-1]] = value

    def _scalar(self, mark: str) -> Any:
        if mark == '"':
            return self._string()
        for word, meaning in _WORDS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return meaning
        found = _NUMBER.match(self.text, self.at)
        if found is None:
            raise ValueError("a value is expected")
        self.at = found.end()
        return _number(found[0])
