"""What leaves the service: states and events as one caller may see them."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

from service.encounters.cache import EncounterTerms, LoadedEncounter
from service.encounters.clock_and_ids import etag, recorded
from service.encounters.loader import known_parts
from service.encounters.responses import (
    ActionsAnswer,
    EncounterSummary,
    EncounterView,
    EventRecord,
    PartRecord,
    Receipt,
    Stopped,
)
from service.engine.battle.linear import Linear, Note, Seat, opened_at, seat_of, viewer_at
from service.engine.battle.state import RuleState, State, scope_of, viewer_of
from service.engine.battle.turn import audience_of_turn
from service.engine.battle.undo import standing_floor
from service.engine.log import canonical, parts
from service.engine.log.event import view_of_event
from service.engine.ruleset.definition import Ruleset
from service.engine.visibility import projection
from service.engine.visibility.scope import GAME_MASTER, Scope, Viewer
from service.engine.vocabulary.values import By, Opened
from service.eventstore.records import StoredEvent

COMMIT_BYTES = 32

NONE_OPEN: Final = Raw(b"[]")
"""No decisions."""

NO_TABLE: Final = Raw(b"{}")
"""In the place of a table that is added later."""


LinearViewer = Callable[[Linear, Scope, Viewer], object]
"""Shows what a viewer sees of the linear half: an object, its members and their elements perhaps
as JSON."""


def widened(viewer: Viewer, opened: Opened, sides: tuple[str, ...]) -> Viewer:
    """What a viewer may see since parts were opened to more readers."""
    match opened:
        case "none":
            return viewer
        case "sides":
            return Viewer(is_gm=viewer.is_gm, sides=sides)
        case "all":
            return Viewer(is_gm=True, sides=sides)


def viewer_then(by: By, linear: Linear, sides: tuple[str, ...], seq: int) -> Viewer:
    """What a caller may see of event `seq`: the rights held then, and what was opened since.

    A present GM sees all; a former GM keeps what that seat could see then.
    """
    if by.role == "gm":
        return GAME_MASTER
    held = Viewer() if by.seat is UNSET else viewer_at(linear, by.seat, seq)
    if held.is_gm:
        held = Viewer(is_gm=True, sides=sides)
    return widened(held, opened_at(linear, seq), sides)


_recorded = lru_cache(maxsize=256)(recorded)
"""Events that were committed together were recorded at the same moment."""


def event_record(stored: StoredEvent, viewer: Viewer, terms: EncounterTerms) -> EventRecord:
    """One event for a viewer; `stored` carries all parts."""
    shown = [
        PartRecord(
            kind=part.kind,
            audience=part.audience,
            salt=part.salt.hex(),
            body=UNSET if part.body is None else Raw(part.body),
        )
        for part in stored.parts
        if viewer.may_know(part.audience) and part.body != parts.EMPTY_PART
    ]
    says_all = all(part.body is UNSET for part in shown)
    commits = stored.commits.hex(",", -COMMIT_BYTES).split(",") if stored.commits else ()
    return EventRecord(
        ruleset=terms.ruleset,
        seq=stored.seq,
        hash=stored.hash.hex(),
        recorded_at=_recorded(stored.recorded_at),
        event=Raw(stored.body),
        commits=tuple(commits),
        parts=tuple(shown),
        seen=UNSET if says_all else event_seen(stored, viewer, terms.sides),
    )


def event_seen(stored: StoredEvent, viewer: Viewer, sides: tuple[str, ...]) -> Raw:
    """One event for a viewer, without what proves it; `stored` carries all parts."""
    known = known_parts(stored)
    told = [audience for (_, audience), body in known.items() if body != parts.EMPTY_PART]
    if not any(map(viewer.may_know, told)):
        return Raw(stored.body)
    return raw(Raw(view_of_event(stored.body, known, sides, viewer)))


def event_records(
    stored: Iterable[StoredEvent], by: By, linear: Linear, terms: EncounterTerms
) -> tuple[EventRecord, ...]:
    """Events as a caller may see them, each by the rights held then."""
    return tuple(
        [event_record(e, viewer_then(by, linear, terms.sides, e.seq), terms) for e in stored]
    )


def actions_answer(
    terms: EncounterTerms,
    state: State[RuleState],
    by: By,
    stored: Sequence[StoredEvent],
    stopped: Stopped | UnsetType,
    receipt: Receipt,
) -> ActionsAnswer:
    """The events of actions as the caller may see them, and where the log is behind them."""
    rule, linear, last = state.rule, state.linear, stored[-1]
    decisions = open_decisions(rule, viewer_of(by, rule, linear)) if rule.pending else NONE_OPEN
    events = event_records(stored, by, linear, terms)
    return ActionsAnswer(
        ruleset=terms.ruleset,
        accepted=len(stored),
        decisions=decisions,
        events=events,
        version=last.seq,
        etag=etag(last.seq, events[-1].hash),
        receipt=receipt,
        stopped=stopped,
    )


def encounter_view(
    battle: LoadedEncounter, state: State[RuleState], seq: int, head: str, viewer: Viewer
) -> EncounterView:
    """The state after event `seq` as a viewer may see it, its table left empty."""
    linear = state.linear
    return EncounterView(
        encounter=battle.id,
        title=linear.title,
        metadata=metadata_of(linear.metadata),
        ruleset=battle.row.ruleset,
        version=battle.row.version,
        created_at=recorded(battle.row.created_at),
        seq=seq,
        hash=head,
        head=battle.seq,
        state=state_view(state.rule, viewer),
        table=NO_TABLE,
        decisions=open_decisions(state.rule, viewer),
    )


def summary_of(battle: LoadedEncounter) -> EncounterSummary:
    """One line of a list of encounters, at its present head."""
    linear = battle.state.linear
    return EncounterSummary(
        encounter=battle.id,
        title=linear.title,
        metadata=metadata_of(linear.metadata),
        ruleset=battle.row.ruleset,
        version=battle.row.version,
        status=battle.state.rule.status,
        seq=battle.seq,
        created_at=recorded(battle.row.created_at),
    )


def state_view(rule: RuleState, viewer: Viewer) -> Raw:
    """The rule half of a state as a viewer may see it."""
    return raw(projection.view(rule, scope_of(rule), viewer))


def acting_in(ruleset: Ruleset[Any], rule: RuleState, viewer: Viewer) -> tuple[str, ...]:
    """Combatants that may act in the present turn; none if the viewer may not know whose it is."""
    turn = ruleset.turn(rule)
    if turn is None or not viewer.may_know(audience_of_turn(rule, turn)):
        return ()
    return turn.combatants


def open_decisions(rule: RuleState, viewer: Viewer) -> Raw:
    """The decisions of the top group that this viewer may know of."""
    if not rule.pending:
        return NONE_OPEN
    return raw(projection.view(rule.pending[-1].decisions, scope_of(rule), viewer))


def table_of(
    state: State[RuleState],
    seq: int,
    by: By,
    viewer: Viewer,
    earlier: Sequence[Note | Raw],
    view: LinearViewer = projection.view,
    last: int | None = None,
) -> Raw:
    """As `table_tree`, encoded."""
    return raw(table_tree(state, seq, by, viewer, earlier, view, last))


def table_tree(
    state: State[RuleState],
    seq: int,
    by: By,
    viewer: Viewer,
    earlier: Sequence[Note | Raw],
    view: LinearViewer = projection.view,
    last: int | None = None,
) -> dict[str, Any]:
    """The linear half after event `seq` as the caller `by` sees it.

    Of its own seat the caller is shown the metadata and how far it may rewind. `earlier` are the
    notes of which the state knows only the seqs, as this viewer may see them; `view` shows what
    everybody with these rights sees. `last`: so many of the last notes alone.
    """
    linear = state.linear
    notes = linear.notes[len(earlier) :]
    if last is not None:
        notes = notes[max(0, len(notes) - last) :]
        earlier = earlier[max(0, len(earlier) + len(notes) - last) :]
    bare = replace(linear, title=UNSET, metadata=UNSET, notes=notes)
    shown: Any = view(bare, scope_of(state.rule), viewer)
    table = {**shown, **own_undo(state, seq, by)}
    if earlier:
        table["notes"] = [*earlier, *table["notes"]]
    own = None if by.seat is UNSET else seat_of(linear, by.seat)
    if own is not None and own.metadata is not UNSET:
        table["seats"] = [_with_metadata(seat, own) for seat in table["seats"]]
    return table


def _with_metadata(seat: dict[str, Any] | Raw, own: Seat) -> dict[str, Any] | Raw:
    """A seat as it is seen; the caller's own with its metadata."""
    if not isinstance(seat, Raw):
        return {**seat, "metadata": own.metadata} if seat["id"] == own.id else seat
    members = _SEAT.decode(seat)
    if members["id"] != Raw(msgspec.json.encode(own.id)):
        return seat
    return Raw(canonical.encode({**members, "metadata": metadata_of(own.metadata)}))


