"""SK-ORD: the order of what happens in an attack, and of the lines that explain it."""

from typing import Final, Literal

from service.engine.breakdown import Modifier

Step = Literal[
    "declaration",
    "reactions",
    "attack_roll",
    "reaction_rolls",
    "winners",
    "damage_rolls",
    "damage",
    "statuses",
    "counters",
    "step_after",
]

_STEPS: Final[tuple[Step, ...]] = (
    "declaration",
    "reactions",
    "attack_roll",
    "reaction_rolls",
    "winners",
    "damage_rolls",
    "damage",
    "statuses",
    "counters",
    "step_after",
)


def resolution_steps() -> tuple[Step, ...]:
    """SK-ORD-1: the steps of an attack, always in this order.

    Everything about several victims is done in victim order (SK-AREA-3). Nothing is rolled
    before all have answered; one who takes cover moves before the winners are found; the
    attacker's roll stands from `attack_roll` on; `step_after` only if he is still active.
    Default, not in the source text.
    """
    return _STEPS


def attack_breakdown(
    *, aim: Modifier | None, called: Modifier | None, held: Modifier | None, gm: Modifier | None
) -> tuple[Modifier, ...]:
    """The modifiers of an attack in the order in which they are shown; what is not there is not.

    The skill is the base of the roll and no line.
    """
    return tuple(line for line in (aim, called, held, gm) if line is not None)
