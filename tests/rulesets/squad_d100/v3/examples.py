"""The worked examples of version 3: those of version 2, and what becomes of a walk that waited."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.kit.examples import Examples
from tests.rulesets.squad_d100.v2.examples import EXAMPLES as VERSION_2

EXAMPLES: Final[Examples] = replace(
    VERSION_2,
    ids=(*VERSION_2.ids, "SQ-EX-43"),
    between=(Path(__file__).parent.with_name("v2") / "examples.json",),
    later=Path(__file__).with_name("examples.json"),
)
