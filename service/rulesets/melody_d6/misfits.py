"""How a statement that contradicts itself or another is refused: by its place and a reason."""

from collections.abc import Iterator, Sequence
from typing import Literal

from service.errors import Refused

Reason = Literal[
    "side_count",
    "unit_empty",
    "lone_needs_one",
    "duplicate_id",
    "unknown_reference",
    "out_of_bounds",
    "base_overlap",
    "in_high_terrain",
    "polygon_not_convex",
    "polygon_degenerate",
    "silencer_not_firearm",
    "range_missing",
    "melee_with_range",
    "template_missing",
    "template_shape_mismatch",
    "lasting_ray",
    "lasting_effect_kind",
    "mp_effects_missing",
    "mistake_rows",
    "number_range",
    "mask_not_possible",
]
"""Why a statement is refused, a term each. What a schema says by itself (`float_not_allowed`,
`derived_field`, most of `number_range`) is `malformed`."""


def misfit(reason: Reason, path: str, **facts: str | int) -> Refused:
    """The refusal of what a request states at `path`: `invalid_setup`."""
    refusal = Refused("invalid_setup", reason=reason, path=path)
    refusal.params |= facts
    return refusal


def repeated(ids: Sequence[str], path: str, field: str = ".id") -> Iterator[Refused]:
    """Each id that stands in an array again, in whatever case.

    `path` is that of the array, `field` what names the id in its element.
    """
    taken: set[str] = set()
    for index, name in enumerate(ids):
        if name.lower() in taken:
            yield misfit("duplicate_id", f"{path}[{index}]{field}", id=name)
        taken.add(name.lower())


def require_once(ids: Sequence[str], path: str, field: str = "") -> None:
    """Each id stands in an array once. Raises Refused("invalid_setup"), `duplicate_id`."""
    for problem in repeated(ids, path, field):
        raise problem
