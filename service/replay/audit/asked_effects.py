"""Rows of the table of invariants on who asked, and on effects that repeat their action.

How this works. Some effects on the encounter and its log come with certain actions alone, once
in an event, and say again what these ask for. Everybody may know all of that, whatever the ruleset.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET

from service.engine.ruleset.shown_sheets import Tree
from service.engine.vocabulary.values import By
from service.replay.report.differences import Difference, difference

Found = Iterator[Difference]


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
    "control_changed": {
        "assign_control": (_repeated("seat"), _repeated("sides"), _repeated("combatants"))
    },
    "encounter_created": {"create_encounter": _TERMS},
    "encounter_ended": {"end_encounter": (_repeated("winner"), *_OPENED)},
    "encounter_started": {"start_encounter": ()},
    "erased": {"erase": ()},
    "noted": {"note": ()},
    "parts_opened": {"reveal": _OPENED},
    "rewound": {"rewind": (_repeated("to"),)},
    "seat_changed": {
        "create_encounter": (),
        "add_seat": (
            _repeated("seat.id"),
            _repeated("seat.role"),
            _repeated("seat.sides"),
            _repeated("seat.combatants"),
        ),
        "change_seat": (_repeated("seat.id", "seat"),),
        "remove_seat": (_repeated("seat.id", "seat"),),
    },
    "seed_revealed": {"end_encounter": _OPENED, "reveal": _OPENED},
}
"""Of each type of effect: the actions that it comes with, and what it repeats of them."""

REPEATING: Final = frozenset(_ASKED)
_REVEALED: Final = "seed_revealed"
_CLOSED: Final = "decision_closed"
_ANSWERS: Final = ("answer", "force_pass")
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


def asker_difference(by: By) -> Difference | None:
    """A seat asks under its own id; keys and the service ask as game masters."""
    if by.kind == "seat":
        if by.seat != by.id:
            return difference("$.by.seat", by.seat, by.id)
        return difference("$.by.role", by.role, UNSET) if by.role == "observer" else None
    if by.seat is not UNSET:
        return difference("$.by.seat", by.seat, UNSET)
    if by.role != "gm":
        return difference("$.by.role", by.role, "gm")
    return difference("$.by.via", by.via, UNSET) if by.via is not UNSET else None


def wrong_asker(by: object) -> Difference | None:
    """The same of a tree."""
    match by:
        case {"kind": "seat", "id": str(name), "role": "player", "seat": seat} if seat == name:
            return None  # as most are
        case _:
            pass
    try:
        return asker_difference(msgspec.convert(by, By))
    except msgspec.ValidationError:
        return difference("$.by", by, UNSET)


def missing_effect(action: Tree, effects: Sequence[tuple[int, str, Tree]], root: str) -> Found:
    """An action has the effects that it asks for."""
    asked = action.get("type")
    due = _EFFECTS_OF.get(asked) if isinstance(asked, str) else None
    if due is None and asked != "add_combatant":
        return
    kinds = [kind for _, kind, _ in effects]
    is_missing = due is not None and due.isdisjoint(kinds)
    is_missing |= _reveals_now(action) and _REVEALED not in kinds
    is_missing |= kinds.count("combatant_added") < len(_added_ids(action) or ())
    if is_missing:
        yield difference(f"{root}.action", action, UNSET)


def _reveals_now(action: Tree) -> bool:
    return action.get("type") == "end_encounter" and action.get("reveal") == "now"


def wrong_addition(action: Tree, effect: Tree, nth: int, path: str) -> Found:
    """The `nth` combatant that comes in is the one that was asked for."""
    ids = _added_ids(action)
    if ids is not None:
        due = ids[nth] if nth < len(ids) else None
        yield from _differing(f"{path}.combatant.id", effect, ("combatant", "id"), due)


def _added_ids(action: Tree) -> list[object] | None:
    """The ids of the combatants that an action brings in; None where it shows nothing of them."""
    match action:
        case {"type": "create_encounter"}:
            return _ids(action.get("combatants"))
        case {"type": "add_combatant", "combatant": sheet}:
            return [_tree(sheet).get("id")]
        case _:
            return None


def wrong_answer(
    action: Tree, named: object, effects: Sequence[tuple[int, str, Tree]], root: str
) -> Found:
    """An answer closes the decision that it names, if the event shows that it closes any."""
    if action.get("type") not in _ANSWERS:
        return
    closed = [effect.get("decision_id") for _, kind, effect in effects if kind == _CLOSED]
    is_shown = any(each is not None for each in closed)
    if is_shown and not any(_is_same(each, named) for each in closed):
        yield difference(f"{root}.action.decision_id", named, UNSET)


def wrong_choice(action: Tree, effect: Tree, options: Sequence[object] | None, path: str) -> Found:
    """A decision is closed with the choice that was made, which is one of its `options`."""
    choice = effect.get("choice")
    if choice is None:
        return
    is_own = effect.get("decision_id") is not None and _is_same(
        effect["decision_id"], action.get("decision_id")
    )
    due = _tree(action.get("choice")).get("type")
    if action.get("type") == "force_pass":
        due = "pass"
    if is_own and action.get("type") in _ANSWERS and due is not None and not _is_same(choice, due):
        yield difference(f"{path}.choice", choice, due)
    is_free = options is not None and effect.get("how") != "forced"
    if is_free and not any(_is_same(choice, each) for each in options or ()):
        yield difference(f"{path}.choice", choice, UNSET)


def is_asked(kind: str, effect: Tree) -> bool:
    """Whether an effect comes with an action alone: a battle may end by the rules, too."""
    return kind != "encounter_ended" or effect.get("cause", "gm") == "gm"


def wrong_repetition(
    tree: Tree, kind: str, effect: Tree, before: Mapping[str, int], last: Tree, path: str
) -> Found:
    """An effect is what its action asks for.

    `before` counts the types of those before it; `last` are role and sides of its seat so far.
    """
    if not is_asked(kind, effect):
        return
    action, by = _tree(tree.get("action")), _tree(tree.get("by"))
    asked = action.get("type")
    rows = _ASKED[kind].get(asked) if isinstance(asked, str) else None
    is_early = kind == _REVEALED and asked == "end_encounter" and not _reveals_now(action)
    if rows is None or is_early or (kind in before and kind != _MANY):
        yield difference(path, effect, UNSET)
        return
    for row in rows:
        yield from _differing(
            f"{path}.{'.'.join(row.given)}", effect, row.given, _at(action, row.asked)
        )
    match kind:
        case "contributed":
            yield from _differing(f"{path}.seat", effect, ("seat",), by.get("seat", by.get("id")))
        case "encounter_created":
            sides, due = _ids(effect.get("sides")), _ids(action.get("sides"))
            if not _is_same(sides, due):
                yield difference(f"{path}.sides", sides, due)
            yield from _differing(f"{path}.creator", effect, ("creator",), tree.get("by"))
        case "erased":
            seqs = _once(action.get("seqs"))
            yield from _differing(f"{path}.seqs", effect, ("seqs",), seqs)
        case "seat_changed":
            yield from _wrong_seat(action, effect, last, before.get(kind, 0), path)
        case _:
            pass


def _wrong_seat(action: Tree, effect: Tree, last: Tree, nth: int, path: str) -> Found:
    """A seat is as it was asked for, in event 1 the `nth`; what is not asked is as it was last."""
    due: Tree = {}
    match action.get("type"):
        case "create_encounter":
            seats = action.get("seats")
            listed = seats if isinstance(seats, list) else []
            asked = _tree(listed[nth]) if nth < len(listed) else {}
            due = {name: asked.get(name) for name in ("id", "role", "sides")}
        case "change_seat":
            told = {**last, **action}
            due = {name: told[name] for name in ("role", "sides", "combatants") if name in told}
        case _:
            pass
    for name, value in due.items():
        yield from _differing(f"{path}.seat.{name}", effect, ("seat", name), value)
    is_removed = action.get("type") == "remove_seat" or None
    yield from _differing(f"{path}.removed", effect, ("removed",), is_removed)


def wrong_target(action: Tree, effect: Tree, path: str) -> Found:
    """Whoever acts attacks the target that was asked for; a shot astray may strike an ally."""
    asked, given = action.get("target"), effect.get("target")
    attacker = _tree(effect.get("detail")).get("attacker")
    is_asked = asked is not None and given is not None and effect.get("rule") != "CF-ALLY-3"
    if is_asked and attacker is not None and attacker == action.get("combatant") and given != asked:
        yield difference(f"{path}.target", given, asked)


def wrong_mover(action: Tree, effect: Tree, path: str) -> Found:
    """Whoever is asked to move moves; others may flee then."""
    asked, given = action.get("combatant"), effect.get("combatant")
    is_asked = action.get("type") == "move" and effect.get("cause") != "panic"
    if is_asked and asked is not None and given is not None and given != asked:
        yield difference(f"{path}.combatant", given, asked)


def _differing(path: str, effect: Tree, way: tuple[str, ...], due: object) -> Found:
    given = _at(effect, way)
    if not _is_same(given, due):
        yield difference(path, _shown(given), _shown(due))


def _ids(listed: object) -> list[object]:
    """The ids of objects in an array."""
    return [_tree(each).get("id") for each in listed] if isinstance(listed, list) else []


def _once(seqs: object) -> object:
    """Whole numbers in order, each once; anything else as it is."""
    if isinstance(seqs, list) and all(type(each) is int for each in seqs):
        return sorted(set(seqs))
    return seqs


def _is_same(first: object, second: object) -> bool:
    """Whether two values of JSON are the same; true is not 1."""
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(
            _is_same(each, second[name]) for name, each in first.items()
        )
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(_is_same, first, second))
    return type(first) is type(second) and first == second


def _shown(value: object) -> object:
    return UNSET if value is None else value


def _at(value: object, way: tuple[str, ...]) -> object:
    """What is found on a way; None if nothing is."""
    for step in way:
        if not isinstance(value, dict):
            return None
        value = value.get(step)
    return value


def _tree(value: object) -> Tree:
    return value if isinstance(value, dict) else {}
