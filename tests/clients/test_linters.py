"""What linters say of the document."""

from pathlib import Path

import pytest

from tests.clients.tools import DOCUMENT, succeeded, tool

pytestmark = pytest.mark.slow


def test_spectral_finds_no_error(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text("extends: ['spectral:oas']\n")
    succeeded(
        *tool("@stoplight/spectral-cli", "dist/index.js"),
        *("lint", DOCUMENT, "--ruleset", tmp_path / "rules.yaml", "--fail-severity=error"),
        cwd=tmp_path,
    )


def test_redocly_finds_no_error(tmp_path: Path) -> None:
    succeeded(*tool("@redocly/cli", "bin/cli.js"), "lint", DOCUMENT, cwd=tmp_path)
