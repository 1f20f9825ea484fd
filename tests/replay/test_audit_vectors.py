"""The published test vectors: made again, verified from the page alone and by the service."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from msgspec import UNSET, Struct

from service.engine.dice.dice import Draw
from service.engine.log import parts
from service.engine.vocabulary.values import By
from service.replay.bundle import format as lines
from tests.replay import audit_vectors, plain_verifier
from tests.replay.golden import FOLDER as GOLDEN
from tests.replay.plain_counts import counts_of

VECTORS = audit_vectors.FOLDER
SCHEMA: dict[str, Any] = json.loads((VECTORS.parent / "bundle-line.schema.json").read_bytes())
BUNDLES = [*sorted(GOLDEN.glob("*.ndjson")), *sorted(VECTORS.glob("*.ndjson"))]


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


# --- bundles ------------------------------------------------------------------------


@pytest.mark.parametrize("path", BUNDLES, ids=lambda path: path.stem)
def test_a_verifier_written_from_the_page_finds_nothing_wrong_with_a_true_bundle(
    path: Path,
) -> None:
    assert plain_verifier.first_difference(lines_of(path)) is None


def test_the_published_counts_are_those_of_the_page() -> None:
    published = json.loads((VECTORS / "forgeries.json").read_bytes())["counts"]
    assert sorted(published) == sorted(path.name for path in VECTORS.glob("*.ndjson"))
    for name, told in published.items():
        taken_up = told.pop("taken_up")
        own = {**told, "seen": told["seen"] - taken_up}
        assert own == counts_of(lines_of(VECTORS / name)), name


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
