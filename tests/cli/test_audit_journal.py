"""The file of what was judged: damage in it costs what it damaged, and nothing else."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest
from msgspec.structs import replace

from service.cli.all_audits.job import JudgedLine, failed
from service.cli.all_audits.journal import FORMAT, Journal, UnusableJournal
from service.eventstore.records import EncounterRow
from service.replay.audit.version_comparisons import stored_comparison
from service.replay.report.brief import unjudged

ROW = EncounterRow(
    id=UUID(int=7),
    tenant=UUID(int=1),
    ruleset="toy",
    version="1",
    status="running",
    head_seq=12,
    head_hash=bytes(range(32)),
    title=None,
    created_at=datetime(2026, 11, 1, tzinfo=UTC),
    erasures=0,
)
CLEAN = unjudged(ROW, "clean")


def kept(path: Path, *judged: JudgedLine, build: str = "1", against: str | None = None) -> None:
    with Journal(path, build, against) as journal:
        for line in judged:
            journal.add(line)


def known(
    path: Path, row: EncounterRow = ROW, build: str = "1", against: str | None = None
) -> JudgedLine | None:
    with Journal(path, build, against) as journal:
        return journal.judged(row)


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "state" / "audits.ndjson"
    yield path
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_was_judged_is_known_of_that_head_by_that_build_against_that_version(
    path: Path,
) -> None:
    compared = stored_comparison(ROW, "2", "same")
    kept(path, CLEAN)
    assert known(path) == CLEAN
    assert known(path, build="2") is None
    assert known(path, against="2") is None
    for other in (
        replace(ROW, head_seq=13),
        replace(ROW, head_hash=bytes(32)),
        replace(ROW, version="2"),
        replace(ROW, ruleset="toys"),
        replace(ROW, id=UUID(int=8)),
    ):
        assert known(path, other) is None
    kept(path, compared, against="2")
    assert known(path, against="2") == compared
    assert known(path) is None


def test_the_last_of_several_counts(path: Path) -> None:
    wrong = unjudged(ROW, "wrong")
    kept(path, CLEAN, wrong)
    assert known(path) == wrong


@pytest.mark.parametrize("line", [failed(ROW, "2", "job_failed"), unjudged(ROW, "gone")])
def test_what_could_not_be_judged_is_judged_again(path: Path, line: JudgedLine) -> None:
    kept(path, line)
    assert known(path) is None


@pytest.mark.parametrize("cut", [1, 40, 400])
def test_a_line_that_was_cut_is_no_damage(path: Path, cut: int) -> None:
    other = replace(ROW, id=UUID(int=9))
    kept(path, unjudged(other, "clean"), CLEAN)
    path.write_bytes(path.read_bytes()[:-cut])
    assert known(path) is None
    assert (known(path, other) is None) == (cut == 400)
    kept(path, CLEAN)
    assert known(path) == CLEAN


@pytest.mark.parametrize(
    "noise",
    [b"\n", b"\xff\n", b"{}\n", b"[" * 5_000 + b"\n", b'{"build":"1","line":{"type":"audit"}}\n'],
)
def test_a_line_that_says_nothing_is_passed_over(path: Path, noise: bytes) -> None:
    kept(path, CLEAN)
    path.write_bytes(path.read_bytes() + noise)
    assert known(path) == CLEAN


def test_a_file_that_was_cut_in_its_first_line_begins_anew(path: Path) -> None:
    for length in (0, 5, len(FORMAT) - 1):
        kept(path)
        path.write_bytes(FORMAT[:length])
        kept(path, CLEAN)
        assert known(path) == CLEAN
        path.write_bytes(b"")


def test_two_runs_do_not_share_a_file(path: Path) -> None:
    expected = pytest.raises(UnusableJournal, match="another audit keeps its results there")
    with Journal(path, "1", None), expected:
        known(path)


def test_a_folder_is_no_journal(tmp_path: Path, path: Path) -> None:
    kept(path)
    with pytest.raises(UnusableJournal, match="Is a directory"):
        known(tmp_path)
    with pytest.raises(UnusableJournal, match="Invalid argument"):
        known(Path("/dev/null"))
    (tmp_path / "file").write_text("")
    with pytest.raises(UnusableJournal, match="File exists"):
        known(tmp_path / "file" / "journal")
