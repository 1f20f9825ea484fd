"""What is written besides actions: encounters are created and deleted, their clocks changed."""

from collections.abc import Callable
from typing import Final
from uuid import UUID

import msgspec

from service.encounters import access
from service.encounters.cache import Cache
from service.encounters.clock_and_ids import Sources, recorded
from service.encounters.creation import created_once, draft
from service.encounters.group_commit import BatchTally
from service.encounters.long_work import computed
from service.encounters.principal import Principal, is_forker
from service.encounters.reads import Reads
from service.encounters.requests import (
    CreateRequest,
    convert,
    fingerprint,
    timers_request,
)
from service.encounters.responses import (
    CreatedAnswer,
    Replayable,
    TimersAnswer,
    TombstoneView,
)
from service.encounters.seed_reveal import reveal_overdue
from service.encounters.timers.service import TimerService
from service.encounters.write_path import WritePath
from service.errors import Forbidden
from service.eventstore.records import (
    Creation,
    EncounterRow,
    NewEncounter,
    Tombstone,
)

LARGE_SETUP_BYTES: Final = 16 << 10
"""A creation from a longer setup is made in the worker thread; service default."""


class Writes:
    """The encounters of one process, written. Every method raises NotFound for another tenant's.

    `deleted` is called with each encounter that was deleted, and so is what `on_deletion` adds.
    """

    def __init__(
        self,
        reads: Reads,
        sources: Sources,
        cache: Cache,
        write_path: WritePath,
        timing: TimerService,
        deleted: Callable[[UUID], None],
    ) -> None:
        self.sources = sources
        self._reads = reads
        self._store = reads.store
        self._cache = cache
        self._write_path = write_path
        self._timing = timing
        self._deleted = [deleted]

    def on_deletion(self, deleted: Callable[[UUID], None]) -> None:
        """Call this, too, with each encounter that was deleted."""
        self._deleted.append(deleted)

    async def create(self, who: Principal, tree: object, key: str) -> Replayable[CreatedAnswer]:
        """A new encounter from a request body.

        Raises Forbidden for a seat, which is of another encounter; Malformed, Refused,
        ConflictingRequest("idempotency_key_reused"), Unavailable.
        """
        if who.acting_for is not None:
            raise Forbidden("gm_only", action="create_encounter")
        creation = Creation(principal=who.name, key=key, fingerprint=fingerprint(tree))

        reads = self._reads

        async def drafted() -> NewEncounter:
            request, held = convert(tree, CreateRequest), reads.held()
            return await computed(
                lambda: draft(who, request, creation, reads.rulesets, self.sources, held),
                is_large=len(msgspec.json.encode(request.setup)) > LARGE_SETUP_BYTES,
            )

        async def answer(encounter: UUID, replayed: bool) -> Replayable[CreatedAnswer]:
            told = await self._created_answer(who, encounter)
            return Replayable(answer=told, replayed=replayed)

        return await created_once(self._store, creation, drafted, answer)

    async def _created_answer(self, who: Principal, encounter: UUID) -> CreatedAnswer:
        battle, by = await self._reads.load(who, encounter)
        view = await self._reads.view_at(battle, by, 1)
        record = await self._reads.event(who, encounter, 1)
        return CreatedAnswer(
            encounter=battle.id,
            ruleset=battle.row.ruleset,
            view=view,
            events=(record,),
            receipt=self._reads.signer.sign(battle.id, battle.seq, battle.hash),
        )

    async def delete(self, who: Principal, encounter: UUID) -> TombstoneView:
        """Delete it for good, but for a tombstone; again gives the same.

        Raises Forbidden("gm_only") for a seat, but for the one that made the encounter as its fork.
        """
        if who.acting_for is not None and not is_forker(who):
            raise Forbidden("gm_only", action="delete_encounter")
        access.require_own(who, encounter)
        row: EncounterRow | Tombstone | None = await self._store.log.head(encounter)
        if row is None or row.tenant != who.tenant:
            row = await self._store.log.tombstone(encounter)
        if row is None or row.tenant != who.tenant:
            raise access.not_found(str(encounter))
        left = await self._store.eraser.delete_encounter(encounter)
        self._cache.forget(encounter)
        if left is None:
            raise access.not_found(str(encounter))
        for deleted in self._deleted:
            deleted(encounter)
        return TombstoneView(
            encounter=str(left.encounter_id),
            seq=left.head_seq,
            hash=left.head_hash.hex(),
            deleted_at=recorded(left.deleted_at),
        )

    async def reveal_overdue(self) -> int:
        """End and reveal what had no event for as long as its event 1 says; how many."""
        revealed = 0
        async for _ in reveal_overdue(self._store, self._cache, self._write_path):
            revealed += 1
        return revealed

    async def change_timers(
        self, who: Principal, encounter: UUID, tree: object, key: str
    ) -> Replayable[TimersAnswer]:
        """Pause, resume or extend.

        Raises Forbidden("gm_only"), Malformed, and what `TimerService.change` raises.
        """
        battle, by = await self._reads.load(who, encounter)
        access.require_gm(by, "change_timers")
        request = timers_request(tree)
        answer, replayed = await self._timing.change(battle, who, key, request, fingerprint(tree))
        return Replayable(answer=answer, replayed=replayed)

    async def sweep_timers(self) -> int:
        """End decisions and turns whose time is over; how many this process ended."""
        return await self._timing.sweep()

    async def rest(self) -> None:
        """Compress what is in memory of encounters that nobody has asked for in a while."""
        await self._cache.rest()

    @property
    def batches(self) -> BatchTally:
        """What went out to the database in batches."""
        return self._write_path.batches

    async def settle(self) -> None:
        """Wait for work in the background: before the store is closed."""
        await self._timing.upcoming.settle()
        await self._write_path.settle()
