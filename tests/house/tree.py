"""Where the project's files are, for the tests about the building itself."""

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SERVICE = ROOT / "service"
PURE_ROOMS = (SERVICE / "engine", SERVICE / "rulesets")
RULESETS = tuple(
    sorted(
        path.parent
        for path in SERVICE.glob("rulesets/*/__init__.py")
        if "RULESET: Final" in path.read_text(encoding="utf-8")
    )
)
"""Folders of rulebooks that can be played; one without a record is only begun."""


@cache
def tracked_files() -> tuple[Path, ...]:
    """Every file that is or will be committed; without git, every file of the known folders."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        folders = ("service", "migrations", "tests", "deploy", "openapi")
        found = [path for name in folders for path in (ROOT / name).rglob("*")]
        found += ROOT.glob("*")
        return tuple(sorted(path for path in found if path.is_file() and path.suffix != ".pyc"))
    paths = (ROOT / name for name in listed.decode().split("\0") if name)
    return tuple(sorted(path for path in paths if path.is_file()))


def parsed(path: Path) -> ast.Module:
    """The syntax tree of a Python file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def place(path: Path, node: ast.AST) -> str:
    """Name a place in the source as `file:line`."""
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"
