"""The AsyncAPI document as a page: the streams, their records, and the types they are made of.

What a rulebook adds to a record (its own state and effects) is left to the document: the page shows
the first rulebook's form of such a record, and each type of its own only where all share it.
"""

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

_REF: Final = "#/components/schemas/"
_CODE: Final = re.compile(r"`([^`]+)`")

_PAGE: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
<title>{title}</title>
<main>
<h1>{title}</h1>
<nav>{contents}</nav>
{sections}
</main>
</html>
"""

Node = Mapping[str, Any]


def streams_page(document: Node) -> str:
    """The page of an AsyncAPI document."""
    schemas: Node = document["components"]["schemas"]
    messages: Node = document["components"]["messages"]
    records = {name: _record(schemas, message) for name, message in messages.items()}
    rulebooks = tuple(sorted({*_rulebooks(schemas, messages)}))
    shared = dict(_shared(schemas, records, rulebooks))
    sections = [
        _paragraphs(document["info"]["description"]),
        *(_channel(name, channel) for name, channel in document["channels"].items()),
        *(
            _type(f"record-{name}", name, messages[name].get("summary", ""), schema, shared)
            for name, schema in records.items()
        ),
        *(_type(f"type-{name}", name, "", schema, shared) for name, schema in shared.items()),
    ]
    contents = [f'<a href="#stream-{name}">{escape(name)}</a>' for name in document["channels"]]
    contents += [f'<a href="#record-{name}"><code>{escape(name)}</code></a>' for name in records]
    return _PAGE.format(
        title=escape(document["info"]["title"]),
        contents=" · ".join(contents),
        sections="\n".join(sections),
    )


def _record(schemas: Node, message: Node) -> Node:
    """The schema of a message; of one that has a form for each rulebook, the first."""
    schema: Node = schemas[_name(message["payload"])]
    return schemas[_name(schema["oneOf"][0])] if "oneOf" in schema else schema


def _rulebooks(schemas: Node, messages: Node) -> Iterator[str]:
    """What the names of types begin with that are a rulebook's own."""
    for message in messages.values():
        name = _name(message["payload"])
        for form in schemas[name].get("oneOf", ()):
            yield _name(form).removesuffix(name)


def _shared(
    schemas: Node, records: Mapping[str, Node], rulebooks: tuple[str, ...]
) -> Iterator[tuple[str, Node]]:
    """The types that are named in records and in one another, but for those of rulebooks."""
    seen: set[str] = set()
    waiting = [name for record in records.values() for name in _named_in(record)]
    while waiting:
        name = waiting.pop(0)
        schema = schemas[name]
        if name in seen or "properties" not in schema or name.startswith(rulebooks):
            continue
        seen.add(name)
        waiting += _named_in(schema)
        yield name, schema


def _named_in(schema: Node) -> list[str]:
    return [name for field in schema["properties"].values() for name in _names(field)]


def _names(schema: Node) -> list[str]:
    """The types that the schema of a field names."""
    if "$ref" in schema:
        return [_name(schema)]
    inner = [*schema.get("oneOf", ()), *schema.get("anyOf", ())]
    inner += [schema["items"]] if isinstance(schema.get("items"), dict) else []
    return [name for each in inner for name in _names(each)]


def _name(reference: Node) -> str:
    return str(reference["$ref"]).removeprefix(_REF)


def _channel(name: str, channel: Node) -> str:
    records = ", ".join(
        f'<a href="#record-{each}"><code>{escape(each)}</code></a>' for each in channel["messages"]
    )
    return (
        f'<section id="stream-{name}"><h2>{escape(channel["title"])}</h2>'
        f"<p><code>{escape(channel['address'])}</code>: {records}</p>"
        f"{_paragraphs(channel['description'])}</section>"
    )


def _type(anchor: str, name: str, summary: str, schema: Node, shared: Node) -> str:
    required = schema.get("required", ())
    rows = "\n".join(
        f"<tr><td><code>{escape(field)}</code>"
        f"{'' if field in required else '<div class=faint>may be absent</div>'}</td>"
        f"<td>{_kind(value, shared)}</td><td>{_marked(value.get('description', ''))}</td></tr>"
        for field, value in schema["properties"].items()
    )
    told = " ".join(filter(None, (summary, schema.get("description", ""))))
    return (
        f'<section id="{anchor}"><h2><code>{escape(name)}</code></h2>'
        f"{_paragraphs(told)}<table>\n{rows}\n</table></section>"
    )


def _kind(schema: Node, shared: Node) -> str:
    """What a field is, in a word or two."""
    if "$ref" in schema:
        name = _name(schema)
        shown = f"<code>{escape(name)}</code>"
        return f'<a href="#type-{name}">{shown}</a>' if name in shared else shown
    if "const" in schema:
        return f"<code>{escape(str(schema['const']))}</code>"
    if "enum" in schema:
        return " | ".join(f"<code>{escape(str(each))}</code>" for each in schema["enum"])
    union = schema.get("oneOf") or schema.get("anyOf")
    if union:
        return " | ".join(dict.fromkeys(_kind(each, shared) for each in union))
    if isinstance(schema.get("items"), dict):
        return f"list of {_kind(schema['items'], shared)}"
    return escape(str(schema.get("type", "anything")))


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{_marked(each)}</p>" for each in text.split("\n\n") if each)


def _marked(text: str) -> str:
    return _CODE.sub(r"<code>\1</code>", escape(text))
