"""ML-RES: resistance of warriors to Melodies, «Сопротивление X Y»."""

from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol, TypeVar

from service.rulesets.melody_d6.rules.songs import Classification

ML_RES_1: Final = "ML-RES-1"
ML_RES_2: Final = "ML-RES-2"
ML_RES_3: Final = "ML-RES-3"
ML_RES_4: Final = "ML-RES-4"

ANY_MELODY: Final = "melody"
"""The word that names every Melody."""


class MelodyWords(NamedTuple):
    """What a resistance may name of a Melody."""

    id: str
    colour: str
    tags: tuple[str, ...]


class AnyResistance(Protocol):
    """A resistance to what its word names."""

    @property
    def to(self) -> str:
        """Id, colour or tag of a Melody, or `melody`."""


R = TypeVar("R", bound=AnyResistance)


def does_name(word: str, melody: MelodyWords) -> bool:
    """ML-RES-1: a resistance names a Melody by its id, its colour, a tag, or `melody` (E77).

    Source: «X – то, чему способен сопротивляться воин».
    """
    return word in {ANY_MELODY, melody.id, melody.colour} or word in melody.tags


def is_resisted(face: int, value: int) -> bool:
    """ML-RES-2: a die of at most the value keeps all effects of this application off (E16).

    Source: «Если число на кубике меньше или равно Y».
    """
    return face <= value


def matching(resistances: Iterable[R], melody: MelodyWords) -> tuple[R, ...]:
    """ML-RES-3: each that names the Melody is rolled, in listed order, until one holds (E17).

    Friends' Melodies too, and with 6 as well. Source: «Каждый раз».
    """
    return tuple(each for each in resistances if does_name(each.to, melody))


def is_resistance_ignored(classified: Classification, *, by_option: bool, by_melody: bool) -> bool:
    """ML-RES-4: Monstrous Power ignores resistance only where option or Melody says so (E18).

    Default, not in the source text (gap 4).
    """
    return classified == "monstrous_power" and (by_option or by_melody)
