"""Events that do something else than their action asks for, and forged names of who asked.

How this works. As in `invariant_forgeries.py`; most kinds are of the log and not of a rulebook, and
so they are made of one battle alone.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from tests.forgeries.bundle_forger import Forger, Line
from tests.forgeries.bundle_forgeries import Forgery
from tests.forgeries.invariant_forgeries import (
    Bodies,
    Change,
    Found,
    Kinds,
    Lie,
    effects_of,
    of_kinds,
)

_OTHER: Final = "ff" * 32


def of_asked_effects(forger: Forger, name: str) -> Iterator[Forgery]:
    """Those of the rulebook of a battle."""
    yield from of_kinds(forger, name, _OF_RULEBOOKS, whole=("asked_by_another_id",))


def of_the_books(forger: Forger, name: str) -> Iterator[Forgery]:
    """Those of one battle's log."""
    yield from of_kinds(forger, name, _OF_THE_LOG, whole=_WHOLE)


def of_own_origin(fork: Forger, name: str) -> Iterator[Forgery]:
    """A fork that names another event than was asked for, or one of its own."""

    def asked(body: Line) -> None:
        body["action"]["fork_of"]["seq"] += 1

    def own(body: Line) -> None:
        for holder in (body["action"], body["effects"][0]):
            holder["fork_of"]["encounter"] = body["encounter"]

    line = fork.line_of(1)
    about = "A fork continues another event than was asked for."
    found = {"check": "invariants", "line": line, "path": "$.effects[0].fork_of"}
    lines = fork.rehashed(1, asked, file=fork.red)
    yield Forgery(f"{name}_other_origin_red", about, fork.red, lines, found)
    for side, file in (("red", fork.red), ("gm", fork.gm)):
        about = "A fork continues itself."
        found = {"check": "log_rules", "line": line, "path": "$.effects[0]"}
        lines = fork.rehashed(1, own, file=file)
        yield Forgery(f"{name}_fork_of_itself_{side}", about, file, lines, found)


def _by_players(bodies: Bodies) -> Iterator[Line]:
    """Events with an action of a player's that everybody sees."""
    for body in bodies:
        if body["by"]["role"] == "player" and "action" in body:
            yield body


def _by_keys(bodies: Bodies) -> Iterator[Line]:
    for body in bodies[1:]:
        if body["by"]["kind"] == "key":
            yield body


def _asked_by(find: Callable[[Bodies], Iterator[Line]], place: str, **by: Any) -> Any:
    """Events under another name of who asked; None takes a member away."""

    def change(body: Line) -> None:
        given = {**body["by"], **by}
        body["by"] = {name: value for name, value in given.items() if value is not None}

    def found(bodies: Bodies) -> Found:
        for body in find(bodies):
            yield Lie(body["seq"], f"$.by.{place}", change)

    return found


def _asked_for(kind: str, place: str, **action: Any) -> Any:
    """Effects of a type whose action asks for something else."""

    def change(body: Line) -> None:
        body["action"].update(action)

    def found(bodies: Bodies) -> Found:
        for body, at, _ in effects_of(bodies, kind):
            yield Lie(body["seq"], f"$.effects[{at}].{place}", change)

    return found


def _told(kind: str, place: str, value: Any) -> Any:
    """Effects of a type that tell something else than their action asks for."""

    def found(bodies: Bodies) -> Found:
        for body, at, _ in effects_of(bodies, kind):
            yield Lie(body["seq"], f"$.effects[{at}].{place}", _updated(at, place, value))

    return found


def _updated(at: int, place: str, value: Any) -> Change:
    return lambda body: body["effects"][at].update({place: value})


def _added(*effects: Line) -> Any:
    """An event of a player's with effects that no such action has."""

    def found(bodies: Bodies) -> Found:
        for body in _by_players(bodies[3:]):
            path = f"$.effects[{len(body['effects'])}]"
            yield Lie(body["seq"], path, lambda each: each["effects"].extend(effects))

    return found


def _twice(kind: str) -> Any:
    def found(bodies: Bodies) -> Found:
        for body, _, effect in effects_of(bodies, kind):
            path = f"$.effects[{len(body['effects'])}]"
            yield Lie(body["seq"], path, _with(effect))

    return found


def _dropped(kind: str) -> Any:
    def found(bodies: Bodies) -> Found:
        for body, at, _ in effects_of(bodies, kind):
            yield Lie(body["seq"], "$.action", _without(at))

    return found


