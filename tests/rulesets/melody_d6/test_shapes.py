"""Templates as they are shown, and as they are measured."""

import pytest

from service.engine.geometry.templates import PlacedTemplate, beam, cone, disc
from service.engine.vocabulary.effects import Shape
from service.engine.vocabulary.values import Place
from service.rulesets.melody_d6.melodies import (
    AnyTemplate,
    BeamTemplate,
    ConeTemplate,
    DiscTemplate,
)
from service.rulesets.melody_d6.shapes import laid, shape_of

HERE = Place(x=10000, y=10000)
THERE = Place(x=10003, y=10004)


@pytest.mark.parametrize(
    ("template", "shape", "placed"),
    [
        (
            DiscTemplate(id="small_round", radius=1500),
            Shape(kind="disc", origin=HERE, radius=1500),
            disc((10000, 10000), 1500),
        ),
        (
            BeamTemplate(id="beam", length=8000, half_width=1000),
            Shape(kind="beam", origin=HERE, aim=THERE, length=8000, half_width=1000),
            beam((10000, 10000), (10003, 10004), 8000, 1000),
        ),
        (
            ConeTemplate(id="cone", length=9600, half_width=2800),
            Shape(kind="cone", origin=HERE, aim=THERE, length=9600, half_width=2800),
            cone((10000, 10000), (10003, 10004), 9600, 2800),
        ),
    ],
)
def test_a_template_is_told_as_a_shape_and_measured_as_told(
    template: AnyTemplate, shape: Shape, placed: PlacedTemplate
) -> None:
    assert shape_of(template, (10000, 10000), (10003, 10004)) == shape
    assert laid(shape) == placed


def test_what_goes_with_a_warrior_has_no_template() -> None:
    assert laid(Shape(kind="model", origin=HERE)) is None
