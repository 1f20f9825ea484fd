"""Random battles of every ruleset, as each may read them, are clean whoever verifies them."""

from pathlib import Path

import pytest

from service.engine.visibility.scope import Viewer
from tests.clients.test_read_bundle import VIEWERS, played, rights_of
from tests.clients.verifier import bytes_case, judged
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS
from tests.replay.memory_audit import bundle_of


@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_random_battles_are_clean(rig: Rig, tmp_path: Path) -> None:
    table = played(rig, "sides")
    late = Viewer(sides=("red", "blue"))
    bundles = {
        **{name: bundle_of(table, rights_of(viewer)) for name, viewer in VIEWERS.items()},
        "late": bundle_of(table, lambda seq: late if seq > 9 else VIEWERS["red"]),
    }
    cases = [bytes_case(name, b"".join(lines)) for name, lines in bundles.items()]
    for case in cases:
        case["options"] = {}
    found = judged(cases, tmp_path)
    assert {name: report.get("first") for name, report in found.items()} == dict.fromkeys(bundles)
    dice = {name: report["dice"] for name, report in found.items()}
    assert all(each["visible"] == each["checked"] for each in dice.values())
    assert dice["gm"]["visible"] >= dice["red"]["visible"] >= dice["nobody"]["visible"] > 0
