"""The worked examples of version 3: those of version 2, and what it adds."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.kit.examples import Examples
from tests.rulesets.melody_d6.v2.examples import EXAMPLES as VERSION_2

EXAMPLES: Final[Examples] = replace(
    VERSION_2,
    ids=(*VERSION_2.ids, "ML-EX-85", "ML-EX-86"),
    between=tuple(filter(None, (VERSION_2.later,))),
    later=Path(__file__).with_name("examples.json"),
)
