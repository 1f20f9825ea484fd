"""Every forgery is named where it was made, however many keys the forger has."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace
from msgspec.structs import replace as changed

from service.cli.reporting import exit_of
from service.engine import hashing
from service.engine.log.event import Event
from service.engine.log.parts import part_names
from service.engine.visibility.scope import Viewer
from service.engine.vocabulary import effects as fx
from service.exits import Exit
from service.replay.log.sealed_event import OpenPart, commits_in
from service.replay.report.differences import DrawDifference
from service.replay.report.verdicts import EventVerdict, Report
from tests.kit.table import SEED, Table
from tests.replay.forger import resealed, seq_of, with_event, with_row
from tests.replay.memory_audit import audit, digest, evidence_in_memory, rehashed
from tests.toy.battles import ANN, BOB, SETUP, SIDES, ambush, table_dice
from tests.toy.model import Hide, Strike

AMBUSH = ambush()
TABLE_DICE = table_dice()
HONEST = [evidence_in_memory(sealed) for sealed in AMBUSH.sealed]
FIRST_STRIKE = seq_of(AMBUSH, "strike")
SNIFF = seq_of(AMBUSH, "sniff")
ADJUST = seq_of(AMBUSH, "adjust")
START = seq_of(AMBUSH, "start_encounter")
REWIND = seq_of(AMBUSH, "rewind")
"""Takes back the first strike."""


def die(stored: int, recomputed: int) -> DrawDifference:
    """The die of the first strike, thrown otherwise."""
    return DrawDifference(
        stream=0, number=1, purpose="strike", sides=6, stored=stored, recomputed=recomputed
    )


def first_of(report: Report) -> EventVerdict:
    assert isinstance(report.first_failure, EventVerdict)
    return report.first_failure


def forged(seq: int, change: Callable[[Event], Event]) -> EventVerdict:
    """The first failure of the battle with one event changed and all seals made again."""
    return first_of(audit(AMBUSH, with_event(AMBUSH, seq, change), seed=SEED))


def with_effect(index: int, **changes: Any) -> Callable[[Event], Event]:
    def change(event: Event) -> Event:
        effects = list(event.effects)
        effects[index] = changed(effects[index], **changes)
        return changed(event, effects=tuple(effects))

    return change


def with_draw(index: int, **changes: Any) -> Callable[[Event], Event]:
    def change(event: Event) -> Event:
        draws = list(event.draws)
        draws[index] = changed(draws[index], **changes)
        return changed(event, draws=tuple(draws))

    return change


def test_the_forger_with_all_keys_who_changes_nothing_is_not_accused() -> None:
    assert audit(AMBUSH, resealed(AMBUSH, AMBUSH.events), seed=SEED).clean


# --- somebody with all keys of the service: only the rules object ---------------------------------


def test_a_forged_face_is_told_with_the_one_the_seed_gives() -> None:
    face = AMBUSH.events[FIRST_STRIKE - 1].draws[0].face
    assert forged(FIRST_STRIKE, with_draw(0, face=face - 1)) == EventVerdict(
        seq=FIRST_STRIKE,
        verdict="mismatch",
        path="$.draws[0].face",
        stored=Raw(b"%d" % (face - 1)),
        recomputed=Raw(b"%d" % face),
        draw=die(face - 1, face),
        undone_by=REWIND,
    )


def test_a_forged_face_is_told_to_those_who_lack_parts_as_well() -> None:
    log = with_event(AMBUSH, FIRST_STRIKE, with_draw(0, face=1))
    visible = [
        replace(each, opened={n: p for n, p in each.opened.items() if n[1] == "everyone"})
        for each in log
    ]
    verdict = first_of(audit(AMBUSH, visible, seed=SEED, viewer=Viewer()))
    assert (verdict.seq, verdict.verdict, verdict.path) == (
        FIRST_STRIKE,
        "mismatch",
        "$.draws[0].face",
    )


def test_a_forged_purpose_and_a_draw_too_many_are_told() -> None:
    verdict = forged(FIRST_STRIKE, with_draw(0, purpose="dodge"))
    assert (verdict.verdict, verdict.path) == ("mismatch", "$.draws[0].purpose")

    def twice(event: Event) -> Event:
        return changed(event, draws=(*event.draws, changed(event.draws[0], number=2)))

    verdict = forged(FIRST_STRIKE, twice)
    assert (verdict.verdict, verdict.path) == ("mismatch", "$.draws[1]")


def test_a_draw_that_is_missing_is_told_while_the_seed_is_sealed() -> None:
    cut = list(AMBUSH.events[:FIRST_STRIKE])
    cut[-1] = changed(cut[-1], draws=())
    verdict = first_of(audit(AMBUSH, resealed(AMBUSH, cut), seed=None))
    assert (verdict.seq, verdict.verdict, verdict.path) == (FIRST_STRIKE, "mismatch", "$.draws[0]")
    missing = b'{"number":1,"purpose":"strike","sides":6,"stream":0}'
    assert verdict.recomputed == Raw(missing)


def test_a_face_that_the_die_does_not_have_is_told_while_the_seed_is_sealed() -> None:
    cut = list(AMBUSH.events[:FIRST_STRIKE])
    cut[-1] = with_draw(0, face=7)(cut[-1])
    verdict = first_of(audit(AMBUSH, resealed(AMBUSH, cut), seed=None))
    assert (verdict.seq, verdict.verdict, verdict.path) == (FIRST_STRIKE, "mismatch", "$.draws[0]")


def test_a_forged_effect_is_told_with_its_path() -> None:
    verdict = forged(START, with_effect(-2, round=2))
    count = len(AMBUSH.events[START - 1].effects)
    assert verdict.verdict == "mismatch"
    # Everyone sees one effect fewer: the lurker's initiative is its side's.
    assert verdict.path == f"$.effects[{count - 3}].round"
    assert (verdict.stored, verdict.recomputed) == (Raw(b"2"), Raw(b"1"))


def test_a_forged_order_of_turns_is_told() -> None:
    def reversed_order(event: Event) -> Event:
        effects = tuple(
            changed(effect, entries=effect.entries[::-1])
            if isinstance(effect, fx.OrderSet)
            else effect
            for effect in event.effects
        )
        return changed(event, effects=effects)

    verdict = forged(START, reversed_order)
    assert (verdict.seq, verdict.verdict) == (START, "mismatch")
    assert str(verdict.path).startswith("$.effects[")
    assert ".entries[0]" in str(verdict.path)


def test_a_forged_hidden_roll_is_told_as_a_difference_in_a_part() -> None:
    verdict = forged(SNIFF, with_draw(0, face=20))
    assert (verdict.seq, verdict.verdict) == (SNIFF, "sealed_mismatch")
    assert verdict.path == "parts.facts.gm:$.draws[0].face"


def test_a_forged_effect_of_somebody_hidden_is_told_as_a_difference_in_a_part() -> None:
    seq = seq_of(AMBUSH, "step", 1)
    verdict = forged(seq, with_effect(0, manner="flies"))
    assert (verdict.seq, verdict.verdict) == (seq, "sealed_mismatch")
    assert verdict.path == "parts.facts.blue:$.effects[0].manner"


def test_forged_text_is_told_as_a_difference_in_a_part() -> None:
    seq = seq_of(AMBUSH, "note")
    verdict = forged(seq, with_effect(0, text="Anders stumbles"))
    assert (verdict.seq, verdict.verdict) == (seq, "sealed_mismatch")
    assert verdict.path == "parts.text.everyone:$.effects[0].text"


def test_what_follows_from_an_override_is_decided_again_all_the_same() -> None:
    verdict = forged(ADJUST, with_effect(1, amount=5))
    assert (verdict.seq, verdict.verdict) == (ADJUST, "sealed_mismatch")
    assert verdict.path == "parts.facts.blue:$.effects[1].amount"


def test_an_actor_who_was_not_entitled_is_refused() -> None:
    verdict = forged(FIRST_STRIKE, lambda event: changed(event, by=BOB))
    assert verdict == EventVerdict(
        seq=FIRST_STRIKE,
        verdict="refused",
        code="not_your_combatant",
        params={"combatant": "anders"},
        undone_by=REWIND,
    )


def test_a_player_who_does_what_is_the_gms_is_refused() -> None:
    verdict = forged(ADJUST, lambda event: changed(event, by=ANN))
    assert (verdict.seq, verdict.verdict, verdict.code) == (ADJUST, "refused", "gm_only")


def test_an_action_that_the_rules_do_not_allow_is_refused() -> None:
    action = Strike(combatant="anders", target="anders")
    verdict = forged(FIRST_STRIKE, lambda event: changed(event, action=action))
    assert (verdict.seq, verdict.verdict, verdict.code) == (
        FIRST_STRIKE,
        "refused",
        "target_not_hostile",
    )


def test_another_action_with_the_same_effects_does_not_lead_to_them() -> None:
    verdict = forged(FIRST_STRIKE, lambda event: changed(event, action=Hide(combatant="anders")))
    assert (verdict.seq, verdict.verdict) == (FIRST_STRIKE, "mismatch")
    assert verdict.path == "$.draws[0]"


def test_a_rewind_to_another_place_than_it_says_is_told() -> None:
    seq = seq_of(AMBUSH, "rewind")
    cut = list(AMBUSH.events[:seq])
    cut[-1] = changed(cut[-1], base=cut[-1].base - 1)
    verdict = first_of(audit(AMBUSH, resealed(AMBUSH, cut), seed=SEED))
    assert (verdict.seq, verdict.verdict, verdict.path) == (seq, "mismatch", "$.base")


def test_an_event_that_was_cut_out_leaves_a_gap() -> None:
    events = [event for event in AMBUSH.events[: START + 1] if event.seq != START]
    log = [evidence_in_memory(AMBUSH.sealed[event.seq - 1]) for event in events]
    verdict = first_of(audit(AMBUSH, log, seed=SEED))
    assert (verdict.seq, verdict.verdict, verdict.path) == (START + 1, "mismatch", "$.seq")
    assert verdict.broken == ("chain",)


def test_an_event_that_was_cut_out_and_renumbered_is_missed_by_the_rules() -> None:
    cut = list(AMBUSH.events[: FIRST_STRIKE + 1])
    del cut[FIRST_STRIKE - 2]
    events = [changed(e, seq=n, base=n - 1) for n, e in enumerate(cut, 1)]
    verdict = first_of(audit(AMBUSH, resealed(AMBUSH, events), seed=SEED))
    assert verdict.seq == FIRST_STRIKE - 1
    assert verdict.verdict in ("refused", "mismatch")


def test_two_events_in_each_others_place_are_told() -> None:
    log = [*HONEST]
    log[1], log[2] = log[2], log[1]
    verdict = first_of(audit(AMBUSH, log, seed=SEED))
    assert (verdict.seq, verdict.verdict, verdict.path) == (3, "mismatch", "$.seq")


def test_faces_of_the_table_are_judged_like_the_tables_own() -> None:
    def one_more(event: Event) -> Event:
        return changed(event, draws=(*event.draws, changed(event.draws[0], number=9)))

    log = with_event(TABLE_DICE, 2, one_more)
    verdict = first_of(audit(TABLE_DICE, log, seed=SEED))
    assert (verdict.seq, verdict.verdict, verdict.code) == (2, "refused", "too_many_faces")
    log = with_event(TABLE_DICE, 2, lambda event: changed(event, draws=event.draws[:2]))
    verdict = first_of(audit(TABLE_DICE, log, seed=SEED))
    assert (verdict.seq, verdict.verdict, verdict.code) == (2, "refused", "too_few_faces")
    log = with_event(TABLE_DICE, 2, with_draw(0, face=21))
    verdict = first_of(audit(TABLE_DICE, log, seed=SEED))
    assert (verdict.seq, verdict.verdict, verdict.code) == (2, "refused", "impossible_face")


def test_a_player_who_brought_faces_along_is_refused() -> None:
    declared = seq_of(TABLE_DICE, "strike")
    draw = changed(TABLE_DICE.events[declared].draws[0], combatant="anders")
    log = with_event(TABLE_DICE, declared, lambda event: changed(event, draws=(draw,)))
    verdict = first_of(audit(TABLE_DICE, log, seed=SEED))
    assert (verdict.seq, verdict.verdict, verdict.code) == (declared, "refused", "faces_not_taken")


# --- somebody who edits rows ----------------------------------------------------------------------


def test_a_changed_body_is_told_with_what_the_rules_say_stood_there() -> None:
    face = AMBUSH.events[FIRST_STRIKE - 1].draws[0].face
    body = AMBUSH.sealed[FIRST_STRIKE - 1].body.replace(
        b'"face":%d' % face, b'"face":%d' % (face - 1)
    )
    report = audit(AMBUSH, with_row(HONEST, FIRST_STRIKE, body=body), seed=SEED)
    assert first_of(report) == EventVerdict(
        seq=FIRST_STRIKE,
        verdict="mismatch",
        path="$.draws[0].face",
        stored=Raw(b"%d" % (face - 1)),
        recomputed=Raw(b"%d" % face),
        draw=die(face - 1, face),
        broken=("hash",),
        undone_by=REWIND,
    )
    # One row was touched, one event is named.
    assert dict(report.counts) == {"match": 25, "override": 1, "mismatch": 1}


def test_a_changed_time_is_told_by_the_hash_alone() -> None:
    body = AMBUSH.sealed[4].body.replace(b"2026-11-21", b"2026-11-22")
    verdict = first_of(audit(AMBUSH, with_row(HONEST, 5, body=body), seed=SEED))
    assert (verdict.seq, verdict.verdict, verdict.path) == (5, "mismatch", "hash")
    assert verdict.stored == Raw(msgspec.json.encode(AMBUSH.sealed[4].hash))


def test_a_body_that_was_hashed_anew_breaks_the_chain_behind_it() -> None:
    body = AMBUSH.sealed[4].body.replace(b"2026-11-21", b"2026-11-22")
    log = with_row(with_row(HONEST, 5, body=body), 5, hash=digest("x").hex())
    verdict = first_of(audit(AMBUSH, log, seed=SEED))
    assert (verdict.seq, verdict.path, verdict.broken) == (5, "hash", ("hash",))


def test_a_log_that_was_linked_anew_is_told_by_its_head_alone_if_only_the_time_changed() -> None:
    body = AMBUSH.sealed[4].body.replace(b"2026-11-21", b"2026-11-22")
    report = audit(AMBUSH, rehashed(AMBUSH, 5, body), seed=SEED)
    assert report.clean
    assert report.hash != AMBUSH.head


@pytest.mark.parametrize(
    "at", ["", "yesterday", "2026-11-21T10:00:00Z", "2026-02-30T10:00:00.000Z", "2026-11-21"]
)
@pytest.mark.parametrize("viewer", [Viewer(is_gm=True), Viewer()], ids=["gm", "observer"])
def test_a_time_that_is_none_is_told(at: str, viewer: Viewer) -> None:
    log = with_event(AMBUSH, 5, lambda event: changed(event, at=at))
    if not viewer.is_gm:
        log = with_row(log, 1, opened={})
    report = audit(AMBUSH, log, seed=SEED, viewer=viewer)
    verdict = report.verdicts[4]
    assert (verdict.verdict, verdict.path, verdict.broken) == ("mismatch", "$.at", ("canonical",))
    assert verdict.stored == Raw(msgspec.json.encode(at))


def test_a_clock_that_went_back_is_a_remark_and_no_fault() -> None:
    at = "2020-01-01T00:00:00.000Z"
    report = audit(AMBUSH, with_event(AMBUSH, 5, lambda event: changed(event, at=at)), seed=SEED)
    assert (report.clean, report.warnings) == (True, ("clock_went_back",))
    assert audit(AMBUSH, HONEST, seed=SEED).warnings == ()


def test_bytes_that_are_not_canonical_are_told() -> None:
    body = AMBUSH.sealed[4].body.replace(b'"base":', b'"base": ')
    verdict = first_of(audit(AMBUSH, rehashed(AMBUSH, 5, body), seed=SEED))
    assert (verdict.seq, verdict.verdict, verdict.broken) == (5, "mismatch", ("canonical",))


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b"null", b"\xff", b'{"seq":', b"[" * 100_000])
def test_bytes_that_are_no_event_are_told_and_what_follows_is_not_judged(body: bytes) -> None:
    report = audit(AMBUSH, with_row(HONEST, 5, body=body), seed=SEED)
    assert first_of(report).seq == 5
    assert first_of(report).verdict == "mismatch"
    assert {v.verdict for v in report.verdicts[5:]} == {"unavailable"}


def test_an_unknown_field_is_told() -> None:
    body = AMBUSH.sealed[4].body.replace(b'"draws":', b'"dealt":1,"draws":')
    verdict = first_of(audit(AMBUSH, rehashed(AMBUSH, 5, body), seed=SEED))
    assert (verdict.seq, verdict.verdict, verdict.path) == (5, "mismatch", "$.dealt")


@pytest.mark.parametrize(
    ("old", "new", "path", "is_judged"),
    [
        (b'"total":6', b'"total":"six"', "$.effects[0].detail.roll.total", True),
        (b'"first":true', b'"first":3', "$.effects[1].first", True),
        (b'"number":1,', b'"number":"1",', "$.draws[0].number", False),
        (b',"type":"strike"', b"", "$.action", False),
    ],
)
def test_an_event_that_is_malformed_is_wrong_and_what_follows_is_judged(
    old: bytes, new: bytes, path: str, is_judged: bool
) -> None:
    body = AMBUSH.sealed[FIRST_STRIKE - 1].body
    report = audit(AMBUSH, rehashed(AMBUSH, FIRST_STRIKE, body.replace(old, new, 1)), seed=SEED)
    verdict = first_of(report)
    assert (verdict.seq, verdict.verdict, verdict.path) == (FIRST_STRIKE, "mismatch", path)
    later = {each.verdict for each in report.verdicts[FIRST_STRIKE:]}
    assert later <= ({"match", "override"} if is_judged else {"unavailable"})
    assert exit_of(report) == Exit.WRONG


def test_the_services_own_log_has_no_newer_effects() -> None:
    body = AMBUSH.sealed[4].body.replace(b'"type":"turn_', b'"type":"tarn_')
    report = audit(AMBUSH, rehashed(AMBUSH, 5, body), seed=SEED, is_own=True)
    verdict = first_of(report)
    assert (verdict.seq, verdict.verdict) == (5, "mismatch")
    assert str(verdict.path).endswith(".type")


def test_an_effect_this_build_does_not_know_is_unavailable_not_wrong() -> None:
    body = AMBUSH.sealed[4].body.replace(b'"type":"turn_', b'"type":"tarn_')
    assert body != AMBUSH.sealed[4].body
    verdict = first_of(audit(AMBUSH, rehashed(AMBUSH, 5, body), seed=SEED))
    assert (verdict.seq, verdict.verdict, verdict.code) == (5, "unavailable", "version_unknown")


@pytest.mark.parametrize("half", ["salt", "body"])
def test_a_part_that_does_not_fit_its_commitment_is_told_without_its_content(half: str) -> None:
    name = ("facts", "gm")
    part = HONEST[SNIFF - 1].opened[name]
    other = {"salt": bytes(16), "body": part.body.replace(b'"face":', b'"faze":')}
    opened = {**HONEST[SNIFF - 1].opened, name: replace(part, **{half: other[half]})}
    report = audit(AMBUSH, with_row(HONEST, SNIFF, opened=opened), seed=SEED)
    verdict = report.verdicts[SNIFF - 1]
    assert (verdict.verdict, verdict.path) == ("sealed_mismatch", "parts.facts.gm")
    assert verdict.broken == ("commitment",)


@pytest.mark.parametrize("viewer", [Viewer(is_gm=True), Viewer()], ids=["gm", "observer"])
def test_a_part_whose_bytes_are_not_canonical_is_told(viewer: Viewer) -> None:
    """By somebody who committed to it and signed everything again."""
    seq, name = 5, ("text", "everyone")
    row = HONEST[seq - 1]
    part = replace(row.opened[name], body=row.opened[name].body.replace(b":", b": ", 1))
    place = part_names(SIDES).index(name)
    made = commits_in(row.commits)
    made[place] = hashing.part_commit(part.salt, part.body)
    commits = b"".join(made)
    sealed = hashing.sealed(commits)
    old = msgspec.json.decode(row.body)["sealed"]
    log = rehashed(AMBUSH, seq, row.body.replace(old.encode(), sealed.encode()))
    log = with_row(log, seq, commits=commits, opened={**row.opened, name: part})
    if not viewer.is_gm:
        log = with_row(log, 1, opened={})
    verdict = audit(AMBUSH, log, seed=SEED, viewer=viewer).verdicts[seq - 1]
    assert (verdict.verdict, verdict.path) == ("sealed_mismatch", "parts.text.everyone")
    assert verdict.broken == ("canonical",)


def test_a_part_that_was_removed_cannot_pass_for_an_empty_one() -> None:
    name = ("facts", "gm")
    row = HONEST[SNIFF - 1]
    empty = OpenPart(salt=row.opened[name].salt, body=b'{"entries":[]}')
    report = audit(AMBUSH, with_row(HONEST, SNIFF, opened={**row.opened, name: empty}), seed=SEED)
    assert report.verdicts[SNIFF - 1].verdict == "sealed_mismatch"


def test_a_part_that_is_no_text_at_all_is_told_and_nothing_worse() -> None:
    name = ("facts", "gm")
    for body in (b"\xff", b"{", b"[" * 100_000, b'{"entries":[[["draws",0],{"n":"\xe6"}]]}'):
        part = OpenPart(salt=bytes(16), body=body)
        opened = {**HONEST[SNIFF - 1].opened, name: part}
        for viewer in (Viewer(is_gm=True), Viewer()):
            log = with_row(HONEST, SNIFF, opened=opened)
            if not viewer.is_gm:
                log = with_row(log, 1, opened={})
            report = audit(AMBUSH, log, seed=SEED, viewer=viewer)
            assert report.verdicts[SNIFF - 1].verdict == "sealed_mismatch"


def test_changed_commitments_are_told() -> None:
    commits = HONEST[4].commits[:-32] + bytes(32)
    verdict = first_of(audit(AMBUSH, with_row(HONEST, 5, commits=commits), seed=SEED))
    assert (verdict.seq, verdict.verdict, verdict.path) == (5, "mismatch", "$.sealed")
    fewer = HONEST[4].commits[:-32]
    verdict = first_of(audit(AMBUSH, with_row(HONEST, 5, commits=fewer), seed=SEED))
    assert verdict.broken == ("commitment",)


def test_an_event_of_another_encounter_is_told() -> None:
    other = Table(AMBUSH.ruleset, SETUP, sides=SIDES, encounter=AMBUSH.encounter[:-1] + "2")
    log = [evidence_in_memory(other.sealed[0])]
    verdict = first_of(audit(AMBUSH, log, seed=SEED))
    assert (verdict.verdict, verdict.path, verdict.broken) == (
        "mismatch",
        "$.encounter",
        ("chain",),
    )


def test_evidence_is_only_ever_read() -> None:
    before = [msgspec.structs.replace(e) for e in HONEST]
    audit(AMBUSH, HONEST, seed=SEED)
    assert before == HONEST
