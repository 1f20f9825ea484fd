"""Hidden cover that an attack runs into, and that everybody knows from then on."""

from collections.abc import Callable

from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.covers import covers_of, public_covers
from service.rulesets.seeker_d100.evolve import BattleEffects
from service.rulesets.seeker_d100.rules.cover import CoverSegment


def reveal_met_cover(
    effects: BattleEffects,
    counting: Callable[[tuple[CoverSegment, ...]], tuple[CoverSegment, ...]],
    come_to: Callable[[tuple[CoverSegment, ...]], object] = tuple,
) -> None:
    """Make hidden cover known where it changes an attack.

    `counting` picks the covers that count; `come_to` is what they amount to. It is compared
    for the covers that everybody knows and for the real ones.
    """
    if not effects.rule.secrets:
        return
    seeming = counting(public_covers(effects.state))
    real = counting(covers_of(effects.state))
    if come_to(seeming) == come_to(real):
        return
    names = {cover.id for cover in (*seeming, *real) if not (cover in seeming and cover in real)}
    met_covers = tuple(secret for secret in effects.rule.secrets if secret.feature in names)
    if met_covers:
        effects.emit(own.TerrainChanged(changes=met_covers, cause="met"))
