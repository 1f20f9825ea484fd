"""Warlog: an encounter service for tabletop software."""

__version__ = "0.1.0"
"""Version of the package and of the API that it serves; CHANGELOG.md says what it promises."""
