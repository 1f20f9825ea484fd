"""What versions of this rulebook read differently; the defaults are what version 1 reads."""

from msgspec import Struct

from service.rulesets.seeker_d100.rules.dodge import ALL_OPPOSED, DodgeReading
from service.rulesets.seeker_d100.rules.waiting import WaitingReading


class Readings(Struct, frozen=True, kw_only=True):
    """How a version reads the rulebook where versions differ."""

    dodge: DodgeReading = ALL_OPPOSED
    waiting: WaitingReading | None = None
    """How an attack that waited is judged again; None: it continues as it was declared."""
