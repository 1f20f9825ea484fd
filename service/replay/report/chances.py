"""Chances, fractions and remarks on them, as reports tell them; wire types."""

from msgspec import Struct


class Ratio(Struct, frozen=True, kw_only=True):
    """An exact fraction in lowest terms, as decimal strings."""

    num: str
    """Numerator."""
    den: str
    """Denominator, 1 or more."""


class TailChance(Struct, frozen=True, kw_only=True):
    """How often fair dice are as far from what is expected as these, or further, either way."""

    millionths: int
    """The probability in millionths, rounded down: 50000 is one in twenty."""
    exact: bool
    """True where all cases were counted; otherwise it is off by one in a billion at most."""


class Remark(Struct, frozen=True, kw_only=True):
    """A remark for people."""

    en: str
    """In English."""
    ru: str
    """In Russian."""
