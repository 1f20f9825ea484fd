"""The verifier in JavaScript as tests call it: one Node process judges all bundles of a test."""

import base64
import json
from pathlib import Path
from typing import Any, Final

from tests.clients.rechained import PUBLIC_KEY, VECTORS
from tests.clients.tools import HERE, NODE, PROJECT, succeeded

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
    """What the verifier says of each case, by name; and the last progress that it told."""
    library = PACKAGE / "source" / "index.js"
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    script = HERE / "verifier_reports.mjs"
    said = succeeded(NODE, script, library, *(["bare"] if bare else []), cwd=folder, stdin=lines)
    answers = [json.loads(line) for line in said.splitlines()]
    assert [answer["name"] for answer in answers] == [case["name"] for case in cases]
    return {answer["name"]: answer for answer in answers}


def judged(cases: list[Case], folder: Path) -> dict[str, Any]:
    """The reports alone."""
    return {name: answer["report"] for name, answer in reports(cases, folder).items()}
