"""The lists of draws of an event: each die drawn again from its stream where the seed is there."""

from collections.abc import Callable, Collection, Sequence
from itertools import takewhile
from typing import TypeAlias

from msgspec import Struct

from warlog.verifier.details import said
from warlog.verifier.dice import GM_STREAM, PUBLIC_STREAM, Stream
from warlog.verifier.findings import Difference, path_text, shown
from warlog.verifier.line_forms import Json, is_draw
from warlog.verifier.parts import part_name

StreamOpener: TypeAlias = Callable[[int], Stream | None]
"""Opens a stream by its number; None without a seed."""


class DrawList(Struct, frozen=True):
    """Draws of one stream in the order of drawing; `root` is where they stand.

    `flaw` is informed of what is behind them and is no draw.
    """

    stream: int
    root: str
    draws: Sequence[Json]
    flaw: Difference | None = None


def stream_of(audience: str, sides: Sequence[str]) -> int:
    """The stream of an audience; that of `everyone` for a side that there is not."""
    if audience == "gm":
        return GM_STREAM
    return sides.index(audience) + 1 if audience in sides else PUBLIC_STREAM


def draw_lists(line: Json, sides: Sequence[str]) -> list[DrawList]:
    """The lists of draws that are at hand: that of the body and those in facts."""
    hidden = (
        _hidden_draws(part, sides)
        for part in line["parts"]
        if part["kind"] == "facts" and "body" in part and part["body"]["entries"]
    )
    return [DrawList(PUBLIC_STREAM, "$", line["event"]["draws"]), *hidden]


def _hidden_draws(part: Json, sides: Sequence[str]) -> DrawList:
    root = f"parts.{part_name(part).replace('/', '.')}:$"
    draws: list[Json] = []
    for path, value in part["body"]["entries"]:
        if len(path) != 2 or path[0] != "draws":
            continue
        if not is_draw(value):
            place = f"{root}.draws[{len(draws)}]"
            flaw = Difference("draws", said("{} is no draw", shown(value)), place)
            return DrawList(stream_of(part["audience"], sides), root, draws, flaw)
        draws.append(value)
    return DrawList(stream_of(part["audience"], sides), root, draws)


def seen_lists(line: Json, sides: Sequence[str], entitled: Collection[str]) -> list[DrawList]:
    """The lists of an event that its viewer may see, each up to something that is no draw.

    `entitled` are the names of the viewer's parts.
    """
    lists = [DrawList(PUBLIC_STREAM, "$", line["event"]["draws"])]
    for part in line["parts"]:
        if part["kind"] == "facts" and "body" in part and part_name(part) in entitled:
            entries = part["body"]["entries"]
            listed = [each for path, each in entries if len(path) == 2 and path[0] == "draws"]
            draws = list(takewhile(is_draw, listed))
            lists.append(DrawList(stream_of(part["audience"], sides), "", draws))
    return lists


def drawn_again(listed: DrawList, open_stream: StreamOpener) -> int:
    """How many draws are those that their stream gives, up to the first that is not."""
    stream = open_stream(listed.stream) if listed.draws else None
    if stream is None:
        return 0
    for at, draw in enumerate(listed.draws):
        is_next = (draw["stream"], draw["number"]) == (listed.stream, at + 1)
        if not is_next or draw["face"] != stream.face(draw["sides"]):
            return at
    return len(listed.draws)


def check_draws(listed: DrawList, open_stream: StreamOpener) -> None:
    """Check a list: its stream, numbers from 1, bounds, and the faces that the stream gives.

    Raises a Difference.
    """
    stream = open_stream(listed.stream) if listed.draws else None
    for at, draw in enumerate(listed.draws):
        _require(listed, at, "stream", listed.stream)
        _require(listed, at, "number", at + 1)
        if draw["face"] > draw["sides"]:
            detail = said("{} of {} sides", draw["face"], draw["sides"])
            raise Difference("draws", detail, path_text(["draws", at, "face"], listed.root))
        if stream is not None:
            _require(listed, at, "face", stream.face(draw["sides"]))
    if listed.flaw is not None:
        raise listed.flaw


def _require(listed: DrawList, at: int, name: str, due: int) -> None:
    value = listed.draws[at][name]
    if value != due:
        path = path_text(["draws", at, name], listed.root)
        detail = said("{} instead of {}", value, due)
        if name == "face":
            number = listed.draws[at]["number"]
            detail = said("die {} shows {}, the seed gives {}", number, value, due)
        raise Difference("draws", detail, path)
