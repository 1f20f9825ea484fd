"""Which stored battles are meant, as a user says it."""

from datetime import UTC, datetime

import typer

from service.cli.known_versions import require_version
from service.console import tell_error
from service.eventstore.log_survey import LogSelection
from service.exits import Exit
from service.rulesets import RULESETS


def selected(ruleset: str | None, since: str | None, against: str | None) -> LogSelection:
    """The selection that the options make. Exits where one of them means nothing."""
    slugs = sorted({slug for slug, _ in RULESETS})
    if ruleset is not None and ruleset not in slugs:
        tell_error(f"--ruleset: there is no {ruleset} in this build; it has {', '.join(slugs)}")
        raise typer.Exit(Exit.USAGE)
    if against is not None:
        require_version(against, ruleset)
    return LogSelection(ruleset=ruleset, since=None if since is None else moment(since))


def moment(text: str) -> datetime:
    """A date, or a moment (RFC 3339), in UTC unless it says otherwise. Exits where it is none."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        tell_error("--since takes a moment, such as 2026-11-01 or 2026-11-01T18:00:00Z")
        raise typer.Exit(Exit.USAGE) from None
    return read if read.tzinfo is not None else read.replace(tzinfo=UTC)
