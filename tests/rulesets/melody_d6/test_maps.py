"""Maps: what a kind says of a feature, what is wrong with a shape, and how a map is kept."""

import msgspec
import pytest

from service.engine.geometry.polygons import polygon_of
from service.engine.map_check import MapReport
from service.errors import Malformed, Refused
from service.rulesets.melody_d6.content import Blob
from service.rulesets.melody_d6.map_check import check_map, map_blob
from service.rulesets.melody_d6.maps import MapInput
from service.rulesets.melody_d6.terrain import Feature, FeatureKind, Obstacle, obstacle

Corner = tuple[int, int]

SQUARE: tuple[Corner, ...] = ((1000, 1000), (3000, 1000), (3000, 2000), (1000, 2000))


def feature(*corners: Corner, name: str = "t", **fields: object) -> dict[str, object]:
    vertices = [{"x": x, "y": y} for x, y in corners]
    return {"id": name, "vertices": vertices, **fields}


def table(*features: dict[str, object], **fields: int) -> MapInput:
    return msgspec.convert({"features": features, **fields}, MapInput)


def problems(*features: dict[str, object], **fields: int) -> list[tuple[object, object]]:
    report = check_map(table(*features, **fields), MapInput())
    return [
        (each.error.params.get("reason"), each.error.params["path"]) for each in report.problems
    ]


@pytest.mark.parametrize(
    ("kind", "is_high", "mask_mode", "is_cover"),
    [
        ("low_wall", False, "edge", True),
        ("column", True, "edge", False),
        ("rock", False, "edge", True),
        ("building", True, "corner", False),
        ("debris", False, "edge", True),
        ("other", False, "none", False),
    ],
)
def test_a_kind_says_what_a_feature_leaves_out(
    kind: FeatureKind, is_high: bool, mask_mode: str, is_cover: bool
) -> None:
    plain = msgspec.convert(feature(*SQUARE, kind=kind), Feature)
    laid = obstacle("t", plain)
    assert laid == ("t", kind, polygon_of(SQUARE), is_high, mask_mode, is_cover)


def test_what_a_feature_states_goes_before_its_kind() -> None:
    own = msgspec.convert(
        feature(*SQUARE, kind="building", height="low", mask_mode="none", cover=True), Feature
    )
    assert obstacle("t", own) == Obstacle(
        "t", "building", polygon_of(SQUARE), is_high=False, mask_mode="none", is_cover=True
    )


@pytest.mark.parametrize(
    ("corners", "reason", "path"),
    [
        (((0, 0), (4000, 0), (1000, 1000), (0, 4000)), "polygon_not_convex", ""),
        (((0, 0), (4000, 4000), (4000, 0), (0, 4000)), "polygon_degenerate", ""),
        (((0, 0), (2000, 0), (4000, 0)), "polygon_degenerate", ""),
        (((0, 0), (2000, 0), (4000, 0), (0, 4000)), "polygon_degenerate", ""),
        (((0, 0), (0, 0), (4000, 0), (0, 4000)), "polygon_degenerate", ""),
        (((0, 0), (36001, 0), (0, 4000)), "out_of_bounds", "[1]"),
        (((0, 0), (36000, 0), (0, 24001)), "out_of_bounds", "[2]"),
        (((-1, 0), (36000, 0), (0, 24000)), "out_of_bounds", "[0]"),
    ],
)
def test_a_shape_that_is_none_is_refused(
    corners: tuple[Corner, ...], reason: str, path: str
) -> None:
    assert problems(feature(*corners)) == [(reason, f"$.map.features[0].vertices{path}")]


def test_a_shape_may_reach_to_the_edge_of_the_table() -> None:
    assert problems(feature((0, 0), (36000, 0), (36000, 24000), (0, 24000))) == []
    assert problems(feature((0, 0), (6000, 0), (0, 6000)), width=6000, height=6000) == []


def test_a_check_tells_of_everything_in_order_and_a_creation_of_the_first() -> None:
    flat = feature((0, 0), (2000, 0), (4000, 0), name="T")
    laid = table(feature(*SQUARE), flat, feature(*SQUARE, name="gm"))
    first = Malformed(
        path="$.map.features[2].id", allowed="an id other than everyone, gm and system"
    )
    second = Refused("invalid_setup", reason="duplicate_id", path="$.map.features[1].id", id="T")
    third = Refused("invalid_setup", reason="polygon_degenerate", path="$.map.features[1].vertices")
    told = check_map(laid, MapInput()).problems
    assert [(each.error.code, each.error.params) for each in told] == [
        (each.code, each.params) for each in (first, second, third)
    ]
    with pytest.raises(Malformed) as refused:
        map_blob(laid)
    assert refused.value.params == first.params


def test_a_sound_map_is_kept_by_the_ids_of_its_features() -> None:
    laid = table(feature(*SQUARE, name="b"), feature(*SQUARE, name="a"), width=10000)
    assert check_map(laid, MapInput()) == MapReport(map=laid)
    second, first = laid.features
    assert map_blob(laid) == Blob(width=10000, height=24000, features=(first, second))


@pytest.mark.parametrize(
    "stated",
    [
        {"width": 5999},
        {"width": 120_001},
        {"height": 24000.5},
        {"features": [feature((0, 0), (1000, 0))]},
        {"features": [feature(*((x, x * x) for x in range(13)))]},
        {"features": [feature(*SQUARE, kind="tree")]},
    ],
)
def test_what_the_types_rule_out(stated: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(stated, MapInput)
