"""Types of actions and effects that a ruleset does not have: of a newer service, or forged."""

from collections.abc import Iterator

from msgspec import UNSET

from service.engine.log import parts
from service.engine.visibility.text_places import TextPlaces
from service.replay.log.log_header import public_effects
from service.replay.log.sealed_event import Evidence, filled_parts, where_of
from service.replay.report.differences import UNREADABLE, Difference, difference


def unknown_type(
    tree: dict[str, object], evidence: Evidence, places: TextPlaces
) -> Difference | None:
    """The first action or effect at hand whose type is not in the tables."""
    for where, path, kind in _types(tree, evidence):
        if not places.knows(path, kind):
            return difference(where, kind, UNSET)
    return None


def _types(
    tree: dict[str, object], evidence: Evidence
) -> Iterator[tuple[str, list[str | int], object]]:
    """The types of the body, then those of the facts, each with its place."""
    if "action" in tree:
        yield "$.action.type", ["action"], _type_of(tree["action"])
    for at, effect in enumerate(public_effects(tree)):
        yield f"$.effects[{at}].type", ["effects", at], effect.get("type")
    for name, body in filled_parts(evidence).items():
        if name[0] != parts.FACTS:
            continue
        try:
            entries = parts.PARTS.decode(body).entries
        except UNREADABLE:
            continue
        for at, (path, value) in enumerate(entries):
            if path == ["action"] or (len(path) == 2 and path[0] == "effects"):
                yield f"{where_of(name)}.entries[{at}]", path, _type_of(value)


def _type_of(value: object) -> object:
    return value.get("type") if isinstance(value, dict) else UNSET
