"""What an action is aimed at: a combatant or a place, each in a field of its own.

One field for both would be a reference to a combatant that at times names none, and so nobody but
the game master would know of the action.
"""

from msgspec import UNSET, Struct

from service.errors import Malformed


def require_one(action: Struct, first: str, second: str) -> None:
    """Exactly one of two optional fields is stated. Raises Malformed at the first of them."""
    if (getattr(action, first) is UNSET) == (getattr(action, second) is UNSET):
        raise Malformed(path=f"$.{first}", allowed=f"either {first} or {second}")