def _with(effect: Line) -> Change:
    return lambda body: body["effects"].append(effect)


def _without(at: int) -> Change:
    return lambda body: body["effects"].pop(at)


def _other_target(bodies: Bodies) -> Found:
    """The action of an attack asks for another target."""
    for body, at, attack in effects_of(bodies, "attack_resolved"):
        action, attacker = body.get("action", {}), attack.get("detail", {}).get("attacker")
        is_own = "target" in action and attacker == action["combatant"] and "target" in attack
        if is_own and body["by"]["role"] == "player":
            yield Lie(body["seq"], f"$.effects[{at}].target", _asking("target"))


def _other_mover(bodies: Bodies) -> Found:
    """The action of a walk asks somebody else to move."""
    for body, at, _ in effects_of(bodies, "moved"):
        action = body.get("action", {})
        if action.get("type") == "move" and body["by"]["role"] == "player":
            yield Lie(body["seq"], f"$.effects[{at}].combatant", _asking("combatant"))


def _asking(member: str) -> Change:
    return lambda body: body["action"].update({member: "nobody"})


_WHOLE: Final = (
    "entropy_swapped",
    "entropy_of_another",
    "seed_given",
    "via_of_a_key",
    "other_winner",
)
_OF_RULEBOOKS: Final[Kinds] = {
    "other_target": ("Somebody else was to be attacked.", _other_target),
    "other_mover": ("Somebody else was to move.", _other_mover),
    "asked_by_another_id": (
        "A seat asks under the id of another.",
        _asked_by(_by_players, "seat", id="nobody"),
    ),
}
_OF_THE_LOG: Final[Kinds] = {
    "asked_by_no_seat": (
        "A player asks without a seat, and so may act for everybody.",
        _asked_by(_by_players, "seat", seat=None),
    ),
    "key_with_a_seat": ("A key has a seat.", _asked_by(_by_keys, "seat", seat="rosa")),
    "key_as_a_player": ("A key asks as a player.", _asked_by(_by_keys, "role", role="player")),
    "via_of_a_key": ("A key acts by another key.", _asked_by(_by_keys, "via", via="another")),
    "an_observer_acts": (
        "A seat acts that only looks on.",
        _asked_by(_by_players, "role", role="observer"),
    ),
    "entropy_swapped": (
        "The dice have other bytes than were contributed.",
        _asked_for("contributed", "value", value=_OTHER),
    ),
    "entropy_of_another": (
        "Bytes are put down to another seat.",
        _told("contributed", "seat", "nobody"),
    ),
    "entropy_twice": ("One action contributes twice.", _twice("contributed")),
    "entropy_dropped": ("What was contributed is left out.", _dropped("contributed")),
    "seed_given": (
        "Whoever created the battle gave the seed.",
        _asked_for("encounter_created", "seed", seed="given"),
    ),
    "other_commitment": (
        "Another seed was committed to.",
        _asked_for("encounter_created", "commitment", commitment=_OTHER),
    ),
    "dice_of_the_table": (
        "The table was to roll.",
        _asked_for("encounter_created", "dice.mode", dice="supplied"),
    ),
    "other_map": ("Another map was asked for.", _asked_for("encounter_created", "map", map=_OTHER)),
    "other_creator": (
        "Somebody else is said to have created the battle.",
        _told("encounter_created", "creator", {"id": "nobody", "kind": "key", "role": "gm"}),
    ),
    "rewound_elsewhere": (
        "The rewind was to lead to another event.",
        _asked_for("rewound", "to", to=4),
    ),
    "erasure_dropped": ("An erasure without its effect.", _dropped("erased")),
    "erased_more": ("Other texts were to be erased.", _asked_for("erased", "seqs", seqs=[1])),
    "other_winner": (
        "Another side was to win.",
        _asked_for("encounter_ended", "winner", winner="blue"),
    ),
    "opened_wider": (
        "Parts were to be opened wider.",
        _asked_for("encounter_ended", "opened", open="sides"),
    ),
    "parts_opened_unasked": (
        "Parts are opened by another action.",
        _added({"opened": "none", "type": "parts_opened"}),
    ),
    "control_unasked": (
        "A seat is given control by another action.",
        _added({"combatants": [], "seat": "boris", "sides": [], "type": "control_changed"}),
    ),
    "note_unasked": ("Somebody notes without a note.", _added({"type": "noted"})),
    "end_unasked": (
        "The battle ends by another action.",
        _added({"cause": "gm", "opened": "none", "type": "encounter_ended"}),
    ),
}
