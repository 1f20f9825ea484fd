"""The one statement that appends, and a batch of appends as the arrays it takes."""

from collections.abc import Iterable, Sequence
from typing import Final

from service.eventstore.records import Append

_WIDTH: Final = 6
"""Encounters, commands, events and parts are each told by six arrays."""

_DUE_WIDTH: Final = 2
"""What is to be erased: encounter and seq."""

APPEND: Final = """
    SELECT taken, held, at FROM append_free(
        $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
        $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26
    )
"""


def columns(batch: Sequence[Append]) -> tuple[list[object], ...]:
    """The arguments of APPEND, in the order of its declaration in the migrations."""
    encounters: list[tuple[object, ...]] = []
    commands: list[tuple[object, ...]] = []
    events: list[tuple[object, ...]] = []
    parts: list[tuple[object, ...]] = []
    due: list[tuple[object, ...]] = []
    for append in batch:
        where = append.encounter_id
        last = append.events[-1]
        encounters.append(
            (
                where,
                append.expected_seq,
                append.expected_hash,
                last.seq,
                last.hash,
                append.status,
            )
        )
        commands += [
            (where, c.principal, c.key, c.fingerprint, c.first_seq, c.last_seq)
            for c in append.commands
        ]
        due += [(where, seq) for seq in append.erases]
        for event in append.events:
            events.append((where, event.seq, event.base, event.hash, event.body, event.commits))
            parts += [(where, event.seq, p.audience, p.kind, p.salt, p.body) for p in event.parts]
    return tuple(
        array
        for rows, width in (
            (encounters, _WIDTH),
            (commands, _WIDTH),
            (events, _WIDTH),
            (parts, _WIDTH),
            (due, _DUE_WIDTH),
        )
        for array in transposed(rows, width)
    )


def transposed(rows: Iterable[tuple[object, ...]], width: int) -> list[list[object]]:
    """`width` arrays, one per column, also when there are no rows."""
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(width)]


def require_batch(batch: Sequence[Append]) -> None:
    """Raises ValueError for an encounter named twice, no events, or seqs with a gap."""
    if len({append.encounter_id for append in batch}) < len(batch):
        raise ValueError("an encounter occurs twice in one batch")
    for append in batch:
        following = range(append.expected_seq + 1, append.expected_seq + 1 + len(append.events))
        if not append.events or [event.seq for event in append.events] != list(following):
            raise ValueError("the events of an append follow its expected head one by one")
