"""Forgers of several talents: from one who edits a row to one who owns every key of the service."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from service.engine import hashing
from service.engine.battle import fold
from service.engine.battle.state import State
from service.engine.log import event as events
from service.engine.log.event import Event, SealedEvent, Sealer
from service.replay.log.sealed_event import Evidence
from tests.kit.table import SEAL_KEY, Table
from tests.replay.memory_audit import digest, evidence_in_memory

Change = Callable[[Event], Event]


def resealed(table: Table, forged: list[Event]) -> list[Evidence]:
    """A log as somebody with all keys would write it: every seal holds, only the rules object."""
    rules = {}
    linear = None
    log: list[SealedEvent] = []
    for event in forged:
        before = None
        if linear is not None:
            before = State(rule=rules[event.base], linear=linear, terms=table.terms)
        after, scopes = fold.unfold(table.ruleset, before, event)
        rules[event.seq], linear = after.rule, after.linear
        salts = b"".join(digest(f"{event.seq}/{n}")[:16] for n in range(18))
        prev = log[-1].hash if log else hashing.NO_HASH
        sealer = Sealer(seal_key=SEAL_KEY, text_salts=salts)
        log.append(events.seal(events.lay_out(event, scopes), prev, sealer))
    return [evidence_in_memory(sealed, sides=table.side_ids) for sealed in log]


def with_event(table: Table, seq: int, change: Change) -> list[Evidence]:
    """The log with one event told otherwise, everything sealed again."""
    log = list(table.events)
    log[seq - 1] = change(log[seq - 1])
    return resealed(table, log)


def with_row(log: list[Evidence], seq: int, **changes: Any) -> list[Evidence]:
    """The log with something else in one row, nothing else touched."""
    row = replace(log[seq - 1], **changes)
    return [*log[: seq - 1], row, *log[seq:]]


def seq_of(table: Table, tag: str, nth: int = 0) -> int:
    """The seq of the nth event whose action has this tag."""
    seqs = [e.seq for e in table.events if e.action.__struct_config__.tag == tag]
    return seqs[nth]
