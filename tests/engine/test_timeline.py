"""What counts behind a head, held against a walk from event to event over random logs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.battle.timeline import Run, Timeline, TimelineChange, last_of, size_of


@st.composite
def logs(draw: st.DrawFn) -> list[int]:
    """The bases of a log, event by event: steps, rewinds, redos, rewinds of redos."""
    bases = [0]
    for seq in range(2, draw(st.integers(2, 60))):
        is_rewind = draw(st.integers(0, 2)) == 0
        bases.append(draw(st.integers(1, seq - 1)) if is_rewind else seq - 1)
    return bases


def timeline_of(bases: list[int]) -> Timeline:
    """The log's rewinds."""
    return Timeline((seq, base) for seq, base in enumerate(bases, 1) if base != seq - 1)


def counting(bases: list[int], head: int) -> set[int]:
    """The events that are met going from the head from base to base."""
    met = set()
    while head:
        met.add(head)
        head = bases[head - 1]
    return met


def seqs(runs: tuple[Run, ...]) -> list[int]:
    """The events of runs."""
    return [seq for run in runs for seq in range(run.first, run.last + 1)]


@given(logs())
def test_what_a_rewind_undoes_is_what_is_met_on_one_way_alone(
    bases: list[int],
) -> None:
    timeline = timeline_of(bases)
    for seq, base in enumerate(bases[1:], 2):
        before, after = counting(bases, seq - 1), counting(bases, base)
        difference = timeline.difference(seq - 1, base)
        assert seqs(difference.undone) == sorted(before - after)
        assert seqs(difference.restored) == sorted(after - before)
        assert size_of(difference.undone) == len(before - after)


@given(logs())
def test_an_event_was_undone_by_the_last_rewind_that_took_it_away(bases: list[int]) -> None:
    timeline = timeline_of(bases)
    for head in range(1, len(bases) + 1):
        undoer = {}
        for seq in range(2, head + 1):
            for gone in counting(bases, seq - 1) - counting(bases, seq):
                undoer[gone] = seq
        standing = counting(bases, head)
        undone_by = timeline.undone_by(head)
        told = {seq: undone_by(seq) for seq in range(1, head + 1)}
        assert told == {seq: None if seq in standing else undoer[seq] for seq in told}


@pytest.mark.parametrize("steps", [1, 50, 500, 5_000])
def test_a_rewind_over_any_number_of_steps_is_one_run(steps: int) -> None:
    timeline = Timeline([(steps + 2, 1)])
    assert timeline.difference(steps + 1, 1) == TimelineChange((Run(2, steps + 1),), ())
    assert timeline.difference(steps + 2, steps + 1) == TimelineChange(
        (Run(steps + 2, steps + 2),), (Run(2, steps + 1),)
    )


def test_the_last_of_runs_are_cut_where_they_are_too_many() -> None:
    runs = (Run(1, 4), Run(6, 6), Run(9, 12))
    assert last_of(runs, 6) == (Run(4, 4), Run(6, 6), Run(9, 12))
    assert last_of(runs, 2) == (Run(11, 12),)
    assert last_of(runs, 99) == runs
