"""The stored record of one accepted action: built, sealed into body and parts, and opened again."""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Annotated, Final, TypeVar, get_type_hints

import msgspec
from msgspec import UNSET, Struct

from service.engine import hashing
from service.engine.dice.dice import Draw
from service.engine.log import canonical, parts
from service.engine.visibility.audience import EVERYONE, EVERYONE_WORD
from service.engine.visibility.openness import is_open
from service.engine.visibility.projection import (
    Array,
    Element,
    Leaf,
    Member,
    Object,
    ProjectedNode,
    annotate,
    visible,
)
from service.engine.visibility.scope import GAME_MASTER, Scope, Viewer, audience_of
from service.engine.visibility.streams import PUBLIC_STREAM
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.effects import Effect
from service.engine.vocabulary.values import By

T = TypeVar("T")


class Event(Struct, frozen=True, kw_only=True):
    """One event as the GM sees it, hashes apart. Rulesets narrow `action` and `effects`."""

    seq: Annotated[int, EVERYONE]
    """Place of the event in the log, from 1."""
    base: Annotated[int, EVERYONE]
    """Seq whose rule state it continues: the event before, or the one that a rewind goes back to; 0
    for event 1."""
    encounter: Annotated[str, EVERYONE]
    """Id of the encounter."""
    at: Annotated[str, EVERYONE]
    """When it was decided, RFC 3339 in UTC with milliseconds; no rule reads it."""
    by: Annotated[By, EVERYONE]
    """Who asked for it."""
    action: Annotated[Action, EVERYONE]
    """What was asked for; absent where the caller may not know."""
    draws: Annotated[tuple[Draw, ...], EVERYONE]
    """Dice drawn for it, in the order of drawing, those left out that the caller may not know of.
    """
    effects: Annotated[tuple[Effect, ...], EVERYONE]
    """Facts that came of it, in order, those left out that the caller may not know of."""


SALT_BYTES: Final = 16
"""Of a salt."""


class SealedPart(Struct, frozen=True):
    """A part with what opens its commitment; `salt` has SALT_BYTES, `body` is canonical."""

    kind: parts.PartKind
    audience: str
    salt: bytes
    body: bytes


class SealedEvent(Struct, frozen=True):
    """What is stored: `hash` over `body` (hex), the commitments of all parts one after another, in
    their order, and the parts that say something.
    """

    seq: int
    base: int
    hash: str
    body: bytes
    commits: bytes
    parts: tuple[SealedPart, ...]


class Sealer(Struct, frozen=True):
    """The values sealing needs besides the event: the seal key and fresh salts for text.

    `text_salts` holds SALT_BYTES random bytes for each text part, one after another: everyone, the
    sides, the GM. An event that everyone may know all of has no text and needs none.
    """

    seal_key: bytes
    text_salts: bytes


def event_node(event: Event, scopes: tuple[Scope, ...]) -> Object:
    """The event with an audience on every node.

    `scopes[0]` holds before the event, `scopes[i]` before effect i.
    """
    before = scopes[0]
    action = _element(event.action, before)
    effects = Array(list(map(_element, event.effects, scopes)))
    return Object(
        [
            Member("action", action.audience, False, action.node),
            Member("draws", EVERYONE_WORD, False, _draws_node(event.draws, before)),
            Member("effects", EVERYONE_WORD, False, effects),
        ],
        {
            "seq": event.seq,
            "base": event.base,
            "encounter": event.encounter,
            "at": event.at,
            "by": event.by,
        },
    )


def _draws_node(draws: tuple[Draw, ...], scope: Scope) -> ProjectedNode:
    if _are_open(draws, scope):
        return Leaf(draws)
    return Array([_element(draw, scope) for draw in draws])


def _are_open(draws: tuple[Draw, ...], scope: Scope) -> bool:
    """Whether everyone may know of all these draws and for whom they were."""
    for draw in draws:
        if draw.stream != PUBLIC_STREAM:
            return False
        if draw.combatant not in scope.seen and draw.combatant is not UNSET:
            return False
    return True


