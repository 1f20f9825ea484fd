"""What versions of this rulebook read differently; the defaults are what version 1 reads."""

from msgspec import Struct

from service.rulesets.melody_d6.rules.guard import MoverReading, is_always_met


class Readings(Struct, frozen=True, kw_only=True):
    """How a version reads the rulebook where versions differ."""

    mover: MoverReading = is_always_met
