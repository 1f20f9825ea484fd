"""The pure rooms compute with whole numbers and fractions, and ask nobody for the time."""

import ast
from collections.abc import Iterator

import pytest

from tests.house.tree import PURE_ROOMS, parsed, place

SOURCES = [path for room in PURE_ROOMS for path in sorted(room.rglob("*.py"))]
WORLDLY = {
    "asyncio",
    "datetime",
    "logging",
    "os",
    "pathlib",
    "random",
    "secrets",
    "socket",
    "subprocess",
    "sys",
    "threading",
    "time",
    "uuid",
}
EXACT_OF_MATH = {"isqrt", "gcd", "lcm", "comb", "perm", "factorial", "prod"}
UNSTABLE_CALLS = {"float", "complex", "round", "hash", "id", "open", "input", "print", "eval"}


def inexact(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Find floats, true division and calls whose answer is not the same everywhere.

    A `__hash__` may hash: that serves looking things up, and no hash leaves it.
    """
    hashing = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name == "__hash__"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if node in hashing:
            continue
        match node:
            case ast.Constant(value=float() | complex()):
                yield node, "a float"
            case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
                yield node, "true division"
            case ast.Call(func=ast.Name(id=name)) if name in UNSTABLE_CALLS:
                yield node, f"{name}()"
            case ast.Name(id="float" | "complex", ctx=ast.Load()):
                yield node, f"the type {node.id}"
            case ast.Attribute(value=ast.Name(id="math"), attr=name) if name not in EXACT_OF_MATH:
                yield node, f"math.{name}"
            case _:
                pass


def worldly(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Find imports of anything that knows the time, the machine or chance."""
    for node in ast.walk(tree):
        for module in imported(node):
            if module.split(".")[0] in WORLDLY or module.startswith("math."):
                yield node, f"imports {module}"


def imported(node: ast.AST) -> list[str]:
    """The modules a statement imports; what is inexact of `math` counts as one each."""
    match node:
        case ast.Import():
            return [alias.name for alias in node.names]
        case ast.ImportFrom(module="math"):
            return [f"math.{alias.name}" for alias in node.names if alias.name not in EXACT_OF_MATH]
        case ast.ImportFrom(module=str(module)):
            return [module]
        case _:
            return []


def found_in(source: str) -> list[str]:
    tree = ast.parse(source)
    return [what for check in (inexact, worldly) for _, what in check(tree)]


@pytest.mark.parametrize(
    "source",
    [
        "x = 0.5",
        "x = 1e3",
        "x = a / b",
        "x /= 2",
        "x = float(3)",
        "x: float = 3",
        "import math\nx = math.sqrt(2)",
        "from math import sqrt",
        "from datetime import UTC",
        "import os.path",
        "x = hash(y)",
        "x = round(y)",
    ],
)
def test_the_check_finds(source: str) -> None:
    assert found_in(source) != []


@pytest.mark.parametrize(
    "source",
    [
        "class A:\n def __hash__(self): return hash(self.a)",
        "x = a // b",
        "import math\nx = math.isqrt(2)",
        "def f(a, /): return a % 2",
        "x = '1.5 / 2'",
    ],
)
def test_the_check_lets_pass(source: str) -> None:
    assert found_in(source) == []


def test_rules_are_exact_and_know_nothing_of_the_world() -> None:
    assert SOURCES
    faults = [
        f"{place(path, node)} {what}"
        for path in SOURCES
        for check in (inexact, worldly)
        for node, what in check(parsed(path))
    ]
    assert faults == []
