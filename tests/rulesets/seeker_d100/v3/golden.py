"""The golden battles of version 3."""

from collections.abc import Mapping
from typing import Final

from tests.kit.rig import GoldenBattle

GOLDEN: Final[Mapping[str, GoldenBattle]] = {}
"""The battles by the name of their bundle."""
