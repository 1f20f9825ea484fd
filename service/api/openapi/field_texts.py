"""What the fields of our types mean, for the document: the texts that stand below them.

How this works. A field's meaning is where a reader of the code looks for it, as a string below
the field:

    range_increment_ft: Annotated[Increment, EVERYONE]
    \"\"\"Feet per step of range, 1 and up (CF-RANGE-1).\"\"\"

The interpreter drops such strings, so they are read from the source, once, when a document is made.
A type that extends another has that one's texts, too, and may say better.
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache

import msgspec
from msgspec import Struct

from service.api.openapi.schemas import Schema


def described(kind: type[Struct], schema: Schema) -> Schema:
    """The schema of a type, each property with the text of its field unless it has one already."""
    properties = schema.get("properties")
    if not properties:
        return schema
    texts = texts_of(kind)
    return {
        **schema,
        "properties": {
            name: inner
            if "description" in inner or name not in texts
            else _with(inner, texts[name])
            for name, inner in properties.items()
        },
    }


def _with(schema: Schema, text: str) -> Schema:
    return {**schema, "description": text}


@cache
def texts_of(kind: type[Struct]) -> dict[str, str]:
    """Texts of fields by their names in JSON; the tag says what it is."""
    texts: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        if issubclass(each, Struct) and each is not Struct:
            texts |= _texts_in(each.__module__).get(each.__qualname__, {})
    encoded = {field.name: field.encode_name for field in msgspec.structs.fields(kind)}
    described = {encoded[name]: text for name, text in texts.items() if name in encoded}
    config = kind.__struct_config__
    if config.tag is not None:
        described[str(config.tag_field)] = f"What this is: always `{config.tag}`."
    return described


@cache
def _texts_in(module: str) -> dict[str, dict[str, str]]:
    """The texts below the fields of every class of a module, by class."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {
        node.name: dict(_texts_below(node))
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }


def _texts_below(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for statement, following in zip(node.body, node.body[1:], strict=False):
        if not isinstance(statement, ast.AnnAssign) or not isinstance(following, ast.Expr):
            continue
        name, text = statement.target, following.value
        if isinstance(name, ast.Name) and isinstance(text, ast.Constant):
            yield name.id, " ".join(str(text.value).split())
