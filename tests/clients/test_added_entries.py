"""Parts only add: every verifier finds an entry that sets what is there, or a text elsewhere."""

import json
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from service.engine.log import canonical
from service.engine.log.event import view_of_event
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.replay.audit.trust import Kept
from service.replay.report.verdicts import Report
from tests.clients.verifier import bytes_case, judged
from tests.forgeries.bundle_forger import PUBLIC, SIDES, Forger, Line, with_entry
from tests.forgeries.short_battles import BATTLES
from tests.forgeries.verdicts import audited, trusted
from tests.replay import plain_verifier
from tests.replay.audit_vectors import battle

ROUNDS: Final = 24
"""Of one battle: so many entries are added, each to a separate bundle."""

Way = list[Any]


def places_in(tree: Any, way: Way) -> Iterator[tuple[Way, bool]]:
    """All paths in a tree, each with whether an element is there."""
    if isinstance(tree, dict):
        for name, inner in tree.items():
            yield [*way, name], False
            yield from places_in(inner, [*way, name])
    elif isinstance(tree, list):
        for at, inner in enumerate(tree):
            yield [*way, at], True
            yield from places_in(inner, [*way, at])


def taken(line: Line, name: tuple[str, str], rng: random.Random) -> Way:
    """A path that the audience of a part sees something at, or one of no place of text."""
    kind, audience = name
    viewers = {"everyone": Viewer(), "gm": GAME_MASTER}
    viewer = viewers.get(audience) or Viewer(sides=(audience,))
    filled = {
        (part["kind"], part["audience"]): canonical.encode(part["body"])
        for part in line["parts"]
        if part.get("body", {}).get("entries")
        # Facts are laid before the text of their audience.
        and (kind, audience) != ("facts" * (part["kind"] == "text"), part["audience"])
    }
    body = canonical.encode(line["event"])
    view = json.loads(view_of_event(body, filled, SIDES, viewer))
    # A side's facts insert an element, and one that is no draw is found among the draws.
    is_inserting = kind == "facts" and audience != "gm"
    paths = [
        path
        for path, is_element in places_in(view, [])
        if not (is_element and (is_inserting or (kind == "facts" and path[0] == "draws")))
    ]
    path = rng.choice(paths)
    if kind == "text" and rng.random() < 0.3:
        holders = [path for path, _ in places_in(view, []) if path[:1] != ["sealed"]]
        holder = rng.choice([each for each in holders if isinstance(inside(view, each), dict)])
        return [*holder, "caption"]
    return path


def inside(tree: Any, path: Way) -> Any:
    for step in path:
        tree = tree[step]
    return tree


def forged(forger: Forger, rng: random.Random) -> tuple[list[bytes], dict[str, Any]]:
    """A bundle with one entry too many, and the difference."""
    file = rng.choice((forger.gm, forger.red))
    seq = rng.randint(1, len(forger.table.sealed))
    line = json.loads(forger.bundles[file][forger.line_of(seq) - 1])
    parts = [(part["kind"], part["audience"]) for part in line["parts"] if "body" in part]
    name = rng.choice(parts)
    path = taken(line, name, rng)
    [part] = [each for each in line["parts"] if (each["kind"], each["audience"]) == name]
    where = f"parts.{name[0]}.{name[1]}.entries[{len(part['body']['entries'])}]"
    add = partial(with_entry, name=name, entry=[path, "forged"])
    return forger.relined(seq, add, file=file), {
        "check": "parts",
        "line": forger.line_of(seq),
        "path": where,
    }


@pytest.mark.parametrize(
    ("name", "rounds"),
    [
        ("crossfire", ROUNDS),
        *(
            pytest.param(name, 10 * ROUNDS, marks=pytest.mark.soak)
            for name in ("crossfire", *BATTLES)
        ),
    ],
)
def test_an_entry_that_sets_what_is_there_is_found_by_all(
    name: str, rounds: int, tmp_path: Path
) -> None:
    table = battle() if name == "crossfire" else BATTLES[name]()
    forger = Forger(table, "bundle" if name == "crossfire" else f"bundle-{name}")
    rng = random.Random(name)
    forgeries = [forged(forger, rng) for _ in range(rounds)]
    cases = [bytes_case(str(at), b"".join(lines)) for at, (lines, _) in enumerate(forgeries)]
    reports = judged(cases, tmp_path)
    for at, (lines, found) in enumerate(forgeries):
        first = reports[str(at)]["first"]
        assert {
            "check": first["code"],
            "line": first["line"],
            "path": first["path"],
        } == found, f"{at}: {first}"
        assert plain_verifier.first_difference(lines, PUBLIC.hex()) == found
        report = audited(lines, Kept(trusted=trusted(PUBLIC.hex())))
        assert isinstance(report, Report)
        assert report.first_failure
        assert report.first_failure.path == found["path"]
