"""What a command's exit code means, the same for all commands."""

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes that scripts can rely on."""

    OK = 0
    WRONG = 1
    USAGE = 2
    UNAVAILABLE = 3
    UNVERIFIED = 4


EXITS_HELP = (
    "Exit codes: 0 all is well, 1 the command found something wrong, 2 it was called or configured"
    " wrongly, 3 the service or its database cannot be reached,"
    " 4 a bundle is sound, but nobody the caller trusts is known to have signed it."
)
