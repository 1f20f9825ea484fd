"""An action while it is worked out: what has happened, what it was, who asked, its dice.

Who of the side whose turn it is loses its masking meanwhile is read off the effects, so that one
window at the end can show them all (2.3); what a window has shown already does not count again.
"""

from service.engine.battle.roster import combatant_of
from service.engine.battle.state import State
from service.engine.dice.dice import Dice
from service.engine.vocabulary.actions import Action
from service.engine.vocabulary.values import By
from service.rulesets.melody_d6 import effects as own
from service.rulesets.melody_d6.actions import Deed, GmDeed
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.state import BattleState, is_masked, is_on_table

WaitingAction = Deed | GmDeed
"""What may wait for the answer to a window; a turn that begins asks nobody."""


class Resolution:
    """One action being worked out: it goes from stage to stage, and through windows.

    `action` and `by` are those of the beginning, also where it goes on with an answer; `earlier`
    have lost their masking in events before this one.
    """

    __slots__ = ("_earlier", "_since", "action", "by", "dice", "effects")

    def __init__(
        self,
        effects: BattleEffects,
        action: Action,
        by: By,
        dice: Dice,
        earlier: tuple[str, ...] = (),
    ) -> None:
        self.effects = effects
        self.action = action
        self.by = by
        self.dice = dice
        self._earlier = earlier
        self._since = len(effects.emitted)

    @property
    def rule(self) -> BattleState:
        """The battle after everything that has happened so far."""
        return self.effects.rule

    @property
    def state(self) -> State[BattleState]:
        """The same, with its terms."""
        return self.effects.state

    @property
    def is_suspended(self) -> bool:
        """Whether it waits for the answer to a window."""
        return bool(self.rule.pending)

    def uncovered(self) -> tuple[str, ...]:
        """Who of the side whose turn it is has lost its masking and was not shown since."""
        lost = dict.fromkeys(self._earlier)
        for effect in self.effects.emitted[self._since :]:
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
        self._earlier = ()
        self._since = len(self.effects.emitted)
