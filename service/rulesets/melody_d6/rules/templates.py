"""ML-TPL: whom a template affects."""

from typing import Final

from service.engine.geometry.segments import Spot
from service.engine.geometry.templates import Beam, Coverage, Disc, PlacedTemplate
from service.rulesets.melody_d6.rules.geometry import beam_coverage, cone_coverage, disc_coverage

ML_TPL_1: Final = "ML-TPL-1"
ML_TPL_2: Final = "ML-TPL-2"
ML_TPL_3: Final = "ML-TPL-3"
ML_TPL_4: Final = "ML-TPL-4"

PART_NEEDS: Final = 4
"""Face from which a template affects who is partly under it."""


def coverage_of(template: PlacedTemplate, spot: Spot, radius: int) -> Coverage:
    """How much of a base lies under a template, by the rule for its shape."""
    if isinstance(template, Disc):
        return disc_coverage(template, spot, radius)
    if isinstance(template, Beam):
        return beam_coverage(template, spot, radius)
    return cone_coverage(template, spot, radius)


def is_under(coverage: Coverage) -> bool:
    """ML-TPL-1: whether a template affects a base without a die: it is fully under it.

    Friend, foe, masked or fleeing. Source: «Все воины, которые полностью попали под шаблон».
    """
    return coverage == "full"


def is_affected_in_part(face: int) -> bool:
    """ML-TPL-2: whether a D6 lets a template affect a base that is partly under it.

    Source: «при результате 4+ на D6».
    """
    return face >= PART_NEEDS


def is_clear_of(coverage: Coverage) -> bool:
    """ML-TPL-3: whether a base is not under a template at all: not affected, no die."""
    return coverage == "none"


def is_spared(template: PlacedTemplate, *, is_singer: bool) -> bool:
    """ML-TPL-4: whether a template never affects a warrior: a ray its own singer.

    A disc may cover the singer. Terrain shields nobody. A default, not in the source text.
    """
    return is_singer and not isinstance(template, Disc)
