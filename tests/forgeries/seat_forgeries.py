"""Seats, combatants and decisions that are not those which the action names.

How this works. As in `invariant_forgeries.py`. The event that erases a text is made into one that
changes a seat or brings a combatant in: nothing behind it depends on either.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from tests.forgeries.bundle_forger import Forger, Line
from tests.forgeries.bundle_forgeries import Forgery
from tests.forgeries.invariant_forgeries import Bodies, Found, Kinds, Lie, effects_of, of_kinds

ZOE: Final[Line] = {"combatants": ["rita"], "id": "zoe", "role": "player", "sides": ["red"]}
ROSA: Final[Line] = {"combatants": [], "id": "rosa", "role": "player", "sides": ["red"]}
Kind = Callable[[Bodies], Found]


def of_seats(forger: Forger, name: str) -> Iterator[Forgery]:
    """Those of the battle of the vectors."""
    yield from of_kinds(forger, name, _OF_THE_LOG, whole=_WHOLE)


def of_decisions(forger: Forger, name: str) -> Iterator[Forgery]:
    """Those of a battle in which something is asked."""
    yield from of_kinds(forger, name, _OF_DECISIONS, whole=())


def _instead(action: Line, effect: Line, path: str) -> Kind:
    """Another action with its effect where a text is erased."""

    def found(bodies: Bodies) -> Found:
        for body, _, _ in effects_of(bodies, "erased"):
            yield Lie(
                body["seq"],
                f"$.effects[0]{path}",
                lambda each: each.update(action=action, effects=[effect]),
            )

    return found


def _seat(action: Line, path: str, *, removed: bool = False, **seat: Any) -> Kind:
    """A seat that becomes another than the action says."""
    true = ZOE if action["type"] == "add_seat" else ROSA
    effect: Line = {"seat": {**true, **seat}, "type": "seat_changed"}
    if removed:
        effect["removed"] = True
    return _instead(action, effect, path)


def _in_event_1(path: str, change: Callable[[Line], object]) -> Kind:
    return lambda bodies: iter([Lie(1, path, change)])


def _of_the_first(kind: str, way: str, change: Callable[[Line], object]) -> Kind:
    """The first effect of a kind in event 1 is not what was asked for."""

    def found(bodies: Bodies) -> Found:
        [place, *_] = [at for body, at, _ in effects_of(bodies[:1], kind)]
        yield Lie(1, f"$.effects[{place}].{way}", change)

    return found


def _another_fighter(body: Line) -> None:
    body["action"]["combatants"][0]["id"] = "zita"


def _one_more_fighter(body: Line) -> None:
    listed = body["action"]["combatants"]
    listed.append({**listed[0], "id": "zita"})


def _kept_seed(bodies: Bodies) -> Found:
    for body, at, _ in effects_of(bodies, "seed_revealed"):
        change = _asking("reveal", "later")
        yield Lie(body["seq"], f"$.effects[{at}]", change)


def _seed_left_out(bodies: Bodies) -> Found:
    for body, _, _ in effects_of(bodies, "seed_revealed"):
        yield Lie(body["seq"], "$.action", lambda each: each["effects"].pop())


def _asking(name: str, value: Any) -> Callable[[Line], object]:
    return lambda body: body["action"].update({name: value})


def _answers(bodies: Bodies) -> Iterator[tuple[Line, int, Line]]:
    """Answers that everybody sees, with the place of what they close."""
    for body, at, closed in effects_of(bodies, "decision_closed"):
        action = body.get("action", {})
        is_told = "choice" in closed and "how" in closed and "full" not in closed
        if action.get("decision_id") == closed.get("decision_id") and is_told:
            yield body, at, closed


def _other_decision(bodies: Bodies) -> Found:
    for body, _, _ in _answers(bodies):
        change = _asking("decision_id", "d2.1")
        yield Lie(body["seq"], "$.action.decision_id", change)


def _other_choice(bodies: Bodies) -> Found:
    for body, at, closed in _answers(bodies):
        if body["action"].get("choice") == {"type": closed["choice"]}:
            change = _asking("choice", {"type": "take_cover"})
            yield Lie(body["seq"], f"$.effects[{at}].choice", change)


def _no_option(bodies: Bodies) -> Found:
    opened = {
        effect["decision"]["id"]
        for _, _, effect in effects_of(bodies, "decision_opened")
        if "decision" in effect
    }
    for body, at, closed in _answers(bodies):
        if closed["decision_id"] in opened:
            yield Lie(body["seq"], f"$.effects[{at}].choice", _chosen(at))


def _chosen(at: int) -> Callable[[Line], object]:
    def change(body: Line) -> None:
        body["effects"][at]["choice"] = "flee"
        if "choice" in body["action"]:
            body["action"]["choice"] = {"type": "flee"}

    return change


_ADDED: Final[Line] = {"seat": ZOE, "type": "add_seat"}
_RENAMED: Final[Line] = {"seat": "rosa", "type": "change_seat"}
_GONE: Final[Line] = {"seat": "rosa", "type": "remove_seat"}
_HERS: Final[Line] = {
    "combatants": ["rita"],
    "seat": "rosa",
    "sides": ["red"],
    "type": "assign_control",
}
_HIS: Final[Line] = {
    "combatants": ["bela"],
    "seat": "rosa",
    "sides": ["red"],
    "type": "control_changed",
}
_FIGHTER: Final[Line] = {"id": "zita", "place": {"x": 2, "y": 2}, "side": "red"}
_WHOLE: Final = (
    "seat_added_as_master",
    "seat_promoted",
    "seat_promoted_unasked",
    "seat_removed_unasked",
    "seat_not_removed",
    "other_first_fighter",
    "other_first_seat",
    "other_first_role",
    "seed_not_to_be_told",
)
_OF_THE_LOG: Final[Kinds] = {
    "seat_added_as_master": (
        "A new seat is the game master's, and was to be a player's.",
        _seat(_ADDED, ".seat.role", role="gm"),
    ),
    "seat_added_elsewhere": (
        "A new seat acts for another side.",
        _seat(_ADDED, ".seat.sides", sides=["blue"]),
    ),
    "seat_added_for_another": (
        "A new seat acts for another combatant.",
        _seat(_ADDED, ".seat.combatants", combatants=["bela"]),
    ),
    "seat_promoted": (
        "A seat was to have another role, and keeps its own.",
        _seat({**_RENAMED, "role": "observer"}, ".seat.role"),
    ),
    "seat_promoted_unasked": (
        "A seat becomes the game master's, and only its name was to change.",
        _seat(_RENAMED, ".seat.role", role="gm"),
    ),
    "seat_moved": (
        "A seat acts for another side than it was to.",
        _seat({**_RENAMED, "sides": ["red"]}, ".seat.sides", sides=["blue"]),
    ),
    "seat_moved_unasked": (
        "A seat acts for another side, and only its name was to change.",
        _seat(_RENAMED, ".seat.sides", sides=["blue"]),
    ),
    "seat_for_another": (
        "A seat acts for another combatant than it was to.",
        _seat({**_RENAMED, "combatants": ["rita"]}, ".seat.combatants", combatants=["bela"]),
    ),
    "seat_removed_unasked": (
        "A seat is removed, and only its name was to change.",
        _seat(_RENAMED, ".removed", removed=True),
    ),
    "seat_not_removed": (
        "A seat was to be removed, and is not.",
        _seat(_GONE, ".removed"),
    ),
    "control_of_another": (
        "A seat is given control of another combatant.",
        _instead(_HERS, _HIS, ".combatants"),
    ),
    "other_fighter_added": (
        "Somebody else comes in than was to.",
        _instead(
            {"combatant": _FIGHTER, "type": "add_combatant"},
            {"combatant": {**_FIGHTER, "id": "hugo"}, "type": "combatant_added"},
            ".combatant.id",
        ),
    ),
    "other_first_fighter": (
        "In event 1 somebody else comes in than was to.",
        _of_the_first("combatant_added", "combatant.id", _another_fighter),
    ),
    "fighter_left_out": (
        "Of those that were to come in, one is missing.",
        _in_event_1("$.action", _one_more_fighter),
    ),
    "other_first_seat": (
        "In event 1 a seat has another id than was asked for.",
        _of_the_first(
            "seat_changed", "seat.id", lambda body: body["action"]["seats"][0].update(id="zoe")
        ),
    ),
    "other_first_role": (
        "In event 1 a seat has another role than was asked for.",
        _of_the_first(
            "seat_changed",
            "seat.role",
            lambda body: body["action"]["seats"][0].update(role="observer"),
        ),
    ),
    "other_first_side": (
        "In event 1 a seat acts for another side than was asked for.",
        _of_the_first(
            "seat_changed",
            "seat.sides",
            lambda body: body["action"]["seats"][0].update(sides=["blue"]),
        ),
    ),
    "other_sides": (
        "Other sides were asked for.",
        _in_event_1(
            "$.effects[0].sides", lambda body: body["action"]["sides"][1].update(id="green")
        ),
    ),
    "seed_not_to_be_told": ("The seed was to be kept.", _kept_seed),
    "seed_to_be_told": ("The seed was to be revealed with the end.", _seed_left_out),
}
_OF_DECISIONS: Final[Kinds] = {
    "other_decision": ("An answer names another decision than it closes.", _other_decision),
    "other_choice": ("A decision is closed with another choice than was made.", _other_choice),
    "no_option": ("A decision is closed with a choice that it does not offer.", _no_option),
}
