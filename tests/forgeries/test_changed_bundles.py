"""Whatever is changed in a whole bundle so that a reader is shown something else, the audit finds.

Somebody with every key adds, removes or changes one entry of a part, or one thing in a body.
Nothing of that is clean, apart from strings of text, the clock, and what people asked for where the
same comes of it: that is the service's word, as the page says.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from service.engine.log import canonical
from service.engine.log.event import view_of_event
from service.engine.visibility.scope import GAME_MASTER, Viewer
from service.replay.audit.trust import Kept
from service.replay.bundle.reader import DamagedBundle
from tests.clients.test_verifier import place_of
from tests.clients.verifier import bytes_case, judged
from tests.forgeries.bundle_forger import PUBLIC, SIDES, Forger, Line, with_entries
from tests.forgeries.short_battles import BATTLES
from tests.forgeries.verdicts import audited, trusted
from tests.replay import plain_verifier
from tests.replay.audit_vectors import battle
from tests.soak import with_soak

ROUNDS: Final = 40
VIEWERS: Final = (Viewer(), *(Viewer(sides=(side,)) for side in SIDES), GAME_MASTER)
SHOWN: Final = ("draws", "effects")
"""What of an event follows from what was asked for."""


def leaves(value: Any, way: list[Any]) -> Iterator[list[Any]]:
    """The paths of all values that hold no others."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, [*way, name])
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from leaves(inner, [*way, at])
    else:
        yield way


def nudged(value: Any, rng: Random, words: list[str]) -> Any:
    """A value with one leaf that is another of its kind, or with something left out or twice."""
    way = rng.choice(list(leaves(value, [])) or [[]])
    if not way:
        return other(value, rng, words)
    tree = json.loads(json.dumps(value))
    holder = tree
    for step in way[:-1]:
        holder = holder[step]
    last = way[-1]
    if rng.random() < 0.8:
        holder[last] = other(holder[last], rng, words)
    elif isinstance(holder, list):
        holder.insert(last, holder[last]) if rng.random() < 0.5 else holder.pop(last)
    else:
        del holder[last]
    return tree


def other(leaf: Any, rng: Random, words: list[str]) -> Any:
    """Another value of the same kind."""
    if isinstance(leaf, bool):
        return not leaf
    if isinstance(leaf, int):
        return leaf + rng.choice((-1, 1, 2))
    if isinstance(leaf, str):
        return rng.choice([word for word in words if word != leaf])
    return 1


def with_one_thing_changed(line: Line, rng: Random) -> str:
    """Change one thing in an event's line that a reader is shown; what kind of change it is."""
    words = sorted({*strings(line["event"]["effects"]), "rita", "x"})
    parts = [part for part in line["parts"] if part["kind"] == "facts"]
    filled = [part for part in parts if part["body"]["entries"]]
    kind: str = rng.choice(("add", "body", *(("remove", "change") if filled else ())))
    if kind == "body":
        body = line["event"]
        names = [name for name in SHOWN if body[name]]
        if names:
            name = rng.choice(names)
            body[name] = nudged(body[name], rng, words)
        return kind
    part = rng.choice(parts if kind == "add" else filled)
    change = {"add": add_entry, "remove": remove_entry, "change": change_entry}[kind]
    with_entries(
        line, ("facts", part["audience"]), lambda entries: change(entries, line, rng, words)
    )
    return kind


