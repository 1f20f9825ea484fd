"""Does a test see it when the rules are changed? A seeded sample of mutants says how often.

    .venv/bin/python -m tests.mutants.sampler [COUNT [SEED]]

How this works. Each worker has its own copy of the tree. One file of it is changed in one place,
the suites of that module run until the first failure, and the file is put back. A mutant that no
suite sees survives and is printed with its place. It is our own, since mutmut runs one and the same
suite for all and cosmic-ray wants a configuration for every module; the mutator is small.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from tests.house.tree import ROOT
from tests.mutants.mutations import Mutation, mutations_of

ROOMS: Final = ("service/engine", "service/rulesets")
COPIED: Final = ("service", "tests", "migrations", "openapi", "pyproject.toml")
SECONDS: Final = 300
"""How long the suites of one mutant may take; a mutant that never ends is seen."""

_EXAMPLES: Final = tuple(
    f"tests/rulesets/{slug}/test_examples.py" for slug in ("crossfire_d6", "seeker_d100")
)


@dataclass(frozen=True)
class Mutant:
    """One change to one file."""

    path: str
    mutation: Mutation

    def __str__(self) -> str:
        return f"{self.path}:{self.mutation.line}: {self.mutation.what}"


@dataclass(frozen=True)
class Score:
    """How many mutants were seen, and those that were not."""

    seen: int
    survivors: tuple[Mutant, ...]

    @property
    def per_cent(self) -> int:
        """The share of those seen, rounded down."""
        return 100 * self.seen // max(1, self.seen + len(self.survivors))

    def __str__(self) -> str:
        total = self.seen + len(self.survivors)
        lines = [f"{self.seen} of {total} mutants seen ({self.per_cent} %); survivors:"]
        return "\n".join([*lines, *(f"  {each}" for each in self.survivors or ("none",))])


def all_mutants() -> tuple[Mutant, ...]:
    """Every mutant of the rooms, by file and place. The words of catalogues are left out."""
    return tuple(
        Mutant(path=str(path.relative_to(ROOT)), mutation=mutation)
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        if "catalogue" not in path.parts
        for mutation in mutations_of(path.read_bytes())
    )


def sample(count: int, seed: int) -> tuple[Mutant, ...]:
    """So many of them, the same for the same seed."""
    known = all_mutants()
    return tuple(Random(seed).sample(known, min(count, len(known))))


def suites_of(path: str) -> tuple[str, ...]:
    """The tests of a module, those of its own name first, then its room's, then whole battles."""
    room, stem = Path(path).parent, Path(path).stem
    if room.parts[1] == "rulesets":
        folder = f"tests/rulesets/{room.parts[2]}" if len(room.parts) > 2 else "tests/rulesets"
        whole: tuple[str, ...] = ()
    else:
        folder, whole = "tests/engine", (*_EXAMPLES, "tests/replay/test_golden.py")
    named = sorted((ROOT / folder).glob(f"test_{stem}*.py"))
    first = (*named, *sorted((ROOT / folder).glob("test_examples.py")))
    chosen = (*(str(each.relative_to(ROOT)) for each in first), folder, *whole)
    return tuple(dict.fromkeys(chosen))


def is_seen(tree: Path, mutant: Mutant) -> bool:
    """Whether a suite of the module fails, or does not end, with the change in this tree."""
    file = tree / mutant.path
    source = file.read_bytes()
    file.write_bytes(mutant.mutation.of(source))
    command = (sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider")
    settings = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(tree)}
    try:
        for suite in suites_of(mutant.path):
            ran = subprocess.run(
                (*command, "-m", "not soak", suite),
                cwd=tree,
                env=settings,
                capture_output=True,
                check=False,
                timeout=SECONDS,
            )
            if ran.returncode not in {0, 5}:
                return True
    except subprocess.TimeoutExpired:
        return True
    finally:
        file.write_bytes(source)
    return False


def trees(count: int, folder: Path) -> Iterator[Path]:
    """So many copies of the tree."""
    for number in range(count):
        copy = folder / str(number)
        for name in COPIED:
            if (ROOT / name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "node_modules")
                shutil.copytree(ROOT / name, copy / name, ignore=ignored)
            else:
                shutil.copy(ROOT / name, copy / name)
        yield copy


def judged(mutants: Iterable[Mutant], workers: int) -> Score:
    """Try them all; a mutant is judged by one worker in its own tree."""
    with TemporaryDirectory() as folder, ThreadPoolExecutor(workers) as pool:
        free: Queue[Path] = Queue()
        for tree in trees(workers, Path(folder)):
            free.put(tree)

        def judge(mutant: Mutant) -> tuple[Mutant, bool]:
            tree = free.get()
            try:
                return mutant, is_seen(tree, mutant)
            finally:
                free.put(tree)

        results = tuple(pool.map(judge, mutants))
    survivors = tuple(mutant for mutant, was_seen in results if not was_seen)
    return Score(seen=len(results) - len(survivors), survivors=survivors)


def main(arguments: list[str]) -> None:
    """Print the score of a sample."""
    count, seed = (int(each) for each in (*arguments, *("60", "1")[len(arguments) :]))
    sys.stdout.write(f"{judged(sample(count, seed), os.cpu_count() or 1)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
