"""Query parameters: declared once, read strictly, published in the OpenAPI document.

A parameter that is unknown, repeated or out of bounds is refused by name: a slip such as
`affter=` would otherwise silently answer another question.
"""

import re
from typing import Final
from urllib.parse import parse_qsl

from msgspec import Struct

from service.errors import Malformed

_INTEGER: Final = re.compile(r"0|-?[1-9][0-9]*")
_LONGEST_INTEGER: Final = 16
_SHOWN: Final = 40


class Whole(Struct, frozen=True, kw_only=True):
    """A whole number from `least` to `most`; absent it is `default` (None: nothing asked)."""

    name: str
    says: str
    least: int
    most: int
    default: int | None = None

    def read(self, text: str) -> int:
        """The number. Raises Malformed."""
        is_whole = _INTEGER.fullmatch(text) is not None
        if is_whole and len(text) <= _LONGEST_INTEGER and self.least <= int(text) <= self.most:
            return int(text)
        raise Malformed(
            path=f"query.{self.name}",
            why="out_of_bounds" if is_whole else "not_whole",
            value=text[:_SHOWN],
            least=self.least,
            most=self.most,
        )


class Text(Struct, frozen=True, kw_only=True):
    """A short text that matches `pattern` whole; `form` says what that means."""

    name: str
    says: str
    pattern: str
    form: str
    is_required: bool = False

    def read(self, text: str) -> str:
        """The text. Raises Malformed."""
        if re.fullmatch(self.pattern, text):
            return text
        raise Malformed(
            path=f"query.{self.name}", why="wrong_form", value=text[:_SHOWN], allowed=self.form
        )


Parameter = Whole | Text


class Query:
    """The parameters of one request, read against those declared for its route."""

    def __init__(self, query_string: bytes, declared: tuple[Parameter, ...]) -> None:
        """Read all of them. Raises Malformed for the first that cannot be taken."""
        self._values: dict[str, int | str] = {}
        parameters = {parameter.name: parameter for parameter in declared}
        for name, text in _pairs(query_string) if query_string else ():
            parameter = parameters.get(name)
            if parameter is None:
                raise Malformed(
                    path=f"query.{name[:_SHOWN]}", why="unknown_parameter", allowed=list(parameters)
                )
            if name in self._values:
                raise Malformed(path=f"query.{name}", why="repeated_parameter")
            self._values[name] = parameter.read(text)
        for parameter in declared:
            if isinstance(parameter, Text) and parameter.is_required:
                self._require(parameter)

    def whole(self, parameter: Whole) -> int:
        """The number asked for, or the parameter's default."""
        value = self._values.get(parameter.name, parameter.default)
        return value if isinstance(value, int) else 0

    def whole_or_none(self, parameter: Whole) -> int | None:
        """The number asked for, None if none was."""
        value = self._values.get(parameter.name, parameter.default)
        return value if isinstance(value, int) else None

    def text(self, parameter: Text) -> str:
        """The text of a required parameter."""
        return str(self._values[parameter.name])

    def text_or_none(self, parameter: Text) -> str | None:
        """The text asked for, None if none was."""
        value = self._values.get(parameter.name)
        return value if isinstance(value, str) else None

    def one_text(self, *parameters: Text) -> tuple[Text, str] | None:
        """The one of these that was asked, with its text; None if none was.

        Raises Malformed for a second one.
        """
        stated = [each for each in parameters if each.name in self._values]
        for other in stated[1:]:
            raise Malformed(
                path=f"query.{other.name}", why="excluded_parameter", other=stated[0].name
            )
        return (stated[0], self.text(stated[0])) if stated else None

    @property
    def words(self) -> dict[str, str]:
        """All that was asked, by name, as words."""
        return {name: str(value) for name, value in self._values.items()}

    def _require(self, parameter: Text) -> None:
        if parameter.name not in self._values:
            raise Malformed(
                path=f"query.{parameter.name}", why="missing_parameter", allowed=parameter.form
            )


def _pairs(query_string: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(
            query_string.decode("ascii"),
            keep_blank_values=True,
            encoding="utf-8",
            errors="strict",
        )
    except ValueError:
        raise Malformed(path="query", why="encoding") from None
