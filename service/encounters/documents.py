"""What a client holds that follows by patches: a document of state, table, decisions and scene.

How this works. The document after an event is made of what `GET /v1/encounters/{id}?at=` shows the
same caller, and `GET .../scene?at=`, so a client that applies every patch has what these calls
would answer. It is made once for all callers who see the same, and kept for a while, as are the
states behind the last events: whoever follows comes for the next one. A state that is not at hand
is folded on from one that is, or read from the log, and of a state only what changed is made again
(`viewed_texts`). All that is kept counts as text does that is erased: it is made again then.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import UNSET, Raw, Struct

from service.encounters.cache import LoadedEncounter
from service.encounters.earlier_notes import EarlierNotes
from service.encounters.json_patch import DocumentTree, Members, PatchStep
from service.encounters.loader import Fold, Loader
from service.encounters.long_work import computed, is_large
from service.encounters.requests import Additions
from service.encounters.scenes import SceneSources
from service.encounters.viewed_texts import ViewedTexts
from service.encounters.views import (
    open_decisions,
    own_undo,
    raw,
    table_tree,
    viewer_then,
)
from service.engine import hashing
from service.engine.battle.linear import seat_of
from service.engine.battle.state import RuleState, State, scope_of
from service.engine.log import canonical
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.values import By
from service.eventstore.log_reads import Log

MOST_BEHIND: Final = 64
"""Events whose patches are shown at once; whoever is further behind gets the document."""

STATES: Final = 2 * MOST_BEHIND
"""States kept of one encounter."""

ENCOUNTERS: Final = 256
"""Encounters of which states are kept."""

BYTES: Final = 16 << 20
"""Documents kept, in bytes of their texts."""


METADATA: Final = b'"metadata":'


class Document:
    """The document of one caller after event `seq`; `text` is its JSON, compact, in one order."""

    __slots__ = ("members", "seq", "text")

    def __init__(self, seq: int, members: Mapping[str, DocumentTree]) -> None:
        self.seq = seq
        self.text = msgspec.json.encode(members)
        self.members = Members(members)

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON (64 hex digits), without metadata.

        Metadata are the table's own and may hold what has no canonical form.
        """
        if METADATA not in self.text:
            return sha256(self.text).hexdigest()
        return sha256(
            canonical.encode(_without_metadata(msgspec.json.decode(self.text)))
        ).hexdigest()

    def patch_from(self, before: "Document") -> tuple[PatchStep, ...]:
        """The JSON Patch from another document to this one, made once for the same other."""
        return self.members.steps_from("", before.members)


NOTHING: Final = Document(0, {})
"""What a client holds before event 1."""


class _Key(Struct, frozen=True):
    """Names a document: the log and how often text of it was erased, the event, who sees it.

    `own` is what its table shows of the caller's seat alone.
    """

    encounter: UUID
    erasures: int
    seq: int
    viewer: Viewer
    own: str
    has_state: bool
    has_scene: bool
    notes: int | None


class _States:
    """States of one encounter by seq, each with the hash of its event: the last ones needed.

    `rules` and `linears` are what viewers were last shown of both halves.
    """

    def __init__(self, erasures: int) -> None:
        self.erasures = erasures
        self.lock = asyncio.Lock()
        self.making = asyncio.Lock()
        self.rules = ViewedTexts()
        self.linears = ViewedTexts()
        self._by_seq: OrderedDict[int, tuple[str, State[Any]]] = OrderedDict()

    def fits(self, battle: LoadedEncounter) -> bool:
        """Whether they are of this log: no text of it was erased since, and it is no other one."""
        last = max(self._by_seq, default=0)
        there = self._by_seq.get(battle.seq)
        is_one = last <= battle.seq and (there is None or there[0] == battle.hash)
        return is_one and self.erasures == battle.row.erasures

    def find(self, seq: int) -> State[RuleState] | None:
        """The state behind an event, if it is kept."""
        kept = self._by_seq.get(seq)
        return None if kept is None else kept[1]

    def near(self, seq: int) -> tuple[int, str, State[RuleState]] | None:
        """The last state kept from which event `seq` is not far: seq, hash and state."""
        last = max([each for each in self._by_seq if seq - MOST_BEHIND <= each < seq], default=None)
        return None if last is None else (last, *self._by_seq[last])

    def keep(self, seq: int, head: str, state: State[Any] | None) -> None:
        """Keep a state behind the event with this hash."""
        if state is None:
            return
        self._by_seq[seq] = (head, state)
        self._by_seq.move_to_end(seq)
        while len(self._by_seq) > STATES:
            self._by_seq.popitem(last=False)


