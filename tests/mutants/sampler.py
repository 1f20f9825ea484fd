"""Does a test see it when the rules are changed? A seeded sample of mutants says how often.

    .venv/bin/python -m tests.mutants.sampler [--count 60] [--seed 1] [--of PATH] [--soak]

How this works. Each worker has its own copy of the tree and a process that runs test files in it.
First all suites run unchanged: they must pass, and their times give the order. Then one file is
changed in one place, the suites of its module run until the first failure, its own before those of
its room and the quick before the slow, and the file is put back. A mutant that no suite sees
survives and is printed with its place; with `--soak` the long forms of those suites are asked as
well, which says what the short ones miss. It is our own, since mutmut runs one and the same suite
for all and cosmic-ray wants a configuration for every module; the mutator is small.
"""

import ast
import json
import os
import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import Queue
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from msgspec import Struct
from msgspec.json import Decoder

from tests.house.tree import ROOT, RULESETS, SERVICE, parsed
from tests.mutants.mutations import Mutation, mutations_of

ROOMS: Final = ("service/engine", "service/rulesets")
COPIED: Final = ("service", "tests", "migrations", "openapi", "pyproject.toml")
SECONDS: Final = {"not soak": 600, "soak": 3600}
"""By the mark that is run: how long all suites of one mutant may take; one that never ends is seen.
"""
NONE_CHOSEN: Final = 5
"""What pytest ends with where no case has the mark."""
QUICK: Final = 2
"""Seconds that a suite takes which is run before those of the room because it imports a module."""

_GOLDEN: Final = "tests/replay/test_golden.py"
_FOLDERS: Final = ("engine", "kit", *(str(path.relative_to(SERVICE)) for path in RULESETS))


@dataclass(frozen=True)
class Mutant:
    """One change to one file."""

    path: str
    mutation: Mutation

    def __str__(self) -> str:
        return f"{self.path}:{self.mutation.line}: {self.mutation.what}"


@dataclass(frozen=True)
class Trial:
    """A mutant, the test that saw it (empty: none) and how long that took.

    `only_in_soak`: it was seen, but by no case of `make test`.
    """

    mutant: Mutant
    seen_by: str
    seconds: float
    only_in_soak: bool = False


@dataclass(frozen=True)
class Score:
    """All trials of a sample, in its order."""

    trials: tuple[Trial, ...]

    @property
    def survivors(self) -> tuple[Mutant, ...]:
        """Those that no case of `make test` saw."""
        return tuple(
            trial.mutant for trial in self.trials if trial.only_in_soak or not trial.seen_by
        )

    @property
    def seen_in_soak(self) -> tuple[Mutant, ...]:
        """Those that only the soak saw."""
        return tuple(trial.mutant for trial in self.trials if trial.only_in_soak)

    @property
    def per_cent(self) -> int:
        """The share of those seen, rounded down."""
        total = len(self.trials)
        return 100 * (total - len(self.survivors)) // max(1, total)

    def __str__(self) -> str:
        total, seconds = len(self.trials), sum(trial.seconds for trial in self.trials)
        head = f"{total - len(self.survivors)} of {total} mutants seen ({self.per_cent} %)"
        lines = [f"{head}, {seconds / max(1, total):.1f} s each; survivors:"]
        lines += [f"  {each}" for each in self.survivors or ("none",)]
        lines += [f"seen by the soak alone: {each}" for each in self.seen_in_soak]
        return "\n".join(lines)


class Outcome(Struct, frozen=True, kw_only=True):
    """What `tests.mutants.suites` says of a run: pytest's code, the failure, seconds by file."""

    code: int
    failed: str
    seconds: dict[str, float]

    @property
    def seen_by(self) -> str:
        """The test that failed, or how else the run ended; empty if all is well."""
        is_well = self.code in (0, NONE_CHOSEN)
        return self.failed or ("" if is_well else f"pytest ended with {self.code}")


OUTCOMES: Final[Decoder[Outcome | None]] = Decoder(Outcome | None)


@cache
def all_mutants() -> tuple[Mutant, ...]:
    """Every mutant of the rooms, by file and place. The words of catalogues are left out."""
    return tuple(
        Mutant(path=str(path.relative_to(ROOT)), mutation=mutation)
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        if "catalogue" not in path.parts
        for mutation in mutations_of(path.read_bytes())
    )


def sample(count: int, seed: int, within: str = "service/") -> tuple[Mutant, ...]:
    """So many of those whose path begins so, the same for the same seed."""
    known = [mutant for mutant in all_mutants() if mutant.path.startswith(within)]
    return tuple(Random(seed).sample(known, min(count, len(known))))


def test_files(folder: str) -> tuple[str, ...]:
    """The test files of a folder of the tests, without those of the folders in it."""
    found = sorted((ROOT / "tests" / folder).glob("test_*.py"))
    return tuple(str(path.relative_to(ROOT)) for path in found)


def suites_of(path: str, seconds: Mapping[str, float]) -> tuple[str, ...]:
    """The test files of a module: its own first, then those of its room, the quick ones first.

    Its own are called like it, or import it and are quick. What the modules of the engine do is
    also seen by the rulesets' tests and in whole battles.
    """
    module = Path(path).with_suffix("")
    homes = [each for each in RULESETS if (ROOT / path).is_relative_to(each)]
    own = tuple(str(each.relative_to(SERVICE)) for each in homes)
    folders = ("kit", *own) if own else _FOLDERS
    files = [file for folder in folders for file in test_files(folder)]

    def order(file: str) -> tuple[bool, bool, float, str]:
        cost = seconds.get(file, 0)
        is_named = f"_{module.stem}_" in f"{Path(file).stem}_"
        is_own = is_named or (cost < QUICK and ".".join(module.parts) in imported_by(file))
        is_of_room = own != () or file.startswith("tests/engine/")
        return not is_own, not is_of_room, cost, file

    return tuple(sorted(files if own else [*files, _GOLDEN], key=order))


