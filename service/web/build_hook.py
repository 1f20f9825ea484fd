"""Builds the pages before hatchling packs them into a wheel or a source archive."""

import subprocess
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PagesHook(BuildHookInterface[Any]):
    """Runs `build`; an editable installation is left to `make pages`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds the pages, or ends the program after the sentence that `build` wrote."""
        if version == "editable":
            return
        command = [sys.executable, "-m", "service.web.build"]
        if subprocess.run(command, cwd=self.root, check=False).returncode:
            self.app.abort("Nothing is packed without the pages.")
