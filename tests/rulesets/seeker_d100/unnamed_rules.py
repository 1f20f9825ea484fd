"""The rules that no effect, line, report or refusal of the worked examples names, and why."""

from collections.abc import Mapping
from typing import Final

UNNAMED: Final[Mapping[str, str]] = {
    "SK-INIT-2": "definition: which cards there are; each draw tells its card by index and word",
    "SK-CHECK-4": "definition: the numbers of the four levels, which every roll tells as `level`; "
    "SK-CHECK-2 or SK-CHECK-3 is named where one of them made the level",
    "SK-ORD-1": "order of steps: of an attack, which is the order of its draws and effects",
    "SK-ATK-2": "definition: which skill the chance of an attack starts from; told as its `base`",
    "SK-MOVE-2": "definition: that the gaits have nothing but their limit, which SK-MOVE-1 tells",
    "SK-AREA-3": "order of steps: in which victims are asked, roll and are hurt; told as the order "
    "of `victims`",
    "SK-LETH-7": "order of steps: in which SK-LETH-4, SK-LETH-5 and SK-LETH-1 are looked at; the "
    "one that decided is named",
}
"""By rule id: `definition` or `order of steps`, and where what it says can be seen."""
