"""What a log would have been under another version: where it differs first, and by what rules."""

from typing import Any

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from service.engine.ruleset.definition import Ruleset, Rulesets
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import actions as do
from service.replay.audit.version_comparison import ComparedLog, VersionComparer
from service.replay.audit.version_comparisons import compare_bundle, comparison_of
from service.replay.bundle.reader import DamagedBundle
from service.replay.report.comparison import (
    DrawChange,
    EventChange,
    ThrownDie,
    VersionComparison,
)
from service.rulesets import RULESETS as REAL
from tests.kit.rigs import rig_named
from tests.kit.table import SEED, Table
from tests.replay.memory_audit import blobs_of, bundle_of, evidence_of, rehashed
from tests.replay.stored_tables import random_table
from tests.toy.battles import ANN, SEATS, SETUP, SIDES, ambush, table_dice
from tests.toy.model import Hide, Strike
from tests.toy.rules import RULESET, RULESETS
from tests.toy.versions import FORGETFUL, HARDER, LUCKIER, PLAIN, SAME, SLOWER, TURNED

AMBUSH = ambush()
EVENTS = len(AMBUSH.sealed)
SEEKER = rig_named("seeker-d100")


def both(other: Ruleset[Any]) -> Rulesets:
    return {**RULESETS, ("toy", "2"): other}


def plain(found: object) -> Any:
    """JSON, as scripts get it: values that were shown as JSON text cannot be compared otherwise."""
    return msgspec.json.decode(msgspec.json.encode(found))


def compared(other: Ruleset[Any], table: Table = AMBUSH) -> VersionComparison:
    return compare_bundle(bundle_of(table), both(other), "2")


def of(table: Table, **found: Any) -> VersionComparison:
    """What is said of a battle, apart from what was found."""
    last = table.sealed[-1]
    return VersionComparison(
        encounter=table.encounter,
        ruleset="toy",
        version="1",
        against="2",
        head=last.seq,
        hash=last.hash,
        **({"decided": len(table.sealed)} | found),
    )


@pytest.mark.parametrize("battle", [ambush, table_dice])
def test_under_a_version_that_decides_alike_nothing_changes(battle: Any) -> None:
    table = battle()
    assert compared(SAME, table) == of(table, result="same")


def test_the_first_difference_the_rules_and_the_effects_are_named() -> None:
    hurt = [event for event in AMBUSH.events if "hurt" in types_of(event)]
    first = hurt[0]
    at = types_of(first).index("hurt")
    expected = of(
        AMBUSH,
        result="differs",
        differing=len(hurt),
        first=EventChange(
            seq=first.seq,
            action="adjust",
            kind="differs",
            path=f"parts.facts.blue:$.effects[{at}].amount",
            stored=Raw(b"1"),
            recomputed=Raw(b"2"),
        ),
        effects={"hurt": len(hurt)},
        rules={"TY-HURT-2": len(hurt)},
    )
    assert plain(compared(HARDER)) == plain(expected)


def types_of(event: Any) -> list[str]:
    return [effect.__struct_config__.tag for effect in event.effects]


def test_another_die_is_named_with_what_it_is_thrown_for() -> None:
    strikes = [event for event in AMBUSH.events if isinstance(event.action, Strike)]
    found = compared(LUCKIER)
    assert (found.differing, found.draws) == (len(strikes), len(strikes))
    first = strikes[0]
    assert found.first_draw == DrawChange(
        seq=first.seq,
        place=1,
        stored=ThrownDie(purpose="strike", sides=6, face=first.draws[0].face),
        recomputed=ThrownDie(purpose="luck", sides=8, face=6),
    )
    assert found.effects["attack_resolved"] == len(strikes)


def test_a_die_that_only_the_record_could_have_given_is_named_without_a_face() -> None:
    table = Table(RULESET, SETUP, sides=SIDES, seats=SEATS)
    table.act(do.StartEncounter())
    table.act(
        Strike(combatant=str(table.turn), target="anders" if table.turn != "anders" else "berta")
    )
    log = ComparedLog(encounter=table.encounter, seed=None, blobs=blobs_of(table), own=RULESET)
    comparer = VersionComparer(LUCKIER, log)
    for evidence in evidence_of(table):
        comparer.compare(evidence)
    assert comparer.first_draw is not None
    assert comparer.first_draw.recomputed == ThrownDie(purpose="strike", sides=6)


def test_what_the_other_version_refuses_is_counted_by_code_and_rule() -> None:
    steps = [event.seq for event in AMBUSH.events if event.action.__struct_config__.tag == "step"]
    assert compared(SLOWER) == of(
        AMBUSH,
        result="differs",
        differing=len(steps),
        first=EventChange(
            seq=steps[0],
            action="step",
            kind="refused",
            code="cell_impassable",
            rule="TY-STEP-3",
            params={"x": 0, "y": 0},
        ),
        refusals={"cell_impassable": len(steps)},
        rules={"TY-STEP-3": len(steps)},
    )


