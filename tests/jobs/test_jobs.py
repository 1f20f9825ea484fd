"""Jobs in processes of their own: what they are shown, and that they end, however it comes."""

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
import structlog
import uvloop
from structlog.testing import capture_logs

from service.errors import JobFailed, JobTimedOut, RequestTimeout, TooLarge, Unavailable
from service.jobs.jobs import InputSource, Jobs
from tests.patience import PATIENCE_SECONDS, until

MEMORY = 512 << 20
SHORT_SECONDS = 0.5


async def pieces(*given: bytes) -> AsyncIterator[bytes]:
    for piece in given:
        yield piece


async def nothing_more() -> AsyncIterator[bytes]:
    """A client who keeps his connection and sends nothing."""
    yield b"begun\n"
    await asyncio.sleep(PATIENCE_SECONDS)


def started(
    jobs: Jobs,
    function: str,
    given: AsyncIterator[bytes] | None = None,
    seconds: float = PATIENCE_SECONDS,
    source: InputSource = "client",
) -> AsyncGenerator[bytes, None]:
    return jobs.run(
        f"tests.jobs.work:{function}",
        given or pieces(),
        seconds=seconds,
        memory_bytes=MEMORY,
        source=source,
    )


async def said(
    function: str, given: AsyncIterator[bytes] | None = None, seconds: float = PATIENCE_SECONDS
) -> list[bytes]:
    jobs = Jobs(1)
    heard = [line async for line in started(jobs, function, given, seconds)]
    assert jobs.running == 0
    return heard


def is_there(number: int) -> bool:
    """Whether there is such a process, be it one that nobody has asked about since it ended."""
    try:
        return Path(f"/proc/{number}/stat").read_text().split()[2] != ""
    except (FileNotFoundError, ProcessLookupError):
        return False


Scenario = Callable[[], Coroutine[Any, Any, None]]


def test_the_server_s_own_loop_runs_a_job_too() -> None:
    async def scenario() -> None:
        assert await said("echo", pieces(b"one\nt", b"wo\n")) == [b"one", b"two"]
        async with aclosing(started(Jobs(1), "flood", nothing_more())) as lines:
            number = int(await anext(lines))
        assert not is_there(number)

    uvloop.run(scenario())


async def test_a_job_is_fed_pieces_and_says_lines() -> None:
    many = [b"%d\n" % n for n in range(20_000)]
    joined = b"".join(many)
    cut = [joined[at : at + 1_000] for at in range(0, len(joined), 1_000)]
    assert await said("echo", pieces(*cut)) == [line[:-1] for line in many]


async def test_a_job_need_not_read_to_the_end() -> None:
    assert await said("first", pieces(b"one\n", *[b"x" * 65_536] * 100)) == [b"one"]
    assert await said("first", nothing_more()) == [b"begun"]


async def test_a_job_knows_no_secret_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARLOG_DATABASE_URL", "postgresql://somebody:secret@here/warlog")
    niceness, group, *names = await said("surroundings")
    passed_on = {b"PATH", b"LANG", b"LC_ALL", b"LC_CTYPE", b"PYTHONPATH", b"PYTHONHOME"}
    assert set(names) <= passed_on
    assert int(niceness) >= 10
    assert not group or group.endswith(b" nice 10")


async def test_what_a_job_prints_is_not_what_it_says() -> None:
    assert await said("talkative") == [b"said"]


@pytest.mark.parametrize("function", ["endless", "flood"])
async def test_a_job_whose_listener_leaves_is_gone_at_once(function: str) -> None:
    jobs = Jobs(1)
    async with aclosing(started(jobs, function, nothing_more())) as lines:
        number = int(await anext(lines))
        assert is_there(number)
    assert (jobs.running, is_there(number)) == (0, False)
    assert [line async for line in started(jobs, "echo", pieces(b"next\n"))] == [b"next"]


async def test_a_job_whose_listener_is_cancelled_is_gone_with_all_it_started() -> None:
    jobs, heard = Jobs(1), asyncio.Queue[bytes]()

    async def listen() -> None:
        async with aclosing(started(jobs, "parent", nothing_more())) as lines:
            async for line in lines:
                heard.put_nowait(line)

    listening = asyncio.create_task(listen())
    numbers = [int(each) for each in (await heard.get()).split()]
    assert [is_there(each) for each in numbers] == [True, True]
    listening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await listening
    assert (jobs.running, is_there(numbers[0])) == (0, False)
    # Whoever adopted the other one buries it in his own time.
    await until(lambda: not is_there(numbers[1]) or _is_buried_by_others(numbers[1]))


