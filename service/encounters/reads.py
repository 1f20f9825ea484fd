"""The reads: encounters, their events and what may be done in them, as a caller may see it."""

from bisect import bisect_right
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from msgspec import UNSET, Raw
from msgspec.structs import replace

from service.encounters import access
from service.encounters.cache import Cache, LoadedEncounter, caller_of
from service.encounters.clock_and_ids import etag
from service.encounters.cursors import (
    NO_HASH8,
    place_on_log,
    require_none_ahead,
)
from service.encounters.documents import MOST_BEHIND, Documents
from service.encounters.encounter_list import page_of, page_of_one, require_listable
from service.encounters.held_back import HeldNow, nothing_held
from service.encounters.long_work import LARGE_BYTES, LongWork, apart, computed, is_large, whole
from service.encounters.narrations import narration, takes_out_of_play, told_by_name
from service.encounters.principal import Principal
from service.encounters.receipts import Signer
from service.encounters.requests import (
    Additions,
    PreviewRequest,
    convert,
    convert_words,
    require_ruleset,
    within,
)
from service.encounters.responses import (
    EncounterPage,
    EncounterView,
    EventPage,
    EventRecord,
    InspectionAnswer,
    LegalAnswer,
    NotePage,
    PreviewAnswer,
    SceneAnswer,
    TimersAnswer,
)
from service.encounters.rewind_summary import RewindSummaries, marked
from service.encounters.timers.deadline_reads import DeadlineReads
from service.encounters.views import (
    encounter_view,
    event_record,
    raw,
    table_of,
    table_tree,
    viewer_then,
)
from service.engine.battle.actors import Actor
from service.engine.battle.linear import Note
from service.engine.battle.permission import require_askable
from service.engine.battle.state import RuleState, State, viewer_of
from service.engine.kit.legal_actions import legal_for, legal_of
from service.engine.kit.perception import perceive
from service.engine.kit.samples import sample_actions
from service.engine.ruleset.definition import (
    Catalogue,
    LegalActions,
    Rulesets,
    choices_of,
    refusing,
)
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.catalogue import Language
from service.engine.vocabulary.values import By
from service.errors import NotFound
from service.eventstore.encounter_list import Selection
from service.eventstore.records import (
    StoredEvent,
)
from service.eventstore.store import EventStore


@dataclass(frozen=True, slots=True)
class StoredLog:
    """What audit and export start from: the encounter, the caller, and what the caller may see.

    `viewer_of_seq` says whose parts the caller may read of an event.
    """

    battle: LoadedEncounter
    by: By
    viewer: Viewer
    viewer_of_seq: Callable[[int], Viewer]


class SceneOf(NamedTuple):
    """A scene, the view that it is a picture of, and the words of its ruleset.

    `printed` writes it in the ruleset's own form, where there is one.
    """

    answer: SceneAnswer
    view: EncounterView
    catalogue: Catalogue
    printed: Callable[[], str] | None


_NOTES: Final = msgspec.json.Decoder(tuple[Note, ...])


