"""What may be asked in a battle of version 3, as far as its types differ from those before."""

from typing import Annotated, TypeAlias

from msgspec import UNSET, UnsetType

from service.engine.visibility.audience import EVERYONE
from service.engine.vocabulary import actions as do
from service.rulesets.tactical_d20 import actions as before
from service.rulesets.tactical_d20.v3.state import BattleState, Options


class Configure(
    before.Configure, frozen=True, kw_only=True, tag="configure", forbid_unknown_fields=True
):
    """Set all options, lay another map, or state other metadata, before the start.

    A new map begins without changed and hidden terrain.
    """

    options: Annotated[Options | UnsetType, EVERYONE] = UNSET
    """All options: what is left out has its default; absent: they stay as they are."""


AnyAction: TypeAlias = (
    before.Deed
    | do.SharedAction[
        Configure, before.AddCombatant, before.SetTerrain, before.Adjust, before.Answer
    ]
)
"""Everything that may be asked of a battle that exists."""


class CreateBattle(
    before.CreateBattle,
    frozen=True,
    kw_only=True,
    tag="create_encounter",
    forbid_unknown_fields=True,
):
    """Event 1 of a battle."""

    options: Annotated[Options, EVERYONE]
    """What this table chooses among the rules' variants."""
    state: Annotated[BattleState | UnsetType, EVERYONE] = UNSET
    """The battle as it stood at the event that it continues, taken as given; absent for a new
    battle."""
