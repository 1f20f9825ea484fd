"""Which builds a schema serves: two integers that the migrations write.

A build and a schema are numbered by the newest migration they know. A schema that is newer than
the build may serve it all the same, so that processes of the release before work on while, and
after, the next one migrates.
"""

from pathlib import Path
from typing import Final

from msgspec import Struct

SCHEMA_VERSION: Final = "SELECT number, oldest_build FROM schema_version"


class SchemaVersion(Struct, frozen=True):
    """The schema's number, and the oldest build that works on it."""

    number: int
    oldest_build: int

    def serves(self, build: int) -> bool:
        """Whether this build finds what it needs, in the shape it knows."""
        return self.oldest_build <= build <= self.number


def build_number() -> int:
    """The number of this build: that of the newest migration it knows, which its file begins with.

    Asked by every process that serves, few of which ever migrate.
    """
    return max(int(path.name.partition("_")[0]) for path in migrations().glob("versions/*_*.py"))


def migrations() -> Path:
    """Next to the package in a source tree, inside it in an installed wheel."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "migrations"
    return inside if inside.is_dir() else package.parent / "migrations"
