"""Both verifiers: vectors, golden and forged bundles, bad input; the sources of JavaScript."""

import ast
import base64
import json
import random
import re
from pathlib import Path
from typing import Any, Final

import pytest

from tests.clients import verifier_vectors
from tests.clients.rechained import VECTORS, Line, rechained
from tests.clients.remade_bundles import REMADE, event_of
from tests.clients.tools import HERE, NODE, succeeded
from tests.clients.verifier import BUNDLES, GM, PACKAGE, RED, Case, bytes_case, judged, reports
from tests.replay.plain_counts import counts_of
from warlog.verifier import details
from warlog.verifier.russian import RUSSIAN


def place_of(report: dict[str, Any]) -> dict[str, Any] | None:
    """The first finding as the vectors tell it."""
    first = report.get("first")
    if first is None:
        return None
    return {
        "check": first["code"],
        **{name: first[name] for name in ("line", "path", "where") if name in first},
    }


def test_the_published_vectors_come_out_byte_by_byte(tmp_path: Path) -> None:
    said = succeeded(NODE, HERE / "verifier_vectors.mjs", PACKAGE, VECTORS, cwd=tmp_path)
    results = json.loads(said)
    expected = published()
    assert results["own"] == {"name": "own", **expected}
    assert results["platform"] == {"name": "node:crypto", **expected}
    assert results["primitives"] == {
        "sha256": True,
        "sha512": True,
        "hmac": True,
        "ed25519": [[True, False, False, False, False, False]] * 4,
    }
    assert verifier_vectors.results(VECTORS) == expected


def published() -> dict[str, Any]:
    """What the files of the vectors say, in the form of what the verifiers make of them."""
    read = {name: json.loads((VECTORS / f"{name}.json").read_text()) for name in _VECTOR_FILES}
    dice, event, receipts = read["dice"], read["event"], read["receipts"]
    heads = [receipts["alone"], *receipts["together"]["receipts"]]
    return {
        "canonical": read["canonical"],
        "dice": {
            **{name: dice[name] for name in _DICE_FIELDS},
            "faces": [each["faces"] for each in dice["dice"]],
        },
        "event": {
            "hash": event["hash"],
            "commits": event["commits"],
            "sealed": json.loads(event["body"])["sealed"],
            "names": [f"{part['kind']}/{part['audience']}" for part in event["parts"]],
        },
        "views": [each["views"] for each in read["views"]],
        "receipts": {
            "kid": receipts["kid"],
            "signed": [receipts["alone"]["signed"], *[receipts["together"]["signed"]] * 3],
            "genuine": [True] * len(heads),
            "forged": [False] * len(heads),
        },
    }


_VECTOR_FILES: Final = ("canonical", "dice", "event", "views", "receipts")
_DICE_FIELDS: Final = (
    "commitment",
    "dice_key",
    "dice_key_without_contributions",
    "first_block_of_event_3_stream_0",
)


TOLD_AGAIN = {"squad-d100-v3-supplied-red.ndjson": [{"seq": 8, "dice": 1}]}
"""Golden bundles in which dice are told again by an action that their side does not see."""


def test_golden_bundles_are_clean_and_every_die_is_drawn_again(tmp_path: Path) -> None:
    files = sorted(BUNDLES.glob("*.ndjson"))
    cases = [{"name": file.name, "source": {"path": str(file)}, "options": {}} for file in files]
    found = judged(cases, tmp_path)
    for file in files:
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        header, seal = lines[0], lines[-1]
        events = [line for line in lines if line["type"] == "event"]
        visible = sum(map(_dice_shown, events))
        mode = header["dice"]["mode"]
        assert found[file.name] == {
            "clean": True,
            "signer": "unknown",
            "findings": [],
            "remarks": [],
            "bundle": {
                **{name: header[name] for name in ("encounter", "ruleset", "version")},
                "viewer": header["viewer"]["kind"],
            },
            "head": {"seq": seal["seq"], "hash": seal["hash"]},
            "key": {"id": seal["receipt"]["kid"], "public_key": seal["public_key"]},
            "dice": {
                "mode": mode,
                "seed": "fits" if "seed" in header else "absent",
                "visible": visible,
                "checked": visible if mode == "sealed" else 0,
                "taken_up": 0,
                "told_again": TOLD_AGAIN.get(file.name, []),
                "contributions": _effects(events, "contributed"),
                "origin": events[0]["event"]["effects"][0]["seed"],
            },
            "counts": {
                "bytes": file.stat().st_size,
                "lines": len(lines),
                "blobs": sum(line["type"] == "blob" for line in lines),
                "events": len(events),
                "parts": sum(len(line["parts"]) for line in events),
                "withheld": sum(len(line["commits"]) - len(line["parts"]) for line in events),
                "erased": sum("body" not in part for line in events for part in line["parts"]),
                "rewinds": _effects(events, "rewound"),
                "findings": 0,
            },
            "heads": [],
            "receipts": [],
        }


