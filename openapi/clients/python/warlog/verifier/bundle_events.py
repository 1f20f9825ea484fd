"""The events of a bundle as its viewer saw them; judging them is what `verify` is for."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct

from warlog.verifier.findings import Difference
from warlog.verifier.joint_view import joint_view_of
from warlog.verifier.json_reader import parsed
from warlog.verifier.line_forms import Json, is_readable_part
from warlog.verifier.lines import LineReader, Source, pieces_of
from warlog.verifier.parts import opened_parts, part_name, view_of
from warlog.verifier.whole_view import whole_of


class BundleEvent(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An event of a bundle: `event` is what was hashed, `seen` the same with the parts laid in.

    `seen` is None where the event says it all, or the parts do not fit.
    """

    seq: int
    hash: Any
    event: Json
    seen: Json | None = None

    @property
    def told(self) -> Json:
        """The event as far as its reader may know it."""
        return self.event if self.seen is None else self.seen


def read_bundle(source: Source, *, viewpoint: str | None = None) -> Iterator[BundleEvent]:
    """Events in order, as the bundle's viewer saw them, unjudged.

    `viewpoint` is less than the viewer's own: `everyone` or a side; `gm` is all that is there. Ends
    at the first line that is no JSON. Raises what reading the source raises.
    """
    viewer: Any = None
    sides: list[str] = []
    for line in _lines_of(source):
        if line.get("type") == "bundle":
            viewer = line.get("viewer")
        event = line.get("event")
        if line.get("type") != "event" or not isinstance(event, dict):
            continue
        seq = event.get("seq")
        if type(seq) is not int:
            continue
        if seq == 1:
            sides = _sides_of(event)
        seen = _seen(viewer, sides, line, viewpoint)
        yield BundleEvent(seq=seq, hash=line.get("hash"), event=event, seen=seen)


def _lines_of(source: Source) -> Iterator[Json]:
    """The objects that lines hold, up to the first line that is no JSON."""
    reader = LineReader()
    pieces = (reader.lines(piece) for piece in pieces_of(source))
    for line in chain(chain.from_iterable(pieces), reader.rest()):
        try:
            value = parsed((line.content or b"").decode("utf-8-sig", "replace"))
        except ValueError:
            return
        if isinstance(value, dict):
            yield value


def _sides_of(event: Json) -> list[str]:
    effects = event.get("effects")
    for effect in effects if isinstance(effects, list) else ():
        sides = effect.get("sides") if isinstance(effect, dict) else None
        if isinstance(sides, list):
            return [str(each.get("id")) for each in sides if isinstance(each, dict)]
    return []


def _seen(viewer: Any, sides: Sequence[str], line: Json, viewpoint: str | None) -> Json | None:
    """The event with the parts laid in; None where there are none, or they do not fit."""
    body, parts = line["event"], line.get("parts")
    if not isinstance(parts, list) or not parts or not all(map(is_readable_part, parts)):
        return None
    opened = opened_parts(parts)
    names = set(map(part_name, parts))
    is_whole = "facts/gm" in names or (isinstance(viewer, dict) and viewer.get("kind") == "gm")
    try:
        if viewpoint not in (None, "gm"):
            return joint_view_of(body, opened, [each for each in sides if each == viewpoint])
        if is_whole:
            views = {each: view_of(body, opened, each) for each in ("everyone", *sides)}
            return whole_of(views, opened)
        held = [each for each in sides if names & {f"facts/{each}", f"text/{each}"}]
        return joint_view_of(body, opened, held)
    except Difference:
        return None
