"""Whatever is appended by whomever in whatever order: the store does what a dictionary would."""

from uuid import UUID, uuid4

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct

from service.engine.log.event import SealedEvent
from service.eventstore.records import (
    Append,
    Appended,
    Command,
    Conflict,
    Duplicate,
    EncounterRow,
    Missing,
    Outcome,
)
from service.eventstore.store import EventStore
from tests.eventstore.logs import (
    AT,
    append,
    as_read,
    command,
    event,
    facts_part,
    hash_of,
    head_of,
    stored_encounter,
    text_part,
)


class Attempt(Struct, frozen=True):
    """One append to try: on which encounter, how far behind its head, with which keys."""

    encounter: int
    behind: int
    length: int
    keys: tuple[str, ...]
    has_right_hash: bool


ATTEMPTS = st.builds(
    Attempt,
    encounter=st.integers(0, 3),
    behind=st.sampled_from((0, 0, 0, 1, 2)),
    length=st.integers(1, 3),
    keys=st.lists(st.sampled_from("abcdef"), max_size=2, unique=True).map(tuple),
    has_right_hash=st.sampled_from((True, True, True, False)),
)
BATCHES = st.lists(
    st.lists(ATTEMPTS, min_size=1, max_size=4, unique_by=lambda attempt: attempt.encounter),
    min_size=1,
    max_size=8,
)
GONE = 3
"""The encounter with this number is not there."""


class Model:
    """Three logs and their keys in memory."""

    def __init__(self, rows: list[EncounterRow]) -> None:
        self.logs: list[list[SealedEvent]] = [[event(1, base=0, of=row.id)] for row in rows]
        self.keys: list[dict[str, Command]] = [{} for _ in rows]
        self.rows = rows

    def asked(self, attempt: Attempt, nonce: object) -> Append:
        if attempt.encounter == GONE:
            return append(msgspec.structs.replace(self.rows[0], id=uuid4()))
        log = self.logs[attempt.encounter]
        seq = max(1, len(log) - attempt.behind)
        base = append(self.rows[attempt.encounter])
        return msgspec.structs.replace(
            base,
            expected_seq=seq,
            expected_hash=hash_of(log[seq - 1]) if attempt.has_right_hash else bytes(32),
            events=tuple(
                event(seq + n, text_part(), facts_part(), base=n % seq, of=(nonce, n))
                for n in range(1, attempt.length + 1)
            ),
            commands=tuple(command(key, seq + 1, seq + attempt.length) for key in attempt.keys),
        )

    def expected(self, attempt: Attempt, asked: Append) -> Outcome | None:
        """None represents Appended, whose time nobody can foretell."""
        if attempt.encounter == GONE:
            return Missing()
        log, keys = self.logs[attempt.encounter], self.keys[attempt.encounter]
        used = [keys[key] for key in attempt.keys if key in keys]
        if used:
            ordered = sorted(used, key=lambda found: (found.first_seq, found.key))
            return Duplicate(commands=tuple(ordered))
        if (asked.expected_seq, asked.expected_hash) != (len(log), hash_of(log[-1])):
            return Conflict(head_seq=len(log), head_hash=hash_of(log[-1]))
        log += asked.events
        keys.update({found.key: found for found in asked.commands})
        return None


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(batches=BATCHES)
async def test_any_sequence_of_batches_gives_what_the_model_gives(
    store: EventStore, tenant: UUID, batches: list[list[Attempt]]
) -> None:
    model = Model([await stored_encounter(store, tenant) for _ in range(3)])
    for number, attempts in enumerate(batches):
        asked = [model.asked(attempt, (number, attempt)) for attempt in attempts]
        outcomes = await store.writer.append(asked)
        for attempt, wanted, outcome in zip(attempts, asked, outcomes, strict=True):
            expected = model.expected(attempt, wanted)
            if expected is None:
                assert isinstance(outcome, Appended)
            else:
                assert outcome == expected
    for row, log, keys in zip(model.rows, model.logs, model.keys, strict=True):
        stored = await store.log.events(row.id, limit=1000, audiences=None)
        head = await head_of(store, row.id)
        assert [msgspec.structs.replace(found, recorded_at=AT) for found in stored] == [
            as_read(wanted) for wanted in log
        ]
        assert (head.head_seq, head.head_hash) == (len(log), hash_of(log[-1]))
        assert {key: await store.log.command(row.id, "seat:1", key) for key in keys} == keys
        assert await store.log.rewinds(row.id) == tuple(
            (found.seq, found.base) for found in log if found.base != found.seq - 1
        )
