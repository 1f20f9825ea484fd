"""The worked examples of version 2: those of version 1, and guesses at somebody in total cover."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.kit.examples import Examples
from tests.rulesets.tactical_d20.examples import EXAMPLES as VERSION_1

EXAMPLES: Final[Examples] = replace(
    VERSION_1,
    ids=(*VERSION_1.ids, "TD-EX-29"),
    later=Path(__file__).with_name("examples.json"),
)
