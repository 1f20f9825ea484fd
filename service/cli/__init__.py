"""The command line: one module per command, listed here.

Exit codes are those of `exits.Exit`; what goes wrong below is told on one line, without a trace.
"""

import sys

import typer

from service.cli.audit import audit
from service.cli.console import tell_error
from service.cli.demo import demo
from service.cli.doctor import doctor
from service.cli.exits import EXITS_HELP, Exit
from service.cli.export import export
from service.cli.keys import keys
from service.cli.migrate import migrate
from service.cli.openapi import openapi
from service.cli.serve import serve
from service.cli.tenants import tenants
from service.errors import Unavailable, WarlogError
from service.eventstore.embedded import EmbeddedError
from service.settings import SettingError

commands = typer.Typer(
    name="warlog",
    help="Run, check and audit an encounter service.",
    epilog=EXITS_HELP,
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
commands.command("serve", rich_help_panel="Operate")(serve)
commands.command("demo", rich_help_panel="Operate")(demo)
commands.command("migrate", rich_help_panel="Operate")(migrate)
commands.command("doctor", rich_help_panel="Operate")(doctor)

commands.command("audit", rich_help_panel="Prove")(audit)
commands.command("export", rich_help_panel="Prove")(export)

commands.add_typer(keys, name="keys", rich_help_panel="Administer")
commands.add_typer(tenants, name="tenants", rich_help_panel="Administer")
commands.command("openapi", rich_help_panel="Administer")(openapi)


def main() -> None:
    """Run the command that the process was started with, and exit with its code."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; give its exit code."""
    try:
        commands(arguments, prog_name="warlog")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else Exit.WRONG
    except SettingError as error:
        tell_error(f"{error.variable} {error.problem}")
        return Exit.USAGE
    except EmbeddedError as error:
        tell_error(str(error))
        return Exit.UNAVAILABLE
    except Unavailable as error:
        tell_error(f"the database does not do it now: {error.code}")
        return Exit.UNAVAILABLE
    except WarlogError as error:
        tell_error(f"{error.code}: {error.params}" if error.params else error.code)
        return Exit.WRONG
    return Exit.OK
