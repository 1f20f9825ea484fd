"""Both verifiers take just those lines that the published schema describes."""

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import jsonschema_rs

from tests.clients.rechained import VECTORS, Line
from tests.clients.tools import HERE, NODE, succeeded
from tests.clients.verifier import GM, PACKAGE, RED
from warlog.verifier.findings import Difference
from warlog.verifier.line_forms import as_line

MANY: Final = 1500
VALUES: Final[tuple[Any, ...]] = (
    *(True, 0, -1, 1, 2, 256, 2**31, 1.5, "", "A", "gm", "a" * 64, "a" * 65, "0" * 128),
    *([], {}, [[]], [[["a", 0], 1]], [[["a", -1], 1]], {"type": "x"}, {"entries": []}),
)


def form() -> dict[str, Any]:
    """The schema without what is judged as another difference than `unreadable`."""
    schema: dict[str, Any] = json.loads((VECTORS.parent / "bundle-line.schema.json").read_text())
    shapes = schema["$defs"]
    shapes["value"] = {}  # canonical
    del shapes["body"]["properties"]["at"]["pattern"]  # canonical
    for each in ("if", "then", "else"):  # wrong_viewer
        del shapes["viewer"][each]
    shapes["part"]["required"] = ["kind", "audience"]  # wrong_parts
    shapes["event"]["properties"]["parts"]["items"] = {"$ref": "#/$defs/part"}
    return schema


def nodes(value: object) -> Iterator[tuple[Any, Any]]:
    """Every place of a value: what holds it, and by which key."""
    pairs = (
        list(value.items())
        if isinstance(value, dict)
        else list(enumerate(value))
        if isinstance(value, list)
        else []
    )
    for key, inner in pairs:
        yield value, key
        yield from nodes(inner)


def changed(line: Line, chance: random.Random) -> Line:
    """A line with one place gone, another value there, or a field too many."""
    line = copy.deepcopy(line)
    holder, key = chance.choice(list(nodes(line)))
    match chance.randrange(3):
        case 0:
            del holder[key]
        case 1:
            holder[key] = chance.choice(VALUES)
        case _ if isinstance(holder, dict):
            holder[chance.choice(["odd", "path", "format", "seat"])] = chance.choice(VALUES)
        case _:
            holder.append(chance.choice(VALUES))
    return line


def is_line(line: Line) -> bool:
    """Whether the verifier in Python takes it."""
    try:
        as_line(line)
    except Difference as error:
        return error.code != "unreadable"
    return True


def test_a_line_is_taken_exactly_if_the_schema_takes_it(tmp_path: Path) -> None:
    chance = random.Random(16)
    header, blob, *_, seal = map(json.loads, GM.read_text().splitlines())
    red = json.loads(RED.read_text().splitlines()[0])
    events = [json.loads(line) for line in RED.read_text().splitlines()[5:14]]
    receipt = json.loads((VECTORS / "receipts.json").read_text())["together"]["receipts"][0]
    kinds = [[header, red], [blob], events, [seal, {**seal, "receipt": receipt}]]
    lines = [changed(chance.choice(chance.choice(kinds)), chance) for _ in range(MANY)]
    said = succeeded(
        NODE,
        HERE / "verifier_forms.mjs",
        PACKAGE / "source" / "line_form.js",
        cwd=tmp_path,
        stdin="".join(json.dumps(line) + "\n" for line in lines),
    )
    schema = jsonschema_rs.validator_for(form())
    taken = [answer == "true" for answer in said.split()]
    assert [is_line(line) for line in lines] == taken
    differing = [
        line for line, ours in zip(lines, taken, strict=True) if schema.is_valid(line) != ours
    ]
    assert differing == []
    assert 300 < sum(taken) < MANY - 300
