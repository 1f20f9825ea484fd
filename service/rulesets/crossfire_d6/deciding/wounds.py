"""What damage does to a combatant, and what the game master's word on its health does."""

from typing import Final

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from service.engine.battle.roster import existing
from service.engine.vocabulary import effects as fx
from service.engine.vocabulary.breakdown import Modifier
from service.rulesets.crossfire_d6.evolve import BattleEffects
from service.rulesets.crossfire_d6.rules.defaults import CF_SD_4, is_felled, is_killed
from service.rulesets.crossfire_d6.state import Band, Combatant

LEAST_HEALTH: Final = -10_000
"""Damage takes off no more; what is left is bounded by the state."""


def wound(
    effects: BattleEffects,
    victim: Combatant,
    amount: int,
    breakdown: tuple[Modifier, ...],
    source: fx.Source,
) -> None:
    """An attack does `amount` of damage (0 is stated, too), and the victim falls if it must."""
    health = health_after(victim.health, amount)
    effects.emit(
        fx.Hurt(
            rule=CF_SD_4,
            combatant=victim.id,
            amount=amount,
            health=health,
            band=band_of(health, victim.health_max),
            breakdown=breakdown,
            cause="attack",
            source=source,
        )
    )
    fall(effects, replace(victim, health=health), "attack")


def band_of(health: int, starting_health: int) -> Band:
    """Health in words."""
    if health <= 0:
        return "down"
    if health >= starting_health:
        return "unhurt"
    return "badly_hurt" if 2 * health <= starting_health else "hurt"


def health_after(health: int, amount: int) -> int:
    """Health points left after damage; a state holds no fewer than -10,000."""
    return max(health - amount, LEAST_HEALTH)


def fall(effects: BattleEffects, victim: Combatant, cause: str | UnsetType) -> None:
    """Helpless at 0 health and less, dead as far below 0 as it started above."""
    state = fallen_state(victim)
    if state is not None and not {state, "dead"} & set(victim.conditions):
        effects.emit(fx.Felled(rule=CF_SD_4, combatant=victim.id, state=state, cause=cause))


def fallen_state(combatant: Combatant) -> str | None:
    """What its health makes of a combatant: `helpless`, `dead`, or nothing."""
    if not is_felled(combatant.health):
        return None
    is_dead = is_killed(combatant.health, combatant.health_max)
    return "dead" if is_dead else "helpless"


def set_health(effects: BattleEffects, combatant: str, health: int) -> None:
    """The game master's word: health is this. Falling follows from it, and so does coming round.

    Who was down by his health and is no longer loses `helpless` and `dead`.
    """
    before = existing(effects.rule, combatant)
    band = band_of(health, before.health_max)
    change = health - before.health
    if change < 0:
        effects.emit(
            fx.Hurt(combatant=combatant, amount=-change, health=health, band=band, cause="gm")
        )
    else:
        effects.emit(
            fx.Healed(combatant=combatant, amount=change, health=health, band=band, cause="gm")
        )
    after = existing(effects.rule, combatant)
    for state in ("dead", "helpless"):
        was_so = state in after.conditions and fallen_state(before) is not None
        is_so = fallen_state(after) is not None and state in ("helpless", fallen_state(after))
        if was_so and not is_so:
            effects.emit(fx.ConditionLost(combatant=combatant, condition=state, cause="recovered"))
    fall(effects, existing(effects.rule, combatant), UNSET)
