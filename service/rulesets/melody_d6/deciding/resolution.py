"""An action of this rulebook while it is worked out, and who loses its masking meanwhile.

Who of the side whose turn it is loses its masking meanwhile is read off the effects, so that one
window at the end can show them all (2.3); what a window has shown already does not count again.
"""

from typing import Self

from msgspec.structs import replace

from service.engine.battle.roster import combatant_of
from service.engine.kit import resolution
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.values import By
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Deed, GmDeed
from service.rulesets.melody_d6.state import BattleState, is_masked, is_on_table

WaitingAction = Deed | GmDeed
"""What may wait for the answer to a window; a turn that begins asks nobody."""


class Resolution(resolution.Resolution[BattleState]):
    """One action being worked out: it goes from stage to stage, and through windows.

    `earlier` have lost their masking in events before this one; `shown` effects of this one count
    no more.
    """

    earlier: tuple[str, ...] = ()
    shown: int = 0

    def going_on(self, action: Action, by: By, earlier: tuple[str, ...] = ()) -> Self:
        """The same event, in which an action that waited goes on for whoever asked for it."""
        shown = len(self.effects.emitted)
        return replace(self, action=action, by=by, earlier=earlier, shown=shown)

    @property
    def is_suspended(self) -> bool:
        """Whether it waits for the answer to a window."""
        return bool(self.rule.pending)

    def uncovered(self) -> tuple[str, ...]:
        """Who of the side whose turn it is has lost its masking and was not shown since."""
        lost = dict.fromkeys(self.earlier)
        for effect in self.effects.emitted[self.shown :]:
            if isinstance(effect, own.ConditionLost) and effect.condition == "masked":
                lost[effect.combatant] = None
        return tuple(each for each in lost if self._is_in_the_open(each))

    def _is_in_the_open(self, combatant: str) -> bool:
        present = combatant_of(self.rule, combatant)
        return (
            present is not None
            and present.side == self.rule.turn_side
            and is_on_table(present)
            and not is_masked(present)
        )

    def show(self) -> None:
        """All who were uncovered so far are shown by a window, or need none."""
        self.earlier = ()
        self.shown = len(self.effects.emitted)
