"""The streams of dice whose numbers every encounter knows; those of its sides are between them."""

from typing import Final

PUBLIC_STREAM: Final = 0
"""Faces that everyone may see."""

GM_STREAM: Final = 255
"""Faces that the game master alone may see."""
