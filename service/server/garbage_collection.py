"""How often a process that is busy for long looks for garbage that reference counting leaves.

How this works. What an ordinary request or an audited event makes is free again as soon as nobody
refers to it: there are no cycles in it, which a test holds to. The interpreter cannot know that and
looks again after every 700 new objects, which took an eighth of the time of a busy service. Cycles
come from errors and from what libraries keep; for those a look in a while is enough: what waits for
it meanwhile takes a few megabytes, and a look at so many objects a few milliseconds.
"""

import gc
from typing import Final

NEW_OBJECTS: Final = 5_000
"""Between two looks at what is new, each a millisecond or two."""

LOOKS: Final = 100
OLD_LOOKS: Final = 10
"""At what is new before one at what those have left; and of these before one at everything."""


def collect_seldom() -> None:
    """Look seldom from now on, and never again at what is in memory already.

    Called once all modules are loaded and before the work begins.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, LOOKS, OLD_LOOKS)
