"""The files and folders that the documents for maintainers name are there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.tree import ROOT, RULESETS, SERVICE

DOCUMENTS = tuple(
    ROOT / name
    for name in (
        "CONTRIBUTING.md",
        "README.md",
        "openapi/README.md",
        "service/README.md",
        "service/rulesets/README.md",
        "tests/README.md",
        "tests/bench/README.md",
    )
)
FENCE = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[a-z_]+(/[A-Za-z0-9_.<>-]+)+/?")
FIRST_WORD = re.compile(r"^ *([a-z_<>]+/[a-z_/<>]+) ", re.MULTILINE)


def named(document: Path) -> Iterator[str]:
    """The paths in a document: quoted ones, and those that begin a line of a plain block."""
    text = document.read_text(encoding="utf-8")
    for block in FENCE.findall(text):
        yield from FIRST_WORD.findall(block)
    for quoted in QUOTED.findall(FENCE.sub("", text)):
        if PATH.fullmatch(quoted):
            yield quoted


def is_there(path: str, document: Path) -> bool:
    """Whether a path leads somewhere, seen from its document, the root, `service` or a ruleset.

    A word in angle brackets represents any name; the ending of a module may be left out.
    """
    pattern = re.sub(r"<[a-z_]+>", "*", path)
    folders = (document.parent, ROOT, SERVICE, *RULESETS)
    return any(any(folder.glob(f"{pattern}{end}")) for folder in folders for end in ("", ".py"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_path_that_a_document_names_is_there(document: Path) -> None:
    assert [path for path in named(document) if not is_there(path, document)] == []


def test_a_path_that_leads_nowhere_is_found() -> None:
    assert not is_there("engine/no_such_module", SERVICE / "README.md")
    assert is_there("engine/battle/decide", SERVICE / "README.md")
    assert is_there("rulesets/<slug>/action_table", SERVICE / "README.md")


def test_the_two_commands_of_the_readme_are_what_is_tested() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^make (\w+)", readme, re.MULTILINE) == ["demo", "test"]
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "\ndemo: install\n\t@$(bin)/warlog demo $(ARGS)\n" in recipe
    build_server = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.findall(r"^(?:exec )?make .*", build_server, re.MULTILINE) == [
        "exec make test </dev/null"
    ]
