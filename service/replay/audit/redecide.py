"""Decides one event again, with the code of live play, and compares it with what is stored.

How this works. The stored action, its time and its actor are taken as they are; base, draws and
effects are computed again, laid out into body and parts exactly as when they were sealed, and
compared with the stored bytes. Once a text was erased a later event may have texts that the rules
cannot give again: what they do give must be there, and the rest stands at places of text alone.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from service.engine import hashing
from service.engine.battle import decide, fold
from service.engine.battle.creation import created_by
from service.engine.battle.linear import Linear
from service.engine.battle.state import State
from service.engine.battle.terms import Terms
from service.engine.dice.dice import Dice
from service.engine.log import canonical, parts
from service.engine.log import event as events
from service.engine.log.event import Event, Request
from service.engine.log.parts import PartName
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility.scope import Scope
from service.engine.vocabulary.actions import CreateEncounter
from service.engine.vocabulary.effects import EncounterCreated
from service.errors import Forbidden, Malformed, Refused, WarlogError
from service.replay.audit.audit_dice import NoSuchDraw, differing_draw
from service.replay.log.sealed_event import Evidence, filled_parts, where_of
from service.replay.report.differences import UNREADABLE, Difference, difference, first_difference

Before = State[Any] | None

_REQUESTED = (b'[["action"', b'[["draws"')
"""How an entry begins, in the bytes of a part, that holds something of a request."""


_WHERE = re.compile(r"`(\$[^`]*)`$")
"""The path at the end of what a decoder says of bytes that do not fit."""

_OF_A_TYPE = re.compile(r"\$\.(action|effects\[\d+\])\.type")


class Unreadable(Exception):
    """The bytes are no event of this ruleset.

    `where` is the first place that does not fit; `is_of_unknown_type`: an action or effect has a
    type that the ruleset does not have.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        found = _WHERE.search(reason)
        path = "$" if found is None else found[1]
        self.where = difference(path, UNSET, UNSET)
        self.is_of_unknown_type = _OF_A_TYPE.fullmatch(path) is not None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the rules do not allow an event."""

    code: str
    rule: str | None
    params: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result: nothing wrong, a difference (`is_sealed`: in a part), or a refusal.

    `recomputed` is the event as the rules decide it, `after` the state that the stored outcome
    leads to, `expected` the one that the rules lead to; None where there is none.
    """

    event: Event
    after: State[Any] | None
    expected: State[Any] | None = None
    differs: Difference | None = None
    is_sealed: bool = False
    refusal: Refusal | None = None
    recomputed: Event | None = None


@dataclass(frozen=True, slots=True)
class DecidedLayout:
    """An event as body and parts, without `sealed` and `prev`."""

    body: dict[str, object]
    parts: Mapping[PartName, bytes]


def decode_event(ruleset: Ruleset[Any], evidence: Evidence, sides: tuple[str, ...]) -> Event:
    """The whole stored event as its ruleset's type. Raises Unreadable."""
    try:
        decoder = events.decoder_of(ruleset.event)
        return events.decode(decoder, evidence.body, filled_parts(evidence), sides)
    except (*UNREADABLE, LookupError, TypeError, StopIteration) as error:
        raise Unreadable(str(error)) from error


def decode_request(ruleset: Ruleset[Any], evidence: Evidence, sides: tuple[str, ...]) -> Request:
    """What is taken over of a stored event. Raises Unreadable."""
    filled = filled_parts(evidence)
    is_in_body = not any(opening in body for body in filled.values() for opening in _REQUESTED)
    try:
        decoder = events.request_decoder_of(ruleset.event)
        return events.decode(decoder, evidence.body, {} if is_in_body else filled, sides)
    except (*UNREADABLE, LookupError, TypeError, StopIteration) as error:
        raise Unreadable(str(error)) from error