def _is_buried_by_others(number: int) -> bool:
    return Path(f"/proc/{number}/stat").read_text().split()[2] == "Z"


async def test_a_job_that_takes_too_long_is_ended() -> None:
    with pytest.raises(JobTimedOut) as over:
        await said("endless", nothing_more(), SHORT_SECONDS)
    assert over.value.params == {"seconds": 1}


@pytest.mark.parametrize(
    ("function", "why"),
    [
        ("greedy", "memory"),
        ("failing", "crashed"),
        ("killed", "crashed"),
        ("long_line", "line_too_long"),
        ("unknown", "crashed"),
    ],
)
async def test_a_job_that_fails_says_why(function: str, why: str) -> None:
    with pytest.raises(JobFailed) as failed:
        await said(function)
    assert failed.value.params == {"why": why}


async def test_the_log_tells_where_a_job_failed_but_not_what_it_worked_on() -> None:
    structlog.reset_defaults()
    with capture_logs() as logged, pytest.raises(JobFailed):
        await said("failing")
    [line] = logged
    error = line.pop("error")
    assert error.startswith("LookupError tests.jobs.work:")
    assert line == {
        "event": "a job failed",
        "job": "tests.jobs.work:failing",
        "why": "crashed",
        "code": 70,
        "log_level": "warning",
    }


async def test_what_is_wrong_with_the_input_ends_the_job() -> None:
    async def too_much() -> AsyncIterator[bytes]:
        yield b"begun\n"
        raise TooLarge(limit=6)

    with pytest.raises(TooLarge):
        await said("parent", too_much())


