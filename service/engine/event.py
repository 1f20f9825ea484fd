"""The stored record of one accepted action: built, sealed into body and parts, and opened again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec import UNSET, Struct

from service.engine import canonical, hashing, parts
from service.engine.actions import Action
from service.engine.audience import EVERYONE
from service.engine.dice import Draw
from service.engine.effects import Effect
from service.engine.openness import hides_nothing, is_open
from service.engine.projection import (
    Array,
    Element,
    Leaf,
    Member,
    Node,
    Object,
    annotate,
    audience_of,
    visible,
)
from service.engine.scope import EVERYONE_WORD, GAME_MASTER, Scope, Viewer
from service.engine.vocabulary import By


class Event(Struct, frozen=True, kw_only=True):
    """One event as the GM sees it, hashes apart. Rulesets narrow `action` and `effects`."""

    seq: Annotated[int, EVERYONE]
    base: Annotated[int, EVERYONE]
    encounter: Annotated[str, EVERYONE]
    at: Annotated[str, EVERYONE]
    by: Annotated[By, EVERYONE]
    action: Annotated[Action, EVERYONE]
    draws: Annotated[tuple[Draw, ...], EVERYONE]
    effects: Annotated[tuple[Effect, ...], EVERYONE]


@dataclass(frozen=True, slots=True)
class SealedPart:
    """A part with what opens its commitment; `salt` is 16 bytes, `body` canonical bytes."""

    kind: parts.Kind
    audience: str
    salt: bytes
    body: bytes

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing, so that only its commitment need be kept."""
        return self.body == parts.EMPTY_PART


@dataclass(frozen=True, slots=True)
class SealedEvent:
    """What is stored: `hash` over `body` (hex), `commits` in part order (32 bytes each)."""

    seq: int
    base: int
    hash: str
    body: bytes
    commits: tuple[bytes, ...]
    parts: tuple[SealedPart, ...]


@dataclass(frozen=True, slots=True)
class Sealer:
    """The values sealing needs besides the event: the seal key and fresh salts for text.

    `text_salts` holds 16 random bytes for each text part: everyone, the sides, the GM.
    """

    seal_key: bytes
    text_salts: tuple[bytes, ...]


def event_node(event: Event, scopes: tuple[Scope, ...]) -> Node:
    """The event with an audience on every node.

    `scopes[0]` holds before the event, `scopes[i]` before effect i.
    """
    before = scopes[0]
    action_audience = audience_of(event.action, before)
    effects = []
    for effect, scope in zip(event.effects, scopes, strict=False):
        audience = audience_of(effect, scope)
        effects.append(Element(audience, annotate(effect, scope, audience)))
    action = annotate(event.action, before, action_audience)
    return Object(
        [
            _public("seq", Leaf(event.seq)),
            _public("base", Leaf(event.base)),
            _public("encounter", Leaf(event.encounter)),
            _public("at", Leaf(event.at)),
            _public("by", annotate(event.by, before)),
            Member("action", action_audience, False, action),
            _public("draws", annotate(event.draws, before)),
            _public("effects", Array(effects)),
        ]
    )


def _public(name: str, node: Node) -> Member:
    return Member(name, EVERYONE_WORD, False, node)


def seal(event: Event, scopes: tuple[Scope, ...], prev: str, sealer: Sealer) -> SealedEvent:
    """Body, hash, parts and commitments of an event that follows `prev` (64 hex digits)."""
    sides = scopes[0].sides
    if is_public(event, scopes):
        body: object = None
        part_bytes: tuple[bytes, ...] = (parts.EMPTY_PART,) * len(parts.part_names(sides))
    else:
        body, part_bytes = parts.split(event_node(event, scopes), sides)
    sealed_parts = tuple(
        _seal_part(event, sealer, index, name, body_of_part)
        for index, (name, body_of_part) in enumerate(
            zip(parts.part_names(sides), part_bytes, strict=True)
        )
    )
    commits = tuple(hashing.part_commit(part.salt, part.body) for part in sealed_parts)
    links = Links(sealed=hashing.sealed(commits), prev=prev)
    encoded = public_body(event, links) if body is None else split_body(body, links)
    return SealedEvent(
        seq=event.seq,
        base=event.base,
        hash=hashing.event_hash(encoded),
        body=encoded,
        commits=commits,
        parts=sealed_parts,
    )


class Links(Struct, frozen=True):
    """What chains a body to its parts and to the event before it."""

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
    if not (hides_nothing(before) and is_open(event.action, before)):
        return False
    streams = {(draw.stream, draw.combatant) for draw in event.draws}
    if not all(before.stream(stream) == EVERYONE_WORD for stream, _ in streams):
        return False
    if any(who is not UNSET and before.subject(who) != EVERYONE_WORD for _, who in streams):
        return False
    return all(
        hides_nothing(scope) and is_open(effect, scope)
        for effect, scope in zip(event.effects, scopes, strict=False)
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


def split_body(body: object, links: Links) -> bytes:
    """Canonical bytes of a body from which something was left out."""
    whole = msgspec.to_builtins(body)
    whole["sealed"] = links.sealed
    whole["prev"] = links.prev
    return canonical.encode(whole)


def _seal_part(
    event: Event, sealer: Sealer, index: int, name: tuple[parts.Kind, str], body: bytes
) -> SealedPart:
    kind, audience = name
    is_fresh = kind == parts.TEXT and body != parts.EMPTY_PART
    salt = (
        sealer.text_salts[index]
        if is_fresh
        else derived_salt(sealer.seal_key, event.encounter, event.seq, kind, audience)
    )
    return SealedPart(kind=kind, audience=audience, salt=salt, body=body)


def derived_salt(seal_key: bytes, encounter: str, seq: int, kind: str, audience: str) -> bytes:
    """Salt of a facts part, or of a text part that says nothing and so need not be erasable."""
    label = audience if kind == parts.FACTS else f"{kind}/{audience}"
    return hashing.facts_salt(seal_key, encounter, seq, label)


def whole(body: bytes, known: Mapping[tuple[str, str], bytes], sides: tuple[str, ...]) -> Node:
    """The event with its audiences again, `sealed` and `prev` included: the inverse of `seal`.

    `known` maps (kind, audience) to part bytes, without empty or erased ones. With all facts
    parts at hand the tree is exact; text that is missing is simply absent.
    """
    opened = {name: parts.PARTS.decode(part) for name, part in known.items()}
    return parts.join(msgspec.json.decode(body), opened, sides)


def seen(
    body: bytes, known: Mapping[tuple[str, str], bytes], sides: tuple[str, ...], viewer: Viewer
) -> object:
    """The event as JSON, as a viewer may see it. `known` must hold all parts there are."""
    return visible(whole(body, known, sides), viewer)


def decoded(
    decoder: msgspec.json.Decoder[Event],
    body: bytes,
    known: Mapping[tuple[str, str], bytes],
    sides: tuple[str, ...],
) -> Event:
    """The full event as its ruleset's type. Raises msgspec.ValidationError if it does not fit."""
    if not known:
        return decoder.decode(body)
    return decoder.decode(canonical.encode(seen(body, known, sides, GAME_MASTER)))
