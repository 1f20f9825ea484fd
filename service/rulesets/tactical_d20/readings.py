"""What versions of this rulebook read differently; the defaults are what version 1 reads."""

from msgspec import Struct

from service.rulesets.tactical_d20.rules.unseen import GuessReading, always_attacked


class Readings(Struct, frozen=True, kw_only=True):
    """How a version reads the rulebook where versions differ."""

    guess: GuessReading = always_attacked
