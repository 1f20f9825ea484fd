"""What the toy ruleset's ways of fighting have in common."""

from msgspec.structs import replace

from service.engine.battle.fold import EffectBuilder
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.values import Roll
from service.errors import Refused
from tests.toy.model import Fighter, FighterRevealed, ToyState

HIT_FROM = 4


def revealed(fighter: Fighter, cause: str) -> FighterRevealed:
    return FighterRevealed(combatant=replace(fighter, hidden=False), cause=cause)


def fighter_of(rule: ToyState, who: str) -> Fighter:
    found = next((c for c in rule.combatants if c.id == who), None)
    if found is None:
        raise Refused("unknown_combatant", combatant=who)
    return found


def hurt(told: EffectBuilder[ToyState], target: Fighter, damage: Roll) -> None:
    left = target.health - damage.total
    band = "down" if left <= 0 else "hurt"
    told.emit(
        fx.Hurt(combatant=target.id, amount=damage.total, health=left, band=band, roll=damage)
    )
    if left <= 0:
        told.emit(fx.Felled(combatant=target.id, state="down"))
