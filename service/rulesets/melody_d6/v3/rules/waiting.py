"""ML-WAIT: what becomes of an action that has waited for answers."""

from collections.abc import Callable
from typing import Final

from service.errors import Refused

ML_WAIT_1: Final = "ML-WAIT-1"


def refusal_now(combatant: str, require: Callable[[], object], is_there: bool) -> Refused | None:
    """ML-WAIT-1: what waited continues if it is allowed now, and else ends with this refusal.

    `require` asks the action's own requirements of the battle of now, as its seat knows it, with
    what the action has paid and done given back. A warrior who is not where its last step has left
    it (`is_there`) goes no further. Default, not in the source text.
    """
    try:
        if not is_there:
            raise Refused("put_elsewhere", rule=ML_WAIT_1, combatant=combatant)
        require()
    except Refused as refusal:
        return refusal
    return None
