"""Encounters as callers know them: create, list, read, act, preview, follow."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar
from uuid import UUID

from msgspec import UNSET
from msgspec.structs import replace

from service.encounters import access
from service.encounters.cache import Cache
from service.encounters.clock_and_ids import Sources, recorded
from service.encounters.creation import draft
from service.encounters.cursors import (
    NO_HASH8,
    place_on_log,
    require_none_ahead,
)
from service.encounters.encounter_list import page_of, page_of_one, require_listable
from service.encounters.group_commit import BatchTally, once_stored
from service.encounters.loaded import Live, etag
from service.encounters.loader import Rulesets
from service.encounters.pending_events import Asked
from service.encounters.principal import Principal, by_of, is_seated
from service.encounters.receipts import Signer
from service.encounters.requests import (
    ActRequest,
    CreateRequest,
    PreviewRequest,
    convert,
    fingerprint,
    require_ruleset,
    timers_request,
    within,
)
from service.encounters.responses import (
    CreatedAnswer,
    EncounterPage,
    EncounterView,
    EventPage,
    EventRecord,
    LegalAnswer,
    PreviewAnswer,
    TimersAnswer,
    TombstoneView,
)
from service.encounters.rewind_summary import undoing_of
from service.encounters.seats.revocation import revoked
from service.encounters.seed_reveal import reveal_overdue
from service.encounters.streams.hub import Hub
from service.encounters.streams.log_pages import CACHE_BYTES as STREAM_CACHE_BYTES
from service.encounters.streams.subscribe import Sources as HubSources
from service.encounters.timers.service import Timing
from service.encounters.views import encounter_view, event_record, raw, viewer_then
from service.encounters.write_path import Acted, Actor
from service.engine.battle import decide
from service.engine.battle.state import seat_of, viewer_of
from service.engine.ruleset import choices_of, refusing
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.values import By
from service.errors import ConflictingRequest, Forbidden, NotFound, Refused
from service.eventstore.encounter_list import Selection
from service.eventstore.records import (
    Created,
    Creation,
    CreationRepeated,
    EncounterRow,
    StoredEvent,
    Tombstone,
)
from service.eventstore.store import EventStore
from service.fanout.fanout import Fanout

T = TypeVar("T")
CACHE_BYTES = 256 << 20
"""The encounters a process keeps in memory may take so much. Service default."""


@dataclass(frozen=True, slots=True)
class Replayable(Generic[T]):
    """An answer, and whether it is that of an earlier request under the same key."""

    answer: T
    replayed: bool


@dataclass(frozen=True, slots=True)
class StoredLog:
    """What audit and export start from: the encounter, who asks, and what they may see.

    `viewer_of_seq` says whose parts the caller may read of an event.
    """

    live: Live
    by: By
    viewer: Viewer
    viewer_of_seq: Callable[[int], Viewer]


class Encounters:
    """The encounters of one process. Every method raises NotFound for another tenant's."""

    def __init__(
        self,
        store: EventStore,
        rulesets: Rulesets,
        signer: Signer,
        sources: Sources,
        cache_bytes: int = CACHE_BYTES,
        fanout: Fanout | None = None,
        stream_cache_bytes: int = STREAM_CACHE_BYTES,
    ) -> None:
        self.store = store
        self.rulesets = rulesets
        self.signer = signer
        self.sources = sources
        self._cache = Cache(store, rulesets, cache_bytes)
        self.timing = Timing(
            store,
            self._cache,
            self._act,
            followed=lambda: self.hub.followed,
            changed=lambda each: self.hub.retimed(each),
        )
        asked = HubSources(
            asking=self._asking,
            current=self._cache.current,
            revoked=partial(revoked, store),
            timers=self.timing.told,
        )
        self.hub = Hub(store, signer, asked, fanout, stream_cache_bytes)
        self._actor = Actor(store, self._cache, signer, sources, self.hub.tell)

    async def create(self, who: Principal, tree: object, key: str) -> Replayable[CreatedAnswer]:
        """A new encounter from a request body.

        Raises Forbidden for a seat, which is of another encounter; Malformed, Refused,
        ConflictingRequest("idempotency_key_reused"), Unavailable.
        """
        if who.acting_for is not None:
            raise Forbidden("gm_only", action="create_encounter")
        creation = Creation(principal=who.name, key=key, fingerprint=fingerprint(tree))
        earlier = await self.store.log.created(who.name, key)
        if earlier is not None:
            return await self._created_before(who, earlier, creation)
        request = convert(tree, CreateRequest)
        drafted = draft(who, request, creation, self.rulesets, self.sources)
        outcome = await self.store.writer.create(drafted)
        if isinstance(outcome, Created):
            with once_stored():
                answer = await self._created_answer(who, drafted.id)
            return Replayable(answer=answer, replayed=False)
        return await self._created_before(who, outcome, creation)

    async def _created_before(
        self, who: Principal, earlier: CreationRepeated, creation: Creation
    ) -> Replayable[CreatedAnswer]:
        if earlier.fingerprint not in (b"", creation.fingerprint):
            raise ConflictingRequest("idempotency_key_reused", key=creation.key)
        return Replayable(
            answer=await self._created_answer(who, earlier.encounter_id), replayed=True
        )

    async def _created_answer(self, who: Principal, encounter: UUID) -> CreatedAnswer:
        live, by = await self._known(who, encounter)
        view = await self._view_at(live, by, 1)
        record = await self.event(who, encounter, 1)
        return CreatedAnswer(
            encounter=live.id,
            ruleset=live.row.ruleset,
            view=view,
            events=(record,),
            receipt=await self.signer.receipt(live.id, live.seq, live.hash),
        )

    async def list(
        self, who: Principal, selection: Selection, cursor: str | None, limit: int
    ) -> EncounterPage:
        """A page of the caller's encounters.

        Raises Malformed for a cursor of another list and for a ruleset that does not exist.
        """
        require_listable(selection, self.rulesets)
        if who.encounter is not None:
            live, _ = await self.known(who, who.encounter)
            return page_of_one(live, selection, cursor)
        return await page_of(self.store.directory, who, selection, cursor, limit)

    async def view(
        self, who: Principal, encounter: UUID, at: int | None, known: Sequence[str] = ()
    ) -> EncounterView:
        """The state now, or after event `at`, as the caller may see it.

        Raises NotFound("unknown_event"); ConflictingRequest("history_diverged") if one of the
        versions that the caller knows is ahead of this log.
        """
        live, by = await self._known(who, encounter)
        await require_none_ahead(self.store.log, encounter, live.head, known, "If-None-Match")
        if at is None or at == live.seq:
            return await self._view_at(live, by, live.seq)
        if not 1 <= at <= live.seq:
            raise NotFound("unknown_event", seq=at, head=live.seq)
        return await self._view_at(live, by, at)

    async def _view_at(self, live: Live, by: By, seq: int) -> EncounterView:
        viewer = viewer_then(by, live.state.linear, live.sides, seq)
        if seq == live.seq:
            view = encounter_view(live, live.state, seq, live.hash, by, viewer)
            return await self.timing.added(view, live, viewer)
        stored = await self._stored(live, seq)
        state = await self._cache.loader.state_at(live.row.id, live.ruleset, seq)
        return encounter_view(live, state, seq, stored.hash.hex(), by, viewer)

    async def board(self, who: Principal, encounter: UUID, digest: str | None) -> tuple[str, bytes]:
        """Digest and bytes of a map or content blob: the present map if none is named.

        Raises NotFound("unknown_map").
        """
        live, _ = await self._known(who, encounter)
        named = live.state.rule.map if digest is None else digest
        if named is UNSET:
            raise NotFound("unknown_map", encounter=live.id)
        blob = await self.store.log.blob(live.row.id, bytes.fromhex(named))
        if blob is None:
            raise NotFound("unknown_map", encounter=live.id, digest=named)
        return named, blob.body

    async def act(
        self,
        who: Principal,
        encounter: UUID,
        request: ActRequest,
        key: str | None,
        if_match: str | None,
    ) -> Acted:
        """One action or several. See `write_path.Actor.act` for what is raised."""
        access.require_own(who, encounter)
        recent = await self._cache.recent(encounter, who.tenant)
        if recent is not None and not is_seated(who, recent.state.linear):
            # A seat that this process has not heard of yet, or that is there no more.
            recent = await self._cache.current(encounter, who.tenant)
        live, by = self._asking(who, encounter, recent)
        acted = await self._act(live, Asked(who, by, request, key, if_match))
        for seat in request.removed_seats(acted.answer.accepted):
            with once_stored():
                await self.store.seats.remove(encounter, seat)
        for index, metadata in request.restated_metadata(acted.answer.accepted):
            seq = acted.answer.events[index].seq
            with once_stored():
                await self.store.directory.restate_metadata(encounter, seq, metadata)
        return acted

    async def _act(self, live: Live, asked: Asked) -> Acted:
        """Append, and note what is due behind it."""
        acted = await self._actor.act(live, asked)
        if not acted.replayed:
            self.timing.committed(live)
        return acted

    async def preview(self, who: Principal, encounter: UUID, tree: object) -> PreviewAnswer:
        """What an action would do: nothing is drawn, written or changed.

        Raises Malformed, Forbidden, Refused as the action itself would.
        """
        live, by = await self._known(who, encounter)
        request = convert(tree, PreviewRequest)
        require_ruleset(request.ruleset, live.row.ruleset)
        action: Action = convert(request.action, live.ruleset.action, "$.action")
        answers = request.choices(choices_of(live.ruleset))
        with refusing(live.ruleset), within("$.action"):
            decide.require_askable(live.state, action, by, live.seq + 1)
            found = live.ruleset.preview(live.state, action, by, answers)
        return PreviewAnswer(
            ruleset=live.row.ruleset,
            version=live.seq,
            legal=found.legal,
            facts=raw(found.facts),
            odds=found.odds,
            opens=found.opens,
            unknown=found.unknown,
        )

    async def legal(
        self, who: Principal, encounter: UUID, combatant: str, sample: int
    ) -> LegalAnswer:
        """What a combatant may do now. Raises Refused("unknown_combatant")."""
        live, by = await self._known(who, encounter)
        state = live.state
        viewer = viewer_of(by, state.rule, state.linear)
        seen = live.ruleset.perceive(state, viewer)
        if all(known.id != combatant for known in seen.rule.combatants):
            raise Refused("unknown_combatant", combatant=combatant)
        found = live.ruleset.legal_actions(state, combatant, viewer)
        samples = live.ruleset.samples(state, combatant, viewer, sample) if sample else ()
        return LegalAnswer(
            ruleset=live.row.ruleset,
            version=live.seq,
            combatant=combatant,
            actions=raw(found.actions),
            samples=raw(samples) if sample else UNSET,
        )

    async def events(
        self, who: Principal, encounter: UUID, after: str | None, limit: int
    ) -> EventPage:
        """Events behind a cursor. Raises ConflictingRequest("history_diverged"), Malformed."""
        live, by = await self._known(who, encounter)
        seq, hash8 = await self._cursor(live, after)
        page = await self.store.log.events(
            live.row.id, after=seq, until=live.seq, limit=limit, audiences=None
        )
        shown = tuple(self._record(live, by, stored) for stored in page)
        cursor = etag(page[-1].seq, page[-1].hash.hex()) if page else etag(seq, hash8)
        return EventPage(ruleset=live.row.ruleset, events=shown, next=cursor, head=live.seq)

    async def wait(
        self, who: Principal, encounter: UUID, after: str | None, seconds: float
    ) -> None:
        """Return when there is an event behind the cursor, or after so many seconds."""
        live, _ = await self._known(who, encounter)
        seq, _ = await self._cursor(live, after)
        if live.seq <= seq:
            await self.hub.wait(encounter, seq, seconds)

    async def event(self, who: Principal, encounter: UUID, seq: int) -> EventRecord:
        """One event, and of a rewind what it undid. Raises NotFound("unknown_event")."""
        live, by = await self._known(who, encounter)
        if not 1 <= seq <= live.seq:
            raise NotFound("unknown_event", seq=seq, head=live.seq)
        stored = await self._stored(live, seq)
        shown = partial(self._record, live, by)
        undoing = await undoing_of(self.store.log, live.row.id, stored, shown)
        return replace(shown(stored), undoing=undoing)

    async def stored(self, who: Principal, encounter: UUID) -> StoredLog:
        """The encounter for audit and export."""
        live, by = await self._known(who, encounter)
        linear, sides = live.state.linear, live.sides
        return StoredLog(
            live=live,
            by=by,
            viewer=viewer_then(by, linear, sides, live.seq),
            viewer_of_seq=lambda seq: viewer_then(by, linear, sides, seq),
        )

    async def delete(self, who: Principal, encounter: UUID) -> TombstoneView:
        """Delete it for good, but for a tombstone; again gives the same.

        Raises Forbidden("gm_only") for a seat.
        """
        if who.acting_for is not None:
            raise Forbidden("gm_only", action="delete_encounter")
        known: EncounterRow | Tombstone | None = await self.store.log.head(encounter)
        if known is None or known.tenant != who.tenant:
            known = await self.store.log.tombstone(encounter)
        if known is None or known.tenant != who.tenant:
            raise access.not_found(str(encounter))
        left = await self.store.eraser.delete_encounter(encounter)
        self._cache.forget(encounter)
        if left is None:
            raise access.not_found(str(encounter))
        self.hub.deleted(encounter)
        return TombstoneView(
            encounter=str(left.encounter_id),
            seq=left.head_seq,
            hash=left.head_hash.hex(),
            deleted_at=recorded(left.deleted_at),
        )

    async def reveal_overdue(self) -> int:
        """End and reveal what had no event for as long as its event 1 says; how many."""
        revealed = 0
        async for _ in reveal_overdue(self.store, self._cache, self._actor):
            revealed += 1
        return revealed

    async def timers(self, who: Principal, encounter: UUID) -> TimersAnswer:
        """The deadlines that the caller may know of. Raises Refused("no_time_limit")."""
        live, by = await self._known(who, encounter)
        return await self.timing.answer(live, viewer_of(by, live.state.rule, live.state.linear))

    async def change_timers(
        self, who: Principal, encounter: UUID, tree: object, key: str
    ) -> Replayable[TimersAnswer]:
        """Pause, resume or extend.

        Raises Forbidden("gm_only"), Malformed, and what `Timing.change` raises.
        """
        live, by = await self._known(who, encounter)
        access.require_gm(by, "change_timers")
        request = timers_request(tree)
        answer, replayed = await self.timing.change(live, who, key, request, fingerprint(tree))
        return Replayable(answer=answer, replayed=replayed)

    async def sweep_timers(self) -> int:
        """End what somebody's time is over for; how much this process ended."""
        return await self.timing.sweep()

    @property
    def batches(self) -> BatchTally:
        """What went out to the database in batches."""
        return self._actor.batches

    async def settle(self) -> None:
        """Wait for work in the background: before the store is closed."""
        await self.timing.settle()
        await self._actor.settle()

    async def known(self, who: Principal, encounter: UUID) -> tuple[Live, By]:
        """The encounter at its present head, and who asks; for the rooms that look at it.

        Raises NotFound; Unauthenticated for the token of a seat that was removed.
        """
        return await self._known(who, encounter)

    async def _known(self, who: Principal, encounter: UUID) -> tuple[Live, By]:
        """The encounter at its present head, if it is the caller's tenant's, and who asks."""
        access.require_own(who, encounter)
        return self._asking(who, encounter, await self._cache.current(encounter, who.tenant))

    def _asking(self, who: Principal, encounter: UUID, live: Live | None) -> tuple[Live, By]:
        """Who asks for what; another tenant's encounter is none."""
        if live is None or live.row.tenant != who.tenant:
            raise access.not_found(str(encounter))
        if who.acting_for is None:
            return live, by_of(who, "gm")
        seat = seat_of(live.state.linear, who.acting_for)
        if seat is None:
            raise access.not_seated(who)
        return live, by_of(who, seat.role)

    async def _cursor(self, live: Live, after: str | None) -> tuple[int, str]:
        """Seq and hash8 of a cursor that lies on this history; the beginning without one."""
        if after is None:
            return 0, NO_HASH8
        return await place_on_log(self.store.log, live.row.id, live.seq, after, "after")

    async def _stored(self, live: Live, seq: int) -> StoredEvent:
        found = await self.store.log.events(
            live.row.id, after=seq - 1, until=seq, limit=1, audiences=None
        )
        if not found:
            raise NotFound("unknown_event", seq=seq, head=live.seq)
        return found[0]

    def _record(self, live: Live, by: By, stored: StoredEvent) -> EventRecord:
        viewer = viewer_then(by, live.state.linear, live.sides, stored.seq)
        return event_record(stored, viewer, live.terms)
