"""A link as a picture for a phone, in characters."""

from io import StringIO

import segno

_QUIET = 2
"""Light modules around the picture: half of what the norm asks for, and enough on a screen."""


def qr_code(link: str) -> str:
    """The picture, for light letters on a dark ground: two rows of it on each line."""
    picture = StringIO()
    segno.make_qr(link, error="l").terminal(out=picture, border=_QUIET, compact=True)
    return picture.getvalue().rstrip("\n")
