"""The checks of one event, in the order of the specification; each raises a Difference.

What an event leaves for those behind it is taken down by `log_state`, whatever was found.
"""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from warlog.verifier.canonical_json import flaw_of, written
from warlog.verifier.details import said
from warlog.verifier.dice import GM_STREAM, PUBLIC_STREAM
from warlog.verifier.digests import hex_digest, label
from warlog.verifier.draws import check_draws, draw_lists, stream_of
from warlog.verifier.findings import ABSENT, Difference, shown
from warlog.verifier.joint_view import joint_view_of
from warlog.verifier.line_forms import Json
from warlog.verifier.log_rules import check_log_rules, check_timely
from warlog.verifier.log_state import LogState
from warlog.verifier.parts import Opened, opened_parts, part_name, view_of
from warlog.verifier.rolls import View, check_rolls
from warlog.verifier.text_places import unknown_type
from warlog.verifier.whole_view import whole_of

_EVENT: Final = label("warlog/event/1")
_PART: Final = label("warlog/seal/1")
_MOMENT: Final = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z")


def check_event(log: LogState, line: Json, *, has_odd_parts: bool) -> None:
    """Check an event against the log before it. Raises the first Difference.

    The body is one that canonical JSON can hold; `has_odd_parts`: the parts are not.
    """
    body = line["event"]
    _check_moment(body["at"])
    if has_odd_parts:
        _check_parts(line)
    _check_hash(line)
    _check_chain(log, body)
    check_log_rules(log, body)
    _check_commitments(log, line)
    _check_entitlement(log, line)
    unknown = _check_dice(log, line)
    if unknown is not None:
        raise unknown
    if log.unknown is None:
        log.unknown = _unknown_place(log, line)


def _unknown_place(log: LogState, line: Json) -> str | None:
    """Where an event has a ruleset, version or type that the table does not have."""
    if log.places is None:
        return "$.effects[0].version"
    facts = [
        (f"parts.facts.{part['audience']}", part["body"])
        for part in line["parts"]
        if part["kind"] == "facts"
    ]
    return unknown_type(line["event"], facts, log.places)


def _check_moment(at: str) -> None:
    """RFC 3339 in UTC with milliseconds, a moment that the calendar has."""
    try:
        is_moment = _MOMENT.fullmatch(at) is not None and bool(datetime.fromisoformat(at))
    except ValueError:
        is_moment = False
    if not is_moment:
        raise Difference("canonical", said("{} is no moment", shown(at)), "$.at")


def _check_hash(line: Json) -> None:
    due = hex_digest(_EVENT, written(line["event"]))
    if due != line["hash"]:
        raise Difference("hash", said("{} instead of {}", line["hash"], due), "hash")


def _check_chain(log: LogState, body: Json) -> None:
    rewound = [each for each in body["effects"] if each["type"] == "rewound"]
    base = rewound[0].get("to", ABSENT) if rewound else body["seq"] - 1
    due = {
        "seq": log.seq + 1,
        "encounter": log.header["encounter"],
        "prev": log.hash,
        "base": base,
    }
    for name, value in due.items():
        if type(body[name]) is not type(value) or body[name] != value:
            detail = said("{} instead of {}", shown(body[name]), shown(value))
            raise Difference("chain", detail, f"$.{name}")
    if len(rewound) > 1 or (rewound and not 1 <= body["base"] < body["seq"]):
        raise Difference("chain", said("a rewind to no earlier event"), "$.base")


def _check_commitments(log: LogState, line: Json) -> None:
    commits, sealed = line["commits"], line["event"]["sealed"]
    due = hex_digest(*map(bytes.fromhex, commits))
    if due != sealed:
        raise Difference("commitment", said("{} instead of {}", sealed, due), "$.sealed")
    if len(commits) != len(log.names):
        detail = said("{} commitments instead of {}", len(commits), len(log.names))
        raise Difference("commitment", detail, "commits")
    committed = dict(zip(log.names, commits, strict=True))
    for part in line["parts"]:
        if "salt" not in part:
            continue
        path = f"parts.{part['kind']}.{part['audience']}"
        commit = hex_digest(_PART, bytes.fromhex(part["salt"]), written(part["body"]))
        right = committed.get(part_name(part), commit)
        if commit != right:
            raise Difference("commitment", said("{} instead of {}", right, commit), path)


def _check_parts(line: Json) -> None:
    """Parts that canonical JSON can hold."""
    for part in line["parts"]:
        flaw = flaw_of(part["body"]) if "body" in part else None
        if flaw is not None:
            path = f"parts.{part['kind']}.{part['audience']}"
            raise Difference("canonical", flaw.reason, path)


