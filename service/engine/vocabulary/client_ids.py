"""Ids that clients bring: combatants, seats, weapons, items, covers and features.

How this works. Virtual tabletops name what is theirs in mixed case, so ids are compared exactly, as
they came. Two of the same kind that differ only in case are refused all the same: people could not
tell them apart. So are those that spell a word by which the service means somebody.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from service.engine.vocabulary.patterns import whole
from service.errors import Malformed, Refused

LONGEST_ID: Final = 64
ID_FORM: Final = "[A-Za-z0-9_-]{1,64}"
ID_PATTERN: Final = whole("[A-Za-z0-9_-]+")

RESERVED_IDS: Final = ("everyone", "gm", "system")
"""Words that no id spells, in whatever case."""

UNRESERVED: Final = "an id other than everyone, gm and system"
ONCE: Final = "each id once, in one case"


def require_unreserved(name: str, path: str) -> None:
    """An id is none of the service's own words. Raises Malformed."""
    if name.lower() in RESERVED_IDS:
        raise Malformed(path=path, allowed=UNRESERVED)


def alike(name: str, others: Iterable[str]) -> str | None:
    """The first of some ids that is this one, or differs from it only in case."""
    folded = name.lower()
    return next((other for other in others if other.lower() == folded), None)


def require_distinct(names: Sequence[str], path: str, field: str = ".id") -> None:
    """Ids of one kind are none of the reserved words, and none is there twice, in whatever case.

    `path` is that of the array, `field` what names the id in its element. Raises Malformed.
    """
    taken: set[str] = set()
    for index, name in enumerate(names):
        where = f"{path}[{index}]{field}"
        require_unreserved(name, where)
        if name.lower() in taken:
            raise Malformed(path=where, allowed=ONCE)
        taken.add(name.lower())


def require_new(combatant: str, present: Iterable[str], path: str) -> None:
    """Nobody in the battle is called so, not even in another case; `path` is the combatant's.

    Raises Refused("duplicate_combatant"), Malformed for a word of the service.
    """
    require_unreserved(combatant, f"{path}.id")
    taken = alike(combatant, present)
    if taken is not None:
        raise Refused("duplicate_combatant", combatant=combatant, taken=taken)
