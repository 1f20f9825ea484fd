"""What holds for every log, whatever its ruleset."""

from typing import Any, Final

from msgspec import Struct

from warlog.verifier.details import said
from warlog.verifier.findings import Difference, path_text
from warlog.verifier.line_forms import Json, is_origin
from warlog.verifier.log_state import LogState, is_digest

_AFTER_THE_END: Final = frozenset(
    {
        "seed_revealed",
        "parts_opened",
        "revealed",
        "noted",
        "erased",
        "seat_changed",
        "control_changed",
    }
)


class _SoFar(Struct):
    """What effects of an event leave for those behind them in it."""

    seq: int
    has_creation: bool
    has_started: bool
    is_revealed: bool
    is_created: bool = False


def check_log_rules(log: LogState, body: Json) -> None:
    """Check the effects of an event. Raises a Difference for the first that no log has."""
    so_far = _SoFar(
        seq=body["seq"],
        has_creation=log.creation is not None and log.creation.origin != "unknown",
        has_started=log.has_started,
        is_revealed=log.revealed is not None,
    )
    for at, effect in enumerate(body["effects"]):
        wrong = _wrong_with(effect, so_far) or _wrong_names(effect, body["encounter"])
        if wrong is not None:
            raise Difference("log_rules", said(wrong), path_text(["effects", at]))
    _check_end(log, body)
    if so_far.seq == 1 and not so_far.is_created:
        raise Difference("log_rules", said("the first event creates nothing"), "$.effects[0]")


def _check_end(log: LogState, body: Json) -> None:
    """After the end nothing happens any more, unless a rewind goes back behind it."""
    kinds = [each["type"] for each in body["effects"]]
    if body["base"] not in log.ended or "rewound" in kinds:
        return
    for at, kind in enumerate(kinds):
        if kind not in _AFTER_THE_END:
            detail = said("{} after the end", kind)
            raise Difference("log_rules", detail, path_text(["effects", at]))


def check_timely(log: LogState, body: Json, root: str) -> None:
    """An event with draws is between the start and the seed. Raises a Difference."""
    starts = any(each["type"] == "encounter_started" for each in body["effects"])
    if not log.has_started and not starts:
        raise Difference("log_rules", said("dice before the start"), f"{root}.draws")
    if log.revealed is not None:
        detail = said("dice behind the seed that everyone knows")
        raise Difference("log_rules", detail, f"{root}.draws")


def _wrong_with(effect: Json, so_far: _SoFar) -> str | None:
    match effect["type"]:
        case "encounter_created":
            return _wrong_creation(effect, so_far)
        case "contributed":
            if so_far.has_started:
                return "a contribution after the start"
            is_right = is_digest(effect.get("value"))
            return None if is_right else "a contribution without 32 bytes"
        case "encounter_started":
            if so_far.has_started:
                return "a start that is not the first"
            so_far.has_started = True
        case "seed_revealed":
            if so_far.is_revealed:
                return "a seed that is revealed twice"
            so_far.is_revealed = True
            return None if is_digest(effect.get("seed")) else "a revealed seed without 32 bytes"
        case "erased":
            seqs = effect.get("seqs")
            is_right = isinstance(seqs, list) and all(
                type(each) is int and 1 <= each < so_far.seq for each in seqs
            )
            return None if is_right else "an erasure that names no earlier events"
        case _:
            pass
    return None


def _wrong_names(effect: Json, encounter: Any) -> str | None:
    """What is wrong with the digests that terms name, and with the log that a fork continues."""
    if effect["type"] not in ("encounter_created", "options_set"):
        return None
    if any(name in effect and not is_digest(effect[name]) for name in ("content", "map")):
        return "a map or content that is named by no digest"
    origin = effect.get("fork_of") if effect["type"] == "encounter_created" else None
    is_own = isinstance(origin, dict) and origin.get("encounter") == encounter
    return "a fork that continues itself" if is_own else None


def _wrong_creation(effect: Json, so_far: _SoFar) -> str | None:
    if so_far.seq != 1 or so_far.is_created:
        return "a creation that is not the first"
    so_far.is_created = True
    if not so_far.has_creation:
        return "a creation without what it has to name"
    if ("fork_of" in effect) != isinstance(effect.get("state"), dict):
        return "a fork without the battle that it continues, or such a battle without one"
    if "fork_of" in effect and not is_origin(effect["fork_of"]):
        return "a fork that does not name the event that it continues"
    return None
