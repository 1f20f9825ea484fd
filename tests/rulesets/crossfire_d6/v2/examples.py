"""The worked examples of version 2: those of version 1, and what becomes of a shot that waited."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.kit.examples import Examples
from tests.rulesets.crossfire_d6.examples import EXAMPLES as VERSION_1

EXAMPLES: Final[Examples] = replace(
    VERSION_1,
    ids=(*VERSION_1.ids, "CF-EX-36"),
    later=Path(__file__).with_name("examples.json"),
)
