"""How each type is treated when audiences are worked out: its marks, read once.

`audience.py` has the marks, `scope.py` and `projection.py` follow the plans.
"""

import types
import typing
from dataclasses import dataclass
from functools import cache
from typing import Annotated, ClassVar, Final, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct, UnsetType

from service.engine.visibility.audience import EVERYONE_WORD


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """How one field is treated: its mark, what it names, and where its side comes from.

    `is_simple`: its mark alone says who may know it, and nothing in it is marked. `is_kept`: the
    rules that judge a player's action read it whole, whatever that player is shown of it.
    """

    attribute: str
    name: str
    mark: str
    names: str
    of: str
    is_text: bool
    is_simple: bool
    is_kept: bool


@dataclass(frozen=True, slots=True)
class AudiencePlan:
    """How one type is treated: `base` is the audience of the type itself (GM-only actions).

    `named` are the subjects and the others it names; `is_narrowed` if more than these narrow it.
    `marks` are those of its simple fields.
    """

    fields: tuple[FieldPlan, ...]
    base: str
    subjects: tuple[str, ...]
    named: tuple[str, ...]
    is_narrowed: bool
    marks: tuple[str, ...]
    decisions: tuple[str, ...]
    own: str
    bearer: str
    bearers: str
    actors: str
    unit: str
    is_joint: bool
    secret: str
    counted: str
    stream: str
    draws: str
    tag_name: str
    tag: str


_NO_MARK: Final = "gm"

_NARROWING: Final = frozenset(
    {
        "decision",
        "own",
        "bearer",
        "bearers",
        "actors",
        "unit",
        "secret",
        "counted",
        "stream",
        "draws",
    }
)
"""What narrows an object besides the combatants it names."""

_REFERENCES: Final = frozenset({"subject", "other", "mention", "own", "unit", "unit_mention"})
"""What a field can be that holds the id of a combatant or of a unit."""

MENTIONS: Final = frozenset({"mention", "actors", "unit_mention"})
"""What narrows the field, or the elements, in which it stands."""


@cache
def plan_of(kind: type[Struct]) -> AudiencePlan:
    """The plan of a type, read from its annotations once."""
    hints = get_type_hints(kind, include_extras=True)
    renamed = {field.name: field.encode_name for field in msgspec.structs.fields(kind)}
    fields = tuple(
        _field_plan(attribute, encoded, hints[attribute]) for attribute, encoded in renamed.items()
    )
    config = kind.__struct_config__
    return AudiencePlan(
        fields=fields,
        base=getattr(kind, "AUDIENCE", EVERYONE_WORD),
        subjects=tuple(f.attribute for f in fields if f.names == "subject"),
        named=tuple(f.attribute for f in fields if f.names in ("subject", "other")),
        is_narrowed=any(f.names in _NARROWING for f in fields),
        marks=tuple(sorted({f.mark for f in fields if f.is_simple})),
        decisions=tuple(f.attribute for f in fields if f.names == "decision"),
        own=next((f.attribute for f in fields if f.names == "own"), ""),
        bearer=next((f.attribute for f in fields if f.names == "bearer"), ""),
        bearers=next((f.attribute for f in fields if f.names == "bearers"), ""),
        actors=next((f.attribute for f in fields if f.names == "actors"), ""),
        unit=next((f.attribute for f in fields if f.names == "unit"), ""),
        is_joint=any(f.names in ("actors", "unit") for f in fields),
        secret=next((f.attribute for f in fields if f.names == "secret"), ""),
        counted=next((f.attribute for f in fields if f.names == "counted"), ""),
        stream=next((f.attribute for f in fields if f.names == "stream"), ""),
        draws=next((f.attribute for f in fields if f.names == "draws"), ""),
        tag_name=config.tag_field or "",
        tag=str(config.tag or ""),
    )


def marks_of(hint: object) -> dict[str, object]:
    """All marks in an annotation by name, the outer one where two say the same."""
    marks: dict[str, object] = {}
    for extra in _marks(hint):
        marks.update(extra)
    return marks


def may_hold_struct(hint: object) -> bool:
    """Whether a value of this type can have a Struct (or raw JSON) in it, at any depth."""
    origin = get_origin(hint)
    if origin is Annotated:
        return may_hold_struct(get_args(hint)[0])
    if origin in {tuple, typing.Union, types.UnionType}:
        return any(may_hold_struct(inner) for inner in get_args(hint) if inner is not Ellipsis)
    if origin in {dict, Literal, ClassVar}:
        return False
    return not (isinstance(hint, type) and not issubclass(hint, Struct | msgspec.Raw))


def _field_plan(attribute: str, encoded: str, hint: object) -> FieldPlan:
    marks = marks_of(hint)
    names = str(marks.get("names", ""))
    if names and is_array(hint):
        names = {
            "subject": "mention",
            "other": "mention",
            "own": "mention",
            "bearer": "bearers",
        }.get(names, names)
    elif names in _REFERENCES:
        _require_alone(attribute, hint)
    return FieldPlan(
        attribute=attribute,
        name=encoded,
        mark=str(marks.get("audience", _NO_MARK)),
        names=names,
        of=str(marks.get("of", "")),
        is_text=bool(marks.get("text", False)),
        is_simple=not (
            names in MENTIONS or "of" in marks or "text" in marks or may_hold_struct(hint)
        ),
        is_kept=bool(marks.get("kept", False)),
    )


def _require_alone(attribute: str, hint: object) -> None:
    """A field that names a combatant holds nothing else: what is no id would be nobody's to know.

    Raises TypeError.
    """
    others = members(hint) - {str, UnsetType}
    if others:
        raise TypeError(f"{attribute} names a combatant or {others}: give each a field of its own")


def members(hint: object) -> set[object]:
    """The types that a type is one of, without what only bounds them."""
    origin = get_origin(hint)
    if origin is Annotated:
        return members(get_args(hint)[0])
    if origin in {typing.Union, types.UnionType}:
        return {inner for each in get_args(hint) for inner in members(each)}
    return {hint}


def _marks(hint: object) -> list[dict[str, object]]:
    """Every `extra` in an annotation, inner ones first; never looks inside another Struct."""
    marks: list[dict[str, object]] = []
    if get_origin(hint) is Annotated:
        inner, *metas = get_args(hint)
        marks += _marks(inner)
        marks += [m.extra for m in metas if isinstance(m, msgspec.Meta) and m.extra]
    elif get_origin(hint) is not ClassVar:
        for argument in get_args(hint):
            if argument is not Ellipsis:
                marks += _marks(argument)
    return marks


def is_array(hint: object) -> bool:
    """Whether a value of this type can be a tuple."""
    if get_origin(hint) is tuple:
        return True
    return get_origin(hint) in {Annotated, typing.Union, types.UnionType} and any(
        is_array(argument) for argument in get_args(hint)
    )
