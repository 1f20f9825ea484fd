"""What no log has at its place, and parts that lead nowhere, for whoever reads however little."""

import json
from typing import Any

import msgspec
import pytest

from service.engine import hashing
from service.engine.log import canonical
from service.engine.log.parts import part_names
from service.engine.visibility.scope import GAME_MASTER, OBSERVER
from service.replay.audit.audit_dice import listed_draws, stream_of_list
from service.replay.audit.part_check import laid_view
from service.replay.log.log_rules import LogRules
from service.replay.log.sealed_event import Evidence, OpenPart

CREATED = {
    "type": "encounter_created",
    "dice": {"algorithm": "hmac_sha256_1", "mode": "sealed"},
    "seed": "os",
    "sides": [{"id": "red"}, {"id": "blue"}],
}
STARTED = {"type": "encounter_started"}
GIVEN = {"type": "contributed", "value": "a1" * 32}
SEED = {"type": "seed_revealed", "seed": "b2" * 32}
DRAW = {"stream": 0, "number": 1, "sides": 6, "face": 3, "purpose": "attack"}
MAP = {"type": "options_set", "map": "c3" * 32}


def first_difference(*events: tuple[list[Any], list[Any]]) -> str | None:
    rules = LogRules({"d4" * 32})
    for seq, (effects, draws) in enumerate(events, 1):
        differs = rules.judge({"effects": effects}, (("$.draws", draws),), seq)
        if differs is not None:
            return f"{seq}:{differs.path}"
    return None


@pytest.mark.parametrize(
    ("events", "found"),
    [
        ([([CREATED, GIVEN], []), ([STARTED], [DRAW]), ([SEED], [])], None),
        ([([GIVEN], [])], "1:$.effects[0]"),
        ([([CREATED, CREATED], [])], "1:$.effects[1]"),
        ([([CREATED], []), ([CREATED], [])], "2:$.effects[0]"),
        ([([CREATED], []), ([STARTED, GIVEN], [])], "2:$.effects[1]"),
        ([([CREATED, {**GIVEN, "value": "zz"}], [])], "1:$.effects[1]"),
        ([([CREATED], [DRAW])], "1:$.draws"),
        ([([CREATED, STARTED, SEED], [DRAW]), ([], [DRAW])], "2:$.draws"),
        ([([CREATED, STARTED, SEED], []), ([SEED], [])], "2:$.effects[0]"),
        ([([CREATED, {**SEED, "seed": 7}], [])], "1:$.effects[1]"),
        ([([CREATED, {"type": "erased", "seqs": ["1"]}], [])], "1:$.effects[1]"),
        ([([CREATED, {**MAP, "map": "d4" * 32}], [])], None),
        ([([CREATED, MAP], [])], f"1:blobs.{'c3' * 32}"),
        ([([CREATED, "x", {"type": 7}, {"type": "erased"}], [])], "1:$.effects[2]"),
    ],
)
def test_what_may_be_where_in_a_log(events: Any, found: str | None) -> None:
    assert first_difference(*events) == found


def test_of_a_log_whose_beginning_is_not_at_hand_nothing_is_said() -> None:
    rules = LogRules(())
    assert rules.judge({"effects": [CREATED]}, (("$.draws", [DRAW]),), 5) is None
    assert rules.judge({"effects": [CREATED]}, (), 6) is None


@pytest.mark.parametrize(
    ("entry", "fits"),
    [
        ([["effects", 0, "total"], 7], True),
        ([["effects", 1], {"type": "moved"}], True),
        ([["draws", 0], DRAW], True),
        ([["draws", 0, "combatant"], "bina"], True),
        ([["draws", 0, "face"], 6], False),
        ([["draws"], []], False),
        ([["effects", 2], {"type": "moved"}], False),
        ([["effects", 9, "total"], 7], False),
        ([["effects", -1], {}], False),
        ([["nothing", "there"], 7], False),
        ([["effects", "x"], 7], False),
        ([[0], 7], False),
        ([[], 7], False),
    ],
)
def test_every_entry_of_a_part_leads_somewhere_and_changes_no_draw(entry: Any, fits: bool) -> None:
    body = canonical.encode({"draws": [DRAW], "effects": [{"type": "noted"}]})
    part = msgspec.json.encode({"entries": [entry]})
    opened = {("facts", "red"): OpenPart(bytes(16), part)}
    evidence = Evidence(hash=hashing.event_hash(body), body=body, commits=b"", opened=opened)
    view, differs = laid_view(evidence, "red")
    assert (differs is None) == fits
    assert differs is None or differs.path == "parts.facts.red.entries[0]"
    assert json.loads(msgspec.json.encode(view))["effects"][0]["type"] == "noted" or fits
    assert laid_view(evidence, "everyone") == (json.loads(body), None)


def test_a_list_of_draws_has_those_of_its_own_stream_alone() -> None:
    sides = ("red", "blue")
    lists = [f"parts.facts.{name}:$.draws" for kind, name in part_names(sides) if kind == "facts"]
    assert [stream_of_list(where, sides) for where in ("$.draws", *lists)] == [0, 1, 2, 255]
    own = listed_draws((("$.draws", [DRAW]),), None, 5, sides, GAME_MASTER)
    assert (len(own.seen), own.drawn_again, own.wrong) == (1, 0, None)
    foreign = listed_draws(((lists[0], [DRAW]),), bytes(32), 5, sides, OBSERVER)
    assert (foreign.seen, foreign.drawn_again) == ((), 0)
    assert foreign.wrong is not None
    assert foreign.wrong.path == "parts.facts.red:$.draws[0].stream"
