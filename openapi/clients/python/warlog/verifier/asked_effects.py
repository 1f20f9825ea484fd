"""Rows of the table of invariants on who asked, and on effects that repeat their action.

How this works. Some effects on the encounter and its log come with certain actions alone, once
in an event, and say again what these ask for. Everybody may know all of that, whatever the ruleset.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from warlog.verifier.details import Detail, said
from warlog.verifier.findings import ABSENT, shown
from warlog.verifier.line_forms import Json

_Found: TypeAlias = Iterator[tuple[str, Detail]]
"""The places within the view of what does not hold, and why."""


class _Repeated(NamedTuple):
    """Where an effect says again what its action asks for."""

    given: tuple[str, ...]
    asked: tuple[str, ...]


def _repeated(given: str, asked: str = "") -> _Repeated:
    """The same, from ways with dots; without `asked` both are alike."""
    return _Repeated(tuple(given.split(".")), tuple((asked or given).split(".")))


_OPENED: Final = (_repeated("opened", "open"),)
_TERMS: Final = (
    _repeated("ruleset"),
    _repeated("version"),
    _repeated("dice.mode", "dice"),
    _repeated("commitment"),
    _repeated("seed"),
    _repeated("options"),
    _repeated("map"),
    _repeated("content"),
    _repeated("reveal_by_days"),
    _repeated("fork_of"),
)
_ASKED: Final[Mapping[str, Mapping[str, tuple[_Repeated, ...]]]] = {
    "contributed": {"contribute": (_repeated("value"),)},
    "control_changed": {"assign_control": (_repeated("seat"), _repeated("sides"))},
    "encounter_created": {"create_encounter": _TERMS},
    "encounter_ended": {"end_encounter": (_repeated("winner"), *_OPENED)},
    "encounter_started": {"start_encounter": ()},
    "erased": {"erase": ()},
    "noted": {"note": ()},
    "parts_opened": {"reveal": _OPENED},
    "rewound": {"rewind": (_repeated("to"),)},
    "seat_changed": {
        "create_encounter": (),
        "add_seat": (_repeated("seat.id"), _repeated("seat.role")),
        "change_seat": (_repeated("seat.id", "seat"),),
        "remove_seat": (_repeated("seat.id", "seat"),),
    },
    "seed_revealed": {"end_encounter": _OPENED, "reveal": _OPENED},
}
"""Of each type of effect: the actions that it comes with, and what it repeats of them."""

REPEATING: Final = frozenset(_ASKED)
_MANY: Final = "seat_changed"
"""The one of these effects that may stand in an event several times."""

_EFFECTS_OF: Final[Mapping[str, frozenset[str]]] = {
    "add_seat": frozenset({"seat_changed"}),
    "assign_control": frozenset({"control_changed"}),
    "change_seat": frozenset({"seat_changed"}),
    "contribute": frozenset({"contributed"}),
    "create_encounter": frozenset({"encounter_created"}),
    "end_encounter": frozenset({"encounter_ended"}),
    "erase": frozenset({"erased"}),
    "note": frozenset({"noted"}),
    "remove_seat": frozenset({"seat_changed"}),
    "reveal": frozenset({"parts_opened", "seed_revealed"}),
    "rewind": frozenset({"rewound"}),
    "start_encounter": frozenset({"encounter_started"}),
}
"""The effects of which each of these actions has one."""


def wrong_asker(by: Json) -> _Found:
    """A seat asks under its own id; keys and the service ask as game masters."""
    role, seat = by.get("role"), by.get("seat")
    if by.get("kind") == "seat":
        if seat is None or seat != by.get("id"):
            yield ".by.seat", said("{} instead of {}", _shown(seat), shown(by.get("id")))
        if role == "observer":
            yield ".by.role", said("an observer acts")
        return
    if seat is not None:
        yield ".by.seat", said("a seat of a key or the service")
    if role != "gm":
        yield ".by.role", said("{} instead of {}", shown(role), shown("gm"))
    if "via" in by:
        yield ".by.via", said("a key that acts for no seat")


def missing_effect(action: Json, effects: Iterable[tuple[int, str, Json]]) -> _Found:
    """An action has the effect that it asks for."""
    asked = action.get("type")
    due = _EFFECTS_OF.get(asked) if isinstance(asked, str) else None
    if due is not None and due.isdisjoint(kind for _, kind, _ in effects):
        yield ".action", said("an action without its effect")


def is_asked(kind: str, effect: Json) -> bool:
    """Whether an effect comes with an action alone: a battle may end by the rules, too."""
    return kind != "encounter_ended" or effect.get("cause", "gm") == "gm"


def wrong_repetition(view: Json, kind: str, effect: Json, before: set[str], path: str) -> _Found:
    """An effect is what its action asks for; `before` are the types of those before it."""
    if not is_asked(kind, effect):
        return
    action, by = _tree(view.get("action")), _tree(view.get("by"))
    asked = action.get("type")
    rows = _ASKED[kind].get(asked) if isinstance(asked, str) else None
    if rows is None or (kind in before and kind != _MANY):
        yield path, said("an effect that the action does not ask for")
        return
    for row in rows:
        yield from _differing(path, effect, row.given, _at(action, row.asked))
    match kind:
        case "contributed":
            yield from _differing(path, effect, ("seat",), by.get("seat", by.get("id")))
        case "encounter_created":
            yield from _differing(path, effect, ("creator",), view.get("by"))
        case "erased":
            yield from _differing(path, effect, ("seqs",), _once(action.get("seqs")))
        case _:
            pass


def wrong_target(action: Json, effect: Json, path: str) -> _Found:
    """Whoever acts attacks the target that was asked for; a shot astray may strike an ally."""
    asked, given = action.get("target"), effect.get("target")
    attacker = _tree(effect.get("detail")).get("attacker")
    is_asked = asked is not None and given is not None and effect.get("rule") != "CF-ALLY-3"
    if is_asked and attacker is not None and attacker == action.get("combatant") and given != asked:
        yield f"{path}.target", said("{} instead of {}", shown(given), shown(asked))


def wrong_mover(action: Json, effect: Json, path: str) -> _Found:
    """Whoever is asked to move moves; others may flee then."""
    asked, given = action.get("combatant"), effect.get("combatant")
    is_asked = action.get("type") == "move" and effect.get("cause") != "panic"
    if is_asked and asked is not None and given is not None and given != asked:
        yield f"{path}.combatant", said("{} instead of {}", shown(given), shown(asked))


def _differing(path: str, effect: Json, way: tuple[str, ...], due: Any) -> _Found:
    given = _at(effect, way)
    if not _is_same(given, due):
        yield f"{path}.{'.'.join(way)}", said("{} instead of {}", _shown(given), _shown(due))


def _once(seqs: Any) -> Any:
    """Whole numbers in order, each once; anything else as it is."""
    if isinstance(seqs, list) and all(type(each) is int for each in seqs):
        return sorted(set(seqs))
    return seqs


def _is_same(first: Any, second: Any) -> bool:
    """Whether two values of JSON are the same; true is not 1."""
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(
            _is_same(each, second[name]) for name, each in first.items()
        )
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(_is_same, first, second))
    return type(first) is type(second) and bool(first == second)


def _shown(value: Any) -> str | Detail:
    return shown(ABSENT if value is None else value)


def _at(value: Any, way: tuple[str, ...]) -> Any:
    """What is found on a way; None if nothing is."""
    for step in way:
        value = _tree(value).get(step)
    return value


def _tree(value: Any) -> Json:
    return value if isinstance(value, dict) else {}
