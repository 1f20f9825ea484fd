"""What becomes of each action of version 3: `configure` has another type there."""

from typing import Final

from service.engine.kit.action_table import ActionTable, bare_preview, entry
from service.engine.kit.resolution import decider
from service.rulesets.tactical_d20 import actions as before
from service.rulesets.tactical_d20.action_table import ACTIONS as VERSION_1
from service.rulesets.tactical_d20.action_table import Table
from service.rulesets.tactical_d20.deciding import gm_setup
from service.rulesets.tactical_d20.deciding.resolution import Resolution
from service.rulesets.tactical_d20.evolve import evolve
from service.rulesets.tactical_d20.v3.actions import Configure

ACTIONS: Final[Table] = ActionTable(
    *(each for kind, each in VERSION_1.entries.items() if kind is not before.Configure),
    entry(Configure, gm_setup.configure, bare_preview),
)
"""The entry of every action of a battle that exists; the engine decides all others itself."""

decide: Final = decider(ACTIONS, Resolution, evolve, gm_setup.create)
"""Decides an action by its entry."""
