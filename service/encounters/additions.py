"""What records of events carry besides the event, where somebody asks for it."""

from typing import Final

from msgspec import Struct

from service.engine.vocabulary.catalogue import Language


class Additions(Struct, frozen=True, kw_only=True):
    """Patches of the caller's document, which has decisions, state and table if `state` is asked
    for and the scene if `scene` is; `narrate`: the event in words, in a language. `notes`: so many
    of the last notes the table has, all of them if None.
    """

    state: bool = False
    scene: bool = False
    narrate: Language | None = None
    notes: int | None = None

    @property
    def has_document(self) -> bool:
        """Whether the caller keeps a document."""
        return self.state or self.scene

    @property
    def is_any(self) -> bool:
        """Whether anything is added."""
        return self.has_document or self.narrate is not None


NO_ADDITIONS: Final = Additions()
"""Records as they are."""
