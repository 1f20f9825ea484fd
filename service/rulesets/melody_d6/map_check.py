"""What is wrong with a map: of a creation the first problem, of a map that is only checked all."""

from collections.abc import Iterator

from msgspec import Struct

from service.engine.geometry.polygons import polygon_fault
from service.engine.map_check import MapFinding, MapReport, report_of
from service.engine.vocabulary.client_ids import require_unreserved
from service.errors import Malformed, Refused
from service.rulesets.melody_d6.content import Blob
from service.rulesets.melody_d6.maps import MapInput
from service.rulesets.melody_d6.misfits import misfit, repeated
from service.rulesets.melody_d6.terrain import Footprint, corners_of


def map_blob(stated: MapInput) -> Blob:
    """A map as it is kept, its features by id. Raises the first problem that it has."""
    for problem in map_problems(stated):
        raise problem
    features = tuple(sorted(stated.features, key=lambda feature: feature.id))
    return Blob(width=stated.width, height=stated.height, features=features)


def check_map(stated: MapInput, _: Struct) -> MapReport:
    """The problems of a map; a sound one as it is stated."""
    return report_of(map(MapFinding, map_problems(stated)), stated)


def map_problems(stated: MapInput) -> Iterator[Malformed | Refused]:
    """Everything that is wrong with a map: ids first, then the shapes in their order."""
    ids = [each.id for each in stated.features]
    for index, name in enumerate(ids):
        yield from _reserved(name, f"$.map.features[{index}].id")
    yield from repeated(ids, "$.map.features")
    for index, feature in enumerate(stated.features):
        where = f"$.map.features[{index}].vertices"
        yield from shape_problems(feature, stated.width, stated.height, where)


def shape_problems(shape: Footprint, width: int, height: int, path: str) -> Iterator[Refused]:
    """What is wrong with a feature on a table of this size; `path` is that of its vertices."""
    for index, corner in enumerate(shape.vertices):
        if not (0 <= corner.x <= width and 0 <= corner.y <= height):
            yield misfit("out_of_bounds", f"{path}[{index}]")
    fault = polygon_fault(corners_of(shape))
    if fault is not None:
        yield misfit(fault, path)


def _reserved(name: str, path: str) -> Iterator[Malformed]:
    try:
        require_unreserved(name, path)
    except Malformed as error:
        yield error
