"""Where the project's files are, for the tests about the building itself."""

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SERVICE = ROOT / "service"
PURE_ROOMS = (SERVICE / "engine", SERVICE / "rulesets")
RULESETS = tuple(
    sorted(
        path.parent
        for path in SERVICE.glob("rulesets/**/__init__.py")
        if "RULESET: Final" in path.read_text(encoding="utf-8")
    )
)
"""Folders of rulebooks that can be played; one without a record is only begun.

A later version is a folder `v2`, `v3` … within that of the first.
"""
LATER = re.compile(r"v([2-9]|[1-9][0-9]+)")


def folder_of(slug: str, version: str) -> Path:
    """The folder of a ruleset at a version."""
    first = SERVICE / "rulesets" / slug.replace("-", "_")
    return first if version == "1" else first / f"v{version}"


def lineage(ruleset: Path) -> tuple[Path, ...]:
    """The folders of a version and of those before it, the nearest first."""
    later = LATER.fullmatch(ruleset.name)
    if later is None:
        return (ruleset,)
    before = [each for each in RULESETS if each.parent == ruleset.parent and each != ruleset]
    numbered = sorted((int(each.name[1:]), each) for each in before if LATER.fullmatch(each.name))
    nearest = [folder for number, folder in reversed(numbered) if number < int(later[1])]
    return (ruleset, *nearest, ruleset.parent)


def modules_of(ruleset: Path) -> tuple[Path, ...]:
    """The modules of a version itself, without those of later ones."""
    return tuple(
        path
        for path in sorted(ruleset.rglob("*.py"))
        if not any(map(LATER.fullmatch, path.relative_to(ruleset).parts))
    )


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