def own_undo(state: State[RuleState], seq: int, by: By) -> dict[str, Any]:
    """`undo_to` and `undo_bar` of the caller's own seat after event `seq`, as far as it has them.

    Both follow from what the seat sees alone (`engine.battle.undo`).
    """
    floor = None if by.seat is UNSET else standing_floor(state, by.seat)
    if floor is None:
        return {}
    return {"undo_bar": floor.reason, **({"undo_to": floor.floor} if floor.floor < seq else {})}


def seat_metadata(seat: Seat, by: By, viewer: Viewer) -> Raw | UnsetType:
    """The metadata of a seat for a game master or the seat itself; UNSET for other callers."""
    is_told = viewer.is_gm or by.seat == seat.id
    return metadata_of(seat.metadata) if is_told else UNSET


def metadata_of(text: str | UnsetType) -> Raw | UnsetType:
    """Metadata as callers are shown them: the object that was sent, in one line.

    Metadata that is no object, in a log of another origin, stays the string that it is.
    """
    return UNSET if text is UNSET else Raw(_object(text))


def _object(text: str) -> bytes:
    encoded = text.encode()
    try:
        _OBJECT.decode(encoded)
        return msgspec.json.format(encoded, indent=-1)
    except msgspec.MsgspecError:
        return msgspec.json.encode(text)


_OBJECT: Final = msgspec.json.Decoder(dict[str, Raw])
_SEAT: Final = msgspec.json.Decoder(dict[str, Raw])
_STATED: Final = b'"metadata":"'


def raw(value: object) -> Raw:
    """Encoded once, spliced into the answer as it is; metadata in it as the objects they are."""
    encoded = canonical.encode(value)
    if _STATED not in encoded:
        return Raw(encoded)
    return Raw(msgspec.json.encode(_told(msgspec.json.decode(encoded))))


def _told(tree: object) -> object:
    """JSON values with the object in the place of every string of metadata."""
    if isinstance(tree, dict):
        return {
            name: Raw(_object(value))
            if name == "metadata" and isinstance(value, str)
            else _told(value)
            for name, value in tree.items()
        }
    return [_told(value) for value in tree] if isinstance(tree, list) else tree
