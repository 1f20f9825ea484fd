"""What somebody with every key of the service does to a bundle, and where it is found."""

from typing import Any, Final

from tests.clients.rechained import Line


def event_of(lines: list[Line], seq: int) -> Line:
    return next(line for line in lines if line["type"] == "event" and line["event"]["seq"] == seq)


def _effect(lines: list[Line], seq: int, at: int = -1) -> dict[str, Any]:
    effect: dict[str, Any] = event_of(lines, seq)["event"]["effects"][at]
    return effect


def _fork(lines: list[Line]) -> object:
    """Event 1 becomes that of a fork."""
    _effect(lines, 1, 0).update(_FORK)
    return event_of(lines, 1)["event"]["action"].update(_FORK)


def _add(lines: list[Line], seq: int, effect: dict[str, Any]) -> object:
    return event_of(lines, seq)["event"]["effects"].append(effect)


def _facts(lines: list[Line], *entries: list[Any]) -> None:
    """Let red's facts of event 12, which had none, have entries."""
    parts = event_of(lines, 12)["parts"]
    facts = next(part for part in parts if (part["kind"], part["audience"]) == ("facts", "red"))
    facts["body"] = {"entries": list(entries)}


def _no_draw_behind_a_number(lines: list[Line]) -> None:
    _facts(lines, [["draws", 0], {"a": 1}])
    event_of(lines, 12)["event"]["draws"][0].update(number=2)


def _everyone(lines: list[Line], *entries: list[Any]) -> None:
    text = event_of(lines, 12)["parts"][0]
    text["body"] = {"entries": list(entries)}


def _roll(lines: list[Line]) -> dict[str, Any]:
    roll: dict[str, Any] = _effect(lines, 12, 1)["detail"]["roll"]
    return roll


_DRAW: Final = {"stream": 0, "number": 1, "sides": 6, "face": 1, "purpose": "luck"}
_CREATED: Final = {"type": "encounter_created"}
_GIVEN: Final = {"type": "contributed", "seat": "rosa", "value": "a1" * 32}
_SEED: Final = {"type": "seed_revealed", "opened": "none", "seed": bytes(range(32)).hex()}
_REVEAL: Final = {"type": "reveal", "open": "none", "seed": True}
_TOLD: Final = {"faces": [4, 2], "sides": 6, "total": 6}
_BEFORE: Final[dict[str, Any]] = {
    "type": "noted",
    "roll": {**_TOLD, "draws": [{"stream": 0, "number": 7, "seq": 1}]},
}
#: What event 1 says of a fork that takes up a battle in which nothing waits.
_FORK: Final[dict[str, Any]] = {
    "fork_of": {"encounter": "before", "hash": "0" * 64, "seq": 9, "status": "setup"},
    "state": {},
}
_BLOB: Final = {
    "type": "blob",
    "body": {"a": 1},
    "digest": "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862",
}

