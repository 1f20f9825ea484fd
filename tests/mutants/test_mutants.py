"""The mutator makes what it says, and the suites see most mutants of the rules."""

import ast
import os
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT
from tests.mutants.mutations import Mutation, mutations_of
from tests.mutants.sampler import Mutant, Worker, all_mutants, judged, sample, suites_of

SOURCE = b'''"""A docstring of 1."""
A: Final[Literal[1]] = 2
def f(x, *, y=True):
    """Another of 2."""
    emit(x)
    assert_never(x)
    if x < 3 and not y:
        return replace(x, a=0, b=4)
    return min(x, 1) + 5 if x in y else "a" + "b"
class C(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    z: Annotated[int, Meta(ge=6)] = 7 if not x else 8
    w = (y * z) * (y * x) if (x and y) or (z) else (y)
'''


EXPECTED = [
    "A: Final[Literal[1]] = 3",
    "def f(x, *, y=False):",
    "pass",
    "if x <= 3 and not y:",
    "if not (x < 3 and not y):",
    "if x < 4 and not y:",
    "if x < 3 or not y:",
    "if x < 3 and (y):",
    "return replace(x, b=4)",
    "return replace(x, a=1, b=4)",
    "return replace(x, a=0)",
    "return replace(x, a=0, b=5)",
    'return max(x, 1) + 5 if x in y else "a" + "b"',
    'return min(x, 2) + 5 if x in y else "a" + "b"',
    'return min(x, 1) - 5 if x in y else "a" + "b"',
    'return min(x, 1) + 6 if x in y else "a" + "b"',
    'return min(x, 1) + 5 if x not in y else "a" + "b"',
    "class C(Struct, frozen=True, kw_only=True, forbid_unknown_fields=False):",
    "z: Annotated[int, Meta(ge=6)] = 8 if not x else 8",
    "z: Annotated[int, Meta(ge=6)] = 7 if (x) else 8",
    "z: Annotated[int, Meta(ge=6)] = 7 if not x else 9",
    "w = (y + z) * (y * x) if (x and y) or (z) else (y)",
    "w = (y * z) + (y * x) if (x and y) or (z) else (y)",
    "w = (y * z) * (y + x) if (x and y) or (z) else (y)",
    "w = (y * z) * (y * x) if (x or y) or (z) else (y)",
    "w = (y * z) * (y * x) if (x and y) and (z) else (y)",
    "w = (y * z) * (y * x) if not ((x and y) or (z)) else (y)",
]


def changed() -> list[str]:
    """The lines that differ, each as it is in one mutant."""
    was = SOURCE.decode().splitlines()
    found = []
    for mutation in mutations_of(SOURCE):
        text = mutation.of(SOURCE)
        ast.parse(text)
        [line] = [
            new for old, new in zip(was, text.decode().splitlines(), strict=True) if old != new
        ]
        found.append(line.strip())
    return found


def test_each_mutant_is_one_change_that_can_be_parsed() -> None:
    assert sorted(changed()) == sorted(EXPECTED)


@pytest.mark.soak
def test_mutants_of_the_rules_can_be_parsed() -> None:
    for mutant in sample(150, 1):
        ast.parse(mutant.mutation.of((ROOT / mutant.path).read_bytes()), str(mutant))


@pytest.mark.soak
def test_a_sample_is_the_same_for_the_same_seed_and_of_both_rooms() -> None:
    assert sample(50, 7) == sample(50, 7) != sample(50, 8)
    rooms = {mutant.path.split("/")[1] for mutant in sample(100, 1)}
    assert rooms == {"engine", "rulesets"}


@pytest.mark.soak
def test_every_module_has_suites_of_its_own() -> None:
    for path in sorted({mutant.path for mutant in all_mutants()}):
        suites = suites_of(path, {})
        assert suites, path
        assert all((ROOT / suite).is_file() for suite in suites), path


LINES = "service/rulesets/seeker_d100/rules/order.py"
SUITE = "tests/rulesets/seeker_d100/test_order.py"


def mutant_of(path: str, was: str, now: str) -> Mutant:
    source = (ROOT / path).read_bytes()
    start = source.index(was.encode())
    mutation = Mutation(line=1, start=start, end=start + len(was), text=now, what=now)
    return Mutant(path=path, mutation=mutation)


@pytest.mark.soak
@pytest.mark.slow
def test_a_mutant_is_tried_in_a_tree_of_its_own_that_is_put_back(tmp_path: Path) -> None:
    before = (ROOT / LINES).read_bytes()
    worker = Worker(tmp_path)
    try:
        assert worker.measured([SUITE]).keys() == {SUITE}
        tried = [
            worker.trial(mutant_of(LINES, was, now), [SUITE]).seen_by
            for was, now in (
                ("(aim, called, held, gm)", "(called, aim, held, gm)"),
                ("(aim, called, held, gm)", "[aim, called, held, gm]"),
                ("line is not None", "line is     None"),
                ("return tuple", "return tuples"),
            )
        ]
    finally:
        worker.close()
    seen = f"{SUITE}::test_the_lines_of_an_attack_stand_in_their_order"
    assert tried == [seen, "", seen, seen]
    assert (ROOT / LINES).read_bytes() == (tmp_path / LINES).read_bytes() == before


@pytest.mark.soak
def test_most_mutants_of_the_rules_are_seen(capsys: pytest.CaptureFixture[str]) -> None:
    """At least 85 of 100. Of 172 tried, 152 were seen (88 %) before tests came for the others.

    Some survivors change nothing that anybody could see: what is only remembered, a default that
    nobody leaves out. With 90 % seen, one sample of 300 in some hundreds falls below the floor.
    """
    score = judged(sample(300, int(os.environ.get("MUTANTS_SEED", "1"))), os.cpu_count() or 1)
    with capsys.disabled():
        sys.stdout.write(f"\n{score}\n")
    assert score.per_cent >= 85, score
