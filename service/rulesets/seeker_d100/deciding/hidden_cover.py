"""Hidden cover that an attack comes across: found, and made known to everyone."""

from collections.abc import Callable

from service.rulesets.seeker_d100 import effects as own
from service.rulesets.seeker_d100.deciding.checks import Battle
from service.rulesets.seeker_d100.rule_inputs import Blobs, covers_of, public_covers
from service.rulesets.seeker_d100.rules.cover import Cover


def lay_open(
    told: Battle,
    blobs: Blobs,
    counting: Callable[[tuple[Cover, ...]], tuple[Cover, ...]],
    come_to: Callable[[tuple[Cover, ...]], object] = tuple,
) -> None:
    """Where covers come to something else than everybody would think, what hid it is met.

    `counting` picks of all covers those that count, `come_to` says what they amount to.
    """
    if not told.rule.secrets:
        return
    seeming = counting(public_covers(told.rule, blobs))
    real = counting(covers_of(told.rule, blobs))
    if come_to(seeming) == come_to(real):
        return
    names = {cover.id for cover in (*seeming, *real) if not (cover in seeming and cover in real)}
    met = tuple(secret for secret in told.rule.secrets if secret.feature in names)
    if met:
        told.emit(own.TerrainChanged(changes=met, cause="met"))
