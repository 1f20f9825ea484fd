"""The lines of this rulebook's breakdowns."""

from typing import Annotated

from msgspec import UNSET, UnsetType

from service.engine.visibility.audience import (
    EVERYONE,
)
from service.engine.vocabulary.breakdown import Modifier
from service.engine.vocabulary.recorded_words import (
    RecordedWord,
)


class Line(Modifier, frozen=True, kw_only=True):
    """One line of a breakdown, and the lasting Melody that it comes from, if it does."""

    melody: Annotated[RecordedWord | UnsetType, EVERYONE] = UNSET
    """Id of the lasting Melody in the content; absent for a line that comes from none."""
