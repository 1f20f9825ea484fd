"""The versions of rulesets that this build has, as a user may name them."""

import typer

from service.console import tell_error
from service.exits import Exit
from service.rulesets import RULESETS


def require_version(version: str, ruleset: str | None) -> None:
    """Exits unless this build has such a version, of this ruleset if one is named."""
    versions = sorted({each for slug, each in RULESETS if ruleset in (None, slug)})
    if version not in versions:
        whose = "any ruleset" if ruleset is None else ruleset
        known = ", ".join(versions)
        tell_error(f"--against: this build has no version {version} of {whose}; it has {known}")
        raise typer.Exit(Exit.USAGE)
