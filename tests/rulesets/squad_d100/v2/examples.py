"""The worked examples of version 2: those of version 1, and what comes out otherwise there."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.kit.examples import Examples
from tests.rulesets.squad_d100.examples import EXAMPLES as VERSION_1

EXAMPLES: Final[Examples] = replace(
    VERSION_1,
    ids=(*VERSION_1.ids, "SQ-EX-40", "SQ-EX-41", "SQ-EX-42"),
    later=Path(__file__).with_name("examples.json"),
)
