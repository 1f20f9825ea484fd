"""A group of commands whose modules are imported when they are called, not to list them.

How this works. Help and completion need a command's name, its section and one sentence: they stand
in a table. Only the command that is called is imported, since everything that the service needs
takes seconds to import. A test compares the sentences with the commands' own first lines.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, ClassVar

import typer
from msgspec import Struct
from typer.core import TyperCommand, TyperGroup

MODULES = "service.cli"


class LazyCommand(Struct, frozen=True):
    """A command: its name, its section, its sentence.

    Its module and its function have its name, or where that is taken in Python `module`.
    """

    name: str
    section: str
    summary: str
    module: str = ""

    def load(self) -> Any:
        """The command with its options: a separate group, or one function."""
        module = self.module or self.name
        implementation = getattr(import_module(f"{MODULES}.{module}"), module)
        if isinstance(implementation, typer.Typer):
            return typer.main.get_command(implementation)
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(self.name)(implementation)
        return typer.main.get_command(single)


class LazyGroup(TyperGroup):
    """Commands listed in `entries`, in that order, by section."""

    entries: ClassVar[Sequence[LazyCommand]] = ()

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = {
            entry.name: TyperCommand(entry.name, help=entry.summary, rich_markup_mode=None)
            for entry in self.entries
        }

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that is called, imported now. Raises UsageError with the nearest names."""
        name, listed, rest = super().resolve_command(ctx, args)
        entry = next((entry for entry in self.entries if entry.name == name), None)
        return name, listed if entry is None else entry.load(), rest

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write one list per section."""
        width = max(len(entry.name) for entry in self.entries)
        for section in dict.fromkeys(entry.section for entry in self.entries):
            rows = [
                (entry.name.ljust(width), entry.summary)
                for entry in self.entries
                if entry.section == section
            ]
            with formatter.section(section):
                formatter.write_dl(rows)