def _dice_shown(line: Line) -> int:
    hidden = [
        path
        for part in line["parts"]
        if part["kind"] == "facts"
        for path, _ in part["body"]["entries"]
        if path[0] == "draws" and len(path) == 2
    ]
    return len(line["event"]["draws"]) + len(hidden)


def _effects(events: list[Line], kind: str) -> int:
    return sum(each["type"] == kind for line in events for each in line["event"]["effects"])


def test_forged_bundles_are_found_where_the_list_says(tmp_path: Path) -> None:
    forgeries = json.loads((VECTORS / "forgeries.json").read_text())["forgeries"]
    names = {each["of"] for each in forgeries}
    texts = {name: (VECTORS / name).read_text().splitlines(keepends=True) for name in names}
    cases = [_forged(each, texts) for each in forgeries]
    found = judged(cases, tmp_path)
    assert {name: place_of(report) for name, report in found.items()} == {
        each["name"]: _expected(each) for each in forgeries
    }
    bundles = {case["name"]: base64.b64decode(case["source"]["base64"]) for case in cases}
    read = {name: report for name, report in found.items() if "head" in report}
    # Without event 1 nobody knows who rolled.
    read = {name: each for name, each in read.items() if each["dice"]["origin"] != "unknown"}
    assert len(read) > 180
    assert {name: _counts_in(report) for name, report in read.items()} == {
        name: counts_of(bundles[name].splitlines(keepends=True)) for name in read
    }
    assert {name for name, report in found.items() if not report["clean"]} >= {
        each["name"] for each in forgeries if each.get("verdicts", {}).get("plain") == "wrong"
    }
    assert {
        name: (report["clean"], unknown_in(report))
        for name, report in found.items()
        if "unknown" in report and not report["findings"]
    } == {each["name"]: (False, each["unknown"]) for each in forgeries if "unknown" in each}


def unknown_in(report: dict[str, Any]) -> dict[str, Any]:
    """What is not in the tables, as the vectors tell it."""
    unknown = report["unknown"]
    return {"check": unknown["code"], "line": unknown["line"], "path": unknown["path"]}


def test_what_is_seen_of_true_bundles_is_what_is_published(tmp_path: Path) -> None:
    published = json.loads((VECTORS / "forgeries.json").read_text())["counts"]
    cases = [
        {"name": name, "source": {"path": str(VECTORS / name)}, "options": {}} for name in published
    ]
    found = judged(cases, tmp_path)
    assert published == {
        name: {
            **_counts_in(report),
            "seen": report["dice"]["visible"],
            "taken_up": report["dice"]["taken_up"],
        }
        for name, report in found.items()
    }


def _counts_in(report: dict[str, Any]) -> dict[str, int]:
    dice, counts = report["dice"], report["counts"]
    return {
        "seen": dice["visible"] - dice["taken_up"],
        "drawn_again": dice["checked"],
        "withheld": counts["withheld"],
        "erased": counts["erased"],
    }


def test_a_kept_receipt_shows_what_the_bundle_does_not(tmp_path: Path) -> None:
    published = json.loads((VECTORS / "forgeries.json").read_text())["forgeries"]
    forgeries = [each for each in published if "kept_receipt" in each]
    names = {each["of"] for each in forgeries}
    texts = {name: (VECTORS / name).read_text().splitlines(keepends=True) for name in names}
    cases = [_forged(each, texts) for each in forgeries]
    for case, forgery in zip(cases, forgeries, strict=True):
        seal = json.loads(texts[forgery["of"]][-1])
        case["options"]["receipts"] = [seal["receipt"]]
        case["options"]["heads"] = [f"{seal['seq']}-{seal['hash']}"]
    found = judged(cases, tmp_path)
    assert {
        name: [each["verdict"] for each in (*report["receipts"], *report["heads"])]
        for name, report in found.items()
    } == {each["name"]: [each["kept_receipt"]] * 2 for each in forgeries}
    assert {report["clean"] for report in found.values()} == {False}


