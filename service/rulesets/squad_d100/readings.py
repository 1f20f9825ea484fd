"""What versions of this rulebook read differently; the defaults are what version 1 reads."""

from msgspec import Struct


class Readings(Struct, frozen=True, kw_only=True):
    """How a version reads the rulebook where versions differ: SQ-SUP-4 and SQ-SUP-5."""

    is_walker_followed: bool = False
    """A suppressor who is walking bars the way to the cell of his last step for a hidden watcher,
    too, whose test is told behind the leg; else the way to the cell told last."""
    is_reaction_wasted: bool = False
    """A reaction shot into the arc of somebody unknown is wasted; else it is fired."""
    is_wall_left: bool = False
    """Who stands in an impassable cell has a way out of it to cover, and so a duty; else he has
    neither."""
