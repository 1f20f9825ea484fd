"""CF-PB: shooting at arm's length."""

from service.engine.vocabulary.breakdown import Modifier


def point_blank_modifier(distance_ft: int, limit_ft: int) -> Modifier | None:
    """CF-PB-1: two dice less for a shot at a distance up to the limit. Not a cover penalty.

    Source: the table's row "Выстрел в упор -2к6"; the limit is a default.
    """
    if distance_ft > limit_ft:
        return None
    return Modifier(
        rule="CF-PB-1",
        amount=-2,
        facts={"distance_ft": distance_ft, "limit_ft": limit_ft},
    )
