"""The command line: one module per command, listed here and imported when it is called.

Exit codes are those of `exits.Exit`; what goes wrong below is shown on one line, without a trace.
"""

import sys
from importlib import import_module
from typing import Annotated, Final

import typer

from service import __version__
from service.cli.lazy_group import LazyCommand, LazyGroup
from service.exits import EXITS_HELP, Exit

_OPERATE: Final = "Operate"
_PROVE: Final = "Prove"
_ADMINISTER: Final = "Administer"


class Commands(LazyGroup):
    """The commands of `warlog`, in the order of the help."""

    entries = (
        LazyCommand(
            "serve", _OPERATE, "Run the service until it is asked to stop (Ctrl-C or SIGTERM)."
        ),
        LazyCommand(
            "demo",
            _OPERATE,
            "Play a battle of each rulebook over HTTP, export it, audit it offline, keep serving.",
        ),
        LazyCommand(
            "migrate", _OPERATE, "Bring the database up to date and give its roles their rights."
        ),
        LazyCommand(
            "doctor", _OPERATE, "Check database, roles, clock, Redis and keys; change nothing."
        ),
        LazyCommand("health", _OPERATE, "Ask a running service whether it can do its work."),
        LazyCommand("audit", _PROVE, "Audit a bundle offline, or encounters in the database."),
        LazyCommand(
            "export",
            _PROVE,
            "Write a bundle: one file with everything needed to audit a battle offline.",
        ),
        LazyCommand(
            "map", _PROVE, "Look at a map in a file: what is wrong with it, or show it.", "maps"
        ),
        LazyCommand(
            "keys",
            _ADMINISTER,
            "Create, list and revoke API keys; trust the keys that services sign with.",
        ),
        LazyCommand(
            "tenants",
            _ADMINISTER,
            "Create, list and delete tenants; say whose web pages may use them.",
        ),
        LazyCommand(
            "openapi",
            _ADMINISTER,
            "Write this build's OpenAPI and AsyncAPI documents, and the clients' table of places of"
            " text.",
        ),
    )


commands = typer.Typer(
    name="warlog",
    cls=Commands,
    epilog=EXITS_HELP,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(value: bool) -> None:
    if value:
        typer.echo(f"warlog {__version__}")
        raise typer.Exit


@commands.callback()
def warlog(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_show_version, help="Print the version and stop."
        ),
    ] = False,
) -> None:
    """Run, check and audit an encounter service."""


def main() -> None:
    """Run the command that the process was started with, and exit with its code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; give its exit code."""
    try:
        commands(arguments, prog_name="warlog")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else Exit.WRONG
    except Exception as error:
        # Telling failures apart takes the rooms they come from, which most commands do without.
        failure = import_module("service.cli.failures").failure_of(error)
        if failure is None:
            raise
        typer.echo(f"warlog: {failure.sentence}", err=True)
        return int(failure.exit)
    return Exit.OK
