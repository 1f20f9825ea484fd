"""A brief audit says of a log what the whole one says, and remembers no more of a long one."""

import msgspec
import pytest

from service.engine.visibility.scope import GAME_MASTER
from service.replay.audit.event_auditor import Auditor, Charge
from service.replay.report.report import report_of
from tests.kit.table import SEED, Table
from tests.replay.golden import BATTLES
from tests.replay.memory_audit import blobs_of, evidence_of, rehashed, rulesets_of
from tests.toy.battles import ambush


def bases_of(table: Table) -> set[int]:
    """The seqs that events of the log go back to."""
    return {sealed.base for sealed in table.sealed if sealed.base != sealed.seq - 1}


def auditor_of(table: Table, *, is_brief: bool) -> Auditor:
    charge = Charge(
        encounter=table.encounter,
        ruleset=table.ruleset.slug,
        version=table.ruleset.version,
        seed=SEED,
        bases=bases_of(table) if is_brief else None,
        is_brief=is_brief,
    )
    return Auditor(rulesets_of(table), charge, blobs_of(table))


@pytest.mark.parametrize("name", ["melody-d6-rewound", "tactical-d20-rewound", "toy"])
def test_a_brief_report_says_the_same_and_keeps_the_states_that_are_gone_back_to(
    name: str,
) -> None:
    table = ambush() if name == "toy" else BATTLES[name].play()
    whole, brief = (auditor_of(table, is_brief=is_brief) for is_brief in (False, True))
    most = 0
    for evidence in evidence_of(table):
        whole.judge(evidence)
        brief.judge(evidence)
        most = max(most, len(brief._history._rules))
    assert bases_of(table)
    assert most <= len(bases_of(table)) + 1
    expected = msgspec.structs.replace(
        report_of(whole, GAME_MASTER),
        verdicts=(),
        overrides=(),
        rewinds=(),
        dice=msgspec.UNSET,
    )
    assert report_of(brief, GAME_MASTER) == expected
    assert expected.clean


def test_a_brief_report_names_the_first_failure() -> None:
    table = ambush()
    auditor = auditor_of(table, is_brief=True)
    rolled = next(sealed for sealed in table.sealed if b'"face":' in sealed.body)
    body = rolled.body.replace(b'"face":', b'"face":1', 1)
    for evidence in rehashed(table, rolled.seq, body):
        auditor.judge(evidence)
    report = report_of(auditor, GAME_MASTER)
    assert not report.clean
    assert report.first_failure is not msgspec.UNSET
    failure = report.first_failure
    assert (failure.seq, failure.verdict, failure.path) == (
        rolled.seq,
        "mismatch",
        "$.draws[0].face",
    )
    assert sum(report.counts.values()) == len(table.sealed)
