"""Warlog: an encounter service for tabletop software."""

__version__ = "1.1.0"
"""Version of the package and of the API that it serves; CHANGELOG.md says what it promises."""
