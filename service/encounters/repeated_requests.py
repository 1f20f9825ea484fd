"""Requests that are refused, or were sent before under their key.

How this works. What succeeded before is answered from the log and never applied twice. A refusal
is only raised after the log was asked whether the same request had succeeded already, and whether
the head it was decided on is still the head.
"""

import contextlib

from msgspec import UNSET, UnsetType

from service.encounters.access import not_found
from service.encounters.cache import Cache, InFlightHead, LoadedEncounter
from service.encounters.cursors import require_on_log
from service.encounters.group_commit import Committed, once_stored
from service.encounters.housekeeping import finish_erasure
from service.encounters.loader import known_parts, open_event
from service.encounters.pending_events import ActCall, PendingEvents, opens_decision
from service.encounters.receipts import Signer
from service.encounters.responses import Acted, Replayable, Stopped
from service.encounters.views import actions_answer
from service.errors import ConflictingRequest, Malformed, PreconditionFailed, WarlogError
from service.eventstore.records import Command
from service.eventstore.store import EventStore


class Conflicted(Exception):
    """The head moved: read the tail and decide again."""


class RepeatedRequests:
    """Finds what a request did when it was sent before."""

    def __init__(self, store: EventStore, cache: Cache, signer: Signer) -> None:
        self._store = store
        self._cache = cache
        self._signer = signer

    async def answer(self, battle: LoadedEncounter, call: ActCall) -> Acted | None:
        """The answer to the same request if it succeeded before, made from the log.

        Raises ConflictingRequest("idempotency_key_reused") for another request under its key.
        """
        if call.key is None:
            return None
        command = await self._store.log.command(battle.row.id, call.who.name, call.key)
        if command is None:
            return None
        if command.fingerprint not in (b"", call.request.fingerprint):
            raise ConflictingRequest("idempotency_key_reused", key=call.key)
        with once_stored():
            return await self._answer_again(battle, call, command)

    async def answer_or_raise(
        self, battle: LoadedEncounter, call: ActCall, refusal: WarlogError
    ) -> Acted:
        """Nothing is committed now: the answer to what was before, or the refusal."""
        repeated = await self.answer(battle, call)
        if repeated is None:
            raise refusal
        return repeated

    async def refuse(
        self,
        battle: LoadedEncounter,
        call: ActCall,
        pending: PendingEvents,
        before: InFlightHead | None,
        refusal: WarlogError,
    ) -> Acted:
        """Raise a refusal once the head it was decided on is known to be the log's end.

        Before that, the same request may turn out to have succeeded earlier: then its answer.
        Raises the refusal, or Conflicted.
        """
        if before is not None and not isinstance(await before.done, Committed):
            raise Conflicted from refusal
        repeated = await self.answer(battle, call)
        if repeated is not None:
            return repeated
        if before is None and not await self._is_head(battle, pending):
            raise Conflicted from refusal
        if isinstance(refusal, PreconditionFailed) and call.if_match is not None:
            with contextlib.suppress(Malformed):
                log, encounter = self._store.log, battle.row.id
                await require_on_log(log, encounter, pending.seq, call.if_match, "If-Match")
        raise refusal

    async def _is_head(self, battle: LoadedEncounter, pending: PendingEvents) -> bool:
        """Whether what was decided on is still the log's end."""
        row = await self._store.log.head(battle.row.id)
        return row is None or (row.head_seq, row.head_hash.hex()) == (pending.seq, pending.hash)

    async def _answer_again(
        self, battle: LoadedEncounter, call: ActCall, command: Command
    ) -> Acted:
        """The answer to a request that succeeded, with the events it made then. Raises NotFound."""
        # What is in memory may be behind the log, or ahead of one that was set back.
        if not await self._cache.renew(battle):
            raise not_found(battle.id)
        # The first attempt may have failed between the event and the erasing.
        if await finish_erasure(self._store, battle.row.id):
            self._cache.forget(battle.row.id)
        stored = await self._store.log.events(
            battle.row.id,
            after=command.first_seq - 1,
            until=command.last_seq,
            limit=len(call.request.items),
            audiences=None,
        )
        if not stored:
            raise not_found(battle.id)
        state = battle.state
        stopped: Stopped | UnsetType = UNSET
        if len(stored) < len(call.request.items):
            last = open_event(battle.ruleset, stored[-1].body, known_parts(stored[-1]), state)
            stopped = Stopped(
                index=len(stored), reason="decision" if opens_decision(last.effects) else "refused"
            )
        # The receipt is for the head that the log has now.
        receipt = self._signer.sign(battle.id, battle.seq, battle.hash)
        by = call.by_after(state.linear)
        answer = actions_answer(battle.terms, state, by, stored, stopped, receipt)
        return Replayable(answer=answer, replayed=True)
