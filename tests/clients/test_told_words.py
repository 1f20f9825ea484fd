"""All verifiers tell the same of a bundle in words: how far it was seen, who could choose dice."""

import json
from pathlib import Path
from typing import Any, Final

import pytest
from rich.console import Console

from service.cli import reporting
from service.replay.audit.trust import Kept
from service.replay.report.verdicts import Report
from tests.clients.test_verifier_package import javascript, python
from tests.forgeries.bundle_forger import PUBLIC, Forger, Line
from tests.forgeries.verdicts import audited, trusted
from tests.replay import plain_verifier
from tests.replay.audit_vectors import battle, rewritten
from tests.replay.plain_counts import counts_of, words

SEEN: Final = "as far as can be seen"
GIVEN: Final = "grindable: the creator gave the seed, so a holder of the seed could have chosen it"
NOBODY: Final = "grindable: nobody contributed, so a holder of the seed could have chosen it"


def bundles() -> dict[str, list[bytes]]:
    """Whole and redacted ones: with a seed that was given, without contributions, with a fault."""
    played = Forger(battle())
    alone = Forger(rewritten())

    def given(body: Line) -> None:
        body["action"]["seed"] = body["effects"][0]["seed"] = "given"

    def other_face(line: Line) -> None:
        line["event"]["draws"][0]["face"] += 1

    return {
        "whole": played.bundles[played.gm],
        "red": played.bundles[played.red],
        "given": played.rehashed(1, given, file=played.red),
        "nobody": alone.bundles[alone.gm],
        "nobody_red": alone.bundles[alone.red],
        "die": played.relined(12, other_face),
        "die_red": played.relined(12, other_face, file=played.red),
    }


def told_by_audit(lines: list[bytes], monkeypatch: pytest.MonkeyPatch) -> str:
    """The report of `warlog audit` in words."""
    console = Console(highlight=False, soft_wrap=True, width=200)
    monkeypatch.setattr(reporting, "out", console)
    report = audited(lines, Kept(trusted=trusted(PUBLIC.hex())))
    assert isinstance(report, Report)
    with console.capture() as captured:
        reporting.write_report(report)
    return captured.get()


def facts_in(told: str) -> dict[str, Any]:
    """What a report in words says."""
    lines = [line.strip() for line in told.splitlines()]
    verdict = {"something is wrong": "wrong", "not clean": "wrong"}.get(lines[0], "clean")
    return {
        "verdict": verdict,
        "as_far_as_can_be_seen": SEEN in lines[0],
        "by_nobody_known": "signed by nobody" in lines[0],
        "grindable": "given" if GIVEN in lines else "nobody" if NOBODY in lines else None,
        "not_checked": [line for line in lines if line.startswith("not checked: parts")]
        + [line for line in lines if line.startswith("not checked: texts")],
        "dice": [
            line.split(": ", 1)[-1].removeprefix("sealed; ") for line in lines if "dice: " in line
        ],
    }


def facts_of(lines: list[bytes]) -> dict[str, Any]:
    """The same by the plain verifier."""
    found = plain_verifier.first_difference(lines, PUBLIC.hex())
    counts = counts_of(lines)
    withheld, erased = counts["withheld"], counts["erased"]
    not_checked = [f"not checked: parts that are withheld here: {withheld}"] * bool(withheld)
    not_checked += [f"not checked: texts that were erased: {erased}"] * bool(erased)
    again, seen = counts["drawn_again"], counts["seen"]
    dice = (
        f"{again} of the {seen} dice that can be seen here were drawn again from the seed and fit"
    )
    told = words(lines, found, has_unknown=False, is_trusted=True)
    return {**told, "not_checked": not_checked, "dice": [dice]}


def test_all_verifiers_tell_the_same_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, lines in bundles().items():
        file = tmp_path / f"{name}.ndjson"
        file.write_bytes(b"".join(lines))
        asked = (file, "--public-key", PUBLIC.hex())
        told = {
            "audit": told_by_audit(lines, monkeypatch),
            "javascript": javascript(*asked).stdout,
            "python": python(*asked).stdout,
        }
        facts = {who: facts_in(text) for who, text in told.items()}
        assert facts == dict.fromkeys(told, facts_of(lines)), json.dumps(name)


def test_each_kind_of_words_is_among_the_cases() -> None:
    told = {name: facts_of(lines) for name, lines in bundles().items()}
    assert {each["grindable"] for each in told.values()} == {None, "given", "nobody"}
    assert {each["verdict"] for each in told.values()} == {"clean", "wrong"}
    assert {name for name, each in told.items() if each["as_far_as_can_be_seen"]} == {
        "red",
        "given",
        "nobody_red",
    }
    assert told["die_red"]["dice"] == [
        "13 of the 19 dice that can be seen here were drawn again from the seed and fit"
    ]
