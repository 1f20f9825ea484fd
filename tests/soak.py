"""Cases of a test of which every run takes a few, and the soak takes all."""

from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def with_soak(always: Iterable[Any], soak: Iterable[Any]) -> list[Any]:
    """Cases for every run, then those that only `make soak` runs, as parameters.

    A case is the value of one parameter, or a `pytest.param`.
    """
    return [*always, *map(_for_the_soak, soak)]


def _for_the_soak(case: object) -> ParameterSet:
    if isinstance(case, ParameterSet):
        return pytest.param(*case.values, marks=[*case.marks, pytest.mark.soak], id=case.id)
    return pytest.param(case, marks=pytest.mark.soak)
