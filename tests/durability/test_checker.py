"""The checker finds what is wrong: histories with one thing forged, and the true one."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from service.encounters.responses import Receipt
from tests.durability.checker import Restore, StoredCommand, StoredLog, judge
from tests.durability.history import LOST, NEVER, Asked, Call, History, Told, read

ENCOUNTER = "e1"
MILLISECOND = 1_000_000
HASHES = tuple(f"{seq:x}" * 64 for seq in range(10))
"""HASHES[0] is what event 1 follows: 64 zeros."""


def tag(seq: int) -> str:
    return f"{seq}-{HASHES[seq][:8]}"


def receipt(seq: int, head: str) -> Receipt:
    return Receipt(kid="kid", encounter=ENCOUNTER, seq=seq, hash=head, sig="sig")


def told(*seqs: int, is_replay: bool = False) -> Told:
    return Told(
        outcome="ok",
        status=201,
        version=seqs[-1],
        seqs=seqs,
        hashes=tuple(HASHES[seq] for seq in seqs),
        digest=f"events {seqs}",
        is_replay=is_replay,
        receipt=receipt(seqs[-1], HASHES[seqs[-1]]),
    )


def refused(status: int, code: str) -> Told:
    return Told(outcome="refused", status=status, code=code)


def call(
    number: int,
    span: tuple[int, int],
    answer: Told,
    *,
    key: str | None = None,
    if_match: str | None = None,
    actions: int = 1,
) -> Call:
    """A call that lasted from one millisecond to another."""
    asked = Asked(encounter=ENCOUNTER, principal="p", key=key, if_match=if_match, actions=actions)
    began, ended = (each * MILLISECOND for each in span)
    return Call(id=number, invoked=began, ended=ended, asked=asked, told=answer)


def command(key: str, at: int, *seqs: int) -> StoredCommand:
    return StoredCommand(
        principal="p", key=key, first_seq=seqs[0], last_seq=seqs[-1], recorded=at * MILLISECOND
    )


def log(last: int, *commands: StoredCommand) -> StoredLog:
    events = tuple((seq, HASHES[seq], HASHES[seq - 1]) for seq in range(1, last + 1))
    return StoredLog(
        encounter=ENCOUNTER, head=(last, HASHES[last]), events=events, commands=commands
    )


CALLS = (
    call(1, (100, 110), told(2), key="start"),
    call(2, (120, 150), told(3, 4), key="list", actions=2),
    call(3, (125, 130), refused(409, "in_progress"), key="list", actions=2),
    call(4, (160, 180), Told(outcome="unknown", code="answer_lost"), key="lost"),
    call(5, (200, 210), told(5, is_replay=True), key="lost"),
    call(6, (220, 230), told(6), if_match=tag(5)),
    call(7, (221, 240), refused(412, "precondition_failed"), if_match=tag(5)),
    call(8, (250, 260), LOST, if_match=tag(6), actions=2),
    call(9, (300, 310), refused(503, "database_away"), key="away"),
)
LOG = log(8, command("start", 105, 2), command("list", 140, 3, 4), command("lost", 170, 5))


def found(calls: tuple[Call, ...], stored: StoredLog) -> set[str]:
    return {finding.code for finding in judge(calls, [stored])}


def with_call(number: int, **changes: object) -> tuple[Call, ...]:
    return tuple(replace(each, **changes) if each.id == number else each for each in CALLS)


def with_told(number: int, **changes: object) -> tuple[Call, ...]:
    return with_call(number, told=replace(CALLS[number - 1].told, **changes))


def test_a_true_history_is_found_to_be_true() -> None:
    assert judge(CALLS, [LOG]) == ()


def test_an_unknown_call_may_have_done_nothing() -> None:
    before = log(6, *LOG.commands)
    assert judge(CALLS, [before]) == ()


@pytest.mark.parametrize(
    ("stored", "code"),
    [
        pytest.param(log(5, *LOG.commands), "acknowledged_lost", id="lost acknowledgement"),
        pytest.param(log(9, *LOG.commands), "nobody_asked", id="one event too many"),
        pytest.param(
            log(8, *LOG.commands, command("again", 235, 6)), "event_doubled", id="two owners"
        ),
        pytest.param(
            log(8, *LOG.commands[:2]), "command_differs", id="a key that was acknowledged is gone"
        ),
        pytest.param(
            log(8, LOG.commands[0], command("list", 140, 3), LOG.commands[2]),
            "command_differs",
            id="half a list",
        ),
        pytest.param(
            replace(LOG, events=LOG.events[:3] + LOG.events[4:]), "gap", id="a gap in the seqs"
        ),
        pytest.param(replace(LOG, events=LOG.events + LOG.events[-1:]), "gap", id="an event twice"),
        pytest.param(
            replace(LOG, events=(*LOG.events[:-1], (8, HASHES[8], HASHES[1]))),
            "chain_broken",
            id="an event that follows another",
        ),
        pytest.param(replace(LOG, head=(7, HASHES[7])), "head_differs", id="a head left behind"),
        pytest.param(
            replace(LOG, commands=(*LOG.commands, command("start", 205, 6))),
            "key_used_twice",
            id="two commands of one key",
        ),
        pytest.param(
            log(9, *LOG.commands, command("away", 305, 9)),
            "nobody_asked",
            id="stored although nothing was said to be written",
        ),
    ],
)
def test_a_forged_log_is_found_out(stored: StoredLog, code: str) -> None:
    assert code in found(CALLS, stored)


@pytest.mark.parametrize(
    ("calls", "code"),
    [
        pytest.param(with_told(6, hashes=(HASHES[9],)), "acknowledged_lost", id="another hash"),
        pytest.param(with_told(6, version=7), "answer_odd", id="a version beyond its events"),
        pytest.param(
            (*CALLS, call(10, (270, 280), told(3, is_replay=True), key="list", actions=2)),
            "answers_differ",
            id="two answers under one key",
        ),
        pytest.param(
            (*CALLS, call(10, (222, 230), told(7), if_match=tag(5))),
            "two_behind_a_head",
            id="two behind one head",
        ),
        pytest.param(
            (
                *with_call(5, asked=replace(CALLS[4].asked, if_match=tag(5))),
                call(10, (222, 230), told(5, is_replay=True), key="lost", if_match=tag(4)),
            ),
            "two_behind_a_head",
            id="two behind one head, one of them told late",
        ),
        pytest.param(
            with_call(6, asked=replace(CALLS[5].asked, if_match=tag(3))),
            "head_ignored",
            id="behind another head than it named",
        ),
        pytest.param(
            with_call(1, invoked=240 * MILLISECOND, ended=245 * MILLISECOND),
            "order_swapped",
            id="began after a later one was acknowledged",
        ),
        pytest.param(with_told(6, receipt=receipt(6, HASHES[7])), "receipt_differs", id="receipt"),
        pytest.param(with_told(9, status=500), "fault", id="a fault of ours"),
        pytest.param(with_told(9, code="unstorable"), "punished", id="no for another's bad value"),
        pytest.param(
            with_call(1, asked=replace(CALLS[0].asked, poison=0)),
            "poison_stored",
            id="stored although it cannot be",
        ),
        pytest.param(
            with_told(7, status=409, code="history_diverged"),
            "divergence_invented",
            id="told of another history, and there is none",
        ),
        pytest.param(
            with_call(5, told=refused(422, "not_your_turn")), "no_taken_back", id="a no undone"
        ),
        pytest.param(
            with_call(4, told=refused(503, "database_away")),
            "nobody_asked",
            id="told that nothing was written, and then the answer",
        ),
    ],
)
def test_a_forged_answer_is_found_out(calls: tuple[Call, ...], code: str) -> None:
    assert code in found(calls, LOG)


RESTORE = Restore(heads={ENCOUNTER: (4, HASHES[4])}, ended=195 * MILLISECOND)
OTHER = "5-eeeeeeee"
RESTORED = (
    *CALLS[:3],
    call(11, (155, 160), replace(told(5), hashes=("e" * 64,), receipt=None), key="undone"),
    call(12, (200, 210), refused(409, "history_diverged"), if_match=OTHER),
    *CALLS[4:],
)
"""An acknowledged event 5 was undone by a restore to event 4; another took its place."""


def found_restored(calls: tuple[Call, ...], restore: Restore = RESTORE) -> set[str]:
    stored = log(8, *LOG.commands[:2], command("lost", 205, 5))
    return {finding.code for finding in judge(calls, [stored], restore)}


def test_what_a_restore_took_away_is_not_missed() -> None:
    assert found_restored(RESTORED) == set()


@pytest.mark.parametrize(
    ("calls", "restore", "code"),
    [
        pytest.param(
            RESTORED,
            replace(RESTORE, heads={ENCOUNTER: (5, HASHES[5])}),
            "acknowledged_lost",
            id="lost although the backup had it",
        ),
        pytest.param(
            RESTORED,
            replace(RESTORE, ended=150 * MILLISECOND),
            "acknowledged_lost",
            id="lost although it came after the restore",
        ),
        pytest.param(
            RESTORED,
            replace(RESTORE, heads={ENCOUNTER: (4, HASHES[9])}),
            "backup_lost",
            id="the backup had another event",
        ),
        pytest.param(
            (
                *RESTORED,
                call(13, (220, 230), refused(412, "precondition_failed"), if_match=OTHER),
            ),
            RESTORE,
            "divergence_hidden",
            id="who is ahead is not told so",
        ),
        pytest.param(
            (*RESTORED, call(13, (255, 265), told(7, 8), if_match=OTHER)),
            RESTORE,
            "head_ignored",
            id="who is ahead may write",
        ),
    ],
)
def test_a_forged_restore_is_found_out(
    calls: tuple[Call, ...], restore: Restore, code: str
) -> None:
    assert code in found_restored(calls, restore)


def test_an_encounter_that_is_gone_is_missed() -> None:
    assert [finding.code for finding in judge(CALLS, [])] == ["encounter_lost"]


def test_a_log_of_calls_is_read_as_it_was_written(tmp_path: Path) -> None:
    history = History(tmp_path / "calls.jsonl")
    first, second = history.invoke(CALLS[0].asked), history.invoke(CALLS[7].asked)
    history.end(first, CALLS[0].told)
    history.close()
    calls = read([history.path])
    assert [(each.id, each.asked, each.told) for each in calls] == [
        (first, CALLS[0].asked, CALLS[0].told),
        (second, CALLS[7].asked, LOST),
    ]
    assert calls[0].invoked < calls[1].invoked < calls[0].ended < calls[1].ended == NEVER
