"""Every published forgery gets the verdict that is expected of each verifier, and never a crash."""

import json
import re
from functools import cache
from typing import Any

import pytest
from msgspec import UNSET

from service.replay.audit.trust import NOTHING_KEPT, Kept
from service.replay.bundle.reader import DamagedBundle
from service.replay.report.verdicts import Report
from tests.forgeries.bundle_forger import Forger
from tests.forgeries.verdicts import DAMAGED, audited, receipt_in, trusted, word_of
from tests.replay import plain_verifier
from tests.replay.audit_vectors import FOLDER as VECTORS
from tests.replay.audit_vectors import SEQS, battle
from tests.replay.plain_counts import counts_of
from tests.soak import with_soak

FORGED = json.loads((VECTORS / "forgeries.json").read_bytes())
KEY = FORGED["public_key"]
FORGERIES = FORGED["forgeries"]


def name_of(forgery: Any) -> str:
    """What a forgery is called."""
    return str(forgery["name"])


each_forgery = pytest.mark.parametrize("forgery", FORGERIES, ids=name_of)


@cache
def true_lines(name: str) -> list[bytes]:
    return (VECTORS / name).read_bytes().splitlines(keepends=True)


def forged_lines(forgery: Any) -> list[bytes]:
    true = true_lines(forgery["of"])
    return [true[line - 1] if isinstance(line, int) else line.encode() for line in forgery["lines"]]


def has_unknown(forgery: Any) -> bool:
    return plain_verifier.has_unknown_types(forged_lines(forgery))


def test_there_are_sixty_kinds_and_more_of_every_rulebook() -> None:
    names = [forgery["name"] for forgery in FORGERIES]
    assert len(set(names)) == len(names)
    kinds = {
        name.removesuffix("_to_red").removesuffix("_red").removesuffix("_gm") for name in names
    }
    assert len(kinds) >= 60
    rulesets = {json.loads(true_lines(forgery["of"])[0])["ruleset"] for forgery in FORGERIES}
    assert len(rulesets) == 5


@each_forgery
def test_where_none_can_catch_it_there_is_a_reason(forgery: Any) -> None:
    found = {*forgery["verdicts"].values()}
    assert ("why" in forgery) == ("difference" not in forgery)
    assert ("why" in forgery) == found.isdisjoint({"wrong", "damaged"})


@each_forgery
def test_a_verifier_written_from_the_page_finds_the_difference(forgery: Any) -> None:
    expected = forgery.get("difference")
    if expected is not None and expected["check"] == "rules":
        expected = None
    found = plain_verifier.first_difference(forged_lines(forgery), KEY)
    assert found == expected
    sound = "unavailable" if found is None and has_unknown(forgery) else "clean"
    assert forgery["verdicts"]["plain"] == (sound if found is None else "wrong")


@each_forgery
def test_the_audit_of_the_service_finds_the_same_difference(forgery: Any) -> None:
    expected = forgery.get("difference")
    kept = receipt_in(true_lines(forgery["of"])[-1])
    receipts = [kept] if "kept_receipt" in forgery else []
    found = audited(forged_lines(forgery), Kept(trusted=trusted(KEY), receipts=receipts))
    if isinstance(found, DamagedBundle):
        assert expected is not None
        assert forgery["verdicts"]["audit"] == "damaged"
        if expected["check"] not in DAMAGED:
            return  # of a line before that which no bundle has
        assert expected["check"] == found.reason
        assert expected.get("line", found.line) == found.line
        return
    if found.dice is not UNSET:
        assert counts_in(found) == counts_of(forged_lines(forgery))
    words = [forgery["kept_receipt"]] if "kept_receipt" in forgery else []
    assert [each.verdict for each in found.receipts or ()] == words
    assert found.receipt == "genuine" or expected is not None
    if expected is None:
        problems = [(each.code, each.where) for each in found.problems]
        assert problems == [(f"receipt_{word}", "receipts[0]") for word in words]
        assert found.first_failure is UNSET or forgery["verdicts"]["audit"] == "unavailable"
    else:
        require_found(forgery, expected, found)


def counts_in(report: Report) -> dict[str, int]:
    """What was looked at, as a report shows it."""
    assert report.dice is not UNSET
    return {
        "seen": report.dice.draws - report.dice.taken_up,
        "drawn_again": report.dice.checked,
        "withheld": report.withheld_parts,
        "erased": report.erased_texts,
    }


@pytest.mark.parametrize("file", ["bundle-gm.ndjson", "bundle-red.ndjson"])
def test_a_contribution_after_the_start_changes_no_later_die(file: str) -> None:
    forger = Forger(battle())

    def contribute(body: Any) -> None:
        effect = {"seat": "rita", "type": "contributed", "value": "c3" * 32}
        body["effects"].append(effect)

    lines = forger.rehashed(SEQS["turn"], contribute, file=file)
    found = audited(lines, NOTHING_KEPT)
    assert isinstance(found, Report)
    assert found.first_failure
    assert found.first_failure.seq == SEQS["turn"]
    dice = counts_of(true_lines(file))
    assert dice["seen"] == dice["drawn_again"] > 0
    assert counts_in(found) == counts_of(lines) == dice


def require_found(forgery: Any, expected: Any, found: Report) -> None:
    """The report has the difference."""
    first = found.first_failure
    if expected["check"] == "missing_blob":
        assert first is not UNSET
        assert str(first.path).startswith("blobs.")
    elif "where" in expected:
        problems = [(each.code, each.where) for each in found.problems]
        assert first is UNSET or first.verdict == "unavailable"
        assert (expected["check"], expected["where"]) in problems
    else:
        assert first is not UNSET
        told = json.loads(forged_lines(forgery)[expected["line"] - 1])
        assert first.seq == told["event"]["seq"]
        # Of a body that was changed the auditor says where, if the rules give another one.
        assert expected["check"] == "hash" or counted(str(first.path)) == counted(expected["path"])
        # Without event 1 nobody can say which parts there are.
        assert not first.broken or expected["check"] in ("log_rules", *first.broken)


def counted(path: str) -> str:
    """A path, but for the places of the game master's draws: the rules count all draws there."""
    return re.sub(r"(parts\.facts\.gm:\$\.draws)\[\d+\]", r"\1", path)


@pytest.mark.parametrize(
    "forgery",
    with_soak(FORGERIES[::9], [each for at, each in enumerate(FORGERIES) if at % 9]),
    ids=name_of,
)
def test_each_trust_in_the_key_leads_to_the_verdict_that_is_published(forgery: Any) -> None:
    lines, expected = forged_lines(forgery), forgery["verdicts"]
    assert word_of(audited(lines, Kept(trusted=trusted(KEY)))) == expected["audit"]
    assert word_of(audited(lines, NOTHING_KEPT)) == expected["stranger"] == expected["upload"]
