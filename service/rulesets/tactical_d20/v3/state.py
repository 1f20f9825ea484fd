"""What a battle of version 3 remembers: other defaults of options, and one option more."""

from typing import Annotated

from service.engine.visibility.audience import EVERYONE
from service.rulesets.tactical_d20 import state as before
from service.rulesets.tactical_d20.rules.words import BorderContact


class Options(before.Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table may choose, frozen when the battle starts."""

    border_contact: Annotated[BorderContact, EVERYONE] = "interior_only"
    """Whether a line that runs along the side of a marked cell meets it: `along`: it does;
    `interior_only`: only if there is a marked cell on either side (TD-GEO-4)."""
    fallen_give_cover: Annotated[bool, EVERYONE] = True
    """Whether unconscious creatures in between are cover, too (TD-SOFT-1)."""

    @property
    def do_fallen_give_cover(self) -> bool:
        """What the option says."""
        return self.fallen_give_cover


class BattleState(before.BattleState, frozen=True, kw_only=True):
    """The rule half of a battle; its fields are those of version 1."""

    options: Annotated[Options, EVERYONE]
    """The table's choices, frozen when the battle starts."""
