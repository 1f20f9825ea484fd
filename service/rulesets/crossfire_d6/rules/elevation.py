"""CF-ELEV: attacks from higher ground. Being lower costs nothing."""

from service.engine.vocabulary.breakdown import Modifier


def melee_elevation_modifier(attacker_ft: int, target_ft: int, minimum_ft: int) -> Modifier | None:
    """CF-ELEV-1: a melee attacker at least `minimum_ft` above the target gains one die.

    Source: "минимум на 2` для рукопашных атак"; the table's 5 ft loses to the text.
    """
    if attacker_ft - target_ft < minimum_ft:
        return None
    return Modifier(rule="CF-ELEV-1", amount=1, facts=_facts(attacker_ft, target_ft, minimum_ft))


def ranged_elevation_modifier(attacker_ft: int, target_ft: int, minimum_ft: int) -> Modifier | None:
    """CF-ELEV-2: a shooter at least `minimum_ft` above the target gains one die, however high.

    Source: "или 10` для дальнобойных атак", "бонус 1к6 к атаке по целям ниже".
    """
    if attacker_ft - target_ft < minimum_ft:
        return None
    return Modifier(rule="CF-ELEV-2", amount=1, facts=_facts(attacker_ft, target_ft, minimum_ft))


def _facts(attacker_ft: int, target_ft: int, minimum_ft: int) -> dict[str, int]:
    return {"above_ft": attacker_ft - target_ft, "minimum_ft": minimum_ft}
