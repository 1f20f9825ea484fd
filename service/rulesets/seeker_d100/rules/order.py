"""The order of the lines that explain an attack's chance (SK-ORD-1 itself: deciding/resolution)."""

from service.engine.vocabulary.breakdown import Modifier


def attack_breakdown(
    *, aim: Modifier | None, called: Modifier | None, held: Modifier | None, gm: Modifier | None
) -> tuple[Modifier, ...]:
    """The modifiers of an attack in the order in which they are shown; what is not there is not.

    The skill is the base of the roll and no line.
    """
    return tuple(line for line in (aim, called, held, gm) if line is not None)
