"""The worked examples of version 3: those of version 2 under its own options, and its own."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.kit.examples import Examples
from tests.rulesets.tactical_d20.v2.examples import EXAMPLES as VERSION_2

assert VERSION_2.later is not None
EXAMPLES: Final[Examples] = replace(
    VERSION_2,
    ids=(*VERSION_2.ids, "TD-EX-30", "TD-EX-31", "TD-EX-32"),
    later=Path(__file__).with_name("examples.json"),
    between=(*VERSION_2.between, VERSION_2.later),
)
