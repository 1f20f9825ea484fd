"""ML-GUARD: whom a shot on guard meets on its way."""


def is_met_while_it_goes_on(goes_on: bool) -> bool:
    """ML-GUARD-13: a mover is met on its way only as long as its movement goes on.

    It does not once the mover is out, flees, or stands elsewhere than at the furthest point used.
    From then on it is shot at where it stands, as anybody else: a point of its path is not looked
    at, and it charges nobody (ML-GUARD-12).
    Source: «до, или после ее движения, или в любой другой момент движения».
    """
    return goes_on