def confirm(
    ruleset: Ruleset[Any],
    before: State[Any],
    stored: Request,
    dice: Dice,
    evidence: Evidence,
    prev: str,
) -> tuple[Event, State[Any]] | None:
    """The event and the state after it, if it is byte for byte what the rules make behind `prev`.

    None for any other: `compare` finds what is wrong with it. The stored values that are taken over
    are checked to be canonical, so that equal bytes prove the whole body canonical.
    """
    recomputed = _decide(ruleset, before, stored, dice, before.terms)
    if not isinstance(recomputed, Event):
        return None
    try:
        canonical.check(msgspec.to_builtins((stored.at, stored.by, stored.action)))
        after, scopes = fold.unfold(ruleset, before, recomputed)
        layout = events.lay_out(recomputed, scopes)
        links = events.Links(sealed=hashing.sealed(evidence.commits), prev=prev)
        is_same = layout.encoded(links) == evidence.body
    except Exception:  # as in `compare`, which names it
        return None
    names = parts.part_names(scopes[0].sides)
    for name, encoded in zip(names, layout.parts, strict=True):
        is_same = is_same and evidence.opened[name].body == encoded
    return (recomputed, after) if is_same else None


def outcome(
    ruleset: Ruleset[Any],
    before: Before,
    stored: Request,
    dice: Dice,
    terms: Terms,
) -> State[Any] | None:
    """The state that the rules lead to from what was asked for; None if they lead nowhere."""
    recomputed = _decide(ruleset, before, stored, dice, terms)
    return _after(ruleset, before, recomputed) if isinstance(recomputed, Event) else None


def compare(
    ruleset: Ruleset[Any],
    before: Before,
    stored: Event,
    dice: Dice,
    evidence: Evidence,
    terms: Terms,
    *,
    text_is_whole: bool,
) -> Comparison:
    """Decide `stored` again on `before` (None for event 1) and compare.

    `text_is_whole`: no text was erased so far, so that it must fit too.
    """
    recomputed = _decide(ruleset, before, stored, dice, terms)
    if isinstance(recomputed, Refusal):
        return Comparison(stored, _after(ruleset, before, stored), refusal=recomputed)
    if isinstance(recomputed, Difference):
        return Comparison(stored, _after(ruleset, before, stored), differs=recomputed)
    try:
        after, scopes = fold.unfold(ruleset, before, recomputed)
        layout = laid_out(recomputed, scopes)
    except Exception as error:  # a forged state may make the rules raise anything
        refusal = _rules_failed(error)
        return Comparison(
            stored, _after(ruleset, before, stored), refusal=refusal, recomputed=recomputed
        )
    body = _body_difference(evidence.body, layout.body)
    inside = None if body else part_difference(evidence, layout, text_is_whole=text_is_whole)
    differs = body or inside
    if differs is not None:
        differs = replace(differs, draw=differing_draw(stored.draws, recomputed.draws))
    is_same = differs is None and text_is_whole
    return Comparison(
        stored,
        after if is_same else _after(ruleset, before, stored),
        expected=after,
        differs=differs,
        is_sealed=body is None and differs is not None,
        recomputed=recomputed,
    )


def _decide(
    ruleset: Ruleset[Any],
    before: Before,
    stored: Event | Request,
    dice: Dice,
    terms: Terms,
) -> Event | Refusal | Difference:
    """The event as the rules decide it."""
    try:
        base, state = _base_and_state(ruleset, before, stored, terms)
        effects = decide.decide(ruleset, state, stored.action, stored.by, stored.seq, dice)
    except NoSuchDraw as missing:
        where = difference(f"$.draws[{len(dice.draws)}]", UNSET, missing.wanted)
        return replace(where, draw=missing.draw)
    except (Refused, Forbidden, Malformed) as refusal:
        return _refusal(refusal)
    except Exception as error:  # a forged log may bring the rules into states that no play reaches
        return _rules_failed(error)
    return ruleset.event(
        seq=stored.seq,
        base=base,
        encounter=stored.encounter,
        at=stored.at,
        by=stored.by,
        action=stored.action,
        draws=tuple(dice.draws),
        effects=effects,
    )