class Reads:
    """The encounters of one process, read. Every method raises NotFound for another tenant's."""

    def __init__(
        self,
        store: EventStore,
        rulesets: Rulesets,
        signer: Signer,
        cache: Cache,
        deadlines: DeadlineReads,
        documents: Documents,
        held: HeldNow = nothing_held,
    ) -> None:
        self.store = store
        self.rulesets = rulesets
        self.held = held
        self.signer = signer
        self.documents = documents
        self._cache = cache
        self._deadlines = deadlines
        self._rewinds = RewindSummaries(store.log)

    async def list(
        self, who: Principal, selection: Selection, cursor: str | None, limit: int
    ) -> EncounterPage:
        """A page of the caller's encounters.

        Raises Malformed for a cursor of another list and for a ruleset that does not exist.
        """
        require_listable(selection, self.rulesets)
        if who.encounter is not None:
            battle, _ = await self.load(who, who.encounter)
            return page_of_one(battle, selection, cursor)
        return await page_of(self.store.directory, who, selection, cursor, limit)

    async def view(
        self,
        who: Principal,
        encounter: UUID,
        at: int | None,
        known_versions: Sequence[str] = (),
        notes: int | None = None,
    ) -> EncounterView:
        """The state now, or after event `at`, as the caller may see it, with so many last notes.

        Raises NotFound("unknown_event"); ConflictingRequest("history_diverged") if one of the
        versions that the caller knows is ahead of this log.
        """
        battle, by = await self.load(who, encounter)
        await require_none_ahead(
            self.store.log, encounter, battle.head, known_versions, "If-None-Match"
        )
        if at is None or at == battle.seq:
            return await self.view_at(battle, by, battle.seq, notes)
        if not 1 <= at <= battle.seq:
            raise NotFound("unknown_event", seq=at, head=battle.seq)
        return await self.view_at(battle, by, at, notes)

    async def notes(self, who: Principal, encounter: UUID, after: int, limit: int) -> NotePage:
        """Notes behind event `after`, up to `limit` of them, as the caller may read them."""
        battle, by = await self.load(who, encounter)
        linear = battle.state.linear
        viewer = viewer_then(by, linear, battle.sides, battle.seq)
        seqs = [note.seq for note in linear.notes]
        begin = bisect_right(seqs, after)
        end = min(begin + limit, len(seqs))
        earlier = await self.documents.notes.texts(
            battle.row.id, battle.row.erasures, linear, viewer, len(seqs) - begin
        )
        table = table_tree(battle.state, battle.seq, by, viewer, earlier, last=len(seqs) - begin)
        return NotePage(
            notes=_NOTES.decode(msgspec.json.encode(table["notes"][: end - begin])),
            next=seqs[end - 1] if end > begin else after,
            has_more=end < len(seqs),
        )

    async def scene(self, who: Principal, encounter: UUID, at: int | None) -> SceneOf:
        """The picture of the state now, or after event `at`, as the caller may see it.

        Made of nothing but the view, the map and the event that the caller gets. Raises
        NotFound("unknown_event").
        """
        battle, by = await self.load(who, encounter)
        seq = battle.seq if at is None else at
        if not 1 <= seq <= battle.seq:
            raise NotFound("unknown_event", seq=seq, head=battle.seq)
        state = await self.state_at(battle, seq)
        viewer = viewer_then(by, battle.state.linear, battle.sides, seq)
        view = await self._view_of(battle, seq, state, viewer)
        source = await self.documents.scenes.source(battle, seq, state.rule, viewer, view.state)
        answer = SceneAnswer(
            encounter=battle.id,
            ruleset=battle.row.ruleset,
            seq=seq,
            head=battle.seq,
            scene=battle.ruleset.scene(source),
        )
        prints = battle.ruleset.prints
        printed = None if prints is None else partial(prints, source)
        return SceneOf(answer, view, battle.ruleset.catalogue, printed)

    async def view_at(
        self, battle: LoadedEncounter, by: By, seq: int, notes: int | None = None
    ) -> EncounterView:
        """The state after event `seq` of its log, with so many of the last notes."""
        state = await self.state_at(battle, seq)
        viewer = viewer_then(by, battle.state.linear, battle.sides, seq)
        view = await self._view_of(battle, seq, state, viewer)
        earlier = await self.documents.notes.texts(
            battle.row.id, battle.row.erasures, state.linear, viewer, notes
        )
        return replace(view, table=table_of(state, seq, by, viewer, earlier, last=notes))

    async def _view_of(
        self, battle: LoadedEncounter, seq: int, state: State[RuleState], viewer: Viewer
    ) -> EncounterView:
        """All of a view but its table."""
        if seq == battle.seq:
            view = encounter_view(battle, state, seq, battle.hash, viewer)
            return await self._deadlines.added(view, battle, viewer)
        stored = await self._stored(battle, seq)
        return encounter_view(battle, state, seq, stored.hash.hex(), viewer)

    async def state_at(self, battle: LoadedEncounter, seq: int) -> State[RuleState]:
        """The state after event `seq` of its log, up to its head."""
        if seq == battle.seq:
            return battle.state
        return await self._cache.loader.state_at(battle.row.id, battle.ruleset, seq)

    async def standing_at(self, battle: LoadedEncounter, seq: int) -> tuple[State[RuleState], str]:
        """The state after event `seq` and its hash, in hex. Raises NotFound("unknown_event")."""
        if not 1 <= seq <= battle.seq:
            raise NotFound("unknown_event", seq=seq, head=battle.seq)
        state, stored = await self.state_at(battle, seq), await self._stored(battle, seq)
        return state, stored.hash.hex()

    async def board(self, who: Principal, encounter: UUID, digest: str | None) -> tuple[str, bytes]:
        """Digest and bytes of a map or content blob: the present map if none is named.

        Raises NotFound("unknown_map").
        """
        battle, _ = await self.load(who, encounter)
        named = battle.state.rule.map if digest is None else digest
        if named is UNSET:
            raise NotFound("unknown_map", encounter=battle.id)
        blob = await self.store.log.blob(battle.row.id, bytes.fromhex(named))
        if blob is None:
            raise NotFound("unknown_map", encounter=battle.id, digest=named)
        return named, blob.body

    async def preview(self, who: Principal, encounter: UUID, tree: object) -> PreviewAnswer:
        """What an action would do: nothing is drawn, written or changed.

        Raises Malformed, Forbidden, Refused as the action itself would.
        """
        battle, by = await self.load(who, encounter)
        request = convert(tree, PreviewRequest)
        require_ruleset(request.ruleset, battle.row.ruleset)
        action: Action = convert(request.action, battle.ruleset.action, "$.action")
        answers = request.choices(choices_of(battle.ruleset))
        self.held().require_known(battle.ruleset, (action,))
        state = battle.state
        viewer = viewer_of(by, state.rule, state.linear)
        names = told_by_name(battle.ruleset, state, viewer)
        with refusing(battle.ruleset), within("$.action"), names:
            require_askable(state, action, by, battle.seq + 1)
            large = is_large(state.rule)
            state = apart(state)
            preview = await computed(
                lambda: battle.ruleset.preview(state, action, by, answers), is_large=large
            )
        return PreviewAnswer(
            ruleset=battle.row.ruleset,
            version=battle.seq,
            legal=preview.legal,
            facts=raw(preview.facts),
            odds=preview.odds,
            opens=preview.questions,
            unknown=preview.unknown,
        )

    async def inspect(
        self, who: Principal, encounter: UUID, name: str, query: Mapping[str, str]
    ) -> InspectionAnswer:
        """A question that is no action, on what the caller may see.

        Raises NotFound("unknown_inspection"), Malformed for a query that does not fit, and what
        the inspection refuses.
        """
        battle, by = await self.load(who, encounter)
        listed = {each.name: each for each in battle.ruleset.inspections}
        if name not in listed:
            raise NotFound("unknown_inspection", inspection=name[:60], allowed=sorted(listed))
        wanted = listed[name]
        request = convert_words(dict(query), wanted.query, "query")
        state = battle.state
        viewer = viewer_of(by, state.rule, state.linear)
        names = told_by_name(battle.ruleset, state, viewer)
        with refusing(battle.ruleset), within("query"), names:
            answer = wanted.inspect(perceive(state, viewer), request, viewer)
            if isinstance(answer, Generator):
                answer = await whole(answer)
        return InspectionAnswer(
            ruleset=battle.row.ruleset,
            version=battle.seq,
            inspection=name,
            answer=Raw(msgspec.json.encode(answer)),
        )

    async def legal(
        self, who: Principal, encounter: UUID, actor: Actor | None, sample: int
    ) -> LegalAnswer:
        """What a combatant, a unit or a side may do now, or all that the caller may do.

        Raises Refused("unknown_combatant"), ("unknown_unit") or ("unknown_side").
        """
        battle, by = await self.load(who, encounter)
        state, ruleset = battle.state, battle.row.ruleset
        told = LegalAnswer(ruleset=ruleset, version=battle.seq)
        if actor is None:
            actors = self._known_of(battle, legal_for(battle.ruleset, state, by))
            nodes = tuple(node for each in actors for node in each.actions)
            told = replace(told, actors=raw(actors))
        else:
            nodes = legal_of(battle.ruleset, state, actor, by)
            nodes = self.held().known_nodes(battle.ruleset, nodes)
            told = replace(
                told,
                combatant=actor.combatant,
                unit=actor.unit,
                side=actor.side,
                actions=raw(nodes),
            )
        if not sample:
            return told
        viewer = viewer_of(by, state.rule, state.linear)
        return replace(told, samples=raw(sample_actions(state, nodes, viewer, sample)))

    def _known_of(
        self, battle: LoadedEncounter, actors: tuple[LegalActions, ...]
    ) -> tuple[LegalActions, ...]:
        """Those without what is held back; an actor that could do nothing else is left out."""
        held = self.held()
        if not held.is_anything:
            return actors
        known = ((each, held.known_nodes(battle.ruleset, each.actions)) for each in actors)
        return tuple(replace(each, actions=nodes) for each, nodes in known if nodes)

    async def events(
        self, who: Principal, encounter: UUID, after: str | None, limit: int
    ) -> EventPage:
        """Events behind a cursor. Raises ConflictingRequest("history_diverged"), Malformed."""
        battle, by = await self.load(who, encounter)
        return await self._page(battle, by, after, limit)

    async def extended_events(
        self, who: Principal, encounter: UUID, after: str | None, limit: int, additions: Additions
    ) -> EventPage:
        """As `events`, 64 at most, each with what is asked for besides.

        That is what it changes of the caller's document, and the event in words.
        """
        battle, by = await self.load(who, encounter)
        page = await self._page(battle, by, after, min(limit, MOST_BEHIND))
        records = page.events
        if records and additions.has_document:
            records = await self._patched(battle, by, records, additions)
        if additions.narrate is not None:
            records = await self._narrated(battle, by, records, additions.narrate)
        return replace(page, events=records)

    async def _patched(
        self,
        battle: LoadedEncounter,
        by: By,
        records: Sequence[EventRecord],
        additions: Additions,
    ) -> tuple[EventRecord, ...]:
        before = await self.documents.document(battle, by, records[0].seq - 1, additions)
        patched, work = [], LongWork()
        for record in records:
            document = await self.documents.document(battle, by, record.seq, additions)
            patched.append(replace(record, patch=document.patch_from(before)))
            before = document
            await work.pause()
        return tuple(patched)

    async def _narrated(
        self, battle: LoadedEncounter, by: By, records: Sequence[EventRecord], language: Language
    ) -> tuple[EventRecord, ...]:
        narrated, work = [], LongWork()
        for record in records:
            state = await self.documents.state(battle, record.seq)
            viewer = viewer_then(by, battle.state.linear, battle.sides, record.seq)
            event = bytes(record.event if record.seen is UNSET else record.seen)
            before = None
            if takes_out_of_play(battle.ruleset, event):
                before = await self.documents.state(battle, record.seq - 1)
            tell = partial(narration, battle.ruleset, state, before, viewer, event, language)
            words = await computed(tell, is_large=len(event) > LARGE_BYTES)
            narrated.append(replace(record, narration=words))
            await work.pause()
        return tuple(narrated)

    async def _page(
        self, battle: LoadedEncounter, by: By, after: str | None, limit: int
    ) -> EventPage:
        seq, hash8 = await self._cursor(battle, after)
        head = battle.head
        page = await self.store.log.events(
            battle.row.id, after=seq, until=head[0], limit=limit, audiences=None
        )
        undoer = await self._rewinds.undoer_of(battle.row.id, page, head)
        shown = tuple(marked(self._record(battle, by, stored), undoer) for stored in page)
        cursor = etag(page[-1].seq, page[-1].hash.hex()) if page else etag(seq, hash8)
        return EventPage(ruleset=battle.row.ruleset, events=shown, next=cursor, head=head[0])

    async def event(self, who: Principal, encounter: UUID, seq: int) -> EventRecord:
        """One event, and of a rewind what it undid. Raises NotFound("unknown_event")."""
        battle, by = await self.load(who, encounter)
        if not 1 <= seq <= battle.seq:
            raise NotFound("unknown_event", seq=seq, head=battle.seq)
        head = battle.head
        stored = await self._stored(battle, seq)
        shown = partial(self._record, battle, by)
        undoing = await self._rewinds.undoing_of(battle.row.id, stored, head, shown)
        undoer = await self._rewinds.undoer_of(battle.row.id, (stored,), head)
        return replace(marked(shown(stored), undoer), undoing=undoing)

    async def stored(self, who: Principal, encounter: UUID) -> StoredLog:
        """The encounter for audit and export."""
        battle, by = await self.load(who, encounter)
        linear, sides = battle.state.linear, battle.sides
        return StoredLog(
            battle=battle,
            by=by,
            viewer=viewer_then(by, linear, sides, battle.seq),
            viewer_of_seq=lambda seq: viewer_then(by, linear, sides, seq),
        )

    async def timers(self, who: Principal, encounter: UUID) -> TimersAnswer:
        """The deadlines that the caller may know of. Raises Refused("no_time_limit")."""
        battle, by = await self.load(who, encounter)
        return await self._deadlines.answer(
            battle, viewer_of(by, battle.state.rule, battle.state.linear)
        )

    async def load(self, who: Principal, encounter: UUID) -> tuple[LoadedEncounter, By]:
        """The encounter at its present head, and the caller as its log names it.

        Raises NotFound; Unauthenticated for the token of a seat that was removed.
        """
        access.require_own(who, encounter)
        return caller_of(who, encounter, await self._cache.current(encounter, who.tenant))

    async def place(self, who: Principal, encounter: UUID, after: str | None) -> tuple[int, int]:
        """The seq of a cursor and that of the head. Raises what `events` raises."""
        battle, _ = await self.load(who, encounter)
        seq, _ = await self._cursor(battle, after)
        return seq, battle.seq

    async def _cursor(self, battle: LoadedEncounter, after: str | None) -> tuple[int, str]:
        """Seq and hash8 of a cursor that lies on this history; the beginning without one."""
        if after is None:
            return 0, NO_HASH8
        return await place_on_log(self.store.log, battle.row.id, battle.seq, after, "after")

    async def _stored(self, battle: LoadedEncounter, seq: int) -> StoredEvent:
        events = await self.store.log.events(
            battle.row.id, after=seq - 1, until=seq, limit=1, audiences=None
        )
        if not events:
            raise NotFound("unknown_event", seq=seq, head=battle.seq)
        return events[0]

    def _record(self, battle: LoadedEncounter, by: By, stored: StoredEvent) -> EventRecord:
        viewer = viewer_then(by, battle.state.linear, battle.sides, stored.seq)
        return event_record(stored, viewer, battle.terms)