class Documents:
    """The documents of one process."""

    def __init__(self, log: Log, loader: Loader, most_bytes: int = BYTES) -> None:
        self.scenes = SceneSources(log)
        self.notes = EarlierNotes(log)
        self._log = log
        self._loader = loader
        self._most_bytes = most_bytes
        self._size = 0
        self._documents: OrderedDict[_Key, Document] = OrderedDict()
        self._states: OrderedDict[UUID, _States] = OrderedDict()

    @property
    def size(self) -> int:
        """Bytes of the texts that are kept."""
        return self._size

    async def document(
        self, battle: LoadedEncounter, by: By, seq: int, additions: Additions
    ) -> Document:
        """What this caller holds after event `seq`, 0 and up to the head of `battle`.

        `additions` says of which parts it consists.

        Raises NewerVersion, DatabaseAway, DatabaseSlow.
        """
        if seq == 0:
            return NOTHING
        states = self._states_of(battle)
        viewer = viewer_then(by, battle.state.linear, battle.sides, seq)
        erasures = battle.row.erasures
        state = await self._state(battle, states, seq)
        own = _own_table(state, seq, by) if additions.state else ""
        key = _Key(
            battle.row.id,
            erasures,
            seq,
            viewer,
            own,
            has_state=additions.state,
            has_scene=additions.scene,
            notes=additions.notes if additions.state else None,
        )
        kept = self._documents.get(key)
        if kept is None:
            # Once for all who come for it at the same time: parts of it may have to be read.
            async with states.making:
                kept = self._documents.get(key)
                if kept is None:
                    members = await self._members(battle, states, state, by, key)
                    made = await computed(
                        lambda: Document(seq, members), is_large=is_large(state.rule)
                    )
                    kept = self._keep(key, made)
        self._documents.move_to_end(key)
        return kept

    async def _members(
        self,
        battle: LoadedEncounter,
        states: _States,
        state: State[RuleState],
        by: By,
        key: "_Key",
    ) -> dict[str, DocumentTree]:
        """The members of a document, in the order of their names."""
        rule, viewer = state.rule, key.viewer
        # Projections read no lookups, so that the state needs no copy for the worker thread.
        shown = await computed(
            lambda: states.rules.view(rule, scope_of(rule), viewer), is_large=is_large(rule)
        )
        members: dict[str, DocumentTree] = {}
        if key.has_state:
            earlier = await self.notes.texts(
                key.encounter, key.erasures, state.linear, viewer, key.notes
            )
            members["decisions"] = open_decisions(rule, viewer)
            members["table"] = _apart(
                table_tree(state, key.seq, by, viewer, earlier, states.linears.view, key.notes)
            )
            members["state"] = shown
        if key.has_scene:
            text = Raw(msgspec.json.encode(shown))
            members["scene"] = await self.scenes.scene(battle, key.seq, rule, viewer, text)
        return dict(sorted(members.items()))

    async def state(self, battle: LoadedEncounter, seq: int) -> State[RuleState]:
        """The state after event `seq`, 1 and up to the head of `battle`.

        Raises NewerVersion, DatabaseAway, DatabaseSlow.
        """
        return await self._state(battle, self._states_of(battle), seq)

    def forget(self, encounter: UUID) -> None:
        """Keep nothing of an encounter any more."""
        self._states.pop(encounter, None)
        self.scenes.forget(encounter)
        for key in [key for key in self._documents if key.encounter == encounter]:
            self._size -= len(self._documents.pop(key).text)

    def _keep(self, key: _Key, document: Document) -> Document:
        self._documents[key] = document
        self._size += len(document.text)
        while self._size > self._most_bytes and len(self._documents) > 1:
            _, oldest = self._documents.popitem(last=False)
            self._size -= len(oldest.text)
        return document

    async def _state(self, battle: LoadedEncounter, states: _States, seq: int) -> State[RuleState]:
        if seq == battle.seq:
            states.keep(seq, battle.hash, battle.state)
            return battle.state
        async with states.lock:
            return states.find(seq) or await self._folded(battle, states, seq)

    def _states_of(self, battle: LoadedEncounter) -> _States:
        encounter = battle.row.id
        states = self._states.get(encounter)
        if states is None or not states.fits(battle):
            self.forget(encounter)
            states = self._states[encounter] = _States(battle.row.erasures)
        self._states.move_to_end(encounter)
        while len(self._states) > ENCOUNTERS:
            self._states.popitem(last=False)
        return states

    async def _folded(self, battle: LoadedEncounter, states: _States, seq: int) -> State[RuleState]:
        """The state behind an event: on from one that is kept, or from the log.

        Those of the events behind it are kept too: whoever asks for one asks for them next.
        """
        encounter, ruleset = battle.row.id, battle.ruleset
        near = states.near(seq)
        if near is not None:
            last, head, state = near
            fold = Fold(state=state, seq=last)
            until = min(battle.seq, last + MOST_BEHIND)
            page = await self._log.bodies(encounter, after=last, until=until, limit=MOST_BEHIND)
            if page and head.encode() in page[0].body:
                for each in page:
                    await self._loader.fold_on(encounter, ruleset, fold, (each,))
                    states.keep(each.seq, hashing.event_hash(each.body), fold.state)
            found = states.find(seq)
            if found is not None:
                return found
        [stored] = await self._log.bodies(encounter, after=seq - 1, until=seq, limit=1)
        state = await self._loader.state_at(encounter, ruleset, seq)
        states.keep(seq, hashing.event_hash(stored.body), state)
        return state


def _apart(table: Mapping[str, Any]) -> dict[str, DocumentTree]:
    """A table by its members, what is not JSON yet encoded, in the order of their names."""
    return {
        name: each if isinstance(each, Raw | list) else raw(each)
        for name, each in sorted(table.items())
    }


def _without_metadata(tree: object) -> object:
    if isinstance(tree, dict):
        return {name: _without_metadata(each) for name, each in tree.items() if name != "metadata"}
    return [_without_metadata(each) for each in tree] if isinstance(tree, list) else tree


def _own_table(state: State[RuleState], seq: int, by: By) -> str:
    """What the caller's own table, in this state, shows beyond that of all who see the same.

    Metadata that a seat had then is shown to nobody else, and how far it may go back is its own.
    """
    seat = None if by.seat is UNSET else seat_of(state.linear, by.seat)
    if seat is None:
        return ""
    undo = own_undo(state, seq, by)
    name = "" if seat.metadata is UNSET else seat.id
    return f"{undo.get('undo_to', '')} {undo.get('undo_bar', '')} {name}"
