"""What versions of this rulebook read differently; the defaults are what version 1 reads."""

from msgspec import Struct

from service.rulesets.seeker_d100.rules.dodge import ALL_OPPOSED, DodgeReading


class Readings(Struct, frozen=True, kw_only=True):
    """How a version reads the rulebook where versions differ."""

    dodge: DodgeReading = ALL_OPPOSED
