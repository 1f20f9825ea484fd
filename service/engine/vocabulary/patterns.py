r"""Patterns that a text matches whole.

How this works. Published patterns end in `$`, which in a JSON Schema is the end of the text. To
Python it is also the place before a last line break, so that an id could have ended in one: what
is checked here ends in `$(?!\n)`, and `published` says it as a schema does.
"""

from typing import Final

_END: Final = r"$(?!\n)"


def whole(form: str) -> str:
    """The pattern of a text that has this form from its beginning to its end."""
    return f"^{form}{_END}"


def published(pattern: str) -> str:
    """The same pattern as schemas and messages write it."""
    return pattern.replace(_END, "$")
