"""What linters say of the document."""

from pathlib import Path

import pytest

from tests.clients.tools import DOCUMENT, succeeded, tool

pytestmark = pytest.mark.slow


RULES = """
extends: ['spectral:oas']
rules:  # These find no errors but only warnings, and read all of the document.
  duplicated-entry-in-enum: off
  no-eval-in-markdown: off
  no-script-tags-in-markdown: off
  operation-description: off
  typed-enum: off
"""


@pytest.mark.soak
def test_spectral_finds_no_error(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text(RULES)
    succeeded(
        *tool("@stoplight/spectral-cli", "dist/index.js"),
        *("lint", DOCUMENT, "--ruleset", tmp_path / "rules.yaml", "--fail-severity=error"),
        cwd=tmp_path,
    )


@pytest.mark.soak
def test_redocly_finds_no_error(tmp_path: Path) -> None:
    succeeded(*tool("@redocly/cli", "bin/cli.js"), "lint", DOCUMENT, cwd=tmp_path)
