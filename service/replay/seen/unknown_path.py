"""What is unknown in a view; a wire type."""

from typing import Literal

from msgspec import Struct

Why = Literal["withheld", "may_lack", "order"]


class UnknownPath(Struct, frozen=True):
    """Something in a view that the parts at hand do not tell."""

    path: str
    """Where it is, such as `state.combatants[2].health`."""
    why: Why
    """`withheld`: the value was told to others alone, and is left out. `may_lack`: what is told of
    the array is right, and there may be more elements. `order`: the elements are these, in another
    order perhaps."""