def strings(value: Any) -> Iterator[str]:
    """All strings in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


def add_entry(entries: list[Any], line: Line, rng: Random, words: list[str]) -> None:
    """One more member or element, at a place that there is."""
    effects = line["event"]["effects"]
    value = rng.choice((1, 0, True, rng.choice(words), {"type": "turn_ended"}))
    if not effects or rng.random() < 0.2:
        path: list[Any] = ["effects", rng.randint(0, len(effects))]
        value = nudged(rng.choice(effects), rng, words) if effects else {"type": "turn_ended"}
    else:
        path = ["effects", rng.randrange(len(effects)), rng.choice(MEMBERS)]
    entries.insert(rng.randint(0, len(entries)), [path, value])


MEMBERS: Final = (
    *("combatant", "health", "place", "roll", "outcome", "visible", "amount", "reason", "hidden"),
    *("side", "weapon", "target", "detail", "visible_path", "seat", "winner", "dc", "path", "end"),
)


def remove_entry(entries: list[Any], line: Line, rng: Random, words: list[str]) -> None:
    """One entry less."""
    entries.pop(rng.randrange(len(entries)))


def change_entry(entries: list[Any], line: Line, rng: Random, words: list[str]) -> None:
    """One entry with another value."""
    entry = rng.choice(entries)
    entry[1] = nudged(entry[1], rng, words)


def shown(line: Line) -> list[Any]:
    """What everybody is shown of an event; nothing of one that cannot be put together."""
    filled = {
        (part["kind"], part["audience"]): canonical.encode(part["body"])
        for part in line["parts"]
        if part.get("body", {}).get("entries")
    }
    body = canonical.encode(line["event"])
    views = []
    for viewer in VIEWERS:
        try:
            view = json.loads(view_of_event(body, filled, SIDES, viewer))
        except (LookupError, TypeError, ValueError):
            return []
        views.append({name: view.get(name) for name in SHOWN})
    return views


def forged(forger: Forger, rng: Random) -> tuple[str, int, list[bytes]]:
    """A whole bundle in which one event is shown otherwise to somebody."""
    while True:
        seq = rng.randint(1, len(forger.table.sealed))
        line = json.loads(forger.bundles[forger.gm][forger.line_of(seq) - 1])
        before = shown(line)
        state = rng.getstate()
        try:
            kind = with_one_thing_changed(line, rng)
        except canonical.NotCanonical:
            continue
        if shown(line) == before:
            continue
        rng.setstate(state)
        lines = forger.relined(seq, lambda each: with_one_thing_changed(each, rng))
        return kind, seq, lines


CASES: Final = {"crossfire": ROUNDS} | {f"many of {name}": 240 for name in ("crossfire", *BATTLES)}


@pytest.mark.parametrize("case", with_soak(["crossfire"], [*CASES][1:]))
def test_whatever_a_reader_is_shown_otherwise_is_found(case: str, tmp_path: Path) -> None:
    name = case.removeprefix("many of ")
    table = battle() if name == "crossfire" else BATTLES[name]()
    forger = Forger(table, "bundle" if name == "crossfire" else f"bundle-{name}")
    rng = Random(case)
    forgeries = [forged(forger, rng) for _ in range(CASES[case])]
    kinds = Counter(kind for kind, _, _ in forgeries)
    assert kinds.keys() == {"add", "body", "change", "remove"}
    cases = [bytes_case(str(at), b"".join(lines)) for at, (_, _, lines) in enumerate(forgeries)]
    reports = judged(cases, tmp_path)
    missed = []
    for at, (_, seq, lines) in enumerate(forgeries):
        wrong = [*by_audit(seq, lines), *by_plain_verifiers(reports[str(at)], lines)]
        missed += [f"{each} of {difference_of(forger, seq, lines)}" for each in wrong]
    assert missed == []


def by_audit(seq: int, lines: list[bytes]) -> Iterator[str]:
    """What the audit does not say of a bundle in which this event was changed."""
    found = audited(lines, Kept(trusted=trusted(PUBLIC.hex())))
    if isinstance(found, DamagedBundle):
        return
    first = found.first_failure
    if not first:
        yield "the audit finds nothing"
    elif first.seq != seq:
        yield f"the audit finds event {first.seq}"
    elif first.verdict == "unavailable" and first.code != "version_unknown":
        yield f"the audit says {first.code}"


def by_plain_verifiers(report: dict[str, Any], lines: list[bytes]) -> Iterator[str]:
    """Where verifiers that know no rules differ: the word `rules` is of those who are seen."""
    found = place_of(report)
    if found is None or found["check"] == "rules":
        found = None
    elif found["check"] == "unreadable":
        return  # the plain verifier leaves the form of lines to the schema
    plain = plain_verifier.first_difference(lines, PUBLIC.hex())
    if plain != found:
        yield f"the plain verifier says {plain} instead of {found}"


def difference_of(forger: Forger, seq: int, lines: list[bytes]) -> list[str]:
    """Where what the game master is shown of an event differs, with both values."""
    number = forger.line_of(seq) - 1
    true, told = (json.loads(each[number]) for each in (forger.bundles[forger.gm], lines))
    return list(differences(shown(true), shown(told), "$"))


def differences(one: Any, two: Any, at: str) -> Iterator[str]:
    """Where two values differ."""
    if isinstance(one, dict) and isinstance(two, dict):
        for name in sorted({*one, *two}):
            yield from differences(one.get(name), two.get(name), f"{at}.{name}")
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for place, pair in enumerate(zip(one, two, strict=True)):
            yield from differences(*pair, f"{at}[{place}]")
    elif one != two or type(one) is not type(two):
        yield f"{at}: {one} | {two}"


def test_what_is_gone_is_told_alike(tmp_path: Path) -> None:
    forger = Forger(BATTLES["squad"](), "bundle-squad")
    bodies = [json.loads(line).get("event", {}) for line in forger.bundles[forger.red]]
    seq = next(
        body["seq"]
        for body in bodies
        if any(effect["type"] == "round_began" for effect in body.get("effects", ()))
    )

    def without_round(body: Any) -> None:
        [began] = [effect for effect in body["effects"] if effect["type"] == "round_began"]
        del began["round"]

    lines = forger.rehashed(seq, without_round, file=forger.red)
    [report] = judged([bytes_case("round", b"".join(lines))], tmp_path).values()
    assert report["first"]["detail"] == "nothing instead of 1"
