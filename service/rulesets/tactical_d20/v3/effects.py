"""The effects and events of version 3, as far as their types differ from those before."""

from typing import Annotated

from msgspec import UNSET, UnsetType

from service.engine.log import event as log
from service.engine.visibility.audience import EVERYONE
from service.rulesets.tactical_d20 import effects as before
from service.rulesets.tactical_d20.v3.actions import AnyAction, CreateBattle
from service.rulesets.tactical_d20.v3.state import BattleState, Options


class EncounterCreated(before.EncounterCreated, frozen=True, kw_only=True, tag="encounter_created"):
    """The terms of the battle."""

    options: Annotated[Options, EVERYONE]
    """What this table chooses among the rules' variants."""
    state: Annotated[BattleState | UnsetType, EVERYONE] = UNSET
    """The battle as it is taken up here; absent for a new battle."""


class OptionsSet(before.OptionsSet, frozen=True, kw_only=True, tag="options_set"):
    """Terms changed before the start; a new map begins without changes and secrets."""

    options: Annotated[Options, EVERYONE]
    """All options as they are from now on."""


AnyEffect = EncounterCreated | before.LifeEffect | OptionsSet | before.PlayedEffect
"""Everything a battle's log can hold."""


class Event(log.Event, frozen=True, kw_only=True):
    """One event of a battle."""

    action: Annotated[AnyAction | CreateBattle, EVERYONE]
    """What was asked for; `create_encounter` in event 1."""
    effects: Annotated[tuple[AnyEffect, ...], EVERYONE]
    """What happened, fact by fact, in the order in which it happened."""
