"""The rules that no worked example can name, and why: what they say, other rules' lines show."""

from collections.abc import Mapping
from typing import Final

UNNAMED: Final[Mapping[str, str]] = {
    "ML-GEO-1": "definition: the unit of lengths",
    "ML-GEO-2": "definition: when two are within a distance of one another",
    "ML-GEO-3": "definition: who is nearest; told as whose Mobility a detection adds",
    "ML-GEO-4": "definition: when a leg passes near somebody; ML-MASK-9 and ML-MOVE-4 tell of it",
    "ML-GEO-5": "definition: when somebody is near a feature; ML-MASK-3 refuses",
    "ML-GEO-6": "definition: what blocks a line of sight; ML-SHOOT-1 refuses",
    "ML-GEO-7": "definition: who sees whom; ML-SHOOT-1 refuses, ML-AMB-3 lets witnesses test",
    "ML-GEO-8": "definition: what a leg costs; moves tell theirs",
    "ML-GEO-9": "definition: which point of a path is meant; moves tell where they were cut",
    "ML-GEO-10": "definition: what a disc covers; template dice and their lack tell of it",
    "ML-GEO-11": "definition: where an oriented template lies",
    "ML-GEO-12": "definition: what a beam covers; template dice and their lack tell of it",
    "ML-GEO-13": "definition: what a cone covers; template dice and their lack tell of it",
    "ML-GEO-14": "definition: what touching is",
    "ML-TURN-5": "definition: two words for one state",
    "ML-SING-11": "order: of the steps of a song",
    "ML-DAMP-1": "definition: who is asked to dampen; told as the question or its lack",
    "ML-RES-1": "definition: which Melody a Resistance is against",
    "ML-RES-3": "order: of several Resistances; told as their dice one by one",
    "ML-RES-4": "definition: Monstrous Power leaves Resistance alone; told as the die or its lack",
    "ML-RES-5": "definition: nothing but Melodies is resisted; told as the lack of a die",
    "ML-TPL-1": "definition: who is affected without a die",
    "ML-TPL-3": "definition: who is not affected at all",
    "ML-TPL-4": "definition: no ray affects its singer; told as the lack of a die",
    "ML-LAST-6": "definition: Monstrous Power bars one round alone; ML-DAMP-7 refuses",
    "ML-LAST-9": "definition: how lasting Melodies add up; ML-MOVE-1 refuses what is too far",
    "ML-MASK-2": "definition: masking needs no move and ends it",
    "ML-AMB-1": "definition: which shot is one from ambush; attacks tell whether they are",
    "ML-AMB-2": "definition: when a shot can stay unnoticed; ML-MASK-6 tells that it did not",
    "ML-AMB-6": "definition: masking lost by a shot alone exposes nobody",
    "ML-GUARD-5": "definition: when guards are asked; told as the questions",
    "ML-GUARD-10": "definition: a guard's shot is a shot; ML-SHOOT-1 refuses what it does not see",
}
"""Rule id -> reason."""
