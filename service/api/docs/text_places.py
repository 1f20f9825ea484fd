"""The published table of the places of text and rolls, `places.json`, and the clients' copies."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from service.engine.ruleset.definition import Rulesets
from service.engine.ruleset.roll_places import RollPlaces, roll_places
from service.engine.visibility.text_places import TextPlace, text_places

FORMAT: Final = 1
"""Of the table."""

DRAWS: Final = ("*", "*.combatant")
"""What facts may set below `draws`: a draw, and for whom one was that is listed elsewhere."""


class _Rolls(Struct):
    """The places of rolls (`all`), and which of them may tell faces again, and why.

    `meanwhile` are the actions that are taken over open questions, `questions` the kinds of those
    whose action may have dice. `held` name dice of an action that waits, `waiting` tell them again.
    `standing` tell a roll that stands. `shared` tell what another place shows in the same event.
    """

    all: list[str]
    held: list[str]
    meanwhile: list[str]
    questions: list[str]
    shared: dict[str, list[str]]
    standing: list[str]
    waiting: list[str]


class _Row(Struct):
    """The places of some versions of a ruleset, each written with dots between its steps."""

    ruleset: str
    versions: list[str]
    actions: dict[str, list[str]]
    effects: dict[str, list[str]]
    rolls: _Rolls


class _Table(Struct):
    format: int
    draws: tuple[str, ...]
    rulesets: list[_Row]


def table_of(rulesets: Rulesets) -> _Table:
    """The table of these rulesets; versions with the same places are one row."""
    rows: list[_Row] = []
    for (slug, version), ruleset in rulesets.items():
        places = text_places(ruleset.event)
        rolls = _rolls(roll_places(ruleset.event, ruleset.retelling))
        row = _Row(slug, [version], _listed(places.actions), _listed(places.effects), rolls)
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


def _rolls(places: RollPlaces) -> _Rolls:
    return _Rolls(
        all=sorted(places.rolls),
        held=sorted(places.held),
        meanwhile=sorted(places.meanwhile),
        questions=sorted(places.questions),
        shared={place: sorted(places.shared[place]) for place in sorted(places.shared)},
        standing=sorted(places.standing),
        waiting=sorted(places.waiting),
    )


def _listed(places: Mapping[str, frozenset[TextPlace]]) -> dict[str, list[str]]:
    """The places of each type, steps with dots between them."""
    return {kind: sorted(map(".".join, places[kind])) for kind in sorted(places)}