def _expected(forgery: dict[str, Any]) -> dict[str, Any] | None:
    """What a verifier finds that knows of the rules only that who is named was seen before."""
    difference: dict[str, Any] | None = forgery.get("difference")
    if difference is None or difference["check"] != "rules":
        return difference
    path = difference["path"].removesuffix(".x")
    return {**difference, "path": path} if path.endswith((".combatant", ".start")) else None


def _forged(forgery: dict[str, Any], texts: dict[str, list[str]]) -> Case:
    of = texts[forgery["of"]]
    lines = [of[each - 1] if isinstance(each, int) else each for each in forgery["lines"]]
    return bytes_case(forgery["name"], "".join(lines).encode())


def test_what_a_holder_of_every_key_makes_is_found_where_it_can_be(tmp_path: Path) -> None:
    cases = [bytes_case(name, rechained(RED.name, change)) for name, (change, _) in REMADE.items()]
    found = judged(cases, tmp_path)
    assert {name: place_of(report) for name, report in found.items()} == {
        name: place for name, (_, place) in REMADE.items()
    }


@pytest.mark.soak
def test_details_are_told_in_russian_as_well(tmp_path: Path) -> None:
    published = json.loads((VECTORS / "forgeries.json").read_text())["forgeries"]
    texts = {
        name: (VECTORS / name).read_text().splitlines(keepends=True)
        for name in {each["of"] for each in published}
    }
    cases = [_forged(each, texts) for each in published]
    cases += [bytes_case(name, rechained(RED.name, change)) for name, (change, _) in REMADE.items()]
    english = judged(cases, tmp_path)
    for case in cases:
        case["options"]["language"] = "ru"
    russian = judged(cases, tmp_path)
    details = {
        (one["detail"], other["detail"])
        for name, report in english.items()
        for one, other in zip(report["findings"], russian[name]["findings"], strict=True)
    }
    assert len(details) > 50
    assert [one for one, other in details if one == other or other.isascii()] == []


def test_every_detail_that_is_written_has_a_russian_sentence(tmp_path: Path) -> None:
    sources = "".join(file.read_text() for file in sorted((PACKAGE / "source").glob("*.js")))
    written = {
        re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}", "{}", text).replace("\\`", "`")
        for text in re.findall(r"said`((?:[^`\\]|\\.)*)`", sources)
    }
    script = f"import {{ RUSSIAN }} from {json.dumps(str(PACKAGE / 'source/details.js'))};"
    script += "process.stdout.write(JSON.stringify(RUSSIAN))"
    table = json.loads(succeeded(NODE, "--input-type=module", "-e", script, cwd=tmp_path))
    assert written - {"event {} lacks a text"} == set(table)
    assert {one for one, other in table.items() if one.count("{}") != other.count("{}")} == set()
    assert table == {"{}": "{}", **RUSSIAN}