def test_the_same_effects_in_another_order_are_told_as_that() -> None:
    found = compared(TURNED)
    turns = [e for e in AMBUSH.events if e.action.__struct_config__.tag == "end_turn"]
    assert found.effects == {"order": len(turns)}
    assert (found.rules, found.draws) == ({}, 0)


HIDDEN = next(e.seq for e in AMBUSH.events if isinstance(e.action, Hide))
FAILED = EventChange(
    seq=HIDDEN, action="hide", kind="refused", code="rules_failed", params={"error": "LookupError"}
)


@pytest.mark.parametrize(
    ("other", "change", "refusals"),
    [
        (PLAIN, EventChange(seq=HIDDEN, kind="unreadable"), {}),
        (FORGETFUL, FAILED, {"rules_failed": 1}),
    ],
)
def test_what_the_other_version_cannot_read_or_apply_is_a_difference(
    other: Ruleset[Any], change: EventChange, refusals: dict[str, int]
) -> None:
    assert compared(other) == of(
        AMBUSH,
        result="differs",
        decided=HIDDEN,
        differing=1,
        undecided=EVENTS - HIDDEN,
        first=change,
        refusals=refusals,
    )


def test_erased_text_makes_no_difference() -> None:
    table = Table(RULESET, SETUP, sides=SIDES, seats=SEATS, title="Ambush")
    table.act(do.NoteAction(text="what was said"), ANN)
    table.act(do.StartEncounter())
    table.act(do.Erase(seqs=(1, 2)))
    table.act(do.NoteAction(text="what is said"), ANN)
    assert compared(SAME, table) == of(table, result="same")


def test_of_a_bundle_with_withheld_parts_no_more_is_said_than_can_be() -> None:
    red = Viewer(sides=("red",))
    found = compare_bundle(bundle_of(AMBUSH, lambda seq: red), both(HARDER), "2")
    assert found == of(
        AMBUSH, result="unavailable", decided=0, undecided=EVENTS, reason="parts_withheld"
    )


def test_a_damaged_log_is_no_difference_of_the_versions() -> None:
    for body in (b"5", b"{}", AMBUSH.sealed[5].body):
        log = ComparedLog(
            encounter=AMBUSH.encounter, seed=SEED, blobs=blobs_of(AMBUSH), own=RULESET
        )
        comparer = VersionComparer(SAME, log)
        evidence = evidence_of(AMBUSH)
        evidence[8] = replace(evidence[8], body=body)
        for each in evidence:
            comparer.compare(each)
        found = comparison_of(comparer, of(AMBUSH, result="same"), is_cut_off=False)
        assert found == of(
            AMBUSH,
            result="unavailable",
            decided=8,
            undecided=EVENTS - 8,
            reason="log_damaged",
        )


def test_without_the_map_nothing_is_compared() -> None:
    log = ComparedLog(encounter=AMBUSH.encounter, seed=SEED, blobs={}, own=RULESET)
    comparer = VersionComparer(SAME, log)
    for each in evidence_of(AMBUSH):
        comparer.compare(each)
    found = comparison_of(comparer, of(AMBUSH, result="same"), is_cut_off=False)
    assert (found.result, found.reason, found.differing) == ("unavailable", "blob_missing", 0)


def test_a_version_that_this_build_does_not_have_is_told() -> None:
    found = compare_bundle(bundle_of(AMBUSH), RULESETS, "9")
    assert found == replace(
        of(AMBUSH, result="unavailable", decided=0), against="9", reason="version_unknown"
    )


def test_what_is_no_bundle_is_told_as_such() -> None:
    with pytest.raises(DamagedBundle, match="truncated"):
        compare_bundle(bundle_of(AMBUSH)[:5], both(SAME), "2")
    with pytest.raises(DamagedBundle, match="truncated"):
        compare_bundle([], both(SAME), "2")
    whole = bundle_of(AMBUSH)
    for version in ("2", "9"):
        with pytest.raises(DamagedBundle, match="out_of_order"):
            compare_bundle([whole[0], whole[-1]], both(SAME), version)


def test_a_forged_log_is_compared_as_it_stands() -> None:
    body = AMBUSH.sealed[9].body.replace(b'"start":{"x":0', b'"start":{"x":2', 1)
    log = ComparedLog(encounter=AMBUSH.encounter, seed=SEED, blobs=blobs_of(AMBUSH), own=RULESET)
    comparer = VersionComparer(SAME, log)
    for each in rehashed(AMBUSH, 10, body):
        comparer.compare(each)
    assert (comparer.decided, comparer.differing) == (EVENTS, 1)


def test_a_real_later_version_is_told_by_the_rules_that_it_changed() -> None:
    """Version 2 has thrown weapons and arrows avoided by a plain check."""
    found = [
        compare_bundle(bundle_of(random_table(SEEKER, number, 25)), REAL, "2")
        for number in range(6)
    ]
    assert {each.result for each in found} == {"same", "differs"}
    rules = {rule for each in found for rule in each.rules}
    assert {"SK-DODGE-1", "SK-DODGE-4"} <= rules
    assert {effect for each in found for effect in each.effects} == {"attack_resolved"}
    assert all(each.decided == each.head and each.draws == 0 for each in found)
