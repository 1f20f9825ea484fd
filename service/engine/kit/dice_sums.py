"""How many ways several equal dice have to a sum: exact counts, by inclusion and exclusion."""

from math import comb


def ways(dice: int, sides: int) -> int:
    """All outcomes of so many dice, 0 or more, with so many sides each."""
    count: int = sides**dice
    return count


def ways_at_most(dice: int, sides: int, most: int) -> int:
    """Outcomes of so many dice whose sum is at most `most`, which may be any number."""
    if most < dice:
        return 0
    if most >= dice * sides:
        return ways(dice, sides)
    return sum(
        (-1) ** i * comb(dice, i) * comb(most - sides * i, dice)
        for i in range((most - dice) // sides + 1)
    )
