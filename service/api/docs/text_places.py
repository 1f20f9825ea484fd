"""The published table of the places of text, `places.json`, and the copies of it in the clients."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from service.engine.ruleset import Rulesets
from service.engine.visibility.text_places import TextPlace, text_places

FORMAT: Final = 1
"""Of the table."""

DRAWS: Final = ("*", "*.combatant")
"""What facts may set below `draws`: a draw, and for whom one was that is listed elsewhere."""


class _Row(Struct):
    """The places of some versions of a ruleset, each written with dots between its steps."""

    ruleset: str
    versions: list[str]
    actions: dict[str, list[str]]
    effects: dict[str, list[str]]


class _Table(Struct):
    format: int
    draws: tuple[str, ...]
    rulesets: list[_Row]


def table_of(rulesets: Rulesets) -> _Table:
    """The table of these rulesets; versions with the same places are one row."""
    rows: list[_Row] = []
    for (slug, version), ruleset in rulesets.items():
        places = text_places(ruleset.event)
        row = _Row(slug, [version], _listed(places.actions), _listed(places.effects))
        twin = next((each for each in rows if replace(each, versions=[version]) == row), None)
        if twin is None:
            rows.append(row)
        else:
            twin.versions.append(version)
    return _Table(format=FORMAT, draws=DRAWS, rulesets=rows)


def table_bytes(rulesets: Rulesets) -> bytes:
    """The table as JSON, a line for each ruleset."""
    return msgspec.json.format(msgspec.json.encode(table_of(rulesets)), indent=1) + b"\n"


def client_copies(rulesets: Rulesets) -> dict[PurePosixPath, bytes]:
    """The files that the clients' verifiers read it from, by their paths below `openapi`."""
    table = table_bytes(rulesets)
    script = (
        b"/** The places of text: /docs/places.json of the service; made by `warlog openapi`. */\n"
        b"export const PLACES = " + table.rstrip() + b";\n"
    )
    return {
        PurePosixPath("clients/javascript/source/text_places_table.js"): script,
        PurePosixPath("clients/python/warlog/verifier/text_places.json"): table,
    }


def _listed(places: Mapping[str, frozenset[TextPlace]]) -> dict[str, list[str]]:
    """The places of each type, steps with dots between them."""
    return {kind: sorted(map(".".join, places[kind])) for kind in sorted(places)}