def test_every_detail_that_python_writes_has_a_russian_sentence() -> None:
    trees = [ast.parse(file.read_bytes()) for file in Path(details.__file__).parent.glob("*.py")]
    texts = {
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    said = {
        node.args[0].value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "said"
        and isinstance(node.args[0], ast.Constant)
    }
    assert len(said) > 60
    assert said - {"{}"} <= RUSSIAN.keys() <= texts


def test_a_clock_that_goes_back_is_a_remark(tmp_path: Path) -> None:
    def set_back(lines: list[Line]) -> None:
        event_of(lines, 13)["event"]["at"] = "2026-11-21T10:00:13.000Z"

    report = judged([bytes_case("clock", rechained(RED.name, set_back))], tmp_path)["clock"]
    assert (report["clean"], report["remarks"]) == (True, [{"code": "clock_went_back", "count": 1}])


def test_whatever_comes_is_a_finding_and_never_a_crash(tmp_path: Path) -> None:
    true = RED.read_bytes()
    header, rest = true.split(b"\n", 1)
    deep = b"[" * 300_000 + b"]" * 300_000
    inputs = {
        "nothing": (b"", "truncated", 1),
        "line_feed": (b"\n", "unreadable", 1),
        "object": (b"{}\n", "unreadable", 1),
        "null": (b"null\n", "unreadable", 1),
        "byte_order_mark": (b"\xef\xbb\xbf" + true, "unreadable", 1),
        "carriage_return": (true.replace(b"\n", b"\r\n", 1), "not_canonical", 1),
        "not_utf8": (header[:-1] + b"\xff}\n" + rest, "unreadable", 1),
        "utf16": (true.decode().encode("utf-16"), "unreadable", 1),
        "gzip": (b"\x1f\x8b\x08\x00" + bytes(100), "truncated", 1),
        "deep": (deep + b"\n" + true, "unreadable", 1),
        "deep_and_open": (b"[" * 300_000 + b"\n", "unreadable", 1),
        "deep_in_a_blob": (header + b'\n{"body":' + deep + b"}\n" + rest, "unreadable", 2),
        "prototype": (b'{"__proto__":{"type":"bundle"}}\n' + true, "unreadable", 1),
        "constructor": (b'{"type":"constructor"}\n' + true, "unreadable", 1),
        "type_of_an_object": (b'{"type":{"a":1}}\n' + true, "unreadable", 1),
        "not_a_number": (b'{"type":NaN}\n', "unreadable", 1),
        "fraction": (header.replace(b'"format":1', b'"format":1.0') + b"\n", "not_canonical", 1),
        "half_a_pair": (b'{"type":"\\ud800"}\n', "unreadable", 1),
        "second_header": (header + b"\n" + true, "out_of_order", 2),
        "behind_the_seal": (true + header + b"\n", "out_of_order", 20),
        "twice": (true + true, "out_of_order", 20),
        "seal_alone": (true.splitlines(keepends=True)[-1], "out_of_order", 1),
        "no_events": (header + b"\n" + true.splitlines(keepends=True)[-1], "out_of_order", 2),
        "last_line_feed": (true[:-1], "truncated", 19),
        "crowded": (b"[" + b"1," * (4 << 20) + b"1]\n", "too_long", 1),
    }
    cases = [bytes_case(name, each) for name, (each, _, _) in inputs.items()]
    endless = {"name": "endless", "source": {"long": 65 << 20}, "options": {}}
    found = judged([*cases, endless], tmp_path)
    expected = {name: (code, line) for name, (_, code, line) in inputs.items()}
    assert {
        name: (report["first"]["code"], report["first"]["line"]) for name, report in found.items()
    } == {**expected, "endless": ("too_long", 1)}
    assert {(report["clean"], report["signer"]) for report in found.values()} == {(False, "none")}
    assert found["crowded"]["first"]["detail"] == "a line of more than 4,194,304 values"


def test_no_byte_of_a_bundle_can_be_another_unseen(tmp_path: Path) -> None:
    true = RED.read_bytes()
    chance = random.Random(16)
    cases = []
    for at in sorted(chance.sample(range(len(true)), 150)):
        byte = true[at] ^ (1 << chance.randrange(8))
        cases.append(bytes_case(f"byte {at}", true[:at] + bytes([byte]) + true[at + 1 :]))
    found = judged(cases, tmp_path)
    assert [name for name, report in found.items() if report["clean"]] == []


def test_sources_are_alike_and_progress_is_told(tmp_path: Path) -> None:
    whole = RED.read_bytes()
    kinds: list[dict[str, Any]] = [{}, {"kind": "blob"}, {"kind": "stream"}, {"kind": "text"}]
    kinds += [{"chunks": 1}, {"chunks": 1000}]
    cases = [bytes_case(str(kind), whole, **kind) for kind in kinds]
    answers = reports(cases, tmp_path)
    first = answers[str(kinds[0])]
    assert first["last"] == {"bytes": len(whole), "lines": 19, "events": 16}
    assert [(each["report"], each["last"]) for each in answers.values()] == [
        (first["report"], first["last"])
    ] * len(kinds)


MODULES = ("index.js", "verifier.js", "bundle_events.js")
"""Where a program or a page begins, or what one of these loads when it is called."""


def test_a_browser_has_all_that_the_library_needs(tmp_path: Path) -> None:
    cases = [bytes_case("red", RED.read_bytes(), kind="stream"), bytes_case("gm", GM.read_bytes())]
    assert reports(cases, tmp_path, bare=True) == reports(cases, tmp_path)
    reached, pending = set(), [PACKAGE / "source" / name for name in MODULES]
    while pending:
        file = pending.pop()
        reached.add(file.name)
        for line in file.read_text().splitlines():
            if line.startswith(("import ", "export ", "} from ")) and ' from "' in line:
                name = line.split(' from "')[1].split('"')[0]
                assert name.startswith("./"), f"{file.name} imports {name}"
                if Path(name).name not in reached:
                    pending.append(PACKAGE / "source" / name)
    modules = {file.name for file in (PACKAGE / "source").iterdir()}
    assert modules - reached == {"command_line.js", "report_text.js", "meanings.js"}