#: What somebody with every key of the service does to red's bundle, and where it is found.
REMADE: Final[dict[str, tuple[Any, dict[str, Any] | None]]] = {
    "unchanged": (lambda _: None, None),
    "created_twice": (
        lambda lines: _add(lines, 3, _CREATED),
        {"check": "log_rules", "line": 5, "path": "$.effects[1]"},
    ),
    "never_created": (
        lambda lines: event_of(lines, 1)["event"]["effects"].pop(0),
        {"check": "log_rules", "line": 3, "path": "$.effects[0]"},
    ),
    "late_contribution": (
        lambda lines: _add(lines, 13, _GIVEN),
        {"check": "log_rules", "line": 15, "path": "$.effects[5]"},
    ),
    "odd_contribution": (
        lambda lines: _effect(lines, 3).update(value="zz"),
        {"check": "log_rules", "line": 5, "path": "$.effects[0]"},
    ),
    "other_contribution": (
        lambda lines: (
            _effect(lines, 3).update(value="c3" * 32),
            event_of(lines, 3)["event"]["action"].update(value="c3" * 32),
        ),
        {"check": "draws", "line": 7, "path": "$.draws[0].face"},
    ),
    "dice_before_the_start": (
        lambda lines: event_of(lines, 4)["event"]["draws"].append(_DRAW),
        {"check": "log_rules", "line": 6, "path": "$.draws"},
    ),
    "seed_revealed_before_dice": (
        lambda lines: event_of(lines, 11)["event"].update(action=_REVEAL, effects=[_SEED], base=10),
        {"check": "log_rules", "line": 14, "path": "$.draws"},
    ),
    "seed_revealed_twice": (
        lambda lines: _add(lines, 16, _SEED),
        {"check": "log_rules", "line": 18, "path": "$.effects[2]"},
    ),
    "another_seed_revealed": (
        lambda lines: _effect(lines, 16).update(seed="11" * 32),
        {"check": "header_differs", "where": "seed"},
    ),
    "seed_never_revealed": (
        lambda lines: (
            event_of(lines, 16)["event"]["effects"].pop(),
            event_of(lines, 16)["event"]["action"].update(reveal="later"),
        ),
        {"check": "header_differs", "where": "seed"},
    ),
    "no_such_day": (
        lambda lines: event_of(lines, 13)["event"].update(at="2026-02-30T20:00:13.000Z"),
        {"check": "canonical", "line": 15, "path": "$.at"},
    ),
    "moment_without_milliseconds": (
        lambda lines: event_of(lines, 13)["event"].update(at="2026-11-21T20:00:13Z"),
        {"check": "canonical", "line": 15, "path": "$.at"},
    ),
    "rewind_to_what_comes": (
        lambda lines: (
            _effect(lines, 11).update(to=12),
            event_of(lines, 11)["event"].update(base=12),
        ),
        {"check": "chain", "line": 13, "path": "$.base"},
    ),
    "rewind_to_nothing": (
        lambda lines: (
            _effect(lines, 11).update(to=0),
            event_of(lines, 11)["event"].update(base=0),
        ),
        {"check": "chain", "line": 13, "path": "$.base"},
    ),
    "commitment_too_many": (
        lambda lines: event_of(lines, 13)["commits"].append("0" * 64),
        {"check": "commitment", "line": 15, "path": "commits"},
    ),
    "parts_in_another_order": (
        lambda lines: event_of(lines, 13)["parts"].reverse(),
        {"check": "wrong_parts", "line": 15},
    ),
    "blob_that_nobody_names": (
        lambda lines: lines.insert(2, _BLOB),
        {"check": "unnamed_blob", "where": "blobs"},
    ),
    "blob_that_is_named": (lambda lines: lines.pop(1), {"check": "missing_blob", "where": "blobs"}),
    "side_of_another_battle": (
        lambda lines: lines[0]["viewer"]["grants"][0].update(sides=["green"]),
        {"check": "entitlement", "line": 3, "path": "parts"},
    ),
    "grants_that_go_back": (
        lambda lines: lines[0]["viewer"]["grants"].append({"since": 1, "sides": ["red"]}),
        {"check": "wrong_viewer", "line": 1},
    ),
    "null_in_a_body": (
        lambda lines: _effect(lines, 13).update(x=None),
        {"check": "canonical", "line": 15, "path": "$"},
    ),
    "number_beyond_all_bounds": (
        lambda lines: _effect(lines, 13).update(x=10**400),
        {"check": "canonical", "line": 15, "path": "$"},
    ),
    "capital_in_a_part": (
        lambda lines: _facts(lines, [["note"], {"A": 1}]),
        {"check": "canonical", "line": 14, "path": "parts.facts.red"},
    ),
    "part_that_leads_nowhere": (
        lambda lines: _facts(lines, [["effects", 99], {"type": "noted"}]),
        {"check": "parts", "line": 14, "path": "parts.facts.red.entries[0]"},
    ),
    "draw_that_is_none": (
        lambda lines: _facts(lines, [["draws", 0], {"a": 1}]),
        {"check": "draws", "line": 14, "path": "parts.facts.red:$.draws[0]"},
    ),
    "draw_that_is_none_behind_another_face": (
        _no_draw_behind_a_number,
        {"check": "draws", "line": 14, "path": "$.draws[0].number"},
    ),
    "face_changed_by_facts": (
        lambda lines: _facts(lines, [["draws", 0, "face"], 6]),
        {"check": "parts", "line": 14, "path": "parts.facts.red.entries[0]"},
    ),
    "face_changed_by_a_text": (
        lambda lines: _everyone(lines, [["draws", 0, "face"], 6]),
        {"check": "parts", "line": 14, "path": "parts.text.everyone.entries[0]"},
    ),
    "roll_changed_by_facts": (
        lambda lines: _facts(lines, [["effects", 1, "detail", "roll", "total"], 24]),
        {"check": "parts", "line": 14, "path": "parts.facts.red.entries[0]"},
    ),
    "stream_of_a_side": (
        lambda lines: event_of(lines, 12)["event"]["draws"][0].update(stream=1),
        {"check": "draws", "line": 14, "path": "$.draws[0].stream"},
    ),
    "number_left_out": (
        lambda lines: event_of(lines, 12)["event"]["draws"][0].update(number=2),
        {"check": "draws", "line": 14, "path": "$.draws[0].number"},
    ),
    "odd_reason": (
        lambda lines: _roll(lines)["draws"][0].update(uncounted="lost"),
        {"check": "draws", "line": 14, "path": "$.effects[1].detail.roll"},
    ),
    "die_that_does_not_count_after_all": (
        lambda lines: _roll(lines)["draws"][0].update(uncounted="unread"),
        {"check": "draws", "line": 14, "path": "$.effects[1].detail.roll.total"},
    ),
    "effects_changed_by_a_text": (
        lambda lines: _everyone(lines, [["effects"], 5]),
        {"check": "parts", "line": 14, "path": "parts.text.everyone.entries[0]"},
    ),
    "draws_changed_by_facts": (
        lambda lines: _facts(lines, [["draws"], {"a": 1}]),
        {"check": "parts", "line": 14, "path": "parts.facts.red.entries[0]"},
    ),
    "base_changed_by_a_text_before_a_rewind": (
        lambda lines: event_of(lines, 9)["parts"][0].update(body={"entries": [[["base"], 9]]}),
        {"check": "parts", "line": 11, "path": "parts.text.everyone.entries[0]"},
    ),
    "roll_of_a_log_before": (
        lambda lines: _add(lines, 12, _BEFORE),
        {"check": "draws", "line": 14, "path": "$.effects[3].roll.draws"},
    ),
    "roll_of_the_log_that_a_fork_continues": (
        lambda lines: (_fork(lines), _add(lines, 12, _BEFORE)),
        {"check": "draws", "line": 14, "path": "$.effects[3].roll.draws"},
    ),
    "odd_total_of_the_log_that_a_fork_continues": (
        lambda lines: (
            _fork(lines),
            _add(lines, 12, {**_BEFORE, "roll": {**_BEFORE["roll"], "total": 7}}),
        ),
        {"check": "draws", "line": 14, "path": "$.effects[3].roll.total"},
    ),
    "fork_of_no_battle": (
        lambda lines: _effect(lines, 1, 0).update(fork_of={"seq": 9}),
        {"check": "log_rules", "line": 3, "path": "$.effects[0]"},
    ),
    "battle_of_no_fork": (
        lambda lines: _effect(lines, 1, 0).update(state={}),
        {"check": "log_rules", "line": 3, "path": "$.effects[0]"},
    ),
    "roll_without_a_total": (
        lambda lines: _roll(lines).pop("total"),
        {"check": "draws", "line": 14, "path": "$.effects[1].detail.roll"},
    ),
    "roll_of_an_event_to_come": (
        lambda lines: _roll(lines)["draws"][0].update(seq=15),
        {"check": "draws", "line": 14, "path": "$.effects[1].detail.roll.draws"},
    ),
    "draw_named_twice": (
        lambda lines: _add(lines, 12, {"type": "noted", "roll": dict(_roll(lines))}),
        {"check": "draws", "line": 14, "path": "$.effects[3].roll.draws"},
    ),
    "ruleset_of_another_battle": (
        lambda lines: lines[0].update(ruleset="melody-d6"),
        {"check": "header_differs", "where": "ruleset"},
    ),
    "prototype_in_a_body": (lambda lines: _effect(lines, 13).update({"__proto__": {"a": 1}}), None),
    "keys_like_numbers": (lambda lines: _effect(lines, 13).update({"10": 1, "9": 2}), None),
}
