"""The form of what a line of an event keeps as bytes: its body, and the bodies of its parts.

How this works. The schema of a line (`/docs/bundle-line.schema.json`) is told here as types, which
are decoded and thrown away: what a ruleset says of actions and effects is not looked into. Only
where something does not fit its form is the value looked at: what canonical JSON cannot hold at
all is for the auditor to find, with its place.
"""

import json
import re
from collections.abc import Iterable
from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from service.engine.dice.dice import MAX_SIDES
from service.engine.log import canonical
from service.engine.log.canonical import MAX_INTEGER
from service.engine.visibility.streams import GM_STREAM, PUBLIC_STREAM
from service.engine.vocabulary.patterns import whole
from service.engine.vocabulary.values import Digest, Seq, SideId
from service.replay.bundle.format import BundleBlob, BundleEvent
from service.replay.report.differences import UNREADABLE

_HALF_PAIR: Final = re.compile("[\ud800-\udfff]")
_ESCAPED_HALF: Final = re.compile(rb"\\u[dD][89a-fA-F]")

Flaw = Literal["unreadable", "not_canonical", "canonical"]
"""`unreadable`: half of a surrogate pair. `not_canonical`: another writing would mend it.
`canonical`: canonical JSON cannot hold the value."""

_Step = (
    Annotated[str, Meta(pattern=whole("[a-z0-9_]+"))] | Annotated[int, Meta(ge=0, le=MAX_INTEGER)]
)
_Path = Annotated[list[_Step], Meta(min_length=1)]


class _Tagged(Struct):
    type: str


class _By(Struct):
    kind: Literal["key", "seat", "system"]
    id: str
    role: Literal["gm", "player", "observer"]
    seat: str | UnsetType = UNSET
    via: str | UnsetType = UNSET


class DrawForm(Struct):
    """A draw as any log may have it; further members are left out."""

    stream: Annotated[int, Meta(ge=PUBLIC_STREAM, le=GM_STREAM)]
    number: Annotated[int, Meta(ge=1)]
    sides: Annotated[int, Meta(ge=1, le=MAX_SIDES)]
    face: Annotated[int, Meta(ge=1, le=MAX_SIDES)]
    purpose: str
    combatant: str | UnsetType = UNSET


class _Body(Struct, forbid_unknown_fields=True):
    seq: Seq
    base: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    encounter: Annotated[str, Meta(max_length=64)]
    at: str
    by: _By
    draws: list[DrawForm]
    effects: list[_Tagged]
    sealed: Digest
    prev: Digest
    action: _Tagged | UnsetType = UNSET


class _Content(Struct, forbid_unknown_fields=True):
    entries: list[tuple[_Path, Raw]]
    orders: Annotated[list[tuple[_Path, list[SideId]]], Meta(min_length=1)] | UnsetType = UNSET


_BODY: Final = msgspec.json.Decoder(_Body)
_CONTENT: Final = msgspec.json.Decoder(_Content)
_EMPTY: Final = b'{"entries":[]}'


def has_form(event: BundleEvent) -> bool:
    """Whether a line of an event has the form of one, or a body that canonical JSON cannot hold.

    That goes before a field of the body that is unknown or of another form.
    """
    return all(
        _is_content(bytes(part.body)) for part in event.parts if part.body is not UNSET
    ) and (_fits(_BODY, bytes(event.event)) or flaw_in(bytes(event.event)) == "canonical")


def _is_content(body: bytes) -> bool:
    return body == _EMPTY or _fits(_CONTENT, body)


def _fits(
    decoder: msgspec.json.Decoder[_Body] | msgspec.json.Decoder[_Content], text: bytes
) -> bool:
    try:
        decoder.decode(text)
    except UNREADABLE:
        return False
    return True


def has_half_pair(line: bytes) -> bool:
    """Whether a line that is JSON has half of a surrogate pair in some string."""
    if _ESCAPED_HALF.search(line) is None:
        return False
    # Read by the standard library, which joins the pairs that are whole.
    return _HALF_PAIR.search(json.dumps(json.loads(line), ensure_ascii=False)) is not None


def with_last_members(line: bytes) -> bytes | None:
    """A line in another writing, in which of each repeated key the last is left.

    None where no key does, or the line is no JSON.
    """
    repeated = False

    def latest(members: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal repeated
        tree = dict(members)
        repeated |= len(tree) < len(members)
        return tree

    try:
        value = json.loads(line, object_pairs_hook=latest)
    except (ValueError, RecursionError):
        return None
    return json.dumps(value).encode() + b"\n" if repeated else None


def flaw_in(text: bytes) -> Flaw | None:
    """Why some JSON, nested no deeper than a line may be, is not canonical."""
    if has_half_pair(text):
        return "unreadable"
    value = json.loads(text, parse_float=_number, parse_int=_number)
    try:
        canonical.check(value)
    except canonical.NotCanonical:
        return "canonical"
    return None if canonical.encode(value) == text else "not_canonical"


def _number(text: str) -> int | float:
    """A number that another writing would mend, such as 1.0, is the whole one."""
    value = float(text)
    return int(value) if value.is_integer() else value


def flaw_of(line: BundleBlob | BundleEvent) -> Flaw | None:
    """The first of the flaws that what a line keeps as bytes has."""
    kept: Iterable[Raw | UnsetType] = (
        [line.body]
        if isinstance(line, BundleBlob)
        else [
            line.event,
            *(part.body for part in line.parts),
        ]
    )
    flaws = {flaw_in(bytes(body)) for body in kept if body is not UNSET}
    order: tuple[Flaw, ...] = ("unreadable", "canonical", "not_canonical")
    return next((each for each in order if each in flaws), None)
