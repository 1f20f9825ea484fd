"""SK-ORD: the order of the lines of an attack; SK-ORD-1 itself is `attack_resolution.carry_out`."""

from service.engine.vocabulary.breakdown import Modifier


def attack_breakdown(
    *, aim: Modifier | None, called: Modifier | None, held: Modifier | None, gm: Modifier | None
) -> tuple[Modifier, ...]:
    """The modifiers of an attack in the order in which they are shown, without absent ones.

    The skill is the base of the roll and no line.
    """
    return tuple(line for line in (aim, called, held, gm) if line is not None)
