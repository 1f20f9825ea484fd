"""Parts that bring what the body alone says, and orders that pair other elements."""

from collections.abc import Callable, Iterator
from json import loads
from typing import Any

from service.engine import hashing
from service.engine.log import canonical
from service.engine.log.parts import part_names
from tests.forgeries.bundle_forger import SIDES, Forger, Line, with_entry
from tests.forgeries.bundle_forgeries import Forgery, part_of

RED_FACTS = ("facts", "red")
GM_FACTS = ("facts", "gm")


def of_open_parts(forger: Forger, seqs: dict[str, int]) -> Iterator[Forgery]:
    """All of them, each in the whole bundle and in red's where red may read the part."""
    yield from _entries(forger, seqs["end"])
    yield from _orders(forger, seqs["shot"] + 1)


def _entries(forger: Forger, seq: int) -> Iterator[Forgery]:
    seed: Line = {"opened": "none", "seed": "11" * 32, "type": "seed_revealed"}
    given: Line = {"seat": "rosa", "type": "contributed", "value": "11" * 32}
    changes: dict[str, tuple[str, list[Any]]] = {
        "via_by_facts": ("who asked", [["by", "via"], "another"]),
        "member_by_facts": ("a member that no event has", [["again"], 1]),
        "number_by_facts": ("a number among the effects", [["effects", 0], 5]),
        "untyped_by_facts": ("an effect without a type", [["effects", 0], {"combatant": "rita"}]),
        "seed_by_facts": ("a seed", [["effects", 0], seed]),
        "entropy_by_facts": ("a contribution", [["effects", 0], given]),
    }
    line = forger.line_of(seq)
    [true] = [loads(each) for each in forger.bundles[forger.red][line - 1 : line]]
    at = len(part_of(true, *RED_FACTS)["body"]["entries"])
    found = {"check": "parts", "line": line, "path": f"parts.facts.red.entries[{at}]"}
    for name, (what, entry) in changes.items():
        for side, file in (("red", forger.red), ("gm", forger.gm)):
            lines = forger.relined(seq, _with(entry), file=file)
            yield Forgery(f"{name}_{side}", f"Facts bring {what}.", file, lines, found)


def _with(entry: list[Any]) -> Callable[[Line], object]:
    return lambda line: with_entry(line, RED_FACTS, entry)


def _orders(forger: Forger, seq: int) -> Iterator[Forgery]:
    line = forger.line_of(seq)
    found = {"check": "parts", "line": line, "path": "parts.facts.gm"}

    def turned(orders: list[Any]) -> None:
        for order in orders:
            order[1].reverse()

    def strange(orders: list[Any]) -> None:
        orders[0][1][-1] = "green"

    for name, about, change in (
        ("order_turned", "Orders that pair other elements.", turned),
        ("order_of_strangers", "An order for a side that there is not.", strange),
    ):
        lines = forger.relined(seq, _reordered(change))
        yield Forgery(name, about, forger.gm, lines, found)


def _reordered(change: Callable[[list[Any]], None]) -> Callable[[Line], object]:
    """The orders of an event changed, committed to again."""

    def changed(line: Line) -> None:
        part = part_of(line, *GM_FACTS)
        change(part["body"]["orders"])
        salt, body = bytes.fromhex(part["salt"]), canonical.encode(part["body"])
        line["commits"][part_names(SIDES).index(GM_FACTS)] = hashing.part_commit(salt, body).hex()
        line["event"]["sealed"] = hashing.sealed(bytes.fromhex("".join(line["commits"])))

    return changed
