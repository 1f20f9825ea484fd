"""The golden battles of `melody-d6`: none is kept yet."""

from collections.abc import Mapping
from typing import Final

from tests.kit.rig import GoldenBattle

GOLDEN: Final[Mapping[str, GoldenBattle]] = {}
