"""What is left out of a request means what it has always meant, in every ruleset."""

import pytest

from tests.kit.request_types import defaults_of
from tests.kit.rig import Rig
from tests.kit.rigs import RIGS


@pytest.mark.parametrize("rig", RIGS, ids=repr)
def test_what_is_left_out_means_what_it_has_always_meant(rig: Rig) -> None:
    assert defaults_of(rig.ruleset) == rig.defaults
