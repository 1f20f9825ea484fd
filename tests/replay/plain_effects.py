"""Draws, rolls and sightings as `/docs/specification` shows them, for the verifier next to it."""

from collections.abc import Iterator
from typing import Any

from tests.engine.plain_dice import hmac_sha256

Tree = dict[str, Any]


def own_stream(at: str, sides: list[str]) -> int:
    """The stream of the list of draws at this path."""
    own = {f"parts.facts.{side}:$.draws": number for number, side in enumerate(sides, 1)}
    return {"$.draws": 0, **own}.get(at, 255)


def first_wrong_draw(
    draws: list[Tree], key: bytes | None, seq: int, at: str, stream: int
) -> str | None:
    """The path of the first draw that is not the next one of its list's stream."""
    source = None if key is None else tape(key, seq, stream)
    for index, draw in enumerate(draws):
        if not is_draw(draw):
            return f"{at}[{index}]"
        if draw["stream"] != stream:
            return f"{at}[{index}].stream"
        if draw["number"] != index + 1:
            return f"{at}[{index}].number"
        face = draw["face"] if source is None else next_face(source, draw["sides"])
        if draw["face"] != face or not 1 <= face <= draw["sides"]:
            return f"{at}[{index}].face"
    return None


def listed_draws(
    body: Tree, opened: dict[tuple[str, str], Tree]
) -> Iterator[tuple[str, list[Tree]]]:
    """The draws of the body and of each part of facts at hand, with the path of the list."""
    yield "$.draws", body["draws"]
    for (kind, audience), part in opened.items():
        if kind == "facts":
            draws = [v for path, v in part["entries"] if len(path) == 2 and path[0] == "draws"]
            yield f"parts.facts.{audience}:$.draws", draws


def tape(key: bytes, seq: int, stream: int) -> Iterator[int]:
    """The bytes of a stream."""
    block = 0
    while True:
        counters = seq.to_bytes(8, "big") + bytes([stream]) + block.to_bytes(4, "big")
        yield from hmac_sha256(key, counters)
        block += 1


def next_face(source: Iterator[int], sides: int) -> int:
    """The next face of a die."""
    width = 1 if sides <= 256 else 2
    while True:
        value = int.from_bytes([next(source) for _ in range(width)], "big")
        if value < sides * (256**width // sides):
            return value % sides + 1


def rolls(value: Any, path: str) -> Iterator[tuple[str, Tree]]:
    """Every roll at any depth, with its path; keys in their order."""
    if isinstance(value, dict):
        if {"faces", "sides"} <= value.keys():
            yield path, value
        for name, inner in value.items():
            yield from rolls(inner, f"{path}.{name}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from rolls(inner, f"{path}[{index}]")


RUN_FIELDS = {"stream", "number", "count", "seq", "uncounted"}


def is_run(run: Any) -> bool:
    """Whether numbers of a run are from 1, its stream is one, and no member is unknown."""
    if not isinstance(run, dict) or not run.keys() <= RUN_FIELDS:
        return False
    numbers = [run.get("number"), run.get("count", 1), run.get("seq", 1)]
    is_stream = is_within(run.get("stream"), 0, 255)
    is_word = run.get("uncounted", WORDS[0]) in WORDS
    return is_stream and is_word and all(is_within(each, 1, 2**31 - 1) for each in numbers)


def is_within(value: Any, least: int, most: int) -> bool:
    """Whether a value is a whole number from one to the other."""
    return type(value) is int and least <= value <= most


WORDS = ("replaced", "unread", "nobody_affected", "target_down")


def is_roll(roll: Tree) -> bool:
    """Whether an object has all that a roll has."""
    lists = [roll.get("faces"), roll.get("draws")]
    return (
        all(isinstance(each, list) for each in lists)
        and all(type(each) is int for each in (*roll["faces"], roll["sides"], roll.get("total")))
        and all(map(is_run, roll["draws"]))
    )


def is_draw(value: Any) -> bool:
    """Whether a value has the form of a draw."""
    if not isinstance(value, dict) or not isinstance(value.get("purpose"), str):
        return False
    bounds = {"stream": (0, 255), "number": (1, 2**53 - 1), "sides": (1, 65536), "face": (1, 65536)}
    return all(
        is_within(value.get(name), least, most) for name, (least, most) in bounds.items()
    ) and isinstance(value.get("combatant", ""), str)


def named_draws(roll: Tree) -> list[Tree]:
    """The draws that the runs of a roll name, one by one; fewer or more than faces if wrong."""
    return [
        {**run, "number": run["number"] + nth}
        for run in roll["draws"]
        for nth in range(run.get("count", len(roll["faces"])))
    ]


TAKEN_UP = (1, -1, 0)
"""Stands among the draws of a fork for those of the log that it continues, which are not here."""


def first_wrong_roll(event: Tree, seen: dict[tuple[int, int, int], Tree], at: str) -> str | None:
    """The path of the first roll, or else of the first draw, that does not fit in one view."""
    seq = event["seq"]
    if seq == 1 and any(isinstance(e, dict) and "fork_of" in e for e in event["effects"]):
        seen[TAKEN_UP] = {}
    unnamed = {(seq, draw["stream"], draw["number"]): draw for draw in event["draws"]}
    seen |= unnamed
    for path, roll in rolls(event["effects"], f"{at}.effects"):
        draws = named_draws(roll) if is_roll(roll) else []
        if not is_roll(roll) or len(draws) != len(roll["faces"]):
            return path
        for place, draw in enumerate(draws):
            where = (draw.get("seq", seq), draw["stream"], draw["number"])
            if draw.get("seq") == 1 and TAKEN_UP in seen:
                continue
            if where not in seen or ("seq" not in draw and unnamed.pop(where, None) is None):
                return f"{path}.draws"
            if seen[where]["sides"] != roll["sides"]:
                return f"{path}.sides"
            if seen[where]["face"] != roll["faces"][place]:
                return f"{path}.faces[{place}]"
        counted = [f for f, d in zip(roll["faces"], draws, strict=True) if "uncounted" not in d]
        if sum(counted) != roll["total"]:
            return f"{path}.total"
    left = [event["draws"].index(draw) for draw in unnamed.values()]
    return f"{at}.draws[{left[0]}]" if left else None
