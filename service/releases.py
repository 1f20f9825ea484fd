"""Which release brought what: versions of rulebooks, and additions to versions that were released.

How this works. During an upgrade, processes of two releases serve one database, and the operator
may go back to the release before. So what a release brings is held back until the operator
finishes the upgrade (`warlog migrate --finish`). This table is the only place that knows what that
is. A test compares it with the registered rulebooks, so that nothing new is missing here. A line
stays for good, since an upgrade may skip releases.

A word is an action type, a type of change of `adjust`, or an option: `roll` is new in every
rulebook, `tactical-d20/ready` in that one only. What belongs to a new version of a rulebook needs
no line except the version. An addition to a released version is absent unless stated: that version
writes what it always wrote.
"""

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from service import __version__


class Release(Struct, frozen=True, kw_only=True):
    """A release and what came with it.

    `versions` has the new version by ruleset, which is the default of creations from then on.
    """

    number: str
    versions: dict[str, str] = {}
    actions: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    options: tuple[str, ...] = ()

    @property
    def brings_anything(self) -> bool:
        """Whether the release before cannot read everything that this one may write."""
        return bool(self.versions or self.actions or self.changes or self.options)


Releases = tuple[Release, ...]
"""Releases in their order."""

RELEASES: Final[Releases] = (
    Release(
        number="1.0.0",
        versions={
            "crossfire-d6": "1",
            "melody-d6": "1",
            "seeker-d100": "1",
            "squad-d100": "1",
            "tactical-d20": "1",
        },
    ),
    Release(
        number="1.1.0",
        versions={
            "melody-d6": "2",
            "seeker-d100": "2",
            "squad-d100": "2",
            "tactical-d20": "2",
        },
    ),
    # Not released yet: what is new gets its line here.
    Release(
        number="1.2.0",
        versions={
            "crossfire-d6": "2",
            "melody-d6": "3",
            "seeker-d100": "3",
            "squad-d100": "3",
            "tactical-d20": "3",
        },
        options=("melody-d6/detect_on_path",),
    ),
)

FIRST_LOWEST: Final = "1.1.0"
"""The last release that knows nothing of unfinished upgrades: an older database begins there."""


def order_of(number: str) -> tuple[int, ...]:
    """Sorts release numbers; what follows the digits, such as `rc1`, does not count."""
    digits = re.match(r"\d+(?:\.\d+)*", number)
    return tuple(int(part) for part in digits[0].split(".")) if digits else ()


def is_before(number: str, other: str) -> bool:
    """Whether a release came before another one."""
    return order_of(number) < order_of(other)


def beyond(lowest: str, releases: Iterable[Release]) -> Releases:
    """The releases after `lowest` that brought anything."""
    return tuple(
        each for each in releases if each.brings_anything and is_before(lowest, each.number)
    )


def newest_of(lowest: str, releases: Iterable[Release]) -> str:
    """The release that a finished upgrade leads to; `lowest` if no later one brought anything."""
    later = beyond(lowest, releases)
    return later[-1].number if later else lowest


BUILD: Final = max(__version__, RELEASES[-1].number, key=order_of)
"""The release of this build: the package's version, or the release that it is going to be."""
