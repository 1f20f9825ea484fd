"""The terms of a battle: what no effect changes, beside the state that effects make.

Terms are never encoded: the blobs are stored under their digests, and the readings follow from the
version of the ruleset.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Terms(Struct, frozen=True):
    """Map and content of a battle, and how the version of its ruleset reads the rulebook.

    `blobs` are the maps and contents, by digest, that the state or the action being decided names.
    `readings` say what versions of one rulebook read differently; None where they read all alike.
    """

    blobs: Mapping[str, object]
    readings: Struct | None

    def with_blobs(self, brought: Mapping[str, object]) -> "Terms":
        """The same with maps and contents that an action brings along."""
        return Terms(blobs={**self.blobs, **brought}, readings=self.readings)

    def find(self, digest: str, kind: type[T]) -> T:
        """The map or content of a digest. Raises KeyError, or TypeError for another kind."""
        blob = self.blobs[digest]
        if not isinstance(blob, kind):
            raise TypeError(f"{digest} is no {kind.__name__}")
        return blob

    def read_as(self, kind: type[T]) -> T:
        """The readings of a rulebook. Raises TypeError for the terms of another one."""
        if not isinstance(self.readings, kind):
            raise TypeError(f"{type(self.readings).__name__} instead of {kind.__name__}")
        return self.readings


NO_TERMS: Final = Terms(blobs=MappingProxyType({}), readings=None)
"""Those of a state that no rulebook is asked about."""
