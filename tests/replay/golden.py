"""Makes the golden bundles: whole battles that every later build must still audit clean.

    .venv/bin/python -m tests.replay.golden NAME...      write these, all that are missing if none

How this works. A bundle that is written is frozen: `SHA256SUMS` next to the bundles holds its
digest, and this script refuses to make it again. Where it no longer audits clean, the build is
wrong; a change of an outcome, of the order of draws or of a stored word is a new version of the
ruleset with its own battles.
"""

import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

from tests.kit.rig import GoldenBattle
from tests.kit.rigs import EVERY_RIG
from tests.replay.memory_audit import bundle_of

FOLDER: Final = Path(__file__).with_name("bundles")
FROZEN: Final = FOLDER / "SHA256SUMS"
BATTLES: Final[Mapping[str, GoldenBattle]] = {
    name: battle for rig in EVERY_RIG for name, battle in rig.golden.items()
}
"""The battles of all rulesets by the name of their file."""


def lines_of(battle: GoldenBattle) -> list[bytes]:
    """The bundle of a battle that is played again."""
    table, viewer = battle.play(), battle.viewer
    return bundle_of(table) if viewer is None else bundle_of(table, lambda seq: viewer)


def digests() -> dict[str, str]:
    """SHA-256 of each frozen bundle, by file name."""
    lines = (line.split() for line in FROZEN.read_text().splitlines())
    return {name: digest for digest, name in lines}


def write(name: str, folder: Path) -> None:
    """Play one battle and write its bundle."""
    (folder / f"{name}.ndjson").write_bytes(b"".join(lines_of(BATTLES[name])))


def main(names: list[str]) -> None:
    """Write bundles, and freeze what was written."""
    frozen = digests()
    missing = [name for name in BATTLES if f"{name}.ndjson" not in frozen]
    for name in names or missing:
        path = FOLDER / f"{name}.ndjson"
        if path.name in frozen:
            sys.exit(f"{path.name} is frozen: a changed battle is one of a new ruleset version")
        write(name, FOLDER)
        frozen[path.name] = sha256(path.read_bytes()).hexdigest()
    FROZEN.write_text("".join(f"{digest}  {name}\n" for name, digest in sorted(frozen.items())))


if __name__ == "__main__":
    main(sys.argv[1:])