def _check_entitlement(log: LogState, line: Json) -> None:
    due = log.entitled_names(line["event"]["seq"])
    held = list(dict.fromkeys(map(part_name, line["parts"])))
    missing = ", ".join(name for name in due if name not in held)
    foreign = ", ".join(name for name in held if name not in due)
    if missing and foreign:
        detail = said("missing: {}; not the viewer's: {}", missing, foreign)
    elif missing:
        detail = said("missing: {}", missing)
    else:
        detail = said("not the viewer's: {}", foreign)
    if missing or foreign:
        raise Difference("entitlement", detail, "parts")


def _check_dice(log: LogState, line: Json) -> Difference | None:
    """The draws of every list at hand, and the rolls of every view that can be put together.

    Whom an effect names that is not known is given back, and else what of the table of invariants
    does not hold: both are judged last.
    """
    body = line["event"]
    lists = draw_lists(line, log.sides)
    for each in lists:
        if each.draws or each.flaw:
            check_timely(log, body, each.root)
    for each in lists:
        check_draws(each, log.streams_of(body["seq"]))
    log.note_drawn_again(line, lists)
    log.learn_dice(body["seq"], lists)
    return _check_views(log, line)


def _check_views(log: LogState, line: Json) -> Difference | None:
    body, sides = line["event"], log.sides
    opened = opened_parts(line["parts"])
    views = {"everyone": view_of(body, opened, "everyone", log.places)}
    common = _event_view(body, views["everyone"], "$")
    unknown = log.sight("everyone", common)
    odd = log.hold("everyone", common)
    tells_again = _judge(log, common, "$", lambda each: each == PUBLIC_STREAM)
    for side in sides:
        if f"facts/{side}" not in opened:
            continue
        views[side] = view_of(body, opened, side, log.places)
        if side not in log.complete_sides:
            continue
        root = f"{side}:$"
        view = _event_view(body, views[side], root)
        of_side = log.sight(side, view)
        unknown = unknown or of_side
        odd_to_side = log.hold(side, view)
        odd = odd or odd_to_side
        if _is_another(view, common):
            seen = (PUBLIC_STREAM, stream_of(side, sides))
            _judge(log, view, root, seen.__contains__)
        else:
            log.retell(root, view, tells_again=tells_again)
    _require_distinct(body, opened, sides)
    if log.header["viewer"]["kind"] == "gm":
        whole = _event_view(body, whole_of(views, opened, log.places), "gm:$")
        odd_to_gm = log.hold("gm", whole)
        odd = odd or odd_to_gm
        if _is_another(whole, common):
            _judge(log, whole, "gm:$", lambda each: each <= len(sides) or each == GM_STREAM)
        else:
            log.retell("gm:$", whole, tells_again=tells_again)
    return unknown or odd


def _require_distinct(body: Json, opened: Opened, sides: Sequence[str]) -> None:
    """Raises a Difference where two sides set the same member.

    Where the game master's facts are there, they put the sides together.
    """
    held = [
        side for side in sides if _says(opened, f"facts/{side}") or _says(opened, f"text/{side}")
    ]
    if len(held) < 2 or "facts/gm" in opened:
        return
    try:
        joint_view_of(body, opened, held)
    except Difference:
        raise Difference("parts", said("a member that two sides set"), "parts") from None


def _says(opened: Opened, name: str) -> bool:
    return name in opened and bool(opened[name]["entries"])


def _event_view(body: Json, view: Json, root: str) -> Json:
    """A view as it is judged.

    Where it is in the log the body alone says, and what is no list of effects shows none.
    Raises a Difference where it has no list of draws.
    """
    if not isinstance(view.get("draws"), list):
        raise Difference("draws", said("no list of draws"), f"{root}.draws")
    due = {"seq": body["seq"], "base": body["base"]}
    if not isinstance(view.get("effects"), list):
        due["effects"] = []
    return view if all(view.get(name) is each for name, each in due.items()) else {**view, **due}


def _is_another(view: Json, other: Json) -> bool:
    """Whether a view shows other effects or draws than another."""
    return view["effects"] is not other["effects"] or view["draws"] is not other["draws"]


def _judge(log: LogState, body: Json, root: str, sees: Callable[[int], bool]) -> bool:
    """Hold the rolls of a view against the draws that it shows; whether one tells draws again."""
    is_fork = log.creation is not None and log.creation.is_fork
    tells_again = check_rolls(View(body, root, is_fork, sees), log.known)
    log.retell(root, body, tells_again=tells_again)
    return tells_again
