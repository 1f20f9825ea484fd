"""The published test vectors: made anew, verified from the page alone and by the service."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from msgspec import UNSET, Struct

from service.encounters.receipts import kid_of
from service.encounters.responses import Receipt
from service.engine.dice.dice import Draw
from service.engine.log import parts
from service.engine.vocabulary.values import By
from service.replay.audit.bundle_audit import audit_bundle
from service.replay.audit.trust import Kept, TrustedKeys
from service.replay.bundle import format as lines
from service.replay.bundle.reader import DamagedBundle
from service.replay.report.verdicts import Report
from service.rulesets import RULESETS
from tests.replay import audit_vectors, plain_verifier
from tests.replay.golden import FOLDER as GOLDEN

VECTORS = audit_vectors.FOLDER
SCHEMA: dict[str, Any] = json.loads((VECTORS.parent / "bundle-line.schema.json").read_bytes())
BUNDLES = [*sorted(GOLDEN.glob("*.ndjson")), *sorted(VECTORS.glob("*.ndjson"))]
FORGED = json.loads((VECTORS / "forgeries.json").read_bytes())


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


# --- the files ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", audit_vectors.NAMES)
def test_a_vector_file_is_what_the_service_makes(name: str) -> None:
    made = audit_vectors.vectors()[name]
    assert (VECTORS / name).read_bytes() == made, "run python -m tests.replay.audit_vectors"


@pytest.mark.parametrize("path", BUNDLES, ids=lambda path: path.stem)
def test_every_line_of_a_bundle_fits_the_schema(path: Path) -> None:
    validator = jsonschema_rs.validator_for(SCHEMA)
    assert [
        e.message for line in lines_of(path) for e in validator.iter_errors(json.loads(line))
    ] == []


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("event", lambda line: line.update(x=1)),
        ("event", lambda line: line.pop("commits")),
        ("event", lambda line: line["parts"][0].pop("salt")),
        ("event", lambda line: [line["parts"][-1].pop(name) for name in ("salt", "body")]),
        ("event", lambda line: line["parts"][-1].update(salt="00")),
        ("event", lambda line: line["event"].update(at="yesterday")),
        ("event", lambda line: line["event"]["effects"][0].update(x=None)),
        ("event", lambda line: line["event"]["effects"][0].update(x=0.5)),
        ("bundle", lambda line: line.update(format=2)),
        ("bundle", lambda line: line["viewer"].update(kind="sides")),
        ("seal", lambda line: line["receipt"].update(format=2)),
    ],
)
def test_what_is_no_line_does_not_fit_the_schema(
    name: str, change: Callable[[Any], object]
) -> None:
    trees = [json.loads(line) for line in lines_of(VECTORS / "bundle-gm.ndjson")]
    line = next(tree for tree in trees if tree["type"] == name)
    change(line)
    assert not jsonschema_rs.validator_for(SCHEMA).is_valid(line)


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (lines.BundleHeader, ("header",)),
        (lines.BundleDice, ("dice",)),
        (lines.BundleViewer, ("viewer",)),
        (lines.BundleGrant, ("grant",)),
        (lines.BundleBlob, ("blob",)),
        (lines.BundleEvent, ("event",)),
        (lines.BundlePart, ("part", "erased")),
        (lines.BundleSeal, ("seal",)),
        (lines.BundleReceipt, ("receipt",)),
        (parts.Part, ("content",)),
        (By, ("by",)),
        (Draw, ("draw",)),
    ],
)
def test_the_schema_has_the_fields_of_the_types(kind: type[Struct], names: tuple[str, ...]) -> None:
    shown = [SCHEMA["$defs"][name] for name in names]
    fields = msgspec.structs.fields(kind)
    tag = {"type"} if kind.__struct_config__.tag else set()
    always = {field.encode_name for field in fields if field.default is not UNSET} | tag
    assert {name for each in shown for name in each["properties"]} == (
        {field.encode_name for field in fields} | tag
    )
    assert set.intersection(*(set(each["required"]) for each in shown)) == always


# --- bundles and forgeries ------------------------------------------------------------------------


@pytest.mark.parametrize("path", BUNDLES, ids=lambda path: path.stem)
def test_a_verifier_written_from_the_page_finds_nothing_wrong_with_a_true_bundle(
    path: Path,
) -> None:
    assert plain_verifier.first_difference(lines_of(path)) is None


@pytest.mark.parametrize("path", BUNDLES, ids=lambda path: path.stem)
def test_every_log_keeps_the_rules_of_the_log(path: Path) -> None:
    trees = [json.loads(line) for line in lines_of(path)]
    bodies = [tree["event"] for tree in trees if tree["type"] == "event"]
    told = [(body["seq"], effect) for body in bodies for effect in body["effects"]]

    def seqs(kind: str) -> list[int]:
        return [seq for seq, effect in told if effect["type"] == kind]

    [started] = seqs("encounter_started")
    [revealed] = seqs("seed_revealed") or [len(bodies)]
    assert seqs("encounter_created") == [1]
    assert [seq for seq in seqs("contributed") if seq > started] == []
    drawn = [body["seq"] for body in bodies if body["draws"]]
    assert [seq for seq in drawn if not started <= seq < revealed] == []
    blobs = {tree["digest"] for tree in trees if tree["type"] == "blob"}
    terms = [e for _, e in told if e["type"] in ("encounter_created", "options_set")]
    assert {each[name] for each in terms for name in ("map", "content") if name in each} <= blobs


def true_lines(name: str) -> list[bytes]:
    return lines_of(VECTORS / name)


def forged_lines(forgery: Any) -> list[bytes]:
    true = true_lines(forgery["of"])
    return [true[line - 1] if isinstance(line, int) else line.encode() for line in forgery["lines"]]


@pytest.mark.parametrize("forgery", FORGED["forgeries"], ids=lambda forgery: forgery["name"])
def test_a_verifier_written_from_the_page_finds_the_difference(forgery: Any) -> None:
    expected = forgery.get("difference")
    if expected is not None and expected["check"] == "rules":
        expected = None
    found = plain_verifier.first_difference(forged_lines(forgery), FORGED["public_key"])
    assert found == expected


@pytest.mark.parametrize("forgery", FORGED["forgeries"], ids=lambda forgery: forgery["name"])
def test_the_audit_of_the_service_finds_the_same_difference(forgery: Any) -> None:
    expected, found = forgery.get("difference"), audited(forgery)
    if isinstance(found, DamagedBundle):
        assert {"check": found.reason, "line": found.line} == expected
        return
    words = [forgery["kept_receipt"]] if "kept_receipt" in forgery else []
    assert [each.verdict for each in found.receipts or ()] == words
    problems = [(each.code, each.where) for each in found.problems]
    first = found.first_failure
    if expected is None:
        assert first is UNSET
        assert problems == [(f"receipt_{word}", "receipts[0]") for word in words]
    elif "where" in expected:
        assert first is UNSET
        assert (expected["check"], expected["where"]) in problems
    else:
        assert first is not UNSET
        told = json.loads(forged_lines(forgery)[expected["line"] - 1])
        assert first.seq == told["event"]["seq"]
        # Of a body that was changed the auditor tells where, if the rules give another one.
        assert first.path == expected["path"] or expected["check"] == "hash"
        assert not first.broken or expected["check"] in first.broken


def audited(forgery: Any) -> Report | DamagedBundle:
    """What the service says of a forgery, with a kept receipt of the true head if one helps."""
    kept = json.loads(true_lines(forgery["of"])[-1])["receipt"]
    receipts = [msgspec.convert(kept, Receipt)] if "kept_receipt" in forgery else []
    public = bytes.fromhex(FORGED["public_key"])
    trusted = TrustedKeys({kid_of(public): public}, is_demanded=True)
    known = Kept(trusted=trusted, receipts=receipts)
    try:
        return audit_bundle(forged_lines(forgery), RULESETS, kept=known)
    except DamagedBundle as damaged:
        return damaged
