"""ML-TEST: the Mobility test."""

from typing import Final

ML_TEST_1: Final = "ML-TEST-1"


def passes_mobility(natural: int, mobility: int, *, six_fails: bool) -> bool:
    """ML-TEST-1: a D6 of at most the Mobility passes; a natural 1 always does (E45).

    A natural 6 always fails, unless the option `mobility_six_fails` is off: then it is compared
    like any other. Default, not in the source text.
    """
    if natural == 1:
        return True
    if natural == 6 and six_fails:
        return False
    return natural <= mobility
