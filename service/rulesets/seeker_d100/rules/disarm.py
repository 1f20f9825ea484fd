"""SK-DIS: knocking something out of somebody's hand."""

from typing import Final

from service.errors import Refused

SK_DIS_1: Final = "SK-DIS-1"


def held_after_drop(item: str, held: tuple[str, ...]) -> tuple[str, ...]:
    """SK-DIS-1: an unarmed check that hits makes the target drop the item at its feet.

    What it still holds then; one of several equal items falls.
    Raises Refused("nothing_held") if it does not hold the item.
    Source: «Попытка выбить объект удерживаемый целью с помощью навыка "Рукопашный бой"»,
    «цель роняет объект».
    """
    if item not in held:
        raise Refused("nothing_held", rule=SK_DIS_1, item=item, allowed=list(held))
    place = held.index(item)
    return held[:place] + held[place + 1 :]


def require_free_hand(free_hands: int, needed: int) -> None:
    """SK-DIS-2: disarming needs free hands, and the target in reach (`require_reach`).

    Raises Refused("no_free_hand").
    Source: «свободные руки и он находится в зоне досягаемости».
    """
    if free_hands < needed:
        raise Refused("no_free_hand", rule="SK-DIS-2", free_hands=free_hands, needed=needed)