def _element(value: Struct, scope: Scope) -> Element:
    """A value with its audiences; one that everyone may know all of needs none inside."""
    if is_open(value, scope):
        return Element(EVERYONE_WORD, Leaf(value))
    audience = audience_of(value, scope)
    return Element(audience, annotate(value, scope, audience))


def seal(layout: "Layout", prev: str, sealer: Sealer) -> SealedEvent:
    """Body, hash, parts and commitments of an event that follows `prev` (64 hex digits)."""
    event = layout.event
    filled, commits = _sealed_parts(layout, sealer)
    encoded = layout.encoded(Links(sealed=hashing.sealed(commits), prev=prev))
    return SealedEvent(
        seq=event.seq,
        base=event.base,
        hash=hashing.event_hash(encoded),
        body=encoded,
        commits=commits,
        parts=filled,
    )


class Links(Struct, frozen=True):
    """The two hashes that chain a body to its parts and to the event before it."""

    sealed: str
    prev: str


class _PublicBody(Struct, frozen=True):
    """A body of which nothing was left out."""

    seq: int
    base: int
    encounter: str
    at: str
    by: By
    action: Action
    draws: tuple[Draw, ...]
    effects: tuple[Effect, ...]
    sealed: str
    prev: str


def is_public(event: Event, scopes: tuple[Scope, ...]) -> bool:
    """Whether everyone may know all of the event, so that nothing of it leaves the body."""
    before = scopes[0]
    return (
        _are_open(event.draws, before)
        and is_open(event.action, before)
        and all(map(is_open, event.effects, scopes))
    )


def public_body(event: Event, links: Links) -> bytes:
    """Canonical bytes of an event of which nothing leaves the body."""
    return canonical.encode(
        _PublicBody(
            seq=event.seq,
            base=event.base,
            encounter=event.encounter,
            at=event.at,
            by=event.by,
            action=event.action,
            draws=event.draws,
            effects=event.effects,
            sealed=links.sealed,
            prev=links.prev,
        )
    )


def split_body(body: Mapping[str, object], links: Links) -> bytes:
    """Canonical bytes of a body from which something was left out."""
    return canonical.encode({**body, "sealed": links.sealed, "prev": links.prev})


class Layout(Struct, frozen=True):
    """An event as body and parts, without `sealed` and `prev`.

    `body` is None where everyone may know all of the event; `parts` stand in the order of
    `part_names`.
    """

    event: Event
    sides: tuple[str, ...]
    body: Mapping[str, object] | None
    parts: tuple[bytes, ...]

    @property
    def is_public(self) -> bool:
        """Whether everyone may know all of the event, so that no part says anything."""
        return self.body is None

    def encoded(self, links: Links) -> bytes:
        """The canonical bytes of the body, chained."""
        if self.body is None:
            return public_body(self.event, links)
        return split_body(self.body, links)


def lay_out(event: Event, scopes: tuple[Scope, ...]) -> Layout:
    """Body and parts of an event."""
    sides = scopes[0].sides
    if is_public(event, scopes):
        return Layout(event, sides, None, (parts.EMPTY_PART,) * len(parts.part_names(sides)))
    body, part_bytes = parts.split(event_node(event, scopes), sides)
    return Layout(event, sides, body, part_bytes)


def _sealed_parts(layout: Layout, sealer: Sealer) -> tuple[tuple[SealedPart, ...], bytes]:
    """The parts that say something, and the commitments of all.

    The salt is a fresh one for text that says something, else a derived one.
    """
    event, is_public = layout.event, layout.is_public
    salts = derived_salts(sealer.seal_key, event.encounter, event.seq, layout.sides)
    if is_public:
        return (), hashing.part_commits(salts, parts.EMPTY_PART)
    filled, commits = [], []
    for index, (kind, audience) in enumerate(parts.part_names(layout.sides)):
        salt, body = salts[index], layout.parts[index]
        if body != parts.EMPTY_PART:
            if kind == parts.TEXT:
                salt = sealer.text_salts[index * SALT_BYTES : (index + 1) * SALT_BYTES]
            filled.append(SealedPart(kind, audience, salt, body))
        commits.append(hashing.part_commit(salt, body))
    return tuple(filled), b"".join(commits)