def _base_and_state(
    ruleset: Ruleset[Any], before: Before, stored: Event | Request, terms: Terms
) -> tuple[int, State[Any]]:
    if before is not None:
        return decide.base_of(stored.action, stored.seq), before
    if not isinstance(stored.action, CreateEncounter):
        raise Refused("not_created")
    blank = fold.blank(ruleset, created_by(EncounterCreated, stored.action, stored.by))
    return 0, State(rule=blank, linear=Linear(), terms=terms)


def _refusal(refusal: WarlogError) -> Refusal:
    rule = refusal.rule if isinstance(refusal, Refused) else None
    return Refusal(refusal.code, rule, refusal.params)


def _rules_failed(error: Exception) -> Refusal:
    return Refusal("rules_failed", None, {"error": type(error).__name__})


def _after(ruleset: Ruleset[Any], before: Before, stored: Event) -> State[Any] | None:
    """The state that the stored outcome leads to, None if it leads nowhere."""
    try:
        return fold.apply(ruleset, before, stored)
    except Exception:  # effects of a forged log need not fit together
        return None


def laid_out(event: Event, scopes: tuple[Scope, ...]) -> DecidedLayout:
    """Body and parts of an event, as sealing makes them."""
    sides = scopes[0].sides
    body, encoded = parts.split(events.event_node(event, scopes), sides)
    tree = msgspec.to_builtins(body)
    return DecidedLayout(body=tree, parts=dict(zip(parts.part_names(sides), encoded, strict=True)))


def _body_difference(stored: bytes, recomputed: dict[str, object]) -> Difference | None:
    """What differs between two bodies, apart from what sealing added (`sealed`, `prev`)."""
    tree: dict[str, object] = msgspec.json.decode(stored)
    added: dict[str, object] = {name: tree.pop(name) for name in ("sealed", "prev") if name in tree}
    if canonical.encode(recomputed | added) == stored:
        return None
    return first_difference(tree, msgspec.json.decode(canonical.encode(recomputed)))


def part_difference(
    evidence: Evidence, layout: DecidedLayout, *, text_is_whole: bool
) -> Difference | None:
    """The first part that differs from the recomputed one; erased parts cannot be compared."""
    for name, encoded in layout.parts.items():
        opened = evidence.opened.get(name)
        if opened is None or opened.body == encoded:
            continue
        if name[0] == parts.FACTS or text_is_whole:
            return _within_part(name, opened.body, encoded)
        missing = _missing_text(name, opened.body, encoded)
        if missing is not None:
            return missing
    return None


def _missing_text(name: PartName, stored: bytes, recomputed: bytes) -> Difference | None:
    """The first text that the rules give and the stored part does not have so."""
    where = where_of(name)
    try:
        kept = {_path(path): value for path, value in parts.PARTS.decode(stored).entries}
    except UNREADABLE:
        return difference(where, UNSET, UNSET)
    for path, value in parts.PARTS.decode(recomputed).entries:
        text = kept.get(_path(path), UNSET)
        if text != value:
            return difference(f"{where}:{_path(path)}", text, value)
    return None


class _Entries(Struct):
    entries: list[list[object]]
    orders: list[list[object]] | msgspec.UnsetType = UNSET


def _within_part(name: PartName, stored: bytes, recomputed: bytes) -> Difference:
    """Where two parts differ: the path within the event as the part's audience counts it."""
    where = where_of(name)
    try:
        first = msgspec.json.decode(stored, type=_Entries)
    except UNREADABLE:
        return difference(where, UNSET, UNSET)
    second = msgspec.json.decode(recomputed, type=_Entries)
    for one, other in zip(first.entries, second.entries, strict=False):
        if len(one) != 2 or one[0] != other[0]:
            return difference(f"{where}:{_path(other[0])}", UNSET, other[1])
        differs = first_difference(one[1], other[1], f"{where}:{_path(other[0])}")
        if differs is not None:
            return differs
    differs = first_difference(msgspec.to_builtins(first), msgspec.to_builtins(second), where)
    return differs or difference(where, UNSET, UNSET)


def _path(steps: object) -> str:
    """A part's path as other paths are written."""
    if not isinstance(steps, list):
        return "$"
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
