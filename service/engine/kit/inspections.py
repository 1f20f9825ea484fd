"""Questions about two combatants, as inspections ask them."""

from typing import Annotated

from msgspec import Meta, Struct

from service.engine.vocabulary.client_ids import ID_PATTERN, LONGEST_ID

CombatantId = Annotated[str, Meta(min_length=1, max_length=LONGEST_ID, pattern=ID_PATTERN)]
"""Id of a combatant in the caller's view."""


class LineQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whose line to whom."""

    attacker: CombatantId
    """Id of the combatant at whose end the line begins."""
    target: CombatantId
    """Id of the combatant at whose end it ends."""
