"""The end of a battle by the rules: it closes all decisions and names the winner (ML-TURN-6)."""

from msgspec import UNSET

from service.engine.battle.decisions import close_all
from service.engine.vocabulary import effects as fx
from service.rulesets.melody_d6.evolve import BattleEffects
from service.rulesets.melody_d6.rules.victory import ML_TURN_6, Strength, battle_end
from service.rulesets.melody_d6.state import BattleState, is_on_table, is_steady


def check(effects: BattleEffects, *, is_last_turn_over: bool = False) -> bool:
    """End the battle if it is decided; whether it is over."""
    rule = effects.rule
    if rule.status != "running":
        return rule.status == "ended"
    end = battle_end(_strengths(rule), is_last_turn_over=is_last_turn_over)
    if end is None:
        return False
    for closed in close_all(rule):
        effects.emit(closed)
    winner = UNSET if end.winner is None else end.winner
    effects.emit(fx.EncounterEnded(rule=ML_TURN_6, cause="rules", winner=winner))
    return True


def _strengths(rule: BattleState) -> dict[str, Strength]:
    counts = {side.id: [0, 0] for side in rule.sides}
    for warrior in rule.combatants:
        count = counts[warrior.side]
        count[0] += is_on_table(warrior)
        count[1] += is_steady(warrior)
    return {side: Strength(*count) for side, count in counts.items()}
