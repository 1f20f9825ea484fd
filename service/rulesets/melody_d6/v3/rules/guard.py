"""ML-GUARD: when automatic detection is asked in the window of a movement."""

from msgspec import UnsetType


def is_asked_up_to_the_shot(detect_on_path: bool | UnsetType) -> bool:
    """ML-GUARD-14: a guard's shot at a mover asks ML-MASK-9 of the way up to its point, first.

    Whom it detects by then is no longer masked: the mover can be shot at from there on, a masked
    guard does not shoot from ambush. With `detect_on_path` = false it is asked once the movement is
    over; left out it is true.
    Source: «автоматически обнаруживает замаскированных противников в радиусе».
    """
    return detect_on_path is not False
