"""Templates as they lie: as effects and the state tell them, and as geometry measures them."""

from typing import Final

from msgspec import UNSET

from service.engine.geometry.segments import Spot
from service.engine.geometry.templates import PlacedTemplate, beam, cone, disc
from service.engine.vocabulary.effects import Shape
from service.engine.vocabulary.values import Place
from service.rulesets.melody_d6.melodies import AnyTemplate, BeamTemplate, DiscTemplate

DISC: Final = "disc"
BEAM: Final = "beam"
CONE: Final = "cone"


def shape_of(template: AnyTemplate, origin: Spot, aim: Spot) -> Shape:
    """A template laid at a point: a disc round `origin`, a ray from there towards `aim`.

    A disc reads no `aim`; that of a ray is another point than its origin.
    """
    if isinstance(template, DiscTemplate):
        return Shape(kind=DISC, origin=_place(origin), radius=template.radius)
    return Shape(
        kind=BEAM if isinstance(template, BeamTemplate) else CONE,
        origin=_place(origin),
        aim=_place(aim),
        length=template.length,
        half_width=template.half_width,
    )


def laid(shape: Shape) -> PlacedTemplate | None:
    """A shape as its coverage is measured; None for that of a Melody which goes with a warrior."""
    origin = shape.origin.x, shape.origin.y
    if shape.kind == DISC and shape.radius is not UNSET:
        return disc(origin, shape.radius)
    if shape.aim is UNSET or shape.length is UNSET or shape.half_width is UNSET:
        return None
    lay = beam if shape.kind == BEAM else cone
    return lay(origin, (shape.aim.x, shape.aim.y), shape.length, shape.half_width)


def _place(spot: Spot) -> Place:
    return Place(x=spot[0], y=spot[1])
