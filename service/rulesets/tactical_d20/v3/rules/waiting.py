"""TD-WAIT: what has waited for answers, and whether it continues."""

from typing import Final

from service.engine.vocabulary.values import Place
from service.errors import Refused

TD_WAIT_2: Final = "TD-WAIT-2"


def require_left_in_place(here: Place, left: Place) -> None:
    """TD-WAIT-2: a walker walks on only from where its last step has led, or from its start.

    `left` is where it was when its walk began to wait; height counts as much as the cell.
    Raises Refused("put_elsewhere").
    Source: none; service default.
    """
    if here != left:
        raise Refused("put_elsewhere", rule=TD_WAIT_2, x=here.x, y=here.y)
