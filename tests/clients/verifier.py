"""Both verifiers as tests call them: one Node process judges all bundles of a test, then Python.

What one says of a case the other says too, report by report.
"""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from tests.clients.rechained import PUBLIC_KEY, VECTORS
from tests.clients.tools import HERE, NODE, PROJECT, succeeded
from warlog import Progress, verify

PACKAGE: Final = PROJECT / "openapi" / "clients" / "javascript"
BUNDLES: Final = PROJECT / "tests" / "replay" / "bundles"
GM: Final = VECTORS / "bundle-gm.ndjson"
RED: Final = VECTORS / "bundle-red.ndjson"

Case = dict[str, Any]


def bytes_case(name: str, bundle: bytes, **source: object) -> Case:
    """A bundle in memory, judged with the key of the vectors."""
    text = base64.b64encode(bundle).decode()
    return {"name": name, "source": {"base64": text, **source}, "options": {"keys": PUBLIC_KEY}}


def reports(cases: list[Case], folder: Path, *, bare: bool = False) -> dict[str, Any]:
    """What JavaScript says of each case, by name; and the last progress that it shown."""
    library = PACKAGE / "source" / "index.js"
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    script = HERE / "verifier_reports.mjs"
    said = succeeded(NODE, script, library, *(["bare"] if bare else []), cwd=folder, stdin=lines)
    answers = [json.loads(line) for line in said.split("\n")[:-1]]
    assert [answer["name"] for answer in answers] == [case["name"] for case in cases]
    return {answer["name"]: answer for answer in answers}


def python_answer(case: Case) -> dict[str, Any]:
    """What Python says of a case, in the same form."""
    told: list[Progress] = []
    report = verify(_source(case["source"]), **case["options"], on_progress=told.append)
    answer = {"name": case["name"], "report": report, "last": told[-1]}
    decoded: dict[str, Any] = json.loads(msgspec.json.encode(answer))
    return decoded


def judged(cases: list[Case], folder: Path) -> dict[str, Any]:
    """The reports, which are the same whoever verifies."""
    answers = reports(cases, folder)
    assert {case["name"]: python_answer(case) for case in cases} == answers
    return {name: answer["report"] for name, answer in answers.items()}


def _source(source: Case) -> Any:
    if "path" in source:
        return Path(source["path"])
    if "long" in source:
        return _endless(source["long"])
    return base64.b64decode(source["base64"])


def _endless(length: int) -> Iterator[bytes]:
    for _ in range(0, length, 1 << 20):
        yield b" " * (1 << 20)
