"""Battles come out alike in processes that hash otherwise."""

import os
import subprocess
import sys

from tests.house.tree import ROOT

PLAYED = """
from tests.kit.random_battles import play
from tests.kit.rigs import RIGS
from tests.kit.table import seated
for rig in RIGS:
    table = seated(rig.ruleset, rig.battles.setup(5, with_secrets=True))
    play(table, 5, 60)
    print(rig, table.sealed[-1].hash)
"""


def test_another_hash_seed_gives_the_same_bytes() -> None:
    hashes = [
        subprocess.run(
            [sys.executable, "-c", PLAYED],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout.splitlines()
        for seed in ("0", "1")
    ]
    assert len(hashes[0]) > 1
    assert hashes == [hashes[0]] * len(hashes)
