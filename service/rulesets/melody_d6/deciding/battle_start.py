"""The start of a battle: initiative and the first turn, or a battle in progress taken up."""

from service.engine.battle.fold import EffectBuilder
from service.engine.battle.state import State
from service.engine.dice.dice import Dice
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import StartEncounter
from service.engine.vocabulary.values import By
from service.rulesets.melody_d6.deciding import battle_end
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.deciding.turns import begin_battle
from service.rulesets.melody_d6.evolve import evolve
from service.rulesets.melody_d6.state import BattleState


def start(
    state: State[BattleState], action: StartEncounter, by: By, dice: Dice
) -> tuple[fx.Effect, ...]:
    """The battle runs. It is over at once where a side has nobody on the table (ML-TURN-6)."""
    effects = EffectBuilder(state, evolve)
    effects.emit(fx.EncounterStarted())
    begin_battle(Resolution(effects, action, by, dice))
    battle_end.check(effects)
    return effects.emitted