async def test_some_wait_for_their_place_and_more_are_told_to_come_again() -> None:
    jobs = Jobs(1, wait_seconds=PATIENCE_SECONDS)
    async with aclosing(started(jobs, "endless", nothing_more())) as lines:
        await anext(lines)
        waiting = [asyncio.create_task(anext(started(jobs, "echo"), b"")) for _ in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(Unavailable) as busy:
            await anext(started(jobs, "echo"))
        assert (busy.value.code, busy.value.params) == ("busy", {"retry_after": 10})
        assert jobs.running == 1
    assert await asyncio.gather(*waiting) == [b"", b"", b"", b""]


async def test_nobody_waits_for_his_place_for_ever() -> None:
    jobs = Jobs(1, wait_seconds=0.1)
    async with aclosing(started(jobs, "endless", nothing_more())) as lines:
        await anext(lines)
        with pytest.raises(Unavailable) as busy:
            await anext(started(jobs, "echo"))
        assert busy.value.code == "busy"


async def trickle() -> AsyncIterator[bytes]:
    """A client who sends a little again and again."""
    while True:
        yield b"x\n"
        await asyncio.sleep(0.01)


async def stream() -> AsyncIterator[bytes]:
    """A client who sends as much as is taken."""
    while True:
        yield b"x" * 65_535 + b"\n"


async def test_whoever_sends_too_slowly_loses_his_place_once_somebody_waits() -> None:
    jobs = Jobs(1, wait_seconds=PATIENCE_SECONDS, patience=0.2)
    slow = asyncio.create_task(said_by(started(jobs, "deaf", trickle())))
    await until(lambda: jobs.running == 1)
    assert await said_by(started(jobs, "echo", pieces(b"next\n"))) == [b"next"]
    with pytest.raises(RequestTimeout) as late:
        await slow
    told = {"rate": 262_144, "seconds": 1}
    assert (late.value.code, late.value.params) == ("upload_too_slow", told)
    assert jobs.running == 0


async def test_nobody_loses_it_who_is_alone_or_sends_enough_or_has_sent_all() -> None:
    jobs = Jobs(1, wait_seconds=0.8, patience=0.2)
    async with aclosing(started(jobs, "deaf", trickle())) as slow:
        await anext(slow)
        await asyncio.sleep(0.8)
        assert jobs.running == 1
    for function, given in (("deaf", stream()), ("endless", stream()), ("endless", pieces(b"x"))):
        reading = asyncio.create_task(said_by(started(jobs, function, given)))
        await until(lambda: jobs.running == 1)
        with pytest.raises(Unavailable, match="busy"):
            await anext(started(jobs, "echo"))
        assert jobs.running == 1
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading


async def test_a_job_that_the_service_itself_feeds_keeps_its_place_however_long_it_waits() -> None:
    jobs = Jobs(1, wait_seconds=0.8, patience=0.1, upload_seconds=0.1)
    told = asyncio.Event()

    async def fed() -> AsyncIterator[bytes]:
        yield b"one\n"
        await told.wait()
        yield b"two\n"

    running = started(jobs, "echo", fed(), source="service")
    async with aclosing(running) as lines:
        assert await anext(lines) == b"one"
        reading = asyncio.create_task(said_by(lines))
        with pytest.raises(Unavailable) as busy:
            await anext(started(jobs, "echo"))
        assert (busy.value.code, jobs.running) == ("busy", 1)
        told.set()
        assert await reading == [b"two"]


async def steadily() -> AsyncIterator[bytes]:
    """A client whose line never ends and comes faster than the least rate."""
    yield b"begun\n"
    while True:
        yield b"x" * 65_536
        await asyncio.sleep(0.02)


async def test_an_upload_without_end_loses_its_place_once_somebody_waits() -> None:
    jobs = Jobs(1, patience=0.1, upload_seconds=0.3)
    endless = asyncio.create_task(said_by(started(jobs, "deaf", steadily())))
    await until(lambda: jobs.running == 1)
    assert await said_by(started(jobs, "echo", pieces(b"next\n"))) == [b"next"]
    with pytest.raises(RequestTimeout) as late:
        await endless
    assert (late.value.code, late.value.params) == ("upload_too_long", {"seconds": 1})
    assert jobs.running == 0


async def test_whoever_reads_too_slowly_loses_his_place_once_somebody_waits() -> None:
    jobs = Jobs(1, wait_seconds=PATIENCE_SECONDS, patience=0.2)
    async with aclosing(started(jobs, "flood")) as lines:
        await anext(lines)
        await asyncio.sleep(0.8)
        # Nobody waited: the place is still his.
        assert len(await anext(lines)) == 1_000
        assert (jobs.running, jobs.free) == (1, 0)
        assert await said_by(started(jobs, "echo", pieces(b"next\n"))) == [b"next"]
        # His is free again for others, once only.
        assert jobs.free == 1
        with pytest.raises(RequestTimeout) as late:
            await said_by(lines)
    told = {"rate": 262_144, "seconds": 1}
    assert (late.value.code, late.value.params) == ("answer_read_too_slowly", told)
    assert (jobs.running, jobs.free) == (0, 1)


async def said_by(lines: AsyncGenerator[bytes, None]) -> list[bytes]:
    return [line async for line in lines]


async def test_whoever_is_cancelled_while_he_waits_leaves_the_place_to_others() -> None:
    jobs = Jobs(1)
    async with aclosing(started(jobs, "endless", nothing_more())) as lines:
        await anext(lines)
        waiting = asyncio.ensure_future(anext(started(jobs, "echo")))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    assert [line async for line in started(jobs, "echo", pieces(b"next\n"))] == [b"next"]


async def test_a_process_that_stops_leaves_no_job_behind() -> None:
    jobs = Jobs(2)
    running = started(jobs, "endless", nothing_more())
    number = int(await anext(running))
    reading = asyncio.ensure_future(anext(running))
    await asyncio.sleep(0)
    await jobs.drain()
    assert not is_there(number)
    with pytest.raises(Unavailable) as stopping:
        await reading
    assert stopping.value.code == "stopping"
    with pytest.raises(Unavailable) as refused:
        await anext(started(jobs, "echo"))
    assert (refused.value.code, jobs.running) == ("stopping", 0)


async def test_jobs_leave_no_file_open() -> None:
    def open_files() -> set[str]:
        return set(os.listdir("/proc/self/fd"))

    await said("echo", pieces(b"warm\n"))
    before = open_files()
    for function in ("echo", "flood"):
        async with aclosing(started(Jobs(1), function, nothing_more())) as lines:
            await anext(lines)
    await until(lambda: open_files() <= before, open_files)
