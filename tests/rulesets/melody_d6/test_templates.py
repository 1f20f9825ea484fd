"""ML-TPL: who is affected outright, by a die, or not at all."""

import pytest

from service.engine.geometry.templates import Coverage, beam, cone, disc
from service.rulesets.melody_d6.rules.templates import (
    coverage_of,
    is_affected_in_part,
    is_clear_of,
    is_spared,
    is_under,
)

O = (10000, 10000)  # noqa: E741 - the name of the catalogue's examples
AIM = (20000, 10000)


@pytest.mark.rule("ML-TPL-1")
@pytest.mark.rule("ML-TPL-3")
@pytest.mark.parametrize(
    ("coverage", "under", "clear"),
    [("full", True, False), ("part", False, False), ("none", False, True)],
)
def test_only_who_is_partly_under_a_template_needs_a_die(
    coverage: Coverage, under: bool, clear: bool
) -> None:
    assert is_under(coverage) is under
    assert is_clear_of(coverage) is clear


@pytest.mark.rule("ML-TPL-2")
@pytest.mark.parametrize(
    ("face", "affected"), [(1, False), (2, False), (3, False), (4, True), (5, True), (6, True)]
)
def test_a_four_affects_who_is_partly_under_a_template(face: int, affected: bool) -> None:
    assert is_affected_in_part(face) is affected


@pytest.mark.rule("ML-TPL-4")
def test_a_ray_spares_its_own_singer_and_nobody_else() -> None:
    assert [
        (is_spared(template, is_singer=True), is_spared(template, is_singer=False))
        for template in (disc(O, 1500), beam(O, AIM, 8000, 1000), cone(O, AIM, 9600, 2800))
    ] == [(False, False), (True, False), (True, False)]


@pytest.mark.parametrize(
    ("spot", "expected"),
    [
        ((11001, 10000), ("part", "full", "part")),
        ((16000, 11000), ("none", "part", "full")),
        ((18500, 10000), ("none", "none", "full")),
    ],
)
def test_each_shape_covers_by_its_own_rule(
    spot: tuple[int, int], expected: tuple[Coverage, ...]
) -> None:
    templates = (disc(O, 1500), beam(O, AIM, 8000, 1000), cone(O, AIM, 9600, 2800))
    assert tuple(coverage_of(each, spot, 500) for each in templates) == expected
