"""The AsyncAPI document as a page: the streams, their records, and the types they are made of.

What a rulebook adds to a record (its own state and effects) is left to the document: the page shows
the first rulebook's form of such a record, and each type of its own only where all share it.
"""

from collections.abc import Iterator
from html import escape
from typing import Final

from service.api.docs.translations import Translator
from service.api.docs.type_tables import Node, TypeTables, name_of, paragraphs, reached_from

_PAGE: Final = """<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
<script type="module" src="/docs/search.js"></script>
<title>{title}</title>
<main>
<h1>{title}</h1>
<nav>{contents}</nav>
{sections}
</main>
</html>
"""


def streams_page(document: Node, say: Translator) -> str:
    """The page of an AsyncAPI document, in the language of a translator."""
    schemas: Node = document["components"]["schemas"]
    messages: Node = document["components"]["messages"]
    records = {name: _record(schemas, message) for name, message in messages.items()}
    rulebooks = tuple(sorted({*_rulebooks(schemas, messages)}))
    shared = reached_from(schemas, records.values(), rulebooks)
    tables = TypeTables(shared, say)
    sections = [
        paragraphs(document["info"]["description"], say),
        *(_channel(name, channel, say) for name, channel in document["channels"].items()),
        *(
            tables.section(f"record-{name}", name, messages[name].get("summary", ""), schema)
            for name, schema in records.items()
        ),
        *(tables.section(f"type-{name}", name, "", schema) for name, schema in shared.items()),
    ]
    contents = [f'<a href="#stream-{name}">{escape(name)}</a>' for name in document["channels"]]
    contents += [f'<a href="#record-{name}"><code>{escape(name)}</code></a>' for name in records]
    return _PAGE.format(
        language=say.language,
        title=escape(say(document["info"]["title"])),
        contents=" · ".join(contents),
        sections="\n".join(sections),
    )


def _record(schemas: Node, message: Node) -> Node:
    """The schema of a message; of one that has a form for each rulebook, the first."""
    schema: Node = schemas[name_of(message["payload"])]
    return schemas[name_of(schema["oneOf"][0])] if "oneOf" in schema else schema


def _rulebooks(schemas: Node, messages: Node) -> Iterator[str]:
    """What the names of types begin with that are a rulebook's own."""
    for message in messages.values():
        name = name_of(message["payload"])
        for form in schemas[name].get("oneOf", ()):
            yield name_of(form).removesuffix(name)


def _channel(name: str, channel: Node, say: Translator) -> str:
    records = ", ".join(
        f'<a href="#record-{each}"><code>{escape(each)}</code></a>' for each in channel["messages"]
    )
    return (
        f'<section id="stream-{name}"><h2>{escape(say(channel["title"]))}</h2>'
        f"<p><code>{escape(channel['address'])}</code>: {records}</p>"
        f"{paragraphs(channel['description'], say)}</section>"
    )