@cache
def imported_by(file: str) -> frozenset[str]:
    """The names that a test file imports: modules, and what is taken from them."""
    imports = [node for node in ast.walk(parsed(ROOT / file)) if isinstance(node, ast.ImportFrom)]
    names = {f"{node.module}.{alias.name}" for node in imports for alias in node.names}
    return frozenset(names | {str(node.module) for node in imports})


class Worker:
    """A copy of the tree and the process that runs test files in it."""

    def __init__(self, tree: Path) -> None:
        self._tree = tree
        self._changes = 0
        for name in COPIED:
            if (ROOT / name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "node_modules")
                shutil.copytree(ROOT / name, tree / name, ignore=ignored)
            else:
                shutil.copy2(ROOT / name, tree / name)
        self._process = subprocess.Popen(
            (sys.executable, "-m", "tests.mutants.suites"),
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.communicate()

    def measured(self, files: Sequence[str]) -> Mapping[str, float]:
        """Seconds of each of these test files without any change; they must pass."""
        outcome = self._outcome(files)
        assert outcome is not None, f"{files} do not end unchanged"
        assert not outcome.seen_by, f"fails unchanged: {outcome.seen_by}"
        return outcome.seconds

    def trial(self, mutant: Mutant, files: Sequence[str], *, has_soak: bool = False) -> Trial:
        """Run these test files with the change of the mutant, until the first failure.

        With `has_soak` their long forms follow where they see nothing.
        """
        begun = time.monotonic()
        with self._changed(mutant):
            seen_by = self._seen_by(files, "not soak")
            only_in_soak = has_soak and not seen_by
            if only_in_soak:
                seen_by = self._seen_by(files, "soak")
        return Trial(
            mutant=mutant,
            seen_by=seen_by,
            seconds=time.monotonic() - begun,
            only_in_soak=only_in_soak and seen_by != "",
        )

    def _seen_by(self, files: Sequence[str], mark: str) -> str:
        outcome = self._outcome(files, mark)
        return "did not end" if outcome is None else outcome.seen_by

    @contextmanager
    def _changed(self, mutant: Mutant) -> Iterator[None]:
        """Byte code is cached by a file's time and size: each change gets a time of its own."""
        file = self._tree / mutant.path
        source, stat = file.read_bytes(), file.stat()
        file.write_bytes(mutant.mutation.of(source))
        self._changes += 1
        os.utime(file, (self._changes, self._changes))
        try:
            yield
        finally:
            file.write_bytes(source)
            os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    def _outcome(self, files: Sequence[str], mark: str = "not soak") -> Outcome | None:
        """None if they did not end. Pytest refuses a run with a file that is not there."""
        assert all((self._tree / file).is_file() for file in files), files
        request, answers = self._process.stdin, self._process.stdout
        assert request is not None
        assert answers is not None
        request.write(json.dumps((files, SECONDS[mark], mark)).encode() + b"\n")
        request.flush()
        return OUTCOMES.decode(answers.readline())


def judged(
    mutants: Sequence[Mutant],
    workers: int,
    *,
    has_soak: bool = False,
    tell: Callable[[Trial], None] = lambda trial: None,
) -> Score:
    """Try them all; a mutant is judged by one worker in its own tree, and told when it is."""
    with TemporaryDirectory() as folder, ExitStack() as stack:
        free: Queue[Worker] = Queue()
        for number in range(workers):
            worker = Worker(Path(folder) / str(number))
            stack.callback(worker.close)
            free.put(worker)
        pool = stack.enter_context(ThreadPoolExecutor(workers))

        def measured(files: Sequence[str]) -> Mapping[str, float]:
            worker = free.get()
            try:
                return worker.measured(files)
            finally:
                free.put(worker)

        def judge(mutant: Mutant) -> Trial:
            worker = free.get()
            try:
                suites = suites_of(mutant.path, seconds)
                trial = worker.trial(mutant, suites, has_soak=has_soak)
            finally:
                free.put(worker)
            tell(trial)
            return trial

        groups = [test_files(each) for each in reversed(_FOLDERS)]
        seconds = {
            file: taken
            for each in pool.map(measured, [*groups, (_GOLDEN,)])
            for file, taken in each.items()
        }
        return Score(trials=tuple(pool.map(judge, mutants)))


def _tell(trial: Trial) -> None:
    """One line for each, as they come."""
    seen_by = trial.seen_by.rpartition("/")[2] or "SURVIVED"
    soak = "soak: " if trial.only_in_soak else ""
    sys.stdout.write(f"{trial.seconds:6.1f} s  {trial.mutant}  [{soak}{seen_by}]\n")
    sys.stdout.flush()


def main(arguments: Sequence[str]) -> None:
    """Print each mutant of a sample with the test that saw it, and the score."""
    parser = ArgumentParser(prog="tests.mutants.sampler")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--of", default="service/", help="only files whose path begins so")
    parser.add_argument("--soak", action="store_true", help="try survivors with the long tests")
    chosen = parser.parse_args(arguments)
    mutants = sample(chosen.count, chosen.seed, chosen.of)
    sys.stdout.write(f"{judged(mutants, chosen.workers, has_soak=chosen.soak, tell=_tell)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
