"""An event that fits byte for byte is confirmed at once; that says what the long way shows."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from service.replay.audit.event_auditor import Auditor, Charge
from service.replay.log.sealed_event import Evidence
from service.replay.report.verdicts import EventVerdict
from tests.kit.table import SEED, Table
from tests.replay.memory_audit import blobs_of, evidence_in_memory, rehashed, rulesets_of
from tests.toy.battles import ambush, table_dice

AMBUSH = ambush()


class Thorough(Auditor):
    """Never takes the short way."""

    def _confirm(self, evidence: Evidence) -> EventVerdict | None:
        return None


class Watched(Auditor):
    """Counts how often the short way was enough."""

    confirmed = 0

    def _confirm(self, evidence: Evidence) -> EventVerdict | None:
        verdict = super()._confirm(evidence)
        self.confirmed += verdict is not None
        return verdict


def judged(kind: type[Auditor], table: Table, log: Sequence[Evidence], seed: bytes) -> Auditor:
    charge = Charge(
        encounter=table.encounter,
        ruleset=table.ruleset.slug,
        version=table.ruleset.version,
        seed=seed,
    )
    auditor = kind(rulesets_of(table), charge, blobs_of(table))
    for each in log:
        auditor.judge(each)
    return auditor


def assert_alike(table: Table, log: Sequence[Evidence], seed: bytes = SEED) -> int:
    """Both ways tell the same of everything; how often the short one was enough."""
    short, long = judged(Watched, table, log, seed), judged(Thorough, table, log, seed)
    assert short.counted.verdicts == long.counted.verdicts
    assert short.state == long.state
    assert short.header == long.header
    assert short.counted.tally == long.counted.tally
    assert (short.chain.seq, short.chain.prev) == (long.chain.seq, long.chain.prev)
    assert (short.erased, short.has_whole_evidence) == (long.erased, long.has_whole_evidence)
    assert isinstance(short, Watched)
    return short.confirmed


@pytest.mark.parametrize("seed", [SEED, bytes(32)])
def test_an_honest_log_is_told_alike(seed: bytes) -> None:
    log = [evidence_in_memory(sealed) for sealed in AMBUSH.sealed]
    assert assert_alike(AMBUSH, log, seed) > len(log) // 2


def test_a_log_with_the_tables_own_dice_is_told_alike() -> None:
    table = table_dice()
    log = [evidence_in_memory(sealed) for sealed in table.sealed]
    assert assert_alike(table, log) > len(log) // 2


@pytest.mark.parametrize("seq", [2, 9, 17])
def test_a_log_with_a_changed_byte_is_told_alike(seq: int) -> None:
    honest = [evidence_in_memory(sealed) for sealed in AMBUSH.sealed]
    body = AMBUSH.sealed[seq - 1].body
    for at in range(0, len(body), 23):
        flipped = body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :]
        log = list(honest)
        log[seq - 1] = replace(honest[seq - 1], body=flipped)
        assert_alike(AMBUSH, log)


@pytest.mark.parametrize(
    ("honest", "forged"),
    [
        (b'"at":"2026', b'"at":"\\u0000'),
        (b'"base":', b'"base": '),
        (b'"seq":5', b'"seq":5.0'),
        (b'"effects":', b'"e":1.5,"effects":'),
        (b'"by":{', b'"by":{"Z":null,'),
        (b'"at":', b'"aa":9007199254740993,"at":'),
    ],
)
def test_a_body_that_was_forged_and_linked_anew_is_told_alike(honest: bytes, forged: bytes) -> None:
    body = AMBUSH.sealed[4].body
    assert honest in body
    log = rehashed(AMBUSH, 5, body.replace(honest, forged, 1))
    assert_alike(AMBUSH, log)
    assert judged(Auditor, AMBUSH, log, SEED).counted.verdicts[4].verdict == "mismatch"
