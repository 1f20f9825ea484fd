"""SK-COVER: where the danger is that one dives from."""

from service.engine.geometry.segments import Spot


def danger_from(asked: Spot, now: Spot | None) -> Spot:
    """SK-COVER-3: a dive for cover is judged from where the attack comes from now.

    `asked` is where the danger was when the victim was asked. `now` is where it is,
    None if it does not move or its place is not known.
    Default, not in the source text.
    """
    return asked if now is None else now
