"""Every benchmark one after the other, and all their figures in one table: make bench

make bench ARGS="--rounds 3 --only acting,hot"
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _measuring import HEAD, interpreter

FOLDER = Path(__file__).parent


def main() -> int:
    """Run them; 1 if one of them failed. Targets that are missed are no failure."""
    names = sorted(path.stem for path in FOLDER.glob("[!_]*.py"))
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default=",".join(names), help="names (default: %(default)s)")
    parser.add_argument("--skip", default="", help="names")
    given, rest = parser.parse_known_args()
    wanted = [name for name in given.only.split(",") if name not in given.skip.split(",")]
    if unknown := set(wanted) - set(names):
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.md"
        rows.touch()
        for name in wanted:
            began = time.monotonic()
            print(f"{name}:", flush=True)
            script = FOLDER / f"{name}.py"
            done = subprocess.run([sys.executable, script, "--rows", rows, *rest], check=False)
            if done.returncode:
                failed.append(name)
            print(f"  ({time.monotonic() - began:.0f} s)", flush=True)
        cores = os.cpu_count()
        ran = f"{cores} cores; {interpreter()}; medians and ranges over the rounds"
        print(f"\n{ran}\n\n{HEAD}\n{rows.read_text()}")
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
