"""What becomes of each action of version 3: of two of them something else than in version 1.

A walk that is whole in its own event asked nobody, which its player sees: one that asks somebody,
seen or not, is cut short or has not begun there. So it may be taken back. `configure` has another
type.
"""

from collections.abc import Sequence
from typing import Final

from service.engine.kit.action_table import ActionTable, always, bare_preview, entry
from service.engine.kit.resolution import decider
from service.engine.vocabulary import effects as fx
from service.rulesets.tactical_d20 import actions as before
from service.rulesets.tactical_d20.action_table import ACTIONS as VERSION_1
from service.rulesets.tactical_d20.action_table import Table
from service.rulesets.tactical_d20.deciding import gm_setup, moves
from service.rulesets.tactical_d20.deciding.resolution import Resolution
from service.rulesets.tactical_d20.evolve import evolve
from service.rulesets.tactical_d20.previews.moves import preview_move
from service.rulesets.tactical_d20.v3.actions import Configure

CHANGED: Final = (before.Move, before.Configure)
"""Actions of version 1 that have another entry here."""


def is_whole_walk(shown: Sequence[fx.Effect]) -> bool:
    """Whether a walk has led to the end of its path in its own event, by what is shown of it."""
    return any(isinstance(effect, fx.Moved) and effect.complete for effect in shown)


ACTIONS: Final[Table] = ActionTable(
    *(each for kind, each in VERSION_1.entries.items() if kind not in CHANGED),
    entry(before.Move, moves.move, preview_move, binds=always, frees=is_whole_walk),
    entry(Configure, gm_setup.configure, bare_preview),
)
"""The entry of every action of a battle that exists; the engine decides all others itself."""

decide: Final = decider(ACTIONS, Resolution, evolve, gm_setup.create)
"""Decides an action by its entry."""
