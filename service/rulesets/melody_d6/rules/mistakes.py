"""ML-SING-9: what a Terrible Mistake does around the singer.

A table has six rows, one for each face of a D6; the entries of a row happen in listed order, and
an entry that concerns several warriors takes them in the order of entry.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

ML_SING_9: Final = "ML-SING-9"

ROWS: Final = 6
"""Rows of a mistake table."""

E = TypeVar("E")


def mistake_row(table: Sequence[E], face: int) -> E:
    """ML-SING-9: the row of the Melody's table that a D6 of this face, 1 to 6, names (E3).

    Source: «обратитесь к разделу РАДУГА МУЗЫКИ».
    """
    return table[face - 1]
