"""Which builds a schema serves: two integers that the migrations write.

A build and a schema are numbered by the newest migration they know. A schema that is newer than
the build may serve it all the same, so that processes of the release before work on while, and
after, the next one migrates.
"""

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
