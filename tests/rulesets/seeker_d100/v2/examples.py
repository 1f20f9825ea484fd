"""The worked examples of version 2: those of version 1, some of which come out otherwise."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.kit.examples import Examples
from tests.rulesets.seeker_d100.examples import EXAMPLES as VERSION_1

EXAMPLES: Final[Examples] = replace(
    VERSION_1,
    ids=(*VERSION_1.ids, "SK-EX-41"),
    later=Path(__file__).with_name("examples.json"),
)