def derived_salts(
    seal_key: bytes, encounter: str, seq: int, sides: tuple[str, ...]
) -> tuple[bytes, ...]:
    """The salts of all parts of an event, as far as they are derived, in their order."""
    return hashing.facts_salts(seal_key, encounter, seq, _labels(sides))


@lru_cache(maxsize=1024)
def _labels(sides: tuple[str, ...]) -> tuple[bytes, ...]:
    return tuple(_label(kind, audience).encode() for kind, audience in parts.part_names(sides))


def _label(kind: str, audience: str) -> str:
    return audience if kind == parts.FACTS else f"{kind}/{audience}"


def whole(
    body: bytes, filled: Mapping[parts.PartName, bytes], sides: tuple[str, ...]
) -> ProjectedNode:
    """The event with its audiences again, `sealed` and `prev` included: the inverse of `seal`.

    `known` maps (kind, audience) to part bytes, without empty or erased ones. With all facts
    parts at hand the tree is exact; text that is missing is simply absent.
    """
    return parts.join(msgspec.json.decode(body), open_parts(filled), sides)


def open_parts(filled: Mapping[parts.PartName, bytes]) -> dict[tuple[str, str], parts.Part]:
    """The parts that say something, read."""
    return {
        name: parts.PARTS.decode(part) for name, part in filled.items() if part != parts.EMPTY_PART
    }


def view_of_event(
    body: bytes, filled: Mapping[parts.PartName, bytes], sides: tuple[str, ...], viewer: Viewer
) -> bytes:
    """The event as canonical JSON, as a viewer may see it; `filled` are all parts there are."""
    tree = parts.LEVELS.decode(body)
    if parts.lay_over(tree, open_parts(filled), sides, viewer):
        return canonical.encode(tree)
    return canonical.encode(visible(whole(body, filled, sides), viewer))


class Request(Struct, frozen=True):
    """As much of an event as is taken over where it is decided again, without what came of it."""

    seq: int
    encounter: str
    at: str
    by: By
    action: Action
    draws: tuple[Draw, ...]


@cache
def request_decoder_of(kind: type[Event]) -> msgspec.json.Decoder[Request]:
    """The decoder of a ruleset's requests; made once."""
    return msgspec.json.Decoder(_narrowed(Request, kind, "action"))


class Facts(Struct, frozen=True):
    """As much of an event as says what happened: all that a fold reads of most."""

    seq: int
    effects: tuple[Effect, ...]


@cache
def facts_decoder_of(kind: type[Event]) -> msgspec.json.Decoder[Facts]:
    """The decoder of the facts alone of a ruleset's events; made once."""
    return msgspec.json.Decoder(_narrowed(Facts, kind, "effects"))


def _narrowed(some: type[Struct], kind: type[Event], field: str) -> type[Struct]:
    """Some fields of an event, one of them as a ruleset's events have it."""
    hints = get_type_hints(some, include_extras=True)
    hints[field] = get_type_hints(kind, include_extras=True)[field]
    return msgspec.defstruct(some.__name__, list(hints.items()), bases=(some,), frozen=True)


@cache
def decoder_of(kind: type[Event]) -> msgspec.json.Decoder[Event]:
    """The decoder of a ruleset's events; made once."""
    return msgspec.json.Decoder(kind)


def decode(
    decoder: msgspec.json.Decoder[T],
    body: bytes,
    filled: Mapping[parts.PartName, bytes],
    sides: tuple[str, ...],
) -> T:
    """The full event, or its facts, as its ruleset's type.

    Raises msgspec.ValidationError if it does not fit.
    """
    if not filled:
        return decoder.decode(body)
    return decoder.decode(view_of_event(body, filled, sides, GAME_MASTER))
