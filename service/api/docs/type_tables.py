"""Published types as tables of a page: what each field is and means.

How this works. A type is shown from its schema in the published documents. Types of the same page
have anchors, which the kinds of fields lead to; of what a rulebook calls its own the rulebook is
left out of the name.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from html import escape
from typing import Any, Final

from service.api.docs.translations import Translator
from service.engine.vocabulary.catalogue import Language

REF: Final = "#/components/schemas/"
_CODE: Final = re.compile(r"`([^`]+)`")

Node = Mapping[str, Any]

_MAY_BE_ABSENT: Final[Mapping[Language, str]] = {"en": "may be absent", "ru": "может не быть"}
_LIST_OF: Final[Mapping[Language, str]] = {"en": "list of {}", "ru": "список: {}"}

_PLAIN_IN_RUSSIAN: Final[Mapping[str, str]] = {
    "anything": "что угодно",
    "array": "список",
    "boolean": "да или нет",
    "integer": "целое число",
    "object": "объект",
    "string": "строка",
}


class TypeTables:
    """Tables of types; `linked` are those with an anchor on the page.

    `own` are what the names of types begin with that are a rulebook's.
    """

    def __init__(self, linked: Collection[str], say: Translator, own: Collection[str] = ()) -> None:
        self._linked = linked
        self._say = say
        self._own = tuple(own)

    def section(self, anchor: str, name: str, summary: str, schema: Node) -> str:
        """A type with what it is for and all its fields."""
        told = " ".join(filter(None, map(self._say, (summary, schema.get("description", "")))))
        return (
            f'<section id="{anchor}"><h2><code>{escape(name)}</code></h2>'
            f"<p>{marked(told)}</p>{self.table(self.rows(schema))}</section>"
        )

    def rows(self, schema: Node) -> Iterable[str]:
        """A row for each field of a type."""
        required = schema.get("required", ())
        for field, value in schema["properties"].items():
            yield self.row(field, value, is_required=field in required)

    def row(self, field: str, value: Node, *, is_required: bool, note: str = "") -> str:
        """The row of a field; `note` is below its name."""
        notes = [] if is_required else [_MAY_BE_ABSENT[self._say.language]]
        below = ", ".join((*notes, *filter(None, (note,))))
        meaning = marked(self._say(value.get("description", "")))
        return (
            f"<tr><td><code>{escape(field)}</code>"
            f"{f'<div class=faint>{below}</div>' if below else ''}</td>"
            f"<td>{self.kind(value)}</td><td>{meaning}</td></tr>"
        )

    def table(self, rows: Iterable[str]) -> str:
        """Rows as a table."""
        lines = "\n".join(rows)
        return f"<table>\n{lines}\n</table>"

    def kind(self, schema: Node) -> str:
        """What a field is, in a word or two."""
        if "$ref" in schema:
            name = name_of(schema)
            shown = f"<code>{escape(self._short(name))}</code>"
            return f'<a href="#type-{name}">{shown}</a>' if name in self._linked else shown
        if "const" in schema:
            return f"<code>{escape(str(schema['const']))}</code>"
        if "enum" in schema:
            return " | ".join(f"<code>{escape(str(each))}</code>" for each in schema["enum"])
        union = schema.get("oneOf") or schema.get("anyOf")
        if union:
            return " | ".join(dict.fromkeys(map(self.kind, union)))
        if isinstance(schema.get("items"), dict):
            return _LIST_OF[self._say.language].format(self.kind(schema["items"]))
        plain = str(schema.get("type", "anything"))
        return escape(_PLAIN_IN_RUSSIAN[plain] if self._say.language == "ru" else plain)

    def _short(self, name: str) -> str:
        return name.removeprefix(next((each for each in self._own if name.startswith(each)), ""))


def name_of(reference: Node) -> str:
    """The type that a reference names."""
    return str(reference["$ref"]).removeprefix(REF)


def named_in(schema: Node) -> list[str]:
    """The types that the fields of a type name."""
    return [name for field in schema["properties"].values() for name in _names(field)]


def _names(schema: Node) -> list[str]:
    """The types that the schema of a field names."""
    if "$ref" in schema:
        return [name_of(schema)]
    inner = [*schema.get("oneOf", ()), *schema.get("anyOf", ())]
    inner += [schema["items"]] if isinstance(schema.get("items"), dict) else []
    return [name for each in inner for name in _names(each)]


def reached_from(schemas: Node, records: Iterable[Node], own: tuple[str, ...]) -> dict[str, Node]:
    """The types that are named in records and in one another, but for those of rulebooks."""
    reached: dict[str, Node] = {}
    waiting = [name for record in records for name in named_in(record)]
    while waiting:
        name = waiting.pop(0)
        schema = schemas[name]
        if name not in reached and "properties" in schema and not name.startswith(own):
            reached[name] = schema
            waiting += named_in(schema)
    return reached


def paragraphs(text: str, say: Translator) -> str:
    """A text with empty lines between its paragraphs."""
    return "".join(f"<p>{marked(say(each))}</p>" for each in text.split("\n\n") if each)


def marked(text: str) -> str:
    """A text, with what is between backticks as code."""
    return _CODE.sub(r"<code>\1</code>", escape(text))
