"""The start of a battle: initiative and the first turn, or a battle in progress taken up."""

from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.actions import StartEncounter
from service.rulesets.melody_d6.deciding import battle_end
from service.rulesets.melody_d6.deciding.resolution import Resolution
from service.rulesets.melody_d6.deciding.turns import begin_battle


def start(resolution: Resolution, _action: StartEncounter) -> None:
    """The battle runs. It is over at once where a side has nobody on the table (ML-TURN-6)."""
    effects = resolution.effects
    effects.emit(fx.EncounterStarted())
    begin_battle(resolution)
    battle_end.check(effects)
