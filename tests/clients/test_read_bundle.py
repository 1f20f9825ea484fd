"""`readBundle` and `read_bundle` show the events of a bundle as the service does to its viewer."""

import json
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from service.encounters.views import widened
from service.engine.battle.linear import opened_at
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.replay.seen.joint_event import ways_seen
from tests.clients.tools import HERE, NODE, succeeded
from tests.clients.verifier import PACKAGE
from tests.kit.random_battles import BY_PLAYER, Overruled, ask, play
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.kit.seat_changes import SeatChanges
from tests.kit.table import Table, seated
from tests.replay.memory_audit import bundle_of, evidence_in_memory
from tests.soak import with_soak
from warlog import read_bundle

EVENTS: Final = 30
VIEWERS: Final[dict[str, Viewer]] = {
    "gm": GAME_MASTER,
    "nobody": Viewer(),
    "red": Viewer(sides=("red",)),
    "blue": Viewer(sides=("blue",)),
}


def played(rig: Rig, opened: str) -> Table:
    """A battle that ended, with parts opened to everybody."""
    table = seated(rig.ruleset, rig.battles.setup(3, with_secrets=True))
    play(table, 3, EVENTS, by=BY_PLAYER, deed=Overruled(rig.battles, 3, SeatChanges(3)))
    if table.state.rule.status == "ended":
        ask(table, {"type": "reveal", "open": opened})
    else:
        ask(table, {"type": "end_encounter", "reveal": "now", "open": opened})
    return table


def read_events(
    bundles: list[list[bytes]], folder: Path, viewpoints: tuple[str, ...] = ()
) -> list[list[dict[str, Any]]]:
    texts: list[object] = [b"".join(lines).decode() for lines in bundles]
    if viewpoints:
        texts = list(zip(texts, viewpoints, strict=True))
    lines = "".join(f"{json.dumps(each)}\n" for each in texts)
    library = PACKAGE / "source" / "index.js"
    said = succeeded(NODE, HERE / "bundle_events.mjs", library, cwd=folder, stdin=lines)
    read = [json.loads(line) for line in said.splitlines()]
    assert read == [
        msgspec.to_builtins(list(read_bundle(lines, viewpoint=viewpoint)))
        for lines, viewpoint in zip_longest(bundles, viewpoints)
    ]
    return read


def rights_of(viewer: Viewer) -> Callable[[int], Viewer]:
    """The same at every event."""
    return lambda seq: viewer


def shown(table: Table, viewer: Viewer) -> list[dict[str, Any]]:
    """What the service shows, in the order of the sides where parts leave the order open."""
    linear, sides = table.state.linear, table.side_ids
    told = []
    for sealed in table.sealed:
        here = widened(viewer, opened_at(linear, sealed.seq), sides)
        told.append(ways_seen(evidence_in_memory(sealed, here, sides), sides, here)[0])
    return told


@pytest.mark.parametrize("opened", with_soak(["sides"], ["none", "all"]))
@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_events_are_shown_as_the_service_shows_them(rig: Rig, opened: str, tmp_path: Path) -> None:
    table = played(rig, opened)
    bundles = [bundle_of(table, rights_of(each)) for each in VIEWERS.values()]
    for viewer, events in zip(VIEWERS.values(), read_events(bundles, tmp_path), strict=True):
        assert [each.get("seen", each["event"]) for each in events] == shown(table, viewer)


@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_a_whole_bundle_is_read_with_the_eyes_of_each_viewpoint(rig: Rig, tmp_path: Path) -> None:
    table = played(rig, "none")
    viewpoints = {"everyone": Viewer(), "red": VIEWERS["red"], "gm": GAME_MASTER}
    bundles = [bundle_of(table, rights_of(GAME_MASTER))] * len(viewpoints)
    read = read_events(bundles, tmp_path, tuple(viewpoints))
    for viewer, events in zip(viewpoints.values(), read, strict=True):
        assert [each.get("seen", each["event"]) for each in events] == shown(table, viewer)
