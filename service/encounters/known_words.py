"""What would have been there: the words that a type knows at some place of a request.

How this works. The decoder says which field or word does not exist, and where; which there are
is in the types. So they are walked along the path, at every union by the tag that was sent.
"""

import re
from types import UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct, UnsetType

_STEP: Final = re.compile(r"\.([A-Za-z0-9_]+)|\[([0-9]+|\.\.\.)\]")


def known_at(kind: Any, tree: object, path: str, *, fields: bool) -> tuple[str, ...]:
    """The fields of the object at a path, or the words that may stand there; () if unknown.

    `path` begins with what is in the place of `$`; `tree` is what was sent for `kind`.
    """
    kinds, last = _members(kind), ""
    holders: tuple[Any, ...] = ()
    for name, index in _STEP.findall(path):
        holders, last = _sent(kinds, tree), name
        if name:
            kinds = _fields(holders, name)
            tree = tree.get(name) if isinstance(tree, dict) else None
        else:
            kinds = tuple(inner for each in kinds for inner in _elements(each))
            at = int(index) if index.isdigit() else 0
            tree = tree[at] if isinstance(tree, list) and at < len(tree) else None
    if fields:
        return _field_names(_sent(kinds, tree))
    words = tuple(w for each in kinds if get_origin(each) is Literal for w in get_args(each))
    return tuple(map(str, words)) or _tags(holders, last)


def _members(kind: Any) -> tuple[Any, ...]:
    """The types that a type is one of, without what only bounds them."""
    origin = get_origin(kind)
    if origin is Annotated:
        return _members(get_args(kind)[0])
    if origin in (Union, UnionType):
        return tuple(inner for each in get_args(kind) for inner in _members(each))
    return () if kind is UnsetType else (kind,)


def _structs(kinds: tuple[Any, ...]) -> tuple[type[Struct], ...]:
    return tuple(each for each in kinds if isinstance(each, type) and issubclass(each, Struct))


def _sent(kinds: tuple[Any, ...], tree: object) -> tuple[type[Struct], ...]:
    """Of several objects the one whose tag was sent; all of them if none was."""
    structs = _structs(kinds)
    sent = tree if isinstance(tree, dict) else {}
    tagged = tuple(
        each
        for each in structs
        if (own := each.__struct_config__).tag_field and sent.get(own.tag_field) == own.tag
    )
    return tagged or structs


def _fields(holders: tuple[type[Struct], ...], name: str) -> tuple[Any, ...]:
    kinds: list[Any] = []
    for holder in holders:
        hints = get_type_hints(holder, include_extras=True)
        for field in msgspec.structs.fields(holder):
            if field.encode_name == name:
                kinds += _members(hints[field.name])
    return tuple(kinds)


def _elements(kind: Any) -> tuple[Any, ...]:
    """What an array is made of."""
    return _members(get_args(kind)[0]) if get_origin(kind) in (tuple, list) else ()


def _field_names(holders: tuple[type[Struct], ...]) -> tuple[str, ...]:
    if len(holders) != 1:
        return ()
    tag = holders[0].__struct_config__.tag_field
    names = (field.encode_name for field in msgspec.structs.fields(holders[0]))
    return (*((tag,) if tag else ()), *names)


def _tags(holders: tuple[type[Struct], ...], name: str) -> tuple[str, ...]:
    return tuple(
        str(each.__struct_config__.tag)
        for each in holders
        if each.__struct_config__.tag_field == name
    )
