"""Limits, pauses and extensions as pure functions: against a clock that counts second by second."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from service.encounters.timers.deadlines import (
    SECOND,
    SoughtStarts,
    StartEvents,
    Timer,
    deadline,
    elapsed,
    extension,
    found_at,
)
from service.eventstore.timers import Clock, ClockPause, Moment

START = datetime(2026, 11, 21, 20, tzinfo=UTC)
SPAN = 120


def at(second: int) -> datetime:
    return START + second * SECOND


def pause(start: int, end: int) -> ClockPause:
    return ClockPause(paused_at=at(start), resumed_at=at(end))


@st.composite
def pauses(draw: st.DrawFn) -> tuple[ClockPause, ...]:
    """Pauses in the order of their beginning, which may overlap: the clock may be set back."""
    starts = sorted(draw(st.lists(st.integers(-20, SPAN), max_size=5)))
    return tuple(pause(start, start + draw(st.integers(0, 40))) for start in starts)


seconds = st.integers(0, SPAN)


def is_paused(second: int, during: Sequence[ClockPause]) -> bool:
    """Whether the second that begins then lies in a pause."""
    return any(each.paused_at <= at(second) < each.resumed_at for each in during)


def counted(began: int, until: int, during: Sequence[ClockPause]) -> int:
    """Seconds between the two that lie in no pause, counted one by one."""
    return sum(not is_paused(second, during) for second in range(began, until))


@given(seconds, seconds, pauses())
def test_time_passes_as_if_it_were_counted(
    began: int, until: int, during: tuple[ClockPause, ...]
) -> None:
    assert elapsed(at(began), at(until), during) == counted(began, until, during) * SECOND


@given(seconds, st.integers(1, SPAN), pauses())
def test_a_deadline_is_the_first_moment_at_which_so_much_has_passed(
    began: int, limit: int, during: tuple[ClockPause, ...]
) -> None:
    due = deadline(at(began), limit * SECOND, during)
    second = (due - START) // SECOND
    assert counted(began, second, during) == limit
    assert counted(began, second - 1, during) == limit - 1


def timer(began: int, limit: int) -> Timer:
    return Timer(
        name="d1.1",
        subject="x",
        began=at(began),
        seconds=limit,
        audience="everyone",
        can_end=True,
        decision_id="d1.1",
    )


def clock(
    now: int, during: tuple[ClockPause, ...] = (), *, paused: int | None = None, extra: int = 0
) -> Clock:
    return Clock(
        now=at(now),
        changes=0,
        paused_at=None if paused is None else at(paused),
        pauses=during,
        extra_ms={"x": 1000 * extra} if extra else {},
    )


@given(seconds, st.integers(1, SPAN), seconds, pauses())
def test_time_is_over_when_nothing_is_left_of_it(
    began: int, limit: int, now: int, during: tuple[ClockPause, ...]
) -> None:
    one, then = timer(began, limit), clock(began + now, during)
    assert one.is_over(then) == (one.left(then) <= timedelta())


@given(seconds, st.integers(1, SPAN), seconds, st.integers(0, 500))
def test_after_a_pause_as_much_is_left_as_before(
    began: int, limit: int, paused: int, length: int
) -> None:
    one = timer(began, limit)
    stopped = clock(max(began, paused) + length, paused=paused)
    resumed = (stopped.now - START) // SECOND
    going = clock(resumed, (pause(paused, resumed),))
    assert not one.is_over(stopped)
    assert one.left(stopped) == one.left(going)
    if one.left(stopped) > timedelta():
        assert one.expires_at(going) == going.now + one.left(stopped)


@given(seconds, st.integers(1, SPAN), seconds, pauses(), st.integers(1, 1000))
def test_an_extension_adds_to_what_is_left_and_counts_from_now_where_nothing_is(
    began: int, limit: int, now: int, during: tuple[ClockPause, ...], more: int
) -> None:
    one, before = timer(began, limit), clock(now, during, extra=3)
    after = replace(before, extra_ms={"x": extension(one, before, more)})
    assert one.left(after) == max(one.left(before), timedelta()) + more * SECOND


def test_parts_of_a_millisecond_are_rounded_up() -> None:
    one = timer(0, 10)
    late = replace(clock(20), now=at(20) + timedelta(microseconds=1))
    extended = replace(late, extra_ms={"x": extension(one, late, 60)})
    assert timedelta() <= one.left(extended) - 60 * SECOND < timedelta(milliseconds=1)


def moment(seq: int, *, turn: bool = False, rewound_by: str | None = None) -> Moment:
    return Moment(
        seq=seq,
        base=seq - 1,
        hash=bytes(32),
        recorded_at=at(seq),
        begins_turn=turn,
        rewound_by=rewound_by,
    )


@pytest.mark.parametrize(
    ("looked_at", "asked", "turn"),
    [
        ([moment(9), moment(8), moment(7, turn=True)], 8, 7),
        ([moment(9), moment(8, turn=True)], 8, 8),
        ([moment(9, rewound_by="player"), moment(8), moment(7, turn=True)], 8, 7),
        ([moment(9, rewound_by="gm"), moment(8), moment(7, turn=True)], 9, 9),
        ([moment(8), moment(7, rewound_by="gm"), moment(6, turn=True)], 8, 7),
        ([moment(9)], None, None),
    ],
)
def test_time_begins_with_its_event_or_with_the_last_rewind_of_the_gm(
    looked_at: list[Moment], asked: int | None, turn: int | None
) -> None:
    sought, origins = SoughtStarts(asked_by=8, turn=True), StartEvents()
    for each in looked_at:
        origins = found_at(each, sought, origins)
    found = [None if one is None else one.seq for one in (origins.decision, origins.turn)]
    assert found == [asked, turn]
    assert origins.lack(sought) == (None in found)
